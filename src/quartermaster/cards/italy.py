"""Italy's cards."""

from quartermaster.cards.vocabulary import *

_AFRICA = In("north-africa", "africa", "middle-east")

FIRST = [
    *basic_cards(4, 3, 4, 2),
    warfare(
        "Decima Flottiglia MAS (Frogmen)",
        "The United Kingdom discards the top card of its deck. +1 VP.",
        Drain(UNITED_KINGDOM, Fixed(1)),
        Score(Fixed(1)),
    ),
    warfare(
        "Regia Marina Closes Shipping Lanes",
        "Needs your navy in the Mediterranean Sea. The United Kingdom discards the top card of its"
        " deck. +2 VP.",
        Drain(UNITED_KINGDOM, Fixed(1)),
        Score(Fixed(2)),
        needs=Pieces(NAVY, In("mediterranean-sea")),
    ),
    event(
        "Afrika Korps",
        "Recruit a German army in North Africa. Then recruit a German navy in the Mediterranean"
        " Sea.",
        Recruit(ARMY, In("north-africa"), GERMANY),
        Recruit(NAVY, In("mediterranean-sea"), GERMANY),
    ),
    event(
        "Division Azul",
        "Discard a Soviet response card from the table, picked at random and unseen.",
        DiscardOf(SOVIET_UNION, has_statuses=False, has_responses=True),
    ),
    event(
        "German Aid in Greece",
        "Eliminate an Allied army in the Balkans. Then recruit a German army in the Balkans.",
        Eliminate(ARMY, In("balkans"), ALLIED_COUNTRIES),
        Recruit(ARMY, In("balkans"), GERMANY),
    ),
    event(
        "German Reinforcements Counterattack",
        "Eliminate an Allied army in Italy.",
        Eliminate(ARMY, In("italy"), ALLIED_COUNTRIES),
    ),
    event(
        "Italian East Africa",
        "Recruit an army in North Africa. Then recruit a navy in the Bay of Bengal.",
        Recruit(ARMY, In("north-africa")),
        Recruit(NAVY, In("bay-of-bengal")),
    ),
    event(
        "Italy Attacks Communists",
        "In any order: build an army in Ukraine and an army in Russia.",
        AnyOrder([Build(ARMY, In("ukraine")), Build(ARMY, In("russia"))]),
    ),
    event(
        "Plunder",
        "+1 VP for each army and navy of yours outside Italy.",
        Score(Pieces(ANY_PIECE, Outside("italy"))),
    ),
    victory_status(
        "Anti-Communist Sentiment",
        "In your victory step: +1 VP if your army is in Russia or Ukraine.",
        If(Pieces(ARMY, In("russia", "ukraine"))),
    ),
    victory_status(
        "Balkan Resources",
        "In your victory step: +1 VP if your army is in the Balkans.",
        If(Pieces(ARMY, In("balkans"))),
    ),
    status(
        "Bravado",
        "In place of playing a card: discard 3 cards from hand to play a Land Battle card from your"
        " discard pile.",
        PlayFrom(FACE_UP, types(LAND_BATTLE)),
        in_place=True,
        cost=[HandCost(3)],
    ),
    victory_status(
        "Impero Italiano",
        "In your victory step: +1 VP for each of North Africa, Africa and the Middle East with an"
        " Italian or German army.",
        Spaces(_AFRICA, only(ITALY, GERMANY)),
    ),
    victory_status(
        "Mare Nostrum",
        "In your victory step: +1 VP for each navy of yours on the board.",
        Pieces(NAVY),
    ),
    response(
        "Monte Cassino",
        "Any time: a German army in Italy is not removed this turn.",
        Protect(ARMY, In("italy"), only(GERMANY)),
        when=AnyTime(),
    ),
    response(
        "Romanian Reinforcements",
        "Right after a supplied German army is removed: recruit an army in its space.",
        Recruit(ARMY, THERE),
        when=Loses(ARMY, only(GERMANY), is_supplied=True),
    ),
    response(
        "Skilled Pilots",
        "When an economic-warfare card with 'Bomber' in its title makes you discard: you discard"
        " nothing.",
        ChangeDrain(Fixed(NOTHING), is_own=True),
        when=Drains(ALLIED_COUNTRIES, "Bomber", is_own=True),
    ),
]

