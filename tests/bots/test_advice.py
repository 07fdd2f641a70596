"""Advice for people."""

import re
from collections import Counter
from typing import Any

import pytest

from moments import moments
from quartermaster import Game, QuartermasterError
from quartermaster.bots import advise, estimate, make_bot
from quartermaster.bots.advice import _choice_after
from quartermaster.bots.mind.race import Runner
from quartermaster.bots.reasons import Reasons, differences, is_bare
from quartermaster.bots.search import Found, _chance, _together, search
from quartermaster.cards.rule_sets import RULE_SETS
from quartermaster.rules.board import SPACES
from quartermaster.rules.engine import decider, playout
from quartermaster.rules.names import (
    COUNTRIES,
    FACE_UP,
    GERMANY,
    ITALY,
    RULE,
    SOVIET_UNION,
    TABLE,
    UNITED_STATES,
)
from quartermaster.rules.state import State
from quartermaster.speech.nouns import space_noun

VARIANTS = [(name, air) for name in RULE_SETS for air in (False, True)]


every_variant = pytest.mark.parametrize(("rules", "air"), VARIANTS)


# Hints.


@every_variant
def test_hints_are_legal_and_have_a_chance_and_a_reason(rules: str, air: bool) -> None:
    for game in moments(rules, air, every=120):
        legal = game.legal_actions()
        look = game.look(game.decision.country)
        hints = advise(look, count=2, nodes=8, seed=5)
        assert 1 <= len(hints) <= 2
        assert len({hint.action for hint in hints}) == len(hints)
        for hint in hints:
            assert hint.action in legal
            assert 0 <= hint.chance <= 1
            assert hint.reason.strip()
            assert str(hint).startswith(hint.action.phrase)
            assert hidden_names_in(hint.reason, game.state) == []


def hidden_names_in(text: str, s: State) -> list[str]:
    """The names of cards that the deciding country cannot know to be anywhere."""
    me = decider(s)
    known = {card for zone in (FACE_UP, TABLE) for i in range(6) for card in s.zones[zone + i]}
    known.update(c.index for c in s.rules.cards if c.country == me or c.type == RULE)
    open_names = [s.rules.cards[card].name for card in known]
    hidden = {card.name for card in s.rules.cards if card.index not in known}
    return [
        name
        for name in sorted(hidden)
        if re.search(rf"\b{re.escape(name)}\b", text)
        and not any(name in other for other in open_names)  # Bombers, for Dive Bombers
    ]


def test_the_best_hint_comes_first() -> None:
    game = Game.new("second", seed=4)
    look = game.look("germany")
    hints = advise(look, count=99, nodes=40, seed=2)
    found = search(look, 2, 0.0, nodes=40)
    assert hints[0].action == game.legal_actions()[found.best]
    assert len(hints) == sum(n > 0 for n in found.visits)
    assert hints[:2] == advise(look, count=2, nodes=40, seed=2)


def test_hints_stand_in_the_order_of_their_chances() -> None:
    """And the first is what the search trusts most, though others were tried less often."""
    for game in moments("second", air=False, every=110):
        look = game.look(game.decision.country)
        hints = advise(look, count=99, nodes=90, seed=1)
        chances = [hint.chance for hint in hints]
        assert chances == sorted(chances, reverse=True)
        found = search(look, 1, 0.0, nodes=90)
        assert hints[0].chance == found.chances[found.best]


def test_a_chance_tells_how_far_behind_the_best_an_option_was_on_the_same_cards() -> None:
    best, other, lucky, untried = (Runner(code) for code in range(4))
    for value in (0.75, 0.75, 0.25, 0.25):
        best.add(value)
    for value in (0.5, 0.5):  # dropped out before the bad cards came
        other.add(value)
    lucky.add(1.0)
    assert _chance(best, best) == 0.5
    assert _chance(other, best) == 0.25
    assert _chance(lucky, best) == 0.5, "what was trusted most is not shown behind"
    assert _chance(untried, best) == 0


