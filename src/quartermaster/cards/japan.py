"""Japan's cards."""

from quartermaster.cards.vocabulary import *

_CHINA_THREE = ("china", "szechuan", "southeast-asia")

FIRST = [
    *basic_cards(4, 6, 3, 4),
    warfare(
        "Submarines (United States)",
        "The United States discards the top card of its deck. +2 VP.",
        Drain(UNITED_STATES, Fixed(1)),
        Score(Fixed(2)),
    ),
    warfare(
        "Submarines (United Kingdom)",
        "The United Kingdom discards the top card of its deck. +2 VP.",
        Drain(UNITED_KINGDOM, Fixed(1)),
        Score(Fixed(2)),
    ),
    victory_status(
        "Forward Bases",
        "In your victory step: +1 VP for each army of yours in Hawaii, the Pacific Northwest and"
        " New Zealand.",
        Pieces(ARMY, In("hawaii", "pacific-northwest", "new-zealand")),
    ),
    victory_status(
        "Greater East Asia Co-prosperity Sphere",
        "In your victory step: +1 VP for each army of yours in Indonesia, New Guinea and Southeast"
        " Asia.",
        Pieces(ARMY, In("indonesia", "new-guinea", "southeast-asia")),
    ),
    victory_status(
        "Imperial Designs",
        "In your victory step: +1 VP if your army is in Iwo Jima or the Philippines.",
        If(Pieces(ARMY, In("iwo-jima", "philippines"))),
    ),
    response(
        "Banzai Charge",
        "When you battle a land space: battle the same land space or one adjacent to it.",
        Battle(ARMY, AROUND_THERE),
        when=Battles(ARMY),
    ),
    response(
        "Battleship Repair",
        "Any time: a supplied navy of yours is not removed this turn.",
        Protect(NAVY, is_supplied=True),
        when=AnyTime(),
    ),
    response(
        "China Offensive",
        "When you battle China, Szechuan or Southeast Asia: build an army there. Then build an army"
        " in another of these three.",
        Build(ARMY, THERE),
        Build(ARMY, Another(*_CHINA_THREE)),
        when=Battles(ARMY, In(*_CHINA_THREE)),
    ),
    response(
        "Destroyer Transport",
        "When you battle a sea space: build 1 or 2 armies adjacent to that space.",
        UpTo(2, Build(ARMY, BESIDE_THERE)),
        when=Battles(NAVY),
    ),
    response(
        "Fall of Singapore",
        "When you battle Southeast Asia: eliminate an Allied navy in the South China Sea. Then"
        " recruit a navy there.",
        Eliminate(NAVY, In("south-china-sea"), ALLIED_COUNTRIES),
        Recruit(NAVY, In("south-china-sea")),
        when=Battles(ARMY, In("southeast-asia")),
    ),
    response(
        "Kamikaze",
        "Right after an Allied navy is built adjacent to your piece: eliminate it.",
        EliminateThat(),
        when=EnemyBuilds(NAVY, beside_own_piece=True),
    ),
    response(
        "Kwantung Army",
        "Any time: a supplied army of yours in China, Szechuan or Vladivostok is not removed this"
        " turn.",
        Protect(ARMY, In("china", "szechuan", "vladivostok"), is_supplied=True),
        when=AnyTime(),
    ),
    response(
        "Operation Ketsu-Go",
        "Any time: an Axis army in Japan, or an Axis navy in the Sea of Japan, is not removed this"
        " turn.",
        OneOf(
            [
                Protect(ARMY, In("japan"), AXIS_COUNTRIES),
                Protect(NAVY, In("sea-of-japan"), AXIS_COUNTRIES),
            ]
        ),
        when=AnyTime(),
    ),
    response(
        "Special Naval Landing Forces",
        "When you build a navy: build 1 or 2 armies adjacent to it.",
        UpTo(2, Build(ARMY, BESIDE_THERE)),
        when=Builds(NAVY),
    ),
    response(
        "Surprise Attack",
        "When you battle a sea space: battle a sea space. Then battle a land space.",
        Battle(NAVY),
        Battle(ARMY),
        when=Battles(NAVY),
    ),
    response(
        "Truk",
        "Any time: your navies, and your armies adjacent to the Central Pacific, are in supply for"
        " the rest of this turn.",
        Sustain(Where(SEA_MASK, beside_mask=mask_of("central-pacific"))),
        when=AnyTime(),
    ),
]

_BENGAL_NAVIES = Pieces(NAVY, Near("bay-of-bengal"))
_PACIFIC_NAVIES = Pieces(NAVY, Near("east-pacific"))