SECOND = revise(
    FIRST,
    changed=[
        alter(
            "Decima Flottiglia MAS (Frogmen)",
            text="The United Kingdom discards the top card of its deck, and 1 more if no Allied"
            " navy is in the Mediterranean Sea. +1 VP.",
            do=[
                Drain(
                    UNITED_KINGDOM,
                    If(Pieces(NAVY, In("mediterranean-sea"), ALLIED_COUNTRIES), 1, 2),
                ),
                Score(Fixed(1)),
            ],
        ),
        alter(
            "Regia Marina Closes Shipping Lanes",
            text="For each navy of yours on the board: +1 VP and the United Kingdom discards the"
            " top card of its deck.",
            do=[Score(Pieces(NAVY)), Drain(UNITED_KINGDOM, Pieces(NAVY))],
            needs=None,
        ),
        response(
            "German Reinforcements Counterattack",
            "Right after your supplied army is removed: recruit a German army in its space.",
            Recruit(ARMY, THERE, GERMANY),
            when=Loses(ARMY, OWN, is_supplied=True),
        ),
        alter(
            "Italian East Africa",
            text="Build an army in North Africa. Then build a navy in the Bay of Bengal.",
            do=[Build(ARMY, In("north-africa")), Build(NAVY, In("bay-of-bengal"))],
        ),
        alter(
            "Italy Attacks Communists",
            text="Build an army in Ukraine. Then build an army in Russia.",
            do=[Build(ARMY, In("ukraine")), Build(ARMY, In("russia"))],
        ),
        alter(
            "Anti-Communist Sentiment",
            text="In your victory step: +1 VP for each army of yours in Russia and Ukraine.",
            do=[Score(Pieces(ARMY, In("russia", "ukraine")))],
        ),
        alter(
            "Bravado",
            text="In place of playing a card: discard the top 2 cards of your deck to battle a land"
            " space.",
            do=[Battle(ARMY)],
            cost=[DeckCost(2)],
        ),
        alter(
            "Impero Italiano",
            text="In your victory step: +1 VP for each Axis army in North Africa, Africa and the"
            " Middle East.",
            do=[Score(Pieces(ARMY, _AFRICA, AXIS_COUNTRIES))],
        ),
        alter(
            "Monte Cassino",
            text="When an Axis army in Italy is about to be removed: it is not removed this turn.",
            do=[ProtectThat()],
            when=AboutToLose(ARMY, In("italy"), AXIS_COUNTRIES),
        ),
        alter(
            "Skilled Pilots",
            text="When an economic-warfare card makes you discard: you discard 5 cards fewer, not"
            " below 0.",
            do=[ChangeDrain(Fixed(-5), is_own=True)],
            when=Drains(ALLIED_COUNTRIES, is_own=True),
        ),
    ],
)

AIR_MARSHAL = [
    deploy_air_force(2),
    bolster(
        "Golden Square Coup",
        "At the start of your victory step: Germany may recruit an army in the Middle East.",
        Recruit(ARMY, In("middle-east"), GERMANY, is_theirs=True),
        when=StartOf(START_VICTORY),
    ),
    bolster(
        "Macchi C.202",
        "When you deploy or marshal an air force: discard 2 cards from hand to eliminate an Allied"
        " air force adjacent to that air force.",
        Eliminate(AIR_FORCE, BESIDE_THERE, ALLIED_COUNTRIES),
        when=Deploys(),
        cost=[HandCost(2)],
    ),
    bolster(
        "Regia Aeronautica",
        "When an economic-warfare card makes you discard: remove your air force from the board to"
        " discard nothing.",
        GiveUpAirForce(),
        ChangeDrain(Fixed(NOTHING), is_own=True, needs=Pieces(AIR_FORCE)),
        when=Drains(ALLIED_COUNTRIES, is_own=True),
    ),
    bolster(
        "Somaliland",
        "At the start of your victory step: recruit an army in Africa.",
        Recruit(ARMY, In("africa")),
        when=StartOf(START_VICTORY),
    ),
    bolster(
        "Supermarina",
        "In your victory step: +1 VP for each navy of yours on the board.",
        Score(Pieces(NAVY)),
        when=InVictoryStep(),
    ),
]
