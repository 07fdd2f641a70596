"""Germany's cards."""

from quartermaster.cards.vocabulary import *

_SUBMARINES_NEED = Pieces(ANY_PIECE, Near("north-sea"))
_IN_SCANDINAVIA = Pieces(ARMY, In("scandinavia"))

FIRST = [
    *basic_cards(6, 2, 7, 2),
    warfare(
        "Submarines (United Kingdom)",
        "Needs a piece of yours in or adjacent to the North Sea. The United Kingdom discards the"
        " top 3 cards of its deck. +1 VP.",
        Drain(UNITED_KINGDOM, Fixed(3)),
        Score(Fixed(1)),
        needs=_SUBMARINES_NEED,
        copies=2,
    ),
    warfare(
        "Submarines (United States)",
        "Needs a piece of yours in or adjacent to the North Sea. The United States discards the"
        " top 3 cards of its deck, or 5 if your navy is in the North Sea. +1 VP.",
        Drain(UNITED_STATES, If(Pieces(NAVY, In("north-sea")), 5, 3)),
        Score(Fixed(1)),
        needs=_SUBMARINES_NEED,
    ),
    warfare(
        "Submarines (Soviet Union)",
        "The Soviet Union discards the top 2 cards of its deck, or 5 if your army is in"
        " Scandinavia. +1 VP.",
        Drain(SOVIET_UNION, If(_IN_SCANDINAVIA, 5, 2)),
        Score(Fixed(1)),
    ),
    warfare(
        "V-Weapons",
        "Needs an army of yours adjacent to the North Sea. The United Kingdom discards the top 2"
        " cards of its deck. +2 VP.",
        Drain(UNITED_KINGDOM, Fixed(2)),
        Score(Fixed(2)),
        needs=Pieces(ARMY, Beside("north-sea")),
    ),
    event(
        "Broad Front",
        "Up to 3 times: battle a Soviet army in a space where one was adjacent to your army when"
        " this turn began.",
        UpTo(3, BattleArmyOf(SOVIET_UNION, FrontAtStart(SOVIET_UNION))),
    ),
    event(
        "Forced Conscription",
        "Recruit 1 or 2 armies in or adjacent to Germany.",
        UpTo(2, Recruit(ARMY, Near("germany"))),
    ),
    event(
        "Guns and Butter",
        "Take a Build Army, Build Navy, Land Battle or Sea Battle card from your deck and play it."
        " Shuffle the deck.",
        PlayFrom(DECK, BASIC_TYPES),
    ),
    event(
        "Military Dictatorships in the Balkans",
        "Recruit an Italian army in the Balkans. Then eliminate an Allied army in Ukraine.",
        Recruit(ARMY, In("balkans"), ITALY),
        Eliminate(ARMY, In("ukraine"), ALLIED_COUNTRIES),
    ),
    event(
        "Plunder",
        "+1 VP for each army of yours outside Germany.",
        Score(Pieces(ARMY, Outside("germany"))),
    ),
    event(
        "Production Initiative",
        "Take a status card from your deck and play it. Shuffle the deck.",
        PlayFrom(DECK, types(STATUS)),
    ),
    event(
        "The Autobahn",
        "One at a time, each army you have on the board at most once: take it off, then build it.",
        Rebuild(has_navies=False, is_lifted=True),
    ),
    victory_status(
        "Abundant Resources",
        "In your victory step: +1 VP if your army is in Ukraine.",
        Pieces(ARMY, In("ukraine")),
    ),
    status(
        "Atlantic Wall",
        "When an Axis army in Western Europe is battled: the attacking country discards the top 3"
        " cards of its deck.",
        Drain(ATTACKER, Fixed(3)),
        when=TeamBattled(In("western-europe")),
        auto=True,
    ),
    status(
        "Bias for Action",
        "When you build an army, once per turn: discard the top card of your deck to battle a land"
        " space adjacent to that army.",
        Battle(ARMY, BESIDE_THERE),
        when=Builds(ARMY),
        once=True,
        cost=[DeckCost(1)],
    ),
    status(
        "Blitzkrieg",
        "When you battle a land space, once per turn: discard the top card of your deck to build"
        " an army in that space.",
        Build(ARMY, THERE),
        when=Battles(ARMY),
        once=True,
        cost=[DeckCost(1)],
    ),
    status(
        "Conscription",
        "In place of playing a card: discard the top 2 cards of your deck to play a Build Army"
        " card from your discard pile.",
        PlayFrom(FACE_UP, types(BUILD_ARMY)),
        in_place=True,
        cost=[DeckCost(2)],
    ),
    status(
        "Dive Bombers",
        "When you battle a land space, once per turn: discard the top card of your deck to battle"
        " the same land space or one adjacent to it.",
        Battle(ARMY, AROUND_THERE),
        when=Battles(ARMY),
        once=True,
        cost=[DeckCost(1)],
    ),
    status(
        "Jet Fighters",
        "When an economic-warfare card makes you discard: the country that played it discards the"
        " top 3 cards of its deck.",
        Drain(ATTACKER, Fixed(3)),
        when=Drains(ALLIED_COUNTRIES, is_own=True),
        auto=True,
    ),
    status(
        "Superior Planning",
        "At the start of your draw step: look at the top 3 cards of your deck and put them back in"
        " any order.",
        OrderTop(3),
        when=StartOf(START_DRAW),
    ),
    victory_status(
        "Swedish Iron Ore",
        "In your victory step: +1 VP if your navy is in the Baltic Sea, or +2 VP if besides your"
        " army is in Scandinavia.",
        Product(If(Pieces(NAVY, In("baltic-sea"))), Sum(Fixed(1), If(_IN_SCANDINAVIA))),
    ),
    status(
        "Volkssturm",
        "When you play a Land Battle card: it may eliminate an enemy army in Germany instead,"
        " no matter the adjacency.",
        Instead(Eliminate(ARMY, In("germany"), ALLIED_COUNTRIES)),
        when=Plays(types(LAND_BATTLE)),
    ),
    status(
        "Wolf Packs",
        "When a German or Japanese economic-warfare card with 'Submarine' in its title makes a"
        " country discard: it discards 1 card more, or 2 more if your army is in Scandinavia.",
        ChangeDrain(Sum(Fixed(1), If(_IN_SCANDINAVIA)), is_own=False),
        when=Drains(only(GERMANY, JAPAN), "Submarine"),
        auto=True,
    ),
]

