"""The Soviet Union's cards."""

from quartermaster.cards.vocabulary import *


def _holds(name: str, space_id: str, space: str) -> Declaration:
    """The three responses that hold one space."""
    return response(
        name,
        f"Any time: your army in {space} is not removed this turn.",
        Protect(ARMY, In(space_id)),
        when=AnyTime(),
    )


def _holds_when_attacked(name: str, space_id: str, space: str) -> Declaration:
    return response(
        name,
        f"When your army in {space} is about to be removed: it is not removed this turn.",
        ProtectThat(),
        when=AboutToLose(ARMY, In(space_id)),
    )


FIRST = [
    *basic_cards(8, 1, 6, 2),
    event(
        "General Winter",
        "Eliminate 1 or 2 armies in Ukraine, Russia, Moscow and Siberia.",
        UpTo(2, Eliminate(ARMY, In("ukraine", "russia", "moscow", "siberia"), EVERYBODY)),
    ),
    event(
        "German-Soviet Treaty of Friendship, Cooperation, and Demarcation",
        "In any order: build an army in Eastern Europe and an army in Ukraine.",
        AnyOrder([Build(ARMY, In("eastern-europe")), Build(ARMY, In("ukraine"))]),
    ),
    event(
        "Mao Tse-tung",
        "Eliminate an army in China or Szechuan.",
        Eliminate(ARMY, In("china", "szechuan"), EVERYBODY),
    ),
    event(
        "Tito's Partisans",
        "Eliminate an Axis army in the Balkans. Then recruit a Soviet or United Kingdom army in the"
        " Balkans.",
        Eliminate(ARMY, In("balkans"), AXIS_COUNTRIES),
        OneOf([Recruit(ARMY, In("balkans")), Recruit(ARMY, In("balkans"), UNITED_KINGDOM)]),
    ),
    event(
        "Trans-Siberian Railroad",
        "One at a time, each army you have on the board at most once: take it off, then build it.",
        Rebuild(has_navies=False, is_lifted=True),
    ),
    event(
        "Vasilevsky Takes Command in the Far East",
        "Recruit an army in Vladivostok. Then eliminate an army in China.",
        Recruit(ARMY, In("vladivostok")),
        Eliminate(ARMY, In("china"), EVERYBODY),
    ),
    status(
        "Defense of the Motherland",
        "When you build an army, once per turn: discard 2 cards from hand to build another army.",
        Build(ARMY),
        when=Builds(ARMY),
        once=True,
        cost=[HandCost(2)],
    ),
    status(
        "Frontal Assault",
        "When you battle a land space, once per turn: discard 2 cards from hand to battle the same"
        " land space or one adjacent to it.",
        Battle(ARMY, AROUND_THERE),
        when=Battles(ARMY),
        once=True,
        cost=[HandCost(2)],
    ),
    status(
        "Guards",
        "In place of playing a card: discard 2 cards from hand to play a Build Army card from your"
        " discard pile.",
        PlayFrom(FACE_UP, types(BUILD_ARMY)),
        in_place=True,
        cost=[HandCost(2)],
    ),
    status(
        "Scorched Earth",
        "Ukraine is no supply space for Germany and Italy.",
        always=Always(no_source_mask=mask_of("ukraine"), against=only(GERMANY, ITALY)),
    ),
    status(
        "Shvernik's Evacuation Council",
        "Your armies are always in supply. Building still needs Moscow or an adjacent supplied"
        " piece.",
        always=Always(sustained_mask=LAND_MASK),
    ),
    status(
        "Stavka Forms Artillery Corps",
        "When you battle a land space: discard the top card of your deck to remove all enemy armies"
        " in that space, each as if battled.",
        BattleAllThere(),
        when=Battles(ARMY),
        cost=[DeckCost(1)],
    ),
    status(
        "Women Conscripts",
        "When you play a Build Army card: put it on top of your deck rather than on your discard"
        " pile.",
        MovePlayed(ON_TOP),
        when=Plays(types(BUILD_ARMY)),
    ),
    _holds("Leningrad", "russia", "Russia"),
    _holds("Moscow", "moscow", "Moscow"),
    response(
        "Rasputitsa",
        "Right after an Axis army is built or recruited in or adjacent to Moscow: eliminate it.",
        EliminateThat(),
        when=EnemyBuilds(ARMY, Near("moscow"), or_recruits=True),
    ),
    _holds("Stalingrad", "ukraine", "Ukraine"),
]

