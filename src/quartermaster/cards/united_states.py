"""The United States' cards."""

from quartermaster.cards.vocabulary import *


def _bombers(name: str, needs: str, n: int, target: NameTarget, copies: int = 1) -> Declaration:
    """The first edition's bombers: against an Axis country near enough, or not at all."""
    return warfare(
        name,
        f"Needs {needs} an Axis home space. One such country, as you choose, discards the top {n}"
        " cards of its deck.",
        Drain(TARGET, Fixed(n)),
        needs=HasTarget(target),
        target=target,
        copies=copies,
    )


FIRST = [
    *basic_cards(5, 5, 4, 4),
    _bombers(
        "Bombers", "your army within 3 spaces of", 4, NameTarget(AXIS_COUNTRIES, ARMY, 3), copies=2
    ),
    _bombers(
        "Heavy Bombers",
        "your army within 2 spaces of",
        5,
        NameTarget(AXIS_COUNTRIES, ARMY, 2),
        copies=2,
    ),
    _bombers(
        "Firestorm Bombers",
        "your army or navy adjacent to",
        7,
        NameTarget(AXIS_COUNTRIES, ANY_PIECE, 0),
    ),
    event(
        "Arsenal of Democracy",
        "The United Kingdom may, in any order, build an army and a navy.",
        AnyOrder(
            [
                Build(ARMY, who=UNITED_KINGDOM, is_theirs=True),
                Build(NAVY, who=UNITED_KINGDOM, is_theirs=True),
            ]
        ),
    ),
    event(
        "Fleet Deployed to Pearl Harbor",
        "Build a navy in the East Pacific. Then build a navy in the North Pacific. Then build an"
        " army in Hawaii.",
        Build(NAVY, In("east-pacific")),
        Build(NAVY, In("north-pacific")),
        Build(ARMY, In("hawaii")),
    ),
    event(
        "Free French Allies",
        "The United Kingdom may, in any order, build an army in Western Europe, an army in North"
        " Africa and an army in Africa.",
        AnyOrder(
            [
                Build(ARMY, In(space), UNITED_KINGDOM, is_theirs=True)
                for space in ("western-europe", "north-africa", "africa")
            ]
        ),
    ),
    event(
        "Lend Lease",
        "The United Kingdom may play a card; if it does, it draws a card. Then you may discard the"
        " top 3 cards of your deck to put this card on top of your deck.",
        PlayFrom(HAND, who=UNITED_KINGDOM, has_draw=True),
        MayReturn(3),
    ),
    event(
        "Magic",
        "Discard a Japanese status card of your choice from the table, or a Japanese response card"
        " picked at random and unseen.",
        DiscardOf(JAPAN, has_statuses=True, has_responses=True),
    ),
    event(
        "Murmansk Convoy",
        "Recruit a Soviet army in Russia. Then the Soviet Union may build an army.",
        Recruit(ARMY, In("russia"), SOVIET_UNION),
        Build(ARMY, who=SOVIET_UNION, is_theirs=True),
    ),
    event(
        "Patton Advances",
        "Build an army in Western Europe. Then battle Germany or Italy.",
        Build(ARMY, In("western-europe")),
        Battle(ARMY, In("germany", "italy")),
    ),
    event(
        "Theater Shift",
        "One at a time, each army and navy you have on the board at most once: take it off, then"
        " build it.",
        Rebuild(has_navies=True, is_lifted=True),
    ),
    status(
        "Aircraft Carriers",
        "When you battle a sea space, once per turn: discard the top card of your deck to build a"
        " navy in that space.",
        Build(NAVY, THERE),
        when=Battles(NAVY),
        once=True,
        cost=[DeckCost(1)],
    ),
    status(
        "American Volunteer Group Expands",
        "Szechuan is a supply space for you alone. You may build armies in Szechuan without an"
        " adjacent supplied piece.",
        always=Always(source_mask=mask_of("szechuan"), build_mask=mask_of("szechuan")),
    ),
    status(
        "Amphibious Landings",
        "When you battle a land space adjacent to your supplied navy: discard the top card of your"
        " deck to build an army in that space.",
        Build(ARMY, THERE),
        when=Battles(ARMY, beside_own_navy=True),
        cost=[DeckCost(1)],
    ),
    status(
        "Flexible Resources",
        "In place of playing a card: discard the top 4 cards of your deck to play any card from"
        " your discard pile.",
        PlayFrom(FACE_UP),
        in_place=True,
        cost=[DeckCost(4)],
    ),
    status(
        "Flying Fortresses",
        "When your economic-warfare card makes a country discard: it discards 1 card more.",
        ChangeDrain(Fixed(1), is_own=False),
        when=Drains(OWN),
        auto=True,
    ),
    status(
        "Radar",
        "When your supplied navy is about to be removed: discard the top 3 cards of your deck to"
        " keep it on the board.",
        ProtectThat(is_for_turn=False),
        when=AboutToLose(NAVY, is_supplied=True),
        cost=[DeckCost(3)],
    ),
    status(
        "Rosie the Riveter",
        "At the start of your discard step, once per turn: put 1 or 2 cards from hand under your"
        " deck.",
        UpTo(2, HandUnderDeck()),
        when=StartOf(START_DISCARD),
        once=True,
    ),
    status(
        "Superior Shipyards",
        "When you build a navy, once per turn: discard the top card of your deck to build another"
        " navy.",
        Build(NAVY),
        when=Builds(NAVY),
        once=True,
        cost=[DeckCost(1)],
    ),
    status(
        "Wartime Production",
        "When you build an army, once per turn: discard the top card of your deck to build another"
        " army.",
        Build(ARMY),
        when=Builds(ARMY),
        once=True,
        cost=[DeckCost(1)],
    ),
]