_NORTH_SEA_ARMIES = Pieces(ARMY, Beside("north-sea"))
_NEAR_SCANDINAVIA = Pieces(ANY_PIECE, Near("scandinavia"))
_IN_WESTERN_EUROPE = Pieces(ARMY, In("western-europe"))

SECOND = revise(
    FIRST,
    gone=[
        "Submarines (United Kingdom)",
        "Submarines (United States)",
        "Submarines (Soviet Union)",
        "Production Initiative",
    ],
    changed=[
        warfare(
            "V-Weapons",
            "If your army is in Western Europe: +3 VP and the United Kingdom discards the top card"
            " of its deck.",
            Score(If(_IN_WESTERN_EUROPE, 3)),
            Drain(UNITED_KINGDOM, If(_IN_WESTERN_EUROPE)),
        ),
        alter(
            "Broad Front",
            text="Up to 3 times: battle a land space that held a Soviet army adjacent to your army"
            " when this turn began.",
            do=[UpTo(3, Battle(ARMY, FrontAtStart(SOVIET_UNION)))],
        ),
        alter(
            "Guns and Butter",
            text="Do one: build an army, build a navy, battle a land space, or battle a sea space.",
            do=[OneOf([Build(ARMY), Build(NAVY), Battle(ARMY), Battle(NAVY)])],
        ),
        alter(
            "Plunder",
            text="+1 VP for each army and navy of yours outside Germany.",
            do=[Score(Pieces(ANY_PIECE, Outside("germany")))],
        ),
        alter(
            "The Autobahn",
            text="One at a time, each army you have on the board at most once: eliminate it, then"
            " build it.",
            do=[Rebuild(has_navies=False, is_lifted=False)],
        ),
        alter(
            "Abundant Resources",
            text="In your victory step: +1 VP for each army of yours in Ukraine, Kazakhstan and"
            " Russia.",
            do=[Score(Pieces(ARMY, In("ukraine", "kazakhstan", "russia")))],
        ),
        alter(
            "Atlantic Wall",
            text="When an Axis army in Western Europe is battled, once per turn: the attacking"
            " country discards the top 3 cards of its deck.",
            once=True,
        ),
        alter(
            "Conscription",
            text="In place of playing a card: discard the top 2 cards of your deck to build an"
            " army.",
            do=[Build(ARMY)],
        ),
        alter(
            "Jet Fighters",
            text="When an economic-warfare card makes you discard: you discard 3 cards fewer, not"
            " below 0.",
            do=[ChangeDrain(Fixed(-3), is_own=True)],
        ),
        alter(
            "Superior Planning",
            text="At the start of your turn, once per turn: look at the top 4 cards of your deck"
            " and put them back in any order.",
            do=[OrderTop(4)],
            when=StartOf(START_TURN),
            once=True,
        ),
        alter(
            "Swedish Iron Ore",
            text="In your victory step: +1 VP if your navy is in the Baltic Sea, and +1 VP if your"
            " army is in Scandinavia.",
            do=[Score(Sum(If(Pieces(NAVY, In("baltic-sea"))), If(_IN_SCANDINAVIA)))],
        ),
        status(
            "Volkssturm",
            "At the start of your turn, once per turn: discard the top card of your deck to"
            " recruit an army in Germany. Your play step still follows.",
            Recruit(ARMY, In("germany")),
            when=StartOf(START_TURN),
            once=True,
            cost=[DeckCost(1)],
        ),
        alter(
            "Wolf Packs",
            text="When your economic-warfare card with 'Submarines' in its title makes a country"
            " discard: it discards 2 cards more, or 3 more if your army is in Scandinavia.",
            do=[ChangeDrain(Sum(Fixed(2), If(_IN_SCANDINAVIA)), is_own=False)],
            when=Drains(OWN, "Submarines"),
        ),
    ],
    added=[
        warfare(
            "Submarines Enforce Blockade",
            "For each army of yours adjacent to the North Sea: +1 VP and the United Kingdom"
            " discards the top 2 cards of its deck.",
            Score(_NORTH_SEA_ARMIES),
            Drain(UNITED_KINGDOM, Per(_NORTH_SEA_ARMIES, 2)),
        ),
        warfare(
            "Submarines Lead the Battle of the Atlantic",
            "For each navy of yours on the board: +1 VP and the United Kingdom discards the top 2"
            " cards of its deck.",
            Score(Pieces(NAVY)),
            Drain(UNITED_KINGDOM, Per(Pieces(NAVY), 2)),
        ),
        warfare(
            "Submarines of the Monsoon Group",
            "An Allied country of your choice discards the top 2 cards of its deck. +2 VP.",
            Drain(TARGET, Fixed(2)),
            Score(Fixed(2)),
            target=NameTarget(ALLIED_COUNTRIES),
        ),
        warfare(
            "Submarines Prey on Unprotected Shipping",
            "The United Kingdom discards the top 2 cards of its deck, and 3 more if no Allied navy"
            " is in the North Sea. +1 VP.",
            Drain(
                UNITED_KINGDOM,
                If(Pieces(NAVY, In("north-sea"), ALLIED_COUNTRIES), 2, 5),
            ),
            Score(Fixed(1)),
        ),
        warfare(
            "Submarines Raid Murmansk Convoy",
            "For each army and navy of yours in or adjacent to Scandinavia: +1 VP and the Soviet"
            " Union discards the top 2 cards of its deck.",
            Score(_NEAR_SCANDINAVIA),
            Drain(SOVIET_UNION, Per(_NEAR_SCANDINAVIA, 2)),
        ),
        status(
            "Synthetic Fuel",
            "When you build an army, once per turn: discard the top 2 cards of your deck to build"
            " an army adjacent to it.",
            Build(ARMY, BESIDE_THERE),
            when=Builds(ARMY),
            once=True,
            cost=[DeckCost(2)],
        ),
    ],
)

