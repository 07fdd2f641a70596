"""What is said to people comes from the catalogues: all of it, by ids that are all in use."""

import inspect
import random
import re
from collections.abc import Iterator
from string import Formatter

import pytest

from quartermaster import RULE_SETS, Deal, Game, load_rules
from quartermaster.bots import BOTS, advise, bots_data, process
from quartermaster.bots.reasons import Reasons, differences
from quartermaster.cards.as_data import (
    board_data,
    card_data,
    compare_data,
    rules_data,
    rulings_data,
)
from quartermaster.cards.rulings import RULING_PARTS, all_rulings
from quartermaster.fairness import verify
from quartermaster.lab.checks.fuzz import crowded_game, lively_action
from quartermaster.rules.board import SPACES
from quartermaster.rules.names import CARD_TYPES, COUNTRIES, PIECES, RULE, STATUS, TEAMS
from quartermaster.rules.state import State
from quartermaster.sight.log import FAULTS
from quartermaster.speech import say as words
from quartermaster.speech.nouns import card_noun, card_text, country_noun, space_noun
from quartermaster.speech.say import (
    ENGLISH,
    Noun,
    catalogue,
    languages,
    own_name,
    say,
    say_many,
    speaking,
    spoken,
)
from variants import VARIANTS, every_variant

GAME = catalogue("game", ENGLISH)
NOUNS = (
    {f"country.{country}" for country in COUNTRIES}
    | {f"piece.{country}.{piece}" for country in COUNTRIES for piece in PIECES}
    | {f"space.{space}" for space, _ in SPACES}
    | {f"team.{team}" for team in TEAMS}
    | {f"type.{name}" for name in CARD_TYPES[:RULE]}
    | {"card.hidden"}
)
LOADED = [load_rules(name, options) for name, options in VARIANTS]
CARDS = [(rules, card) for rules in LOADED for card in rules.cards]
OTHER = "eo"  # a language that tests make up


def is_noun(id: str) -> bool:
    return id.split(".")[0] in ("card", "country", "piece", "space", "team", "text", "type")


def fields(text: str) -> list[str]:
    return [name for _, name, _, _ in Formatter().parse(text) if name is not None]


def told_of(game: Game, rng: random.Random) -> Iterator[str]:
    """All that is told of a game, played to its end; what is told of bots and of supply by
    space ids only in part."""
    before = game.state.copy()
    while not game.is_over:
        yield game.decision.prompt
        yield from (action.phrase for action in game.legal_actions())
        if len(game.history) % 10 == 0:
            yield game.view(0).score_text
            for country in COUNTRIES:
                supplies = game.supply(country).values()
                yield from (supply.missing for supply in supplies if supply.missing is not None)
                yield from (action.phrase for action in game.removals(country))
            yield from told_between(before, game.state)
            before = game.state.copy()
        pieces = game.removals(game.decision.country)
        game.apply(
            rng.choice(pieces) if pieces and rng.random() < 0.02 else lively_action(game, rng)
        )
    yield from told_between(before, game.state)
    yield from (entry.text for entry in game.log())
    yield from (entry.text for entry in game.events)


def told_between(start: State, end: State) -> Iterator[str]:
    """What is better or worse than before."""
    for me in (0, 1):
        yield from (text for _, text in differences(end, start, me, start))
        yield from (text for _, text in differences(start, end, me, start))


def told_of_games(rules: str, options: dict[str, bool], count: int) -> Iterator[str]:
    for seed in range(count):
        rng = random.Random(seed)
        yield from told_of(Game.new(rules, seed=seed, options=options), rng)
        yield from told_of(crowded_game(rules, options, rng), rng)


def told_as_advice(rules: str, options: dict[str, bool]) -> Iterator[str]:
    rng = random.Random(4)
    game = crowded_game(rules, options, rng)
    while not game.is_over:
        if len(game.history) % 15 == 0:
            look = game.look(game.decision.country)
            for hint in advise(look, count=9, nodes=12, seed=5):
                yield str(hint)
                yield hint.reason
        game.apply(lively_action(game, rng))


def told_of_rules() -> Iterator[str]:
    yield own_name(spoken())
    for rule_set in RULE_SETS.values():
        yield rule_set.text
        yield from (option.text for option in rule_set.options)
    yield from (text for bot in bots_data() for text in (bot["title"], bot["about"]))
    for row in rules_data():
        yield row["text"]
        yield from (option["text"] for option in row["options"])
    for one in RULE_SETS:
        for other in RULE_SETS:
            compared = compare_data(one, other)
            for row in compared["rules"]:
                yield row["rule"]
                # Numbers and seats have no words.
                yield from (
                    row[name] for name in (one, other) if not re.search(r"^\d|/", row[name])
                )
            for row in compared["cards"]:
                yield from (row[name] for name in (one, other) if row[name] is not None)


