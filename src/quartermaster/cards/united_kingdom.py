"""The United Kingdom's cards."""

from quartermaster.cards.vocabulary import *

_MED_MASK = mask_of("mediterranean-sea")
_CROWN = In("india", "australia", "canada")

FIRST = [
    *basic_cards(5, 5, 4, 5),
    warfare(
        "Bomber Command",
        "Germany or Italy, as you choose, discards the top 4 cards of its deck.",
        Drain(TARGET, Fixed(4)),
        target=NameTarget(only(GERMANY, ITALY)),
    ),
    warfare(
        "Malta Submarines",
        "Germany and Italy each choose: discard the top 2 cards of its deck, or have its navy in"
        " the Mediterranean Sea eliminated.",
        DrainOrNavy(GERMANY, 2, _MED_MASK),
        DrainOrNavy(ITALY, 2, _MED_MASK),
    ),
    event(
        "Dutch East Indies",
        "Recruit an army in Indonesia and an army in New Guinea. Then recruit a navy in the South"
        " China Sea.",
        Recruit(ARMY, In("indonesia")),
        Recruit(ARMY, In("new-guinea")),
        Recruit(NAVY, In("south-china-sea")),
    ),
    event(
        "Enigma",
        "Discard a German status card of your choice from the table.",
        DiscardOf(GERMANY, has_statuses=True, has_responses=False),
    ),
    event(
        "General Smuts Strengthens Ties to UK",
        "Recruit an army in Africa. Then recruit a navy in the Southern Ocean or the Indian Ocean.",
        Recruit(ARMY, In("africa")),
        Recruit(NAVY, In("southern-ocean", "indian-ocean")),
    ),
    event(
        "Increased Commonwealth Support",
        "Recruit an army in India, Australia or Canada.",
        Recruit(ARMY, _CROWN),
    ),
    event(
        "King Peter Enthroned in Yugoslavia",
        "Eliminate an Axis army in the Balkans. Then recruit an army in the Balkans.",
        Eliminate(ARMY, In("balkans"), AXIS_COUNTRIES),
        Recruit(ARMY, In("balkans")),
    ),
    event(
        "Ledo and Burma Roads",
        "Eliminate an Axis army in China. Then recruit a United States army in Szechuan.",
        Eliminate(ARMY, In("china"), AXIS_COUNTRIES),
        Recruit(ARMY, In("szechuan"), UNITED_STATES),
    ),
    event(
        "Singapore",
        "Recruit an army in Southeast Asia. Then recruit a navy in the South China Sea.",
        Recruit(ARMY, In("southeast-asia")),
        Recruit(NAVY, In("south-china-sea")),
    ),
    status(
        "Australia Forms the Directorate of Manpower",
        "You may build armies in Australia without an adjacent supplied piece.",
        always=Always(build_mask=mask_of("australia")),
    ),
    status(
        "Free France",
        "In place of playing a card: discard 2 cards from hand to build an army in Western Europe.",
        Build(ARMY, In("western-europe")),
        in_place=True,
        cost=[HandCost(2)],
    ),
    status(
        "Lord Linlithgow Declares India to Be at War",
        "You may build armies in India without an adjacent supplied piece.",
        always=Always(build_mask=mask_of("india")),
    ),
    status(
        "Mackenzie King Drafts the National Resources Mobilization Act",
        "Canada is a supply space for you alone.",
        always=Always(source_mask=mask_of("canada")),
    ),
    status(
        "Rationing",
        "When you play a card in your play step: discard 1 card from hand to put the played card"
        " under your deck rather than on your discard pile.",
        MovePlayed(UNDER),
        when=Plays(ANY_TYPE, in_play_step=True),
        cost=[HandCost(1, is_strict=True)],
    ),
    status(
        "Resistance",
        "In place of playing a card: discard 2 cards from hand to battle Western Europe or Italy.",
        Battle(ARMY, In("western-europe", "italy")),
        in_place=True,
        cost=[HandCost(2)],
    ),
    status(
        "The Royal Navy",
        "When you battle a sea space, once per turn: discard 2 cards from hand to battle the same"
        " sea space or one adjacent to it.",
        Battle(NAVY, AROUND_THERE),
        when=Battles(NAVY),
        once=True,
        cost=[HandCost(2)],
    ),
    response(
        "Defensive Posture",
        "Any time: a supplied army of yours is not removed this turn.",
        Protect(ARMY, is_supplied=True),
        when=AnyTime(),
    ),
    response(
        "Destroyers",
        "Any time: a supplied navy of the United States or of yours, adjacent to your supplied"
        " army, is not removed this turn.",
        Protect(
            NAVY,
            whose=only(UNITED_KINGDOM, UNITED_STATES),
            is_supplied=True,
            beside_own_army=True,
        ),
        when=AnyTime(),
    ),
    response(
        "Loyal to the Crown",
        "Right after an Axis army is built or recruited in India, Australia or Canada: eliminate"
        " it.",
        EliminateThat(),
        when=EnemyBuilds(ARMY, _CROWN, or_recruits=True),
    ),
    response(
        "RAF",
        "Any time: a supplied Allied navy in the North Sea, or an Allied army in the United"
        " Kingdom, is not removed this turn.",
        OneOf(
            [
                Protect(NAVY, In("north-sea"), ALLIED_COUNTRIES, is_supplied=True),
                Protect(ARMY, In("united-kingdom"), ALLIED_COUNTRIES),
            ]
        ),
        when=AnyTime(),
    ),
]