SECOND = revise(
    FIRST,
    gone=["Submarines (United States)", "Submarines (United Kingdom)", "Operation Ketsu-Go"],
    changed=[
        alter(
            "Forward Bases",
            text="In your victory step: +2 VP if your army is in Hawaii, the Pacific Northwest or"
            " New Zealand.",
            do=[Score(If(Pieces(ARMY, In("hawaii", "pacific-northwest", "new-zealand")), 2))],
        ),
        alter(
            "Battleship Repair",
            text="When your supplied navy is about to be removed: it is not removed this turn.",
            do=[ProtectThat()],
            when=AboutToLose(NAVY, is_supplied=True),
        ),
        alter(
            "China Offensive",
            text="When you battle China or a land space adjacent to it: build an army in the"
            " battled space. Then battle China or a land space adjacent to it.",
            do=[Build(ARMY, THERE), Battle(ARMY, Near("china"))],
            when=Battles(ARMY, Near("china")),
        ),
        alter(
            "Fall of Singapore",
            text="When you battle Southeast Asia: battle the South China Sea. Then recruit an army"
            " in Southeast Asia.",
            do=[Battle(NAVY, In("south-china-sea")), Recruit(ARMY, In("southeast-asia"))],
        ),
        alter(
            "Kwantung Army",
            text="When your supplied army in China, Szechuan, Mongolia or Vladivostok is about to"
            " be removed: it is not removed this turn.",
            do=[ProtectThat()],
            when=AboutToLose(
                ARMY, In("china", "szechuan", "mongolia", "vladivostok"), is_supplied=True
            ),
        ),
        alter(
            "Truk",
            text="Any time in your turn: your pieces in or adjacent to the Central Pacific are in"
            " supply for the rest of this turn.",
            do=[Sustain(Near("central-pacific"))],
            when=AnyTime(in_own_turn=True),
        ),
    ],
    added=[
        warfare(
            "Indian Ocean Patrols",
            "For each navy of yours in or adjacent to the Bay of Bengal: +2 VP and the United"
            " Kingdom discards the top 2 cards of its deck.",
            Score(Per(_BENGAL_NAVIES, 2)),
            Drain(UNITED_KINGDOM, Per(_BENGAL_NAVIES, 2)),
        ),
        warfare(
            "Submarines Support Pacific Islands",
            "For each navy of yours in or adjacent to the East Pacific: +2 VP and the United States"
            " discards the top 2 cards of its deck.",
            Score(Per(_PACIFIC_NAVIES, 2)),
            Drain(UNITED_STATES, Per(_PACIFIC_NAVIES, 2)),
        ),
        response(
            "Mobile Force",
            "At the start of your turn: recruit a navy in or adjacent to the North Pacific.",
            Recruit(NAVY, Near("north-pacific")),
            when=StartOf(START_TURN),
        ),
        victory_status(
            "Unimpeded Merchant Shipping",
            "In your victory step: +1 VP if no Allied army is in Hawaii.",
            If(Pieces(ARMY, In("hawaii"), ALLIED_COUNTRIES), 0, 1),
        ),
    ],
)

AIR_MARSHAL = [
    deploy_air_force(3),
    bolster(
        "A6M Zero-Sen",
        "When you battle a sea space: discard a response card from hand to battle the same sea"
        " space or one adjacent to it.",
        Battle(NAVY, AROUND_THERE),
        when=Battles(NAVY),
        cost=[TypeCost(RESPONSE)],
    ),
    bolster(
        "Imperial Japanese Navy",
        "When you build a navy: discard a response card from hand to build another navy.",
        Build(NAVY),
        when=Builds(NAVY),
        cost=[TypeCost(RESPONSE)],
    ),
    bolster(
        "Island Fortresses",
        "At the start of your victory step: discard a response card from hand to recruit an army in"
        " Indonesia, New Guinea, Iwo Jima or the Philippines.",
        Recruit(ARMY, In("indonesia", "new-guinea", "iwo-jima", "philippines")),
        when=StartOf(START_VICTORY),
        cost=[TypeCost(RESPONSE)],
    ),
    bolster(
        "Nagumo Commands the First Air Fleet",
        "When you deploy or marshal an air force to a sea space: discard a response card from hand"
        " to battle a space adjacent to that air force.",
        Battle(ANY_PIECE, BESIDE_THERE),
        when=Deploys(at_sea=True),
        cost=[TypeCost(RESPONSE)],
    ),
    bolster(
        "The Pacific Empire",
        "In your victory step: +1 VP for each navy of yours in a space with 'Pacific' in its name.",
        Score(Pieces(NAVY, Named("Pacific"))),
        when=InVictoryStep(),
    ),
    bolster(
        "Tora",
        "When you deploy or marshal an air force: discard a response card from hand to eliminate an"
        " Allied air force adjacent to that air force.",
        Eliminate(AIR_FORCE, BESIDE_THERE, ALLIED_COUNTRIES),
        when=Deploys(),
        cost=[TypeCost(RESPONSE)],
    ),
    bolster(
        "Yamamoto aboard the Yamato",
        "At the start of your play step: discard a response card from hand to deploy an air force"
        " in a space with your supplied navy, without a Deploy Air Force card.",
        Deploy(AT_SEA),
        when=StartOf(START_PLAY),
        cost=[TypeCost(RESPONSE)],
    ),
]
