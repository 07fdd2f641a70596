"""`play`: a game in the terminal, a person against bots."""

import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer
from rich.markup import escape
from rich.table import Table

from quartermaster.bots import BotProcess, Guard, advise, estimate, load_bot, take_decision
from quartermaster.bots.plugins import need_of_name
from quartermaster.cards.rule_sets import load_rules
from quartermaster.cli import completion
from quartermaster.cli.common import (
    AirMarshalOption,
    OptionOption,
    SetOption,
    chosen_options,
    chosen_sets,
    console,
    friendly,
)
from quartermaster.cli.files import load_record
from quartermaster.cli.prompt import ask
from quartermaster.errors import QuartermasterError, UnknownName
from quartermaster.forms.deals import read_seed
from quartermaster.forms.notation import Action, country_index, deck_of
from quartermaster.game import Game
from quartermaster.rules.actions import card_of
from quartermaster.rules.card import Card
from quartermaster.rules.names import COUNTRIES, TEAMS
from quartermaster.server.folders import data_folder
from quartermaster.speech.nouns import card_noun, card_text, country_noun, space_noun, team_noun
from quartermaster.speech.say import ENGLISH, say, spoken

_PATIENCE = 60.0  # seconds a bot may think; then a lower level decides


@friendly
def play(
    rules: Annotated[
        str | None,
        typer.Option(
            "--rules",
            "-r",
            help="Rule set: second (if left out), first or french.",
            autocompletion=completion.rule_set,
        ),
    ] = None,
    air_marshal: AirMarshalOption = False,
    option: OptionOption = None,
    country: Annotated[
        str | None,
        typer.Option(
            "--as",
            help="Your countries, with commas, or axis or allies. Asked if left out.",
            autocompletion=completion.side,
        ),
    ] = None,
    bots: Annotated[
        str,
        typer.Option(
            help="Who plays the others; `quartermaster bots` lists them. Yours too: MODULE:CLASS,"
            " FILE.py:CLASS or program:COMMAND.",
            autocompletion=completion.bot,
        ),
    ] = "veteran",
    seed: Annotated[int | None, typer.Option(help="For the same cards again.")] = None,
    record: Annotated[
        Path | None,
        typer.Option(help="Keep the game in this file, and go on with it if it is there."),
    ] = None,
    new: Annotated[bool, typer.Option("--new", help="Begin anew, whatever is saved.")] = False,
    card_set: SetOption = None,
) -> None:
    """Play a game in the terminal against bots. It is saved after every move."""
    path = record or _default_record()
    sets = chosen_sets(card_set)
    saved = None if new else _saved(path)
    # Whatever is wrong with the arguments is said before anything is asked.
    name = rules or (saved.rules if saved is not None else "second")
    options = chosen_options(name, air_marshal, option)
    load_rules(name, options, sets)
    own = None if country is None else _countries(country)
    need_of_name(bots)  # refuses a name that does not do
    if seed is not None:
        read_seed(seed)
    wish = _Wish(rules, options, sets, own, seed)
    game = None if saved is None else _offer(saved, wish, path if record is not None else None)
    if game is None:
        own = _ask_side() if own is None else own
        seats = [[COUNTRIES[index] for index in own]]
        seats += [[COUNTRIES[index]] for index in range(6) if index not in own]
        start = secrets.randbelow(10**6) if seed is None else seed
        game = Game.new(rules or "second", seed=start, seats=seats, options=options, sets=sets)
        _put_aside(path)
    command = "quartermaster play" if record is None else f"quartermaster play --record {record}"
    Session(game, bots, path, command).run()


@dataclass(frozen=True)
class _Wish:
    """What the command line asks of a game. Where it says nothing, any saved game fits."""

    rules: str | None
    options: dict[str, bool]
    sets: list[str]
    own: list[int] | None
    seed: int | None

    def unmet_by(self, game: Game) -> list[str]:
        """What the command line asks for and a saved game does not have."""
        unmet = []
        if self.rules not in (None, game.rules):
            unmet.append(f"--rules {self.rules}")
        unmet += [f"--set {name}" for name in self.sets if name not in game.sets]
        for name, value in self.options.items():
            if game.options.get(name) != value:
                unmet.append(f"{name} {'on' if value else 'off'}")
        if self.own is not None:
            own = [COUNTRIES[index] for index in self.own]
            if set(own) != set(game.seats[0]):
                unmet.append(f"--as {','.join(own)}")
        if self.seed not in (None, game.seed):
            unmet.append(f"--seed {self.seed}")
        return unmet