def test_faults_are_those_of_guards() -> None:
    """So that each has words."""
    told = inspect.getsource(process)
    assert set(re.findall(r'Failure\(\s*"([^"]+)"', told)) == FAULTS
    assert process.raised(ValueError("x")).kind == "raised ValueError"


# -- every id is said ------------------------------------------------------------------


class Heard(dict[str, str]):
    """A catalogue that remembers what was looked up."""

    def __init__(self, texts: dict[str, str]) -> None:
        super().__init__(texts)
        self.ids: set[str] = set()

    def __contains__(self, id: object) -> bool:
        self.ids.add(str(id))
        return super().__contains__(id)


def of_any_number(id: str) -> str:
    return re.sub(r"\.(one|other)$", "", id)


def told_seldom() -> Iterator[str]:
    """What happens too seldom to wait for."""
    game = Game.new()
    for kind in (*FAULTS, "raised ValueError"):
        game.note_fault("italy", "general", kind, "veteran")
    yield from (entry.text for entry in game.events)
    pieces = {
        "germany": ["germany", "baltic-sea", "siberia"],
        "soviet-union": ["ukraine"],
        "italy": ["italy", "mediterranean-sea", "bay-of-bengal"],
    }
    game = Game.from_position(
        {"pieces": pieces, "table": {"soviet-union": ["shverniks-evacuation-council"]}}
    )
    for country in pieces:
        yield from (str(supply) for supply in game.supply(country).values())
    recruited = Game.from_position(
        {
            "turn": "soviet-union",
            "pieces": {"germany": ["germany", "ukraine"], "soviet-union": ["moscow"]},
            "hand": {"soviet-union": ["land-battle"]},
            "set": {"italy": ["romanian-reinforcements"], "soviet-union": ["rasputitsa"]},
        },
        rules="first",
    )
    attacked = Game.from_position(
        {
            "pieces": {"germany": ["germany", "ukraine", "russia"], "soviet-union": ["moscow"]},
            "air": {"soviet-union": ["moscow"], "germany": ["ukraine", "russia"]},
            "hand": {"germany": ["land-battle"]},
        },
        options={"air-marshal": True},
    )
    for game, script in (
        (recruited, ("play land-battle", "battle ukraine", "use romanian-reinforcements")),
        (attacked, ("play land-battle", "battle moscow", "use air-defense", "use air-attack")),
    ):
        for text in script:
            game.apply(text)
        yield game.decision.prompt


def told_seldom_as_advice() -> Iterator[str]:
    """Reasons that come up too seldom to wait for."""
    negating = Game.from_position(
        {
            "hand": {"germany": ["submarines-of-the-monsoon-group"]},
            "set": {"united-kingdom": ["asw-tactics"]},
        }
    )
    for text in ("play submarines", "choose united-kingdom"):
        negating.apply(text)
    hand = {"germany": ["submarines-soviet-union", "sea-battle"]}
    scoring = Game.from_position({"hand": hand}, rules="first")
    exchanging = Game.from_position(
        {
            "turn": "united-states",
            "step": "discard",
            "table": {"united-states": ["rosie-the-riveter"]},
            "hand": {"united-states": ["sea-battle", "land-battle"]},
        }
    )
    drawing = Game.from_position(
        {
            "turn": "united-states",
            "hand": {
                "united-states": ["lend-lease", "build-army", "sea-battle"],
                "united-kingdom": ["land-battle", "sea-battle"],
            },
        }
    )
    for text in ("play lend-lease", "choose united-kingdom"):
        drawing.apply(text)
    protecting = Game.from_position(
        {
            "turn": "japan",
            "pieces": {"japan": ["japan", "sea-of-japan"]},
            "set": {"japan": ["battleship-repair"]},
        },
        rules="first",
    )
    building = Game.from_position({"hand": {"germany": ["build-army"]}})
    building.apply("play build-army")
    for game in (negating, scoring, exchanging, drawing, protecting, building):
        look = game.look(game.decision.country)
        reasons = Reasons(look, list(reversed(look.seen.options)), seed=1)
        yield from (reasons.of(code) for code in look.seen.options)