def test_no_core_promises_more_than_the_option_that_all_trust_most() -> None:
    one = Found((9, 3), (0.6, 0.5), 12, 1.0, (2.0, 1.0), (0.0, 0.3))
    two = Found((3, 8), (0.2, 0.7), 11, 1.0, (4.0, 0.0), (0.4, 0.0))
    both = _together([one, two])
    assert both.visits == (12, 11)
    assert both.best == 0
    assert both.chances[0] == pytest.approx(0.5)
    assert both.chances[1] == both.chances[0]


def test_the_same_seed_gives_the_same_hints() -> None:
    for game in moments("second", air=False, every=120):
        look = game.look(game.decision.country)
        assert advise(look, nodes=8, seed=3) == advise(look, nodes=8, seed=3)


def ahead(**position: Any) -> Game:
    """A game that the Axis wins whatever it does, so that all chances are one."""
    return Game.from_position({"round": 12, "score": [150, 121], **position})


def test_in_a_game_that_is_won_the_most_useful_comes_first_all_the_same() -> None:
    """Every chance is one then; the order of the options says nothing."""
    game = ahead(
        turn="italy",
        pieces={
            "italy": ["italy", "western-europe", "balkans"],
            "germany": ["germany", "eastern-europe"],
            "soviet-union": ["moscow"],
        },
        hand={"italy": ["build-army", "build-navy"]},
    )
    game.apply("play build-army")
    assert game.legal_actions()[0].space == "western-europe"
    hints = advise(game.look("italy"), count=99, nodes=60)
    assert hints[0].chance > 0.995
    assert hints[0].action.space == "ukraine"
    reasons = [hint.reason for hint in hints]
    idle = reasons.index("changes nothing for now")
    assert set(reasons[idle:]) == {"changes nothing for now"}
    assert [hint.chance for hint in hints] == sorted((h.chance for h in hints), reverse=True)


def test_of_equal_chances_the_search_trusts_what_promises_most_at_first_sight() -> None:
    found = Found((16, 16, 16), (1.0, 1.0, 1.0), 48, 1.0, (3.0, 9.0, 5.0), (0.0, 0.0, 0.0))
    assert found.best == 1


def test_who_goes_by_hints_alone_is_never_sent_to_do_nothing_and_finds_what_was_promised() -> None:
    """The hint for a card says where it does good, and the next hint is to go there."""
    named = kept = deeds = 0
    for seed in range(6):
        game = Game.new("second", seed=seed)
        bots = {c: make_bot("rookie", seed * 6 + i) for i, c in enumerate(COUNTRIES)}
        goal: set[str] = set()
        while not game.is_over and game.state.round < 14:
            country, kind = game.decision.country, game.decision.kind
            look, actions = game.look(country), game.legal_actions()
            is_own = COUNTRIES.index(country) % 2 == seed % 2
            if not is_own or kind in ("react", "setup", "discard", "discard-step"):
                game.apply(bots[country].decide(look, actions))
                continue
            [hint] = advise(look, count=1, nodes=12)
            if kind in ("build", "battle"):
                deeds += 1
                useful = [each for each in actions if not is_bare(game.state, each.code)]
                is_vain = is_bare(game.state, hint.action.code)
                assert not (is_vain and useful) or hint.reason.startswith("lets you use"), hint
                if goal:
                    named += 1
                    kept += hint.action.space in goal
            goal = named_spaces(hint.reason) if kind == "play" else set()
            game.apply(hint.action)
    assert deeds > 80
    assert kept >= 0.95 * named > 50, f"{kept} of {named}"


@pytest.mark.parametrize("seed", [3, 4])
def test_a_card_is_praised_for_what_the_hint_after_it_says(seed: int) -> None:
    """Both come of one search: what is known when the card is looked at is what is known when it
    has been played, unless somebody reacts."""
    compared = 0
    game = Game.new("second", seed=seed)
    bots = {c: make_bot("rookie", seed * 6 + i) for i, c in enumerate(COUNTRIES)}
    while not game.is_over and game.state.round < 6:
        country, actions = game.decision.country, game.legal_actions()
        look = game.look(country)
        if game.decision.kind == "play":
            for action in actions:
                later = _choice_after(look, action.code, seed)
                after = game.copy()
                after.apply(action)
                if later is not None and after.decision.kind != "react":
                    assert later == after.look(country), action
                    compared += 1
        game.apply(bots[country].decide(look, actions))
    assert compared > 20