SECOND = revise(
    FIRST,
    gone=["Bombers", "Heavy Bombers", "Firestorm Bombers", "Magic"],
    changed=[
        alter(
            "Fleet Deployed to Pearl Harbor",
            text="Recruit an army in Hawaii. Then build a navy adjacent to Hawaii.",
            do=[Recruit(ARMY, In("hawaii")), Build(NAVY, Beside("hawaii"))],
        ),
        alter(
            "Free French Allies",
            text="The United Kingdom may recruit an army in Western Europe, North Africa or"
            " Africa.",
            do=[
                Recruit(
                    ARMY,
                    In("western-europe", "north-africa", "africa"),
                    UNITED_KINGDOM,
                    is_theirs=True,
                )
            ],
        ),
        alter(
            "Lend Lease",
            text="The United Kingdom or the Soviet Union, as you choose, may play a card; if it"
            " does, it draws a card.",
            do=[
                ChooseCountry(only(UNITED_KINGDOM, SOVIET_UNION)),
                PlayFrom(HAND, who=TARGET, has_draw=True),
            ],
        ),
        alter(
            "Theater Shift",
            text="One at a time, each army and navy you have on the board at most once: eliminate"
            " it, then build it.",
            do=[Rebuild(has_navies=True, is_lifted=False)],
        ),
        status(
            "American Volunteer Group Expands",
            "Allied armies in Szechuan are always in supply. In place of playing a card: discard"
            " the top 2 cards of your deck to recruit an army in Szechuan.",
            Recruit(ARMY, In("szechuan")),
            in_place=True,
            cost=[DeckCost(2)],
            always=Always(sustained_mask=mask_of("szechuan"), team_wide=True),
        ),
        alter(
            "Amphibious Landings",
            text="When you battle a land space adjacent to your supplied navy, once per turn:"
            " discard the top card of your deck to build an army in that space.",
            once=True,
        ),
        event(
            "Flexible Resources",
            "Play any other card from your discard pile.",
            PlayFrom(FACE_UP),
        ),
        alter(
            "Flying Fortresses",
            text="When your economic-warfare card makes a country discard: it discards 2 cards"
            " more.",
            do=[ChangeDrain(Fixed(2), is_own=False)],
        ),
        alter(
            "Radar",
            text="When your supplied navy is about to be removed by a battle, once per turn:"
            " discard the top 2 cards of your deck to keep it on the board.",
            when=AboutToLose(NAVY, is_supplied=True, in_battle=True),
            cost=[DeckCost(2)],
            once=True,
        ),
    ],
    added=[
        warfare(
            "B-24 Liberator",
            "If your army is within 2 spaces of Italy: Italy discards the top 4 cards of its deck.",
            Drain(ITALY, If(Pieces(ARMY, Within(2, ITALY)), 4)),
        ),
        warfare(
            "B-26 Marauder",
            "An Axis country of your choice, with your army within 3 spaces of its home space,"
            " discards the top 4 cards of its deck.",
            Drain(TARGET, Fixed(4)),
            target=NameTarget(AXIS_COUNTRIES, ARMY, 3),
        ),
        warfare(
            "B-29 Superfortress",
            "If your army is within 3 spaces of Germany: Germany discards the top 5 cards of its"
            " deck.",
            Drain(GERMANY, If(Pieces(ARMY, Within(3, GERMANY)), 5)),
        ),
        warfare(
            "Firestorm Bombing",
            "An Axis country of your choice, with your army or navy adjacent to its home space,"
            " discards the top 7 cards of its deck.",
            Drain(TARGET, Fixed(7)),
            target=NameTarget(AXIS_COUNTRIES, ANY_PIECE, 0),
        ),
        warfare(
            "SBD Dauntless",
            "If your navy is within 2 spaces of Japan: Japan discards the top 4 cards of its deck.",
            Drain(JAPAN, If(Pieces(NAVY, Within(2, JAPAN)), 4)),
        ),
        event(
            "Guadalcanal",
            "Recruit an army in New Zealand. Then build a navy adjacent to New Zealand.",
            Recruit(ARMY, In("new-zealand")),
            Build(NAVY, Beside("new-zealand")),
        ),
        event(
            "Operation Magic",
            "Discard a Japanese response card from the table, picked at random and unseen.",
            DiscardOf(JAPAN, has_statuses=False, has_responses=True),
        ),
    ],
)