AIR_MARSHAL = [
    deploy_air_force(3),
    bolster(
        "Admiral Graf Spee",
        "When you build a navy: discard the top card of your deck to battle the North Sea, North"
        " Atlantic or South Atlantic.",
        Battle(NAVY, In("north-sea", "north-atlantic", "south-atlantic")),
        when=Builds(NAVY),
        cost=[DeckCost(1)],
    ),
    bolster(
        "Cloud Cover",
        "At the start of your play step: air defense and air attack cannot be used this turn.",
        StopAirWar(),
        when=StartOf(START_PLAY),
    ),
    bolster(
        "Ju-52's Airlift Supplies",
        "At the start of your play step, if your air force is on the board: all your pieces are in"
        " supply for the rest of this turn.",
        Sustain(ANYWHERE, needs=Pieces(AIR_FORCE)),
        when=StartOf(START_PLAY),
    ),
    bolster(
        "Ju-87",
        "When you deploy or marshal an air force: discard the top card of your deck to battle a"
        " land space adjacent to that air force.",
        Battle(ARMY, BESIDE_THERE),
        when=Deploys(),
        cost=[DeckCost(1)],
    ),
    bolster(
        "Me-109s Attack Airfields",
        "When you deploy or marshal an air force: discard the top card of your deck to eliminate"
        " an Allied air force adjacent to that air force.",
        Eliminate(AIR_FORCE, BESIDE_THERE, ALLIED_COUNTRIES),
        when=Deploys(),
        cost=[DeckCost(1)],
    ),
    bolster(
        "Operation Weserubung",
        "At the start of your victory step: discard the top card of your deck to recruit an army"
        " in Scandinavia.",
        Recruit(ARMY, In("scandinavia")),
        when=StartOf(START_VICTORY),
        cost=[DeckCost(1)],
    ),
    bolster(
        "Tactical Innovations",
        "At the start of your play step: discard your status card from the table to put a status"
        " card from hand on the table.",
        LayShown(),
        when=StartOf(START_PLAY),
        cost=[StatusCost(), ShowStatus()],
    ),
    bolster(
        "The Blitz",
        "When you play an economic-warfare card: the United Kingdom discards the top 2 cards of"
        " its deck for each air force of yours within 2 spaces of the United Kingdom.",
        Drain(UNITED_KINGDOM, Per(Pieces(AIR_FORCE, Within(2, UNITED_KINGDOM)), 2)),
        when=Plays(types(ECONOMIC_WARFARE)),
    ),
]