def told_of_deals() -> Iterator[str]:
    """Deals that are checked, fair and not."""
    deal = Deal("1b" * 32, ((0, "2c" * 32),))
    game = Game.new(seed=deal.seed)
    game.deal = deal
    anew = Game.new(seed=1)
    anew.deal_anew(deal.seed)
    yield from (entry.text for entry in anew.events)
    position = Game.from_position({"seed": deal.seed})
    position.deal = deal
    fair = game.record
    untold = fair.replace("hands:", "arms:").replace("drawn:", "drew:").replace("lost:", "left:")
    for record, commitment, contribution in (
        (fair, deal.commitment, "2c" * 32),
        (fair.replace("1b1b", "1b1c", 1), "00" * 32, "00" * 32),
        (untold, None, None),
        (fair.replace("contributions: [[", "contributions: [[1"), None, None),  # no such seat
        (fair + "germany: pass\n", None, None),
        (position.record, None, None),
        (Game.new(seed=7).record, None, None),
    ):
        verdict = verify(record, "record", commitment, contribution)
        yield from (str(verdict), *(check.text for check in verdict.checks))


@pytest.mark.usefixtures("nothing_remembered")
def test_every_sentence_is_said_somewhere(monkeypatch: pytest.MonkeyPatch) -> None:
    """And none is missing: that would raise."""
    heard = Heard(GAME)
    monkeypatch.setattr(words, "_texts", lambda language: (heard,))
    told = [*told_of_rules(), *told_seldom(), *told_seldom_as_advice(), *told_of_deals()]
    for rules, options in VARIANTS:
        told += told_of_games(rules, options, count=5)
    for rules, options in VARIANTS[:3]:
        told += told_as_advice(rules, options)
    assert not any(re.search(r"[{}]", text) for text in told)
    said = {of_any_number(id) for id in heard.ids}
    assert {of_any_number(id) for id in GAME if not is_noun(id)} - said == set()


def test_nouns_are_those_of_the_game_in_forms_that_sentences_use() -> None:
    forms = {name.partition(".")[2] for text in GAME.values() for name in fields(text)}
    for id in filter(is_noun, GAME):
        noun, _, form = id.rpartition(".")
        assert id in NOUNS or (noun in NOUNS and form in forms), id


def test_every_noun_has_a_name() -> None:
    spaces = {f"space.{space}" for space, _ in SPACES}
    assert set(GAME) & spaces == set()  # they have names on the board
    assert NOUNS - spaces - set(GAME) == set()


def test_unknown_ids_are_errors() -> None:
    with pytest.raises(KeyError, match="nonsense"):
        say("log.nonsense")
    with pytest.raises(KeyError, match="nonsense"):
        say_many("ask.nonsense", 2)
    with pytest.raises(KeyError, match="atlantis"):
        str(Noun("country.atlantis"))


# -- nothing is said past the catalogue ------------------------------------------------


def made_up() -> dict[str, str]:
    """A language with no words: nouns stand in [ ], of sentences «only the fields» are left."""
    texts = {}
    for id, text in GAME.items():
        parts = [
            f"{{{name}:{spec}}}" if spec else f"{{{name}}}"
            for _, name, spec, _ in Formatter().parse(text)
            if name is not None
        ]
        texts[id] = f"[{text}]" if is_noun(id) else f"«{' '.join(parts)}»"
    texts |= {f"space.{space}": f"[{name}]" for space, name in SPACES}
    for rules, card in CARDS:
        texts[f"card.{card.id}"] = f"[{card.name}]"
        of_country = f"{rules.board.edition}.{COUNTRIES[card.country]}"
        for place in ("rule.base", "rule.air-marshal", of_country):
            texts[f"text.{place}.{card.id}"] = f"[{card.text}]"
    for ruling in all_rulings():
        texts |= {f"ruling.{ruling.id}.{part}": f"[{part}]" for part in RULING_PARTS}
    return texts