def test_the_reason_for_a_card_goes_by_what_is_planned_with_it() -> None:
    game = Game.from_position(
        {"pieces": {"germany": ["germany"]}, "hand": {"germany": ["build-army", "build-navy"]}}
    )
    after = game.copy()
    after.apply("play build-army")
    card = next(each.code for each in game.legal_actions() if each.text == "play build-army")
    order = game.state.options
    for build in after.legal_actions():
        reasons = Reasons(game.look("germany"), order, seed=1, plans={card: build.code})
        if build.verb == "build" and not is_bare(after.state, build.code):
            assert named_spaces(reasons.of(card)) == {build.space}


def named_spaces(reason: str) -> set[str]:
    """The spaces where a reason says that a piece is put, or removed."""
    names = {space_noun(id).the: id for id, _ in SPACES}
    found = re.findall(r"(?:puts|removes) [^;]*? in ([^;]+?)(?:, at the cost of.*)?(?:;|$)", reason)
    return {names[name] for name in found}


# Cards that go together.


def test_a_hint_for_several_discards_has_the_whole_set() -> None:
    game = Game.new("second", seed=4)
    count = game.decision.count
    assert count > 1
    hand = Counter(game.view("germany").countries["germany"].hand)
    hints = advise(game.look("germany"), count=9, nodes=10)
    best = hints[0].cards
    assert len(best) == count
    for hint in hints:
        assert len(hint.cards) == count
        assert hint.action.card in hint.cards
        assert not Counter(hint.cards) - hand, "no card more often than it is held"
    for _ in range(count):  # one after the other they are the same
        game.apply(advise(game.look("germany"), count=1, nodes=10)[0].action)
    left = Counter(game.view("germany").countries["germany"].hand)
    assert hand - left == Counter(best)


def test_any_number_of_discards_are_those_not_worth_keeping() -> None:
    for game in moments("second", air=False, every=7):
        if game.decision.kind == "discard-step":
            hints = advise(game.look(game.decision.country), count=99)
            actions = [hint.action.card for hint in hints]
            worth_it = set(actions[: actions.index(None)])
            for hint in hints:
                if hint.action.card is None:
                    assert hint.cards == ()
                else:
                    assert set(hint.cards) == worth_it | {hint.action.card}


def test_who_has_no_decision_gets_no_advice() -> None:
    game = Game.new("second", seed=1)
    for look in (game.look("japan"), game.look()):
        with pytest.raises(QuartermasterError, match="advice is for who has a decision"):
            advise(look, nodes=5)


def board(**pieces: list[str]) -> State:
    """A position with these pieces, the other countries at home."""
    named = {name.replace("_", "-"): spaces for name, spaces in pieces.items()}
    return Game.from_position({"pieces": named}).state


def facts(a: State, b: State, me: int, start: State) -> list[str]:
    """What is better in `a` than in `b`, the weightiest first."""
    return [text for _, text in sorted(differences(a, b, me, start), reverse=True)]


# Reasons in words.


def test_nothing_is_better_where_nothing_differs() -> None:
    s = board(germany=["germany", "ukraine"])
    assert all(facts(s, s, country, s) == [] for country in range(6))


def test_a_star_taken_from_the_enemy_is_told() -> None:
    held = board(germany=["germany", "eastern-europe"], soviet_union=["moscow", "ukraine"])
    lost = board(germany=["germany", "eastern-europe"], soviet_union=["moscow"])
    assert facts(lost, held, GERMANY, held) == [
        "denies the Soviet Union 2 VP a round",
        "removes the Soviet army in Ukraine",
    ]
    assert facts(held, lost, SOVIET_UNION, held) == [
        "the Soviet Union scores 2 more VP a round",
        "keeps the Soviet army in Ukraine",
    ]
    assert facts(held, lost, GERMANY, held) == []


def test_a_piece_built_is_put_and_one_that_stood_there_is_kept() -> None:
    few = board(italy=["italy"], united_states=["eastern-united-states"])
    more = board(italy=["italy", "balkans"], united_states=["eastern-united-states"])
    way = "opens the way to Ukraine"
    assert facts(more, few, ITALY, few) == ["puts an Italian army in the Balkans", way]
    assert facts(more, few, ITALY, more) == ["keeps the Italian army in the Balkans", way]
    more = board(united_kingdom=["united-kingdom", "north-sea"])
    assert "puts a British navy in the North Sea" in facts(more, few, UNITED_STATES, few)