AIR_MARSHAL = [
    deploy_air_force(4),
    bolster(
        "A Great, Sleeping Giant",
        "When you build a navy in a space with 'Pacific' in its name: discard the top card of your"
        " deck to build an army or a navy adjacent to it.",
        OneOf([Build(ARMY, BESIDE_THERE), Build(NAVY, BESIDE_THERE)]),
        when=Builds(NAVY, Named("Pacific")),
        cost=[DeckCost(1)],
    ),
    bolster(
        "Navajo Code Talkers",
        "At the start of your play step: put a bolster card from hand face down on the table. You"
        " may use it from there as if it were a response card.",
        LayFaceDown(HAND, BOLSTER),
        when=StartOf(START_PLAY),
    ),
    bolster(
        "Our Philosophy of Government",
        "At the start of your draw step: discard the top 2 cards of your deck; the United Kingdom"
        " may put a response card from its discard pile face down on the table.",
        LayFaceDown(FACE_UP, RESPONSE, UNITED_KINGDOM),
        when=StartOf(START_DRAW),
        cost=[DeckCost(2)],
    ),
    bolster(
        "P-51 Mustang",
        "When your economic-warfare card makes a country discard: it discards 1 card more for each"
        " air force of yours within 2 spaces of its home space.",
        ChangeDrain(NearTarget(2), is_own=False),
        when=Drains(OWN),
    ),
    bolster(
        "Pacific Bases",
        "At the start of your victory step: discard the top card of your deck to recruit an army in"
        " a land space adjacent to the Central Pacific.",
        Recruit(ARMY, Beside("central-pacific")),
        when=StartOf(START_VICTORY),
        cost=[DeckCost(1)],
    ),
    bolster(
        "Rangers",
        "When you deploy or marshal an air force: discard the top card of your deck to eliminate an"
        " army adjacent to that air force.",
        Eliminate(ARMY, BESIDE_THERE, EVERYBODY),
        when=Deploys(),
        cost=[DeckCost(1)],
    ),
]
