"""A bot that fails stops no game; someone else decides, and everyone is told."""

import json
import os
import signal
import time
from collections.abc import Iterator, Sequence

import pytest

import failing_bots as bad
from quartermaster import Action, Game, QuartermasterError, UnknownName
from quartermaster.bots import BOTS, Bot, BotProcess, Guard, guard, make_bot, take_decision
from quartermaster.bots.levels import Level, RandomBot
from quartermaster.bots.process import Question
from quartermaster.lab.match import play_game
from quartermaster.lab.simulate import simulate
from quartermaster.rules.names import COUNTRIES
from quartermaster.sight.log import LogEntry
from quartermaster.sight.look import Look
from quartermaster.speech.say import say

ILLEGAL = "which is not legal"


@pytest.fixture
def process() -> Iterator[BotProcess]:
    with BotProcess() as one:
        yield one


def ask(one: Guard, game: Game) -> Action:
    return one.decide(game.look(game.decision.country), game.legal_actions())


def faults_in(log: Iterator[LogEntry] | list[LogEntry]) -> list[str]:
    return [entry.text for entry in log if entry.what == "fault"]


def first_bots(**others: Bot) -> dict[str, Bot]:
    return {country: bad.First() for country in COUNTRIES} | others


def reaction() -> Game:
    """The Soviet Union may react, which nobody else may know."""
    game = Game.from_position(
        {
            "pieces": {"germany": ["germany", "eastern-europe"], "soviet-union": ["ukraine"]},
            "hand": {"germany": ["land-battle"], "soviet-union": ["build-army", "land-battle"]},
            "set": {"soviet-union": ["stalingrad"]},
        }
    )
    game.apply("play land-battle")
    game.apply("battle ukraine")
    assert game.decision.kind == "react"
    return game


# -- what fails ------------------------------------------------------------------------

IN_ANY_PROCESS: list[tuple[Bot, str, str]] = [
    (bad.Raises(), "raised ValueError: I hold ", "raised ValueError"),
    (bad.AnswersNothing(), f"answered None, {ILLEGAL}", "gave an illegal answer"),
    (bad.AnswersText(), "answered 'discard ", "gave an illegal answer"),
    (bad.AnswersIllegally(), "answered <germany: play atlantis>,", "gave an illegal answer"),
    (bad.AnswersForAnother(), "answered <italy: ", "gave an illegal answer"),
    (bad.AddsItsOwn(), "answered <germany: play atlantis>,", "gave an illegal answer"),
    (
        bad.RaisesUnspeakably(),
        "raised Unspeakable: something that cannot be shown",
        "raised Unspeakable",
    ),
    (
        bad.AnswersUnspeakably(),
        "answered something that cannot",
        "gave an illegal answer",
    ),
]


@pytest.mark.parametrize("seconds", [None, 20])
def test_a_bot_that_raises_or_answers_illegally(seconds: float | None, process: BotProcess) -> None:
    """In this process and in another, the reason is the same."""
    for bot, reason, kind in IN_ANY_PROCESS:
        game = Game.new(seed=7)
        one = Guard(bot, 5, seconds, process)
        action = ask(one, game)
        assert action in game.legal_actions()
        assert action == ask(Guard(bot, 5), game), "the stand-in has the same seed"
        [fault] = one.faults
        assert fault.reason.startswith(reason)
        assert fault.kind == kind
        assert (fault.country, fault.bot) == ("germany", type(bot).__name__)
        assert fault.stand_in == ("rookie" if "rookie" in BOTS else "random")


@pytest.mark.parametrize(
    ("bot", "seconds", "reason"),
    [
        (bad.Sleeps(), 0.2, "took longer than 0.2 seconds"),
        (bad.Loops(), 1, "took longer than 1 second"),
        (bad.Dies(), 20, "ended its process (exit code 7)"),
        (bad.Quits(), 20, "raised SystemExit: 3"),
        (bad.CannotBeMade(), 20, "raised ValueError: lost on the way"),
    ],
)
def test_a_bot_that_stalls_or_dies(bot: Bot, seconds: float, reason: str) -> None:
    game = Game.new(seed=7)
    with Guard(bot, 5, seconds) as one:
        start = time.monotonic()
        action = ask(one, game)
        assert time.monotonic() - start < 15
        assert action in game.legal_actions()
        assert [fault.reason for fault in one.faults][:1] == [reason]


def test_a_stalled_process_is_really_gone(process: BotProcess) -> None:
    game = Game.new(seed=7)
    look, actions = game.look("germany"), tuple(game.legal_actions())
    with Guard(bad.Counts(), 5, 20, process) as counts:
        assert [actions.index(ask(counts, game)) for _ in range(3)] == [0, 1, 2]
        before = process._process
        assert before is not None
        pid = before.pid or 0
        with pytest.raises(Exception, match="took too long"):
            process.choose(Question((-1, 0), guard._pickle(bad.Loops()), look, actions, 0.2))
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
        assert actions.index(ask(counts, game)) == 0, "it has lost its memory, and goes on"
        assert counts.faults == []