def test_a_home_set_free_is_told_first() -> None:
    pieces = {"soviet-union": ["russia", "ukraine"], "germany": ["germany", "moscow"]}
    game = Game.from_position(
        {"turn": "soviet-union", "pieces": pieces, "hand": {"soviet-union": ["land-battle"]}}
    )
    game.apply("play land-battle")
    best = advise(game.look("soviet-union"), nodes=60)[0]
    assert str(best.action) == "battle moscow germany"
    assert best.reason.startswith("frees the Soviet Union's home; ")


def test_what_a_build_brings_is_told() -> None:
    game = Game.from_position({"hand": {"germany": ["build-army", "build-navy"]}})
    game.apply("play build-army")
    best = advise(game.look("germany"), nodes=60)[0]
    assert str(best.action) == "build army western-europe"
    assert best.reason == ("Germany scores 2 more VP a round; puts a German army in Western Europe")


def test_a_move_that_wins_says_so() -> None:
    game = Game.from_position(
        {
            "turn": "united-states",
            "round": 20,
            "score": [12, 9],
            "hand": {"united-states": ["build-army", "build-navy"]},
        }
    )
    best = advise(game.look("united-states"), nodes=30)[0]
    assert str(best.action) == "play build-army"
    assert best.reason.startswith("wins the game")
    assert best.chance > 0.9


def reasons_of(game: Game) -> Reasons:
    """Of a decision whose options stand in the order that the planner gives them."""
    look = game.look(game.decision.country)
    found = search(look, 1, 0.0, nodes=30)
    order = sorted(range(len(found.chances)), key=lambda i: -found.chances[i])
    return Reasons(look, [look.seen.options[i] for i in order], seed=1)


def reason(game: Game, action: str) -> str:
    """Why one might do that."""
    [code] = [each.code for each in game.legal_actions() if each.text == action]
    return reasons_of(game).of(code)


def test_what_a_teammate_loses_is_counted() -> None:
    """Two who share a star score one point each, as much as one of them alone."""
    position: dict[str, Any] = {
        "turn": "italy",
        "pieces": {"germany": ["germany", "western-europe"], "italy": ["italy"]},
        "hand": {"italy": ["build-army", "build-navy"]},
    }
    game = Game.from_position(position)
    game.apply("play build-army")
    assert reason(game, "build army western-europe") == "puts an Italian army in Western Europe"
    position["pieces"]["germany"] = ["germany"]
    game = Game.from_position(position)
    game.apply("play build-army")
    assert reason(game, "build army western-europe").startswith("Italy scores 2 more VP a round")


def test_points_of_several_countries_are_the_teams() -> None:
    """Italy joins Germany on one star and takes another alone."""
    held = board(germany=["germany", "western-europe"], italy=["italy"])
    more = board(
        germany=["germany", "western-europe"], italy=["italy", "western-europe", "ukraine"]
    )
    assert "2 more VP a round for the Axis" in facts(more, held, GERMANY, held)
    assert "denies the Axis 2 VP a round" in facts(held, more, SOVIET_UNION, more)


def test_a_reason_is_what_this_step_brings_and_costs() -> None:
    """A card fetched may be played to some end; that is for the next step to bring."""
    game = Game.from_position(
        {
            "turn": "soviet-union",
            "step": "play",
            "pieces": {"soviet-union": ["moscow"]},
            "hand": {
                "soviet-union": ["sea-battle", "guards", "women-conscripts", "moscow", "rasputitsa"]
            },
        },
        options={"reallocate": True},
    )
    assert game.decision.kind == "react"
    told = reason(game, "use reallocate-resources")
    assert re.fullmatch(r"brings [A-Z][\w ]+ into your hand, at the cost of 4 cards", told), told
    assert reason(game, "pass") == "saves 4 cards"