def _saved(path: Path) -> Game | None:
    """The game that lies there, unless it is over."""
    if not path.exists():
        return None
    try:
        game = load_record(path)
    except QuartermasterError as error:
        raise QuartermasterError(say("play.broken", error=error)) from None
    return None if game.is_over else game


def _offer(game: Game, wish: _Wish, named: Path | None) -> Game | None:
    """The saved game to go on with, if there is one that fits. Whoever names a file wants the game
    in it, and no other."""
    unmet = ", ".join(wish.unmet_by(game))
    if named is not None:
        if unmet:
            raise QuartermasterError(
                say("play.other-game", path=named, unmet=unmet, game=_described(game))
            )
        return game
    _print(say("play.unfinished", game=_described(game)))
    if unmet:
        _print(say("play.other", unmet=unmet))
    try:
        answer = ask(say("play.go-on-anyway" if unmet else "play.go-on") + " ")
    except (EOFError, KeyboardInterrupt):
        raise typer.Exit from None
    is_wanted = answer.lower() in say("play.yes").split() or (not answer and not unmet)
    return game if is_wanted else None


def _described(game: Game) -> str:
    """A game in a line, for its player."""
    view = game.view(0)
    mine = ", ".join(str(country_noun(name)) for name in game.seats[0])
    return say(
        "play.game-air" if game.options["air-marshal"] else "play.game",
        rules=game.rules,
        countries=mine,
        n=view.round,
        country=country_noun(COUNTRIES[game.state.country]),
        score=view.score_text,
    )


def _put_aside(path: Path) -> None:
    """Rename the file that lies where a new game will be saved, so that it is kept."""
    if path.exists():
        number = 1
        while (aside := path.with_name(f"{path.stem}-{number}{path.suffix}")).exists():
            number += 1
        path.rename(aside)
        _print(say("play.kept", path=aside))


def _default_record() -> Path:
    return data_folder() / "game.txt"


def _ask_side() -> list[int]:
    _print(say("play.which"))
    _print("  " + say("play.names", names=", ".join(COUNTRIES)))
    while True:
        try:
            text = ask("[germany] ", lambda: (*TEAMS, *COUNTRIES)) or "germany"
        except (EOFError, KeyboardInterrupt):
            raise typer.Exit from None
        if text in ("q", "quit"):
            raise typer.Exit
        try:
            return _countries(text)
        except QuartermasterError as error:
            console.print(f"[red]{escape(_refusal(text, error))}[/]", highlight=False)


def _countries(text: str) -> list[int]:
    if text == "axis":
        return [0, 2, 4]
    if text == "allies":
        return [1, 3, 5]
    countries = sorted({country_index(name.strip()) for name in text.split(",")})
    if len({index & 1 for index in countries}) > 1:
        raise QuartermasterError(say("play.one-team"))
    return countries