SECOND = revise(
    FIRST,
    gone=["Enigma"],
    changed=[
        alter(
            "General Smuts Strengthens Ties to UK",
            text="Recruit an army in Africa. Then recruit a navy in the Southern Ocean or the Bay"
            " of Bengal.",
            do=[
                Recruit(ARMY, In("africa")),
                Recruit(NAVY, In("southern-ocean", "bay-of-bengal")),
            ],
        ),
        alter(
            "Ledo and Burma Roads",
            text="Build an army in Southeast Asia. Then battle China or Szechuan.",
            do=[
                Build(ARMY, In("southeast-asia")),
                Battle(ARMY, In("china", "szechuan")),
            ],
        ),
        alter(
            "Australia Forms the Directorate of Manpower",
            text="When you may build an army, you may recruit it in Australia instead.",
            always=Always(recruit_mask=mask_of("australia")),
        ),
        alter(
            "Lord Linlithgow Declares India to Be at War",
            text="When you may build an army, you may recruit it in India instead.",
            always=Always(recruit_mask=mask_of("india")),
        ),
        victory_status(
            "Mackenzie King Drafts the National Resources Mobilization Act",
            "In your victory step: +1 VP if your navy is in the North Atlantic, and +1 VP if your"
            " army is in Canada.",
            Sum(If(Pieces(NAVY, In("north-atlantic"))), If(Pieces(ARMY, In("canada")))),
        ),
        response(
            "Rationing",
            "When you play a card in your play step: shuffle the played card into your deck rather"
            " than put it on your discard pile.",
            MovePlayed(SHUFFLED_IN),
            when=Plays(ANY_TYPE, in_play_step=True),
        ),
        alter(
            "The Royal Navy",
            text="When you battle a sea space, once per turn: discard 2 cards from hand to battle a"
            " sea space, the same or another.",
            do=[Battle(NAVY)],
        ),
        response(
            "Defensive Posture",
            "When your supplied army is about to be removed: it is not removed this turn.",
            ProtectThat(),
            when=AboutToLose(ARMY, is_supplied=True),
        ),
        response(
            "Destroyers",
            "When a supplied navy of the United States or of yours is about to be removed: it is"
            " not removed this turn.",
            ProtectThat(),
            when=AboutToLose(NAVY, whose=only(UNITED_KINGDOM, UNITED_STATES), is_supplied=True),
        ),
        alter(
            "Loyal to the Crown",
            text="Right after an Axis army is built in India, Australia or Canada: eliminate it.",
            when=EnemyBuilds(ARMY, _CROWN),
        ),
        response(
            "RAF",
            "When your piece in or adjacent to the United Kingdom is about to be removed: it is not"
            " removed this turn.",
            ProtectThat(),
            when=AboutToLose(ANY_PIECE, Near("united-kingdom")),
        ),
    ],
    added=[
        response(
            "ASW Tactics",
            "Right after an Axis country plays an economic-warfare card: ignore that card's text.",
            Negate(),
            when=Plays(types(ECONOMIC_WARFARE), AXIS_COUNTRIES),
        ),
        response(
            "Enigma Code Cracked",
            "Right after Germany has used a status card: discard that status card.",
            DiscardThat(),
            when=Uses(only(GERMANY), types(STATUS), is_done=True),
        ),
    ],
)

AIR_MARSHAL = [
    deploy_air_force(3),
    bolster(
        "Bletchley Park",
        "When Germany or Italy uses a bolster card: discard 2 cards from hand to negate its effect."
        " Its cost stays paid.",
        Negate(),
        when=Uses(only(GERMANY, ITALY), types(BOLSTER)),
        cost=[HandCost(2)],
    ),
    bolster(
        "Commonwealth Irregulars",
        "At the start of your victory step: discard 2 cards from hand to recruit an army in North"
        " Africa, the Middle East, Southeast Asia or Indonesia.",
        Recruit(ARMY, In("north-africa", "middle-east", "southeast-asia", "indonesia")),
        when=StartOf(START_VICTORY),
        cost=[HandCost(2)],
    ),
    bolster(
        "Keep Calm and Carry On",
        "When an Axis country uses a status card: discard 2 cards from hand to negate its effect"
        " until the end of this turn. Its cost stays paid.",
        Negate(stops=True),
        when=Uses(AXIS_COUNTRIES, types(STATUS)),
        cost=[HandCost(2)],
    ),
    bolster(
        "Operation Banquet",
        "At the start of any country's play step: discard 3 cards from hand to deploy an air force"
        " in the United Kingdom or the North Sea, without a Deploy Air Force card.",
        Deploy(In("united-kingdom", "north-sea")),
        when=StartOf(START_PLAY, in_any_turn=True),
        cost=[HandCost(3)],
    ),
    bolster(
        "Warsaw Uprising",
        "At the start of your victory step: discard 2 cards from hand to recruit an army in Eastern"
        " Europe.",
        Recruit(ARMY, In("eastern-europe")),
        when=StartOf(START_VICTORY),
        cost=[HandCost(2)],
    ),
]