@pytest.fixture
def _other(nothing_remembered: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is another language."""
    texts = made_up()
    cards = {
        id: text for id, text in texts.items() if id.split(".")[0] in ("card", "ruling", "text")
    }
    of_domain = {"game": {id: texts[id] for id in texts.keys() - cards.keys()}, "cards": cards}

    def found(domain: str, language: str) -> dict[str, str]:
        if language == OTHER and domain in of_domain:
            return of_domain[domain]
        return catalogue(domain, language)

    monkeypatch.setattr(words, "catalogue", found)


def check_foreign(text: str) -> None:
    assert re.fullmatch(r"«.*»", text), text
    assert not re.search("[A-Za-z]", re.sub(r"\[[^]]*\]", "", text)), text


@every_variant
@pytest.mark.usefixtures("_other")
def test_games_are_told_in_the_language_spoken(rules: str, options: dict[str, bool]) -> None:
    with speaking(OTHER):
        told = {*told_of_games(rules, options, count=1)}
    assert len(told) > 100
    for text in told:
        check_foreign(text)


@pytest.mark.usefixtures("_other")
def test_advice_is_given_in_the_language_spoken() -> None:
    with speaking(OTHER):
        for text in told_as_advice("first", {"air-marshal": True}):
            check_foreign(text)


@pytest.mark.usefixtures("_other")
def test_rules_and_bots_are_told_in_the_language_spoken() -> None:
    with speaking(OTHER):
        told = list(told_of_rules())
        cards = [card_data(rules, card) for rules, card in CARDS if card.type != RULE]
        rule_texts = [card_text(rules, card) for rules, card in CARDS if card.type == RULE]
        spaces = board_data("second")["spaces"]
        ruled = rulings_data()
        assert BOTS["general"].about == "«»"
    for text in told:
        check_foreign(text)
    for shown in [*cards, *spaces]:
        assert shown["name"].startswith("[")
    for text in [*(card["text"] for card in cards), *rule_texts]:
        assert text.startswith(("[", "«["))  # the second of statuses that hold later
    for one in ruled:
        assert (one["about"], one["text"], one["why"]) == ("[about]", "[text]", "[why]")
    assert BOTS["general"].about.startswith("Searches")


@pytest.mark.usefixtures("_other")
def test_bots_that_fail_and_supply_by_space_ids_are_told_in_it_too() -> None:
    game = Game.from_position({"pieces": {"germany": ["germany", "siberia"]}})
    game.note_fault("italy", "general", "took too long", "veteran")
    with speaking(OTHER):
        [entry] = game.events
        assert entry.text == "«[Italy's] «» «» «»»"
        for supply in game.supply("germany").values():
            assert re.fullmatch("«.*»", str(supply))


@pytest.mark.usefixtures("_other")
def test_an_action_speaks_the_language_it_is_asked_in() -> None:
    game = Game.from_position({"turn": "italy", "hand": {"italy": ["build-army", "land-battle"]}})
    game.apply("play build-army")
    [action] = [a for a in game.legal_actions() if a.space == "balkans"]
    with speaking(OTHER):
        assert action.phrase == "«[an Italian army] [the Balkans]»"
    assert action.phrase == "Build an Italian army in the Balkans"


@pytest.mark.usefixtures("nothing_remembered")
def test_what_a_language_lacks_is_said_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    few = {"country.italy": "Italujo", "log.shuffle": "{country.of} ..."}
    monkeypatch.setattr(
        words, "_texts", lambda language: (few, GAME) if language == OTHER else (GAME,)
    )
    italy, japan = country_noun("italy"), country_noun("japan")
    with speaking(OTHER):
        assert say("log.round", n=3) == "Round 3 begins"
        assert say_many("ask.discard", 2) == "Discard 2 cards from hand"
        # Never the English form of a noun that the language has.
        assert say("log.shuffle", country=italy) == "Italujo ..."
        assert say("log.shuffle", country=japan) == "Japan's ..."
        assert str(space_noun("north-sea")) == "North Sea"
        assert str(card_noun("truk", "Truk")) == "Truk"


# -- languages -------------------------------------------------------------------------


def english(id: str) -> str | None:
    """The English text that another language's stands for: of nouns and cards there may be more
    than in English, of numbers other forms."""
    if id in GAME:
        return GAME[id]
    if is_noun(id):
        return ""
    return GAME.get(f"{id.rpartition('.')[0]}.other")


@pytest.mark.parametrize("language", languages())
def test_languages_speak_of_what_english_speaks_of(language: str) -> None:
    for id, text in catalogue("game", language).items():
        source = english(id)
        assert source is not None, id
        known = {name.partition(".")[0] for name in fields(source)}
        assert {name.partition(".")[0] for name in fields(text)} <= known, id


def test_a_card_has_one_name_in_all_rule_sets() -> None:
    """So that languages can name it by its id."""
    names = {(card.id, card.name) for _, card in CARDS}
    assert len(names) == len({id for id, _ in names})


def test_a_card_has_one_text_in_an_edition() -> None:
    texts: dict[tuple[str, str], str] = {}
    for rules, card in CARDS:
        place = f"{rules.board.edition} {COUNTRIES[card.country]}"
        if card.type == RULE:
            place = f"rule {rules.has_air_forces}"
        assert texts.setdefault((place, card.id), card.text) == card.text
        delay = ""
        if rules.name == "french" and card.type == STATUS:
            delay = " It holds from the next round on."
        assert card_text(rules, card) == card.text + delay