class Session:
    """One sitting: the person has seat 0, bots the others."""

    def __init__(self, game: Game, bots: str, path: Path, command: str) -> None:
        self.game = game
        self.path = path
        self.command = command  # that goes on with the game
        self.own = game.seats[0]
        self.level = bots
        self.process = BotProcess()
        first = 8 * game.seed if isinstance(game.seed, int) else 0  # of the bots' own chance
        self.bots = {
            name: Guard(bots, first + country_index(name), _PATIENCE, self.process, load_bot)
            for name in COUNTRIES
        }
        # Log entries already shown: who comes back wants the last few.
        self.told = max(0, len(game.raw_log) - 12)

    def run(self) -> None:
        """Play until the game is over, or the person wants to quit."""
        try:
            self._run()
        finally:
            for bot in self.bots.values():
                bot.close()
            self.process.close()

    def _run(self) -> None:
        mine = ", ".join(str(country_noun(name)) for name in self.own)
        intro = say("play.intro", countries=mine, bots=self.level)
        console.print(f"[bold]Quartermaster[/] - {escape(intro)}", highlight=False)
        self._save()
        while not self.game.is_over:
            decision = self.game.decision
            if decision.country in self.own:
                if not self._ask():
                    _print(say("play.saved", path=self.path, command=self.command))
                    return
            else:
                take_decision(self.game, self.bots)
            self._save()
        self._tell()
        score = self.game.view(0).score_text
        won = say("log.win", team=team_noun(self.game.winner or ""))
        record = say("play.record", path=self.path)
        console.print(f"\n[bold]{won}[/], {score}. {escape(record)}", highlight=False)

    def _save(self) -> None:
        """Save the game, whole or not at all: written beside the file, then put in its place."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        beside = self.path.with_suffix(self.path.suffix + ".new")
        with open(beside, "w", encoding="utf-8") as file:
            file.write(self.game.record)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(self.path)

    # -- asking ------------------------------------------------------------------------

    def _ask(self) -> bool:
        """Ask the person for one decision; false if they want to quit."""
        self._tell()
        decision = self.game.decision
        actions = self._choices()
        if decision.kind == "play":
            self._show_board()
        # Reallocate Resources is asked before the play step: it needs the hand too.
        if decision.kind in ("play", "setup") or (
            decision.event.get("kind") == "start-of-play-step"
        ):
            self._show_hand(decision.country)
        self._show_choices(actions)
        while True:
            try:
                text = ask("> ", lambda: [action.text for action in actions])
            except (EOFError, KeyboardInterrupt):
                return False
            if text in ("q", "quit"):
                return False
            if text == "u":
                if self._undo():
                    return True
                continue
            if text.isdigit():
                if 1 <= int(text) <= len(actions):
                    self.game.apply(actions[int(text) - 1])
                    return True
                console.print(f"[red]{say('play.number', n=len(actions))}[/]")
                continue
            if self._look(text, decision.country):
                continue
            try:
                self.game.apply(text)
                return True
            except QuartermasterError as error:
                console.print(f"[red]{escape(_refusal(text, error))}[/]", highlight=False)

    def _choices(self) -> list[Action]:
        """The legal actions, what can be played before what can be discarded."""
        actions = self.game.legal_actions()
        if self.game.decision.kind == "play":
            actions.sort(key=lambda action: action.verb == "discard")
        return actions

    def _look(self, text: str, country: str) -> bool:
        """Carry out a command that only shows something."""
        if text in ("", "?", "help"):
            console.print(say("play.help"))
        elif text == "b":
            self._show_board()
        elif text == "h":
            self._show_hand(country)
        elif text == "t":
            self._show_table()
        elif text == "l":
            for entry in list(self.game.log(0))[-30:]:
                console.print(f"  {escape(entry.text)}", highlight=False)
        elif text == "s":
            for name in self.own:
                for supply in self.game.supply(name).values():
                    _print(f"  {country_noun(name)}, {supply}")
        elif text == "a":
            self._advise(country)
        elif text == "r":
            for name in self.own:
                for action in self.game.removals(name):
                    console.print(f"  {name}: {action.text}", highlight=False)
            _print(say("play.take-off"))
        else:
            return False
        return True

    def _advise(self, country: str) -> None:
        look = self.game.look(country)
        with console.status(say("play.thinking")):
            hints = advise(look)
            chances = estimate(look)
        for hint in hints:
            console.print(f"  {escape(str(hint))}", highlight=False)
        told = say(
            "play.chances",
            axis=team_noun("axis"),
            n=round(chances.axis * 100),
            allies=team_noun("allies"),
            other=round(chances.allies * 100),
        )
        _print(f"  {told}")

    def _undo(self) -> bool:
        """Go back to the person's decision before this one."""
        history = self.game.history
        mine = [i for i, action in enumerate(history) if action.country in self.own]
        if not mine:
            _print(say("play.no-undo"))
            return False
        self.game.undo(mine[-1])
        self.told = min(self.told, len(self.game.raw_log))
        console.print(f"[yellow]{say('play.undone')}[/]")
        return True

    # -- showing -----------------------------------------------------------------------

    def _tell(self) -> None:
        """Print what has happened since this was last printed."""
        entries = list(self.game.log(0, self.told))
        self.told += len(entries)
        for entry in entries:
            if entry.what == "turn":
                console.print(f"\n[bold]{escape(entry.text)}[/]", highlight=False)
            elif entry.what not in ("draw", "mill", "discard") or entry.card is not None:
                console.print(f"  {escape(entry.text)}", highlight=False)

    def _show_board(self) -> None:
        view = self.game.view(0)
        table = Table(
            title=say("play.board", n=view.round, score=view.score_text),
            title_justify="left",
        )
        columns = ["country", "armies", "navies", "hand", "deck", "face-down"]
        if self.game.state.rules.has_air_forces:
            columns.append("air-forces")
        for column in columns:
            table.add_column(say(f"play.board.{column}"))
        for side in view.countries.values():
            name = str(country_noun(side.country))
            table.add_row(
                f"[bold]{name}[/]" if side.country in self.own else name,
                _names(side.armies),
                _names(side.navies),
                str(side.hand_size),
                str(side.deck_size),
                str(side.set_size),
                *([_names(side.air_forces)] if len(table.columns) > 6 else []),
            )
        console.print(table)

    def _show_hand(self, country: str) -> None:
        side = self.game.view(0).countries[country]
        deck = deck_of(self.game.state.rules, country_index(country))
        title = say("play.hand", country=country_noun(country))
        table = Table(title=title, title_justify="left", show_header=False, box=None)
        hand = side.hand or ()
        for card_id in dict.fromkeys(hand):
            card = deck[card_id]
            count = hand.count(card_id)
            table.add_row(
                f"[bold]{escape(_name(card))}[/]{f' x{count}' if count > 1 else ''}",
                escape(card_text(self.game.state.rules, card)),
            )
        console.print(table)

    def _show_table(self) -> None:
        table = Table(show_header=False, box=None)
        rules = self.game.state.rules
        for side in self.game.view(0).countries.values():
            deck = deck_of(rules, country_index(side.country))
            whose = str(country_noun(side.country))
            for card in (deck[card_id] for card_id in side.table):
                table.add_row(whose, f"[bold]{_name(card)}[/]", card_text(rules, card))
            for card in (deck[card_id] for card_id in side.set or ()):
                name = say("play.face-down", card=_name(card))
                table.add_row(whose, name, card_text(rules, card))
        console.print(table if table.row_count else say("play.no-table"))

    def _show_choices(self, actions: list[Action]) -> None:
        decision = self.game.decision
        country = f"[bold]{country_noun(decision.country)}[/]"
        asked = say("play.ask", country=country, ask=escape(decision.prompt))
        console.print(f"\n{asked}", highlight=False)
        table = Table(show_header=False, box=None, pad_edge=False, padding=(0, 2, 0, 0))
        table.add_column(justify="right", min_width=4)
        table.add_column(overflow="fold")
        table.add_column(overflow="fold")
        rules = self.game.state.rules
        for number, action in enumerate(actions, 1):
            table.add_row(str(number), escape(action.phrase), f"[dim]{escape(action.text)}[/]")
            if action.verb == "use":
                text = card_text(rules, rules.cards[card_of(action.code)])
                table.add_row("", f"[italic]{escape(text)}[/]", "")
        console.print(table)


def _print(text: str) -> None:
    """A line as it is."""
    console.print(escape(text), highlight=False)


def _refusal(text: str, error: QuartermasterError) -> str:
    """Why what was typed cannot be done. The library's own errors are in English."""
    if spoken() == ENGLISH:
        return str(error)
    near = error.nearest if isinstance(error, UnknownName) else []
    return say("play.unknown-near" if near else "play.unknown", text=text, names=", ".join(near))


def _name(card: Card) -> str:
    return str(card_noun(card.id, card.name))


def _names(spaces: tuple[str, ...]) -> str:
    return ", ".join(str(space_noun(space)) for space in spaces)