def test_a_process_that_is_not_there_any_more(
    process: BotProcess, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = Game.new(seed=7)
    one = Guard(bad.First(), 5, 20, process)
    for is_noticed in (True, False):
        ask(one, game)
        child = process._process
        assert child is not None
        child.kill()
        child.join()
        if not is_noticed:
            monkeypatch.setattr(child, "is_alive", lambda: True)
        assert ask(one, game) in game.legal_actions()
        assert len(one.faults) == (0 if is_noticed else 1)


def test_guards_that_share_a_process_share_no_bots(process: BotProcess) -> None:
    game = Game.new(seed=7)
    actions = game.legal_actions()
    one, two = (Guard(bad.Counts(), 5, 20, process) for _ in range(2))
    assert [actions.index(ask(guard, game)) for guard in (one, one, two)] == [0, 1, 0]
    one.close()
    assert [actions.index(ask(guard, game)) for guard in (one, two)] == [0, 1]
    assert one.faults == two.faults == []


def test_the_start_is_not_thinking(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Game.new(seed=7)
    with Guard(bad.StartsSlowly(), 5, 1) as one:
        assert ask(one, game) == game.legal_actions()[0]
        assert one.faults == []
    monkeypatch.setattr("quartermaster.bots.process.START_LIMIT", 0.001)
    with Guard(bad.First(), 5, 0.5) as one:
        assert ask(one, game) in game.legal_actions()
        assert one.faults[0].reason == "did not start within 0.001 seconds"


def test_ctrl_c_passes_through_and_no_bot_ends_the_program() -> None:
    class Interrupted:
        def decide(self, look: Look, actions: Sequence[Action]) -> Action:
            raise KeyboardInterrupt

    game = Game.new(seed=7)
    with pytest.raises(KeyboardInterrupt):
        ask(Guard(Interrupted(), 1), game)
    guard = Guard(bad.Quits(), 1)
    assert ask(guard, game) in game.legal_actions()
    assert guard.faults[0].reason == "raised SystemExit: 3"


def test_an_answer_that_nobody_waited_for_is_not_taken_for_the_next(process: BotProcess) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    game = Game.new(seed=7)
    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        ask(Guard(bad.First(), 5, 20, process), game)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(KeyboardInterrupt):
            ask(Guard(bad.Sleeps(), 5, 20, process), game)
    finally:
        signal.signal(signal.SIGALRM, before)
    counts = Guard(bad.Counts(), 5, 20, process)
    assert [game.legal_actions().index(ask(counts, game)) for _ in range(2)] == [0, 1]


# -- who stands in ---------------------------------------------------------------------


@pytest.fixture
def ladder(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Four levels: the two in the middle fail, the third with settings. Says who was made."""
    made: list[str] = []

    def level(name: str, bot: Bot) -> Level:
        def make(*_: object) -> Bot:
            made.append(name)
            return bot

        return Level(name, make)

    ranks = [
        Level("random", RandomBot),
        level("rookie", bad.AnswersNothing()),
        level("veteran", bad.Sometimes(3)),
        level("general", bad.First()),
    ]

    def make(name: str, seed: int) -> Bot:
        return BOTS[name.partition(":")[0]].make(seed)

    monkeypatch.setattr(guard, "LEVELS", tuple(rank.name for rank in ranks))
    monkeypatch.setattr(guard, "make_bot", make)
    for rank in ranks:
        monkeypatch.setitem(BOTS, rank.name, rank)
    return made


def test_the_next_lower_level_decides_and_so_on_down(ladder: list[str]) -> None:
    game = Game.new(seed=7)
    one = Guard("veteran:seconds=2", 5)
    assert ladder == ["veteran"]
    assert ask(one, game) == ask(Guard("random", 5), game)
    assert ladder == ["veteran", "rookie"]
    assert [(fault.bot, fault.stand_in) for fault in one.faults] == [
        ("veteran:seconds=2", "rookie"),
        ("rookie", "random"),
    ]
    good = Guard("general", 5)
    assert ask(good, game) == game.legal_actions()[0]
    assert good.faults == []


def test_three_faults_in_a_row_end_the_asking(ladder: list[str]) -> None:
    game = Game.new(seed=7)
    one = Guard("veteran", 5)
    for _ in range(7):  # veteran answers every third time
        ask(one, game)
    mine = [fault for fault in one.faults if fault.bot == "veteran"]
    assert len(mine) == 5
    assert not any("not asked again" in fault.reason for fault in mine)
    theirs = [fault.reason for fault in one.faults if fault.bot == "rookie"]
    end = "; not asked again after 3 faults in a row"
    assert theirs == [f"answered None, {ILLEGAL}"] * 2 + [f"answered None, {ILLEGAL}{end}"]
    assert mine[-1].stand_in == "random", "nobody stands in who is not asked again"


def test_a_bot_that_always_stalls_costs_its_time_three_times() -> None:
    game = Game.new(seed=7)
    with Guard(bad.Sleeps(), 5, 0.1) as one:
        for _ in range(8):
            ask(one, game)
        mine = [fault for fault in one.faults if fault.bot == "Sleeps"]
        assert len(mine) == 3


def test_the_lowest_level_is_asked_itself() -> None:
    game = Game.new(seed=7)
    with Guard("random", 5, 1) as one:
        plain = make_bot("random", 5)
        look, actions = game.look("germany"), game.legal_actions()
        assert [one.decide(look, actions) for _ in range(5)] == [
            plain.decide(look, actions) for _ in range(5)
        ]


def test_what_cannot_be_guarded_is_refused() -> None:
    class Local(bad.First):
        pass

    with pytest.raises(UnknownName, match="did you mean random"):
        Guard("rndom", 1)
    with pytest.raises(QuartermasterError, match="must pickle"):
        Guard(Local(), 1, seconds=1)
    with pytest.raises(QuartermasterError, match="seconds: expected more than 0, got 0"):
        Guard("random", 1, seconds=0)


# -- what the game says ----------------------------------------------------------------


def test_a_game_with_a_bot_that_always_fails_ends() -> None:
    game, again = Game.new(seed=3), Game.new(seed=3)
    for each in (game, again):
        one = Guard(bad.Raises(), 5)
        play_game(each, first_bots(japan=one))
        assert each.is_over
        assert len([fault for fault in one.faults if fault.bot == "Raises"]) == 3
        assert len(faults_in(each.events)) == len(one.faults)
    assert game.record == again.record, "who stands in plays the same for the same seed"
    stand_in = say(f"bot.{one.faults[0].stand_in}.title")
    assert faults_in(game.log("germany"))[0] == (
        f"Japan's bot Raises failed (raised ValueError); {stand_in} decides in its place"
    )
    assert "(raised ValueError; not asked again)" in faults_in(game.events)[2]


def test_a_game_with_a_bot_that_dies_now_and_then_ends(process: BotProcess) -> None:
    """Every country's bot in one process, one of them fatal to it."""
    game = Game.new(seed=3)
    bots = {country: Guard(bad.First(), 1, 20, process) for country in COUNTRIES}
    bots["italy"] = Guard(bad.Dies(), 1, 20, process)
    play_game(game, bots)
    assert game.is_over
    assert [len(bots[country].faults) for country in COUNTRIES if country != "italy"] == [0] * 5
    assert len(faults_in(game.events)) == len(bots["italy"].faults) >= 3


def test_the_log_names_no_hidden_card() -> None:
    """A message may say anything; what everyone reads is of what kind the fault was."""
    game = Game.new(seed=3)
    one = Guard(bad.Raises(), 5)
    hand = game.view("germany").countries["germany"].hand or ()
    take_decision(game, {"germany": one})
    assert all(card in one.faults[0].reason for card in hand)
    for who in (None, *COUNTRIES):
        [told] = faults_in(game.log(who))
        assert "I hold" not in told
        assert not any(card in told for card in hand)
    assert "I hold" not in json.dumps([list(entry) for entry in game.raw_log])


def test_a_fault_in_a_reaction_is_told_later() -> None:
    """At once it would tell everyone whose reaction was awaited."""
    game = reaction()
    one = Guard(bad.AnswersNothing(), 5)
    bots = first_bots(**{"soviet-union": one})
    take_decision(game, bots)
    assert len(one.faults) > 0
    assert faults_in(game.events) == []
    while game.decision.country != "soviet-union" or game.decision.kind == "react":
        take_decision(game, bots)
        assert faults_in(game.events) == []
    take_decision(game, bots)
    assert len(faults_in(game.events)) == len(one.faults) >= 2


def test_what_was_not_told_is_told_at_the_end() -> None:
    game = reaction()
    one = Guard(bad.AnswersNothing(), 5)
    take_decision(game, {"soviet-union": one})
    while not game.is_over:
        game.apply(game.legal_actions()[0])
    one.tell_faults(game)
    one.tell_faults(game)
    assert len(faults_in(game.events)) == len(one.faults) > 0


def test_faults_are_saved_copied_and_undone() -> None:
    game = Game.new(seed=3)
    bots = first_bots(germany=Guard(bad.Raises(), 5))
    logs = []
    for _ in range(30):
        logs.append(game.events)
        take_decision(game, bots)
    assert len(faults_in(game.events)) >= 3
    for other in (game.copy(), Game.load(json.loads(json.dumps(game.save())))):
        assert other.events == game.events
        other.undo(30)
        assert other.events == game.events
        for to in (25, 3, 2, 1, 0):
            other.undo(to)
            assert other.events == logs[to]
    replayed = Game.from_record(game.record)
    assert replayed == game, "a fault is no part of the game itself"
    assert replayed.events == [entry for entry in game.events if entry.what != "fault"]


def test_simulations_count_faults(monkeypatch: pytest.MonkeyPatch) -> None:
    assert simulate("second", {}, 2, ["random"], 1, 0, 1).faults == 0
    broken = Level("broken", lambda *_: bad.AnswersNothing())
    monkeypatch.setitem(BOTS, "broken", broken)
    tally = simulate("second", {}, 2, ["broken", "random"], 1, 0, 2)
    assert tally.games == 2
    assert tally.faults == tally.to_dict()["faults"] == 2 * 3 * 3