SECOND = revise(
    FIRST,
    changed=[
        alter(
            "General Winter",
            text="Eliminate 1 or 2 Axis armies in or adjacent to Moscow.",
            do=[UpTo(2, Eliminate(ARMY, Near("moscow"), AXIS_COUNTRIES))],
        ),
        alter(
            "German-Soviet Treaty of Friendship, Cooperation, and Demarcation",
            text="Recruit an army in Russia. Then recruit an army in Eastern Europe.",
            do=[Recruit(ARMY, In("russia")), Recruit(ARMY, In("eastern-europe"))],
        ),
        alter(
            "Mao Tse-tung",
            text="Eliminate an Axis army in China or Szechuan.",
            do=[Eliminate(ARMY, In("china", "szechuan"), AXIS_COUNTRIES)],
        ),
        alter(
            "Trans-Siberian Railroad",
            text="One at a time, each army you have on the board at most once: eliminate it, then"
            " build it.",
            do=[Rebuild(has_navies=False, is_lifted=False)],
        ),
        alter(
            "Vasilevsky Takes Command in the Far East",
            text="Recruit an army in Vladivostok. Then battle China.",
            do=[Recruit(ARMY, In("vladivostok")), Battle(ARMY, In("china"))],
        ),
        response(
            "Defense of the Motherland",
            "At the start of your turn: recruit an army in or adjacent to Moscow. Then eliminate an"
            " Axis army in Moscow.",
            Recruit(ARMY, Near("moscow")),
            Eliminate(ARMY, In("moscow"), AXIS_COUNTRIES),
            when=StartOf(START_TURN),
        ),
        alter(
            "Scorched Earth",
            text="Ukraine is no supply space for the Axis.",
            always=Always(no_source_mask=mask_of("ukraine"), against=AXIS_COUNTRIES),
        ),
        alter(
            "Stavka Forms Artillery Corps",
            text="When you battle a land space, once per turn: discard 1 card from hand to battle"
            " the same space.",
            do=[Battle(ARMY, THERE)],
            cost=[HandCost(1)],
            once=True,
        ),
        alter(
            "Women Conscripts",
            text="When you play a Build Army card in your play step: put it on top of your deck"
            " rather than on your discard pile.",
            when=Plays(types(BUILD_ARMY), in_play_step=True),
        ),
        _holds_when_attacked("Leningrad", "russia", "Russia"),
        _holds_when_attacked("Moscow", "moscow", "Moscow"),
        alter(
            "Rasputitsa",
            text="Right after an Axis army is built in or adjacent to Moscow: eliminate it.",
            when=EnemyBuilds(ARMY, Near("moscow")),
        ),
        _holds_when_attacked("Stalingrad", "ukraine", "Ukraine"),
    ],
)

_BUILD_ARMY_CARD = TypeCost(BUILD_ARMY)

AIR_MARSHAL = [
    deploy_air_force(2),
    bolster(
        "Asian Reserves",
        "At the start of your draw step: take 1 or 2 Build Army cards from your discard pile into"
        " hand.",
        UpTo(2, TakeFromPile(BUILD_ARMY)),
        when=StartOf(START_DRAW),
    ),
    bolster(
        "Battle of Moscow",
        "Right after your last army on the board is removed: discard a Build Army card from hand to"
        " eliminate an Axis army in or adjacent to Moscow.",
        Eliminate(ARMY, Near("moscow"), AXIS_COUNTRIES),
        when=Loses(ARMY, OWN, is_last=True),
        cost=[_BUILD_ARMY_CARD],
    ),
    bolster(
        "Fortress Rebuilt",
        "At the start of your draw step: discard a Build Army card from hand to put a response card"
        " from your discard pile face down on the table.",
        LayFaceDown(FACE_UP, RESPONSE),
        when=StartOf(START_DRAW),
        cost=[_BUILD_ARMY_CARD],
    ),
    bolster(
        "Paratroops",
        "When you deploy or marshal an air force: discard a Build Army card from hand to build an"
        " army adjacent to that air force.",
        Build(ARMY, BESIDE_THERE),
        when=Deploys(),
        cost=[_BUILD_ARMY_CARD],
    ),
    bolster(
        "Partisans",
        "At the start of your discard step: discard a Build Army card and 2 other cards from hand"
        " to recruit an army in or adjacent to Moscow.",
        Recruit(ARMY, Near("moscow")),
        when=StartOf(START_DISCARD),
        cost=[_BUILD_ARMY_CARD, HandCost(2)],
    ),
    bolster(
        "Zhukov Drives West",
        "When you battle Russia, Eastern Europe, Ukraine or the Balkans: discard a Build Army card"
        " from hand to build an army in that space.",
        Build(ARMY, THERE),
        when=Battles(ARMY, In("russia", "eastern-europe", "ukraine", "balkans")),
        cost=[_BUILD_ARMY_CARD],
    ),
]