def test_a_battle_is_not_credited_with_what_a_status_may_build_then() -> None:
    game = Game.from_position(
        {
            "pieces": {"germany": ["germany", "eastern-europe"], "soviet-union": ["moscow"]},
            "table": {"germany": ["blitzkrieg"]},
            "hand": {"germany": ["land-battle", "build-navy"]},
        }
    )
    game.apply("play land-battle")
    assert reason(game, "battle ukraine") == "lets you use Blitzkrieg"
    game.apply("battle ukraine")
    assert reason(game, "use blitzkrieg").startswith("Germany scores 2 more VP a round; puts")
    assert reason(game, "use blitzkrieg").endswith(", at the cost of 1 card")


def test_what_does_nothing_is_not_praised() -> None:
    game = Game.from_position(
        {
            "pieces": {"germany": ["germany"]},
            "hand": {"germany": ["build-army", "land-battle", "sea-battle"]},
        }
    )
    assert reason(game, "play land-battle") == "changes nothing for now"
    assert reason(game, "discard land-battle") == "wastes the turn, and Land Battle with it"


def test_of_several_discards_only_one_is_the_easiest_to_do_without() -> None:
    game = Game.new("second", seed=4)
    assert game.decision.kind == "setup"
    first, second, third = (hint.reason for hint in advise(game.look("germany"), nodes=10))
    assert first.endswith(" is the card you can most easily do without")
    assert second.startswith("the next to go, after ")
    assert third.startswith("the next to go, after ")
    assert first.startswith(second.removeprefix("the next to go, after "))


@pytest.mark.parametrize(
    ("rules", "when"), [("first", "works from now on"), ("french", "works from the next round on")]
)
def test_a_status_works_when_the_rules_say(rules: str, when: str) -> None:
    game = Game.from_position({"hand": {"germany": ["blitzkrieg", "build-navy"]}}, rules=rules)
    assert reason(game, "play blitzkrieg") == f"Blitzkrieg {when}"


def test_a_response_that_is_not_used_is_kept_for_later() -> None:
    game = Game.from_position(
        {
            "pieces": {"germany": ["germany", "eastern-europe"], "soviet-union": ["ukraine"]},
            "hand": {"germany": ["land-battle"], "soviet-union": ["build-army", "land-battle"]},
            "set": {"soviet-union": ["stalingrad"]},
        }
    )
    game.apply("play land-battle")
    game.apply("battle ukraine")
    assert reason(game, "use stalingrad").startswith("the Soviet Union scores 2 more VP a round")
    assert "keeps the Soviet army in Ukraine" in reason(game, "use stalingrad")
    assert reason(game, "pass") == "saves Stalingrad for a better moment"


# Who is likely to win.


@every_variant
def test_the_chances_of_both_sides_make_one(rules: str, air: bool) -> None:
    for game in moments(rules, air, every=300):
        for who in (game.decision.country, None):
            chances = estimate(game.look(who))
            assert chances.axis + chances.allies == pytest.approx(1)
            assert 0 <= chances.axis <= 1


@every_variant
def test_a_large_lead_late_is_nearly_won(rules: str, air: bool) -> None:
    for score, side in (([110, 20], "axis"), ([20, 110], "allies")):
        game = Game.from_position(
            {"round": 19, "score": score}, rules=rules, options={"air-marshal": air}
        )
        for who in ("germany", "united-kingdom", None):
            assert getattr(estimate(game.look(who)), side) > 0.9


def test_a_finished_game_is_certain() -> None:
    for seed in range(4):
        game = Game.new("second", seed=seed)
        playout(game.state, seed)
        chances = estimate(game.look())
        assert (chances.axis, chances.allies) == ((1, 0) if game.winner == "axis" else (0, 1))
        assert chances.lead == game.score["axis"] - game.score["allies"]


def test_the_lead_to_expect_is_in_points() -> None:
    """The United States, last to move, can only end 12 to 11 or 13."""
    game = Game.from_position(
        {
            "turn": "united-states",
            "round": 20,
            "score": [12, 9],
            "hand": {"united-states": ["build-army", "build-navy"]},
        }
    )
    assert -1 <= round(estimate(game.look("united-states")).lead, 6) <= 1


def test_an_estimate_repeats_itself() -> None:
    look = Game.new("second", seed=2).look("italy")
    assert estimate(look, seed=4) == estimate(look, seed=4)
