"""What people may do at a table: each command checks, and gives the events it brings.

Nothing changes here; who calls adds the events to the table once they are on disk.
"""

import secrets
from collections.abc import Sequence
from typing import Literal

import msgspec

from quartermaster.bots import BOTS
from quartermaster.cards.rule_sets import RULE_SETS, load_rules
from quartermaster.errors import UnknownName
from quartermaster.forms.deals import fresh_seed, is_hex
from quartermaster.forms.notation import country_index
from quartermaster.game import Game, make_seats
from quartermaster.rules.names import COUNTRIES, HAND
from quartermaster.server.names import clean_name, clean_text, new_id
from quartermaster.server.refusals import Refused, either
from quartermaster.server.table import events as ev
from quartermaster.server.table.events import Clock, Event, GameSettings, Seat
from quartermaster.server.table.table import Step, Table
from quartermaster.sight.reactions import is_hidden_ask
from quartermaster.speech.nouns import country_noun

_HOLD = 30.0  # seconds that someone who wants more time gets
_MOST_SECONDS = 3600.0
Who = Literal["me", "open", "invite", "bot", "hot-seat"]


class SeatWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A seat as its table is set up: its countries, and who takes it."""

    countries: list[str]
    who: Who = "open"
    bot: str = "veteran"
    name: str = ""


class GameWish(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new table. `seats` is a number of players, with the maker in the first seat and the
    others open, or a list."""

    rules: str = "second"
    options: dict[str, bool] = {}
    seats: int | list[SeatWish] = 6
    title: str = ""
    is_public: bool = False
    has_spectators: bool = True
    clock: Clock = Clock()
    window: float | None = None
    late: ev.Late = "pass"
    pause: float = 0.6
    has_hints: bool | None = None
    stand_in: str = "veteran"
    record: str | None = None
    at: int | None = None  # the action of the record to go on from
    # Hidden cards of the record: left out, as recorded where the maker plays alone, else fresh.
    deal: ev.HiddenCards | None = None
    start: bool = False  # at once, if nobody else is to come


# -- before the game -------------------------------------------------------------------


def create(user: str, name: str, wish: GameWish) -> list[Event]:
    """A new table, and its start if that is wished and possible."""
    rules, options, record = wish.rules, wish.options, wish.record
    if record is not None:
        game = Game.from_record(record, "record")
        if wish.at is not None:
            if not 0 <= wish.at <= len(game.codes):
                raise out_of_range("at", 0, len(game.codes), wish.at)
            game.undo(wish.at)
        if game.is_version_1:
            game = game.asking()  # from here on others must not tell cards by what is not asked
        while is_hidden_ask(game.state):
            game.apply("pass")  # nobody may see that someone is asked there
        game.deal = None  # what the recorded cards came from does not hold for what follows
        rules, options, record = game.rules, game.options, game.record
    elif wish.at is not None:
        raise Refused(422, "at-without-record")
    elif rules not in RULE_SETS:
        raise UnknownName("rule set", rules, RULE_SETS)
    options = load_rules(rules, options).options
    seats = _seats(user, name, rules, wish.seats)
    settings = _settings(wish, rules, options, seats, user)
    created = ev.Created(
        user, settings, seats, record=record, secret=fresh_seed(), is_version_1=False
    )
    events: list[Event] = [created]
    if wish.start:
        table = Table("new")
        table.add(created, user, 0.0)
        events += start(table, user)
    return events


def _seats(user: str, name: str, rules: str, wishes: int | list[SeatWish]) -> tuple[Seat, ...]:
    if isinstance(wishes, int):
        countries = make_seats(rules, wishes)
        rest: list[Who] = ["open"] * (len(countries) - 1)
        whos: list[Who] = ["me", *rest]
        wishes = [SeatWish(list(seat), who) for seat, who in zip(countries, whos, strict=True)]
    make_seats(rules, [wish.countries for wish in wishes])
    return tuple(_seat(user, name, wish) for wish in wishes)


def _seat(user: str, name: str, wish: SeatWish) -> Seat:
    countries = tuple(sorted(wish.countries, key=country_index))
    if wish.who == "bot":
        return Seat(countries, bot=_level(wish.bot))
    if wish.who == "invite":
        return Seat(countries, invitation=new_id())
    if wish.who == "open":
        return Seat(countries, is_open=True)
    called = clean_name(wish.name) if wish.who == "hot-seat" and wish.name else name
    return Seat(countries, holder=user, name=called)


def _level(bot: str) -> str:
    if bot not in BOTS:
        raise UnknownName("bot", bot, BOTS)
    return bot


def _settings(
    wish: GameWish, rules: str, options: dict[str, bool], seats: Sequence[Seat], user: str
) -> GameSettings:
    clock = wish.clock
    _check("clock.minutes", clock.minutes, 0.1, 6000)
    _check("clock.increment", clock.increment, 0, 3600)
    _check("clock.days", clock.days, 1 / 1440, 60)
    is_slow = clock.kind == "async"
    window = wish.window if wish.window is not None else 600.0 if is_slow else 8.0
    _check("window", window, 0, _MOST_SECONDS)
    _check("pause", wish.pause, 0, 10)
    is_alone = all(seat.holder is not None or seat.bot is not None for seat in seats)
    return GameSettings(
        rules=rules,
        options=options,
        title=clean_text(wish.title, 60) if wish.title.strip() else "",
        is_public=wish.is_public,
        has_spectators=wish.has_spectators,
        clock=clock,
        window=window,
        late=wish.late,
        pause=wish.pause,
        has_hints=is_alone if wish.has_hints is None else wish.has_hints,
        stand_in=_level(wish.stand_in),
        deal=wish.deal or _usual_deal(user, seats),
    )


def _usual_deal(user: str, seats: Sequence[Seat]) -> ev.HiddenCards:
    """What others have not seen coming is dealt anew; who plays alone may have it as it was."""
    is_alone = all(seat.bot is not None or seat.holder == user for seat in seats)
    return "as-recorded" if is_alone else "fresh"


def _check(what: str, value: float, least: float, most: float) -> None:
    if not least <= value <= most:
        raise out_of_range(what, f"{least:g}", f"{most:g}", f"{value:g}")


def out_of_range(what: str, least: object, most: object, value: object) -> Refused:
    return Refused(422, "out-of-range", what=what, least=least, most=most, value=value)


def set_up(table: Table, user: str, name: str, wish: GameWish) -> list[Event]:
    """The host changes the table before the game; who sits stays where the countries do."""
    _host_in_lobby(table, user)
    if wish.record is not None or wish.at is not None:
        raise Refused(422, "record-too-late")
    if wish.rules not in RULE_SETS:
        raise UnknownName("rule set", wish.rules, RULE_SETS)
    if table.goes_on:  # from a record, whose rules stay
        wish = msgspec.structs.replace(
            wish, rules=table.settings.rules, options=table.settings.options
        )
    options = load_rules(wish.rules, wish.options).options
    seats = _seats(user, name, wish.rules, wish.seats)
    seated = {seat.countries: seat for seat in table.seats if seat.holder not in (None, user)}
    kept = tuple(
        seated[seat.countries] if seat.countries in seated and seat.bot is None
        and seat.holder is None else seat
        for seat in seats
    )  # fmt: skip
    return [ev.SettingsChanged(_settings(wish, wish.rules, options, kept, user), kept)]


def set_seat(table: Table, user: str, name: str, number: int, who: Who, bot: str) -> list[Event]:
    """The host gives a seat to a bot, opens it, invites to it or takes it."""
    _host_in_lobby(table, user)
    seat = _seat_at(table, number)
    wish = SeatWish(list(seat.countries), who, bot)
    return [ev.SeatChanged(number, _seat(user, name, wish))]


def _host_in_lobby(table: Table, user: str) -> None:
    if user != table.host:
        raise Refused(403, "only-host")
    if table.status != "lobby":
        raise Refused(409, "game-begun")


def _seat_at(table: Table, number: int) -> Seat:
    if not 0 <= number < len(table.seats):
        raise Refused(404, "no-such-seat", number=number, most=len(table.seats) - 1)
    return table.seats[number]


def say_ready(table: Table, user: str, is_ready: bool, agrees: bool = False) -> list[Event]:
    """Say that one is ready; and, where the hidden cards of a record are kept, that one agrees to
    cards which who brought them may know."""
    _in_lobby(table, user)
    if is_ready and table.must_agree(user) and not agrees:
        raise Refused(409, "agreement-needed")
    return [ev.ReadySaid(user, is_ready, agrees)]


def contribute(table: Table, user: str, added: str) -> list[Event]:
    """Add chance to the deal, once, before the game."""
    _in_lobby(table, user)
    if not is_hex(added):
        raise Refused(422, "bad-contribution")
    if table.added.get(user) == added:
        return []
    if user in table.added:
        raise Refused(409, "contributed")
    return [ev.Contributed(user, added)]


def _in_lobby(table: Table, user: str) -> None:
    if table.status != "lobby":
        raise Refused(409, "game-begun")
    if user not in table.people:
        raise Refused(403, "no-seat")


def start(table: Table, user: str) -> list[Event]:
    _host_in_lobby(table, user)
    for number, seat in enumerate(table.seats):
        if seat.holder is None and seat.bot is None:
            countries = ", ".join(str(country_noun(country)) for country in seat.countries)
            raise Refused(409, "seat-empty", number=number, countries=countries)
    waiting = [person for person in table.people if person not in table.ready and person != user]
    if waiting:
        names = [seat.name for seat in table.seats if seat.holder in waiting]
        raise Refused(409, "not-ready", names=", ".join(dict.fromkeys(names)))
    if any(table.must_agree(person) for person in table.people if person not in table.agreed):
        raise Refused(409, "agreement-needed")
    return [ev.Started()]


# -- seats -----------------------------------------------------------------------------


def take_seat(
    table: Table, user: str, name: str, number: int, code: str | None, agrees: bool = False
) -> list[Event]:
    """Sit down, with the invitation if the seat has one; or come back to one's own seat. Who sits
    down in a game that has begun with hidden cards as recorded agrees to that, like the others."""
    seat = _seat_at(table, number)
    _not_over(table)
    if seat.holder == user:
        if seat.bot is None:
            return []  # sits there already
    elif table.knows_other_side(user, seat):
        raise Refused(409, "other-side-seen")
    elif seat.invitation is not None and code is not None:
        if not secrets.compare_digest(seat.invitation.encode(), code.encode()):
            raise Refused(403, "wrong-invitation")
    elif not seat.is_open:
        if seat.invitation is not None:
            raise Refused(409, "invitation-needed", number=number)
        raise Refused(409, "seat-taken", number=number)
    events: list[Event] = [ev.SeatChanged(number, Seat(seat.countries, holder=user, name=name))]
    if table.has_begun and table.must_agree(user) and user not in table.agreed:
        if not agrees:
            raise Refused(409, "agreement-needed")
        events.append(ev.ReadySaid(user, True, agrees))
    return events


def leave_seat(table: Table, user: str, number: int) -> list[Event]:
    """Get up. In a game that has begun a bot plays on until someone takes the seat."""
    seat = _own_seat(table, user, number)
    bot = table.settings.stand_in if table.has_begun else None
    return [ev.SeatChanged(number, Seat(seat.countries, bot=bot, is_open=True))]


def hand_over(table: Table, user: str, number: int, to: str, bot: str) -> list[Event]:
    """Let a bot play the own seat, or invite someone else to it; the cards stay in sight until
    the other has come."""
    seat = _own_seat(table, user, number)
    if to == "bot":
        changed = msgspec.structs.replace(seat, bot=_level(bot), is_away=False)
    else:
        changed = msgspec.structs.replace(seat, invitation=new_id())
    return [ev.SeatChanged(number, changed)]


def _own_seat(table: Table, user: str, number: int) -> Seat:
    seat = _seat_at(table, number)
    _not_over(table)
    if seat.holder != user:
        raise Refused(403, "not-your-seat", number=number)
    return seat


def _not_over(table: Table) -> None:
    if table.status == "over":
        raise Refused(409, "game-over")


# -- in the game -----------------------------------------------------------------------


def move(table: Table, user: str, number: int, country: str, text: str, now: float) -> list[Event]:
    """An action against the table as it was at a number; nothing if it was accepted before."""
    seat = _playing_seat(table, user, country)
    text = " ".join(text.split())
    if is_repeated(table, user, number, country, text):
        return []
    if not table.settled <= number <= table.number:
        raise Refused(409, "moved-on", number=number, now=table.number)
    _not_paused(table)
    if table.window is not None:
        raise Refused(409, "window-open")
    if table.seats[seat].bot is not None:
        raise Refused(409, "bot-plays")
    if table.awaited != country and not text.startswith("remove "):
        raise Refused(409, "not-its-decision", country=country_noun(country))
    return [table.moved([(country, text)], number, now)]


def is_repeated(table: Table, user: str, number: int, country: str, text: str) -> bool:
    """Whether this very move was accepted before."""
    for step in reversed(table.steps):
        if step.against < number:
            return False
        if step.against == number and step.user == user:
            return step.moves[0] == (country, text)
    return False


def answer(table: Table, user: str, number: int, ask: int, text: str) -> list[Event]:
    """Answer the own question of a window; the last answer before it closes counts."""
    window = table.window
    if window is None or not table.settled <= number <= table.number:
        raise Refused(409, "window-closed")
    _not_paused(table)
    mine = asks_of(table, user)
    if not 0 <= ask < len(mine):
        raise Refused(409, "not-asked")
    index = mine[ask]
    question = window.asks[index]
    text = " ".join(text.split())
    texts = [action.text for action in question.actions]
    if text not in texts:
        raise Refused(422, "wrong-answer", text=text, expected=either(texts))
    if window.answers.get(index) == text:
        return []
    return [ev.Answered(index, question.country, text)]


def asks_of(table: Table, user: str) -> list[int]:
    """The questions of the open window that a person may answer. They are numbered anew for
    each person: the whole list would tell who else is asked."""
    if table.window is None:
        return []
    return [
        i
        for i, ask in enumerate(table.window.asks)
        if table.seats[table.seat_of(ask.country)].person == user
    ]


def go_on(table: Table, user: str, number: int) -> list[Event]:
    """Say that one needs the window no longer: passes where one is asked."""
    window = table.window
    if number > table.number:
        raise Refused(409, "not-there-yet", number=table.number)  # or this worker is behind
    if window is None or number < table.settled:
        return []  # it has closed, as was wished
    seats = might_react_seats(table, user)
    if not seats:
        raise Refused(403, "no-part")
    events: list[Event] = [ev.WentOn(seat) for seat in seats if seat not in window.gone_on]
    for i in asks_of(table, user):
        if table.answer_to(i) is None:
            events.append(ev.Answered(i, window.asks[i].country, "pass"))
    return events


def hold(table: Table, user: str, number: int, now: float) -> list[Event]:
    """Ask for more time in a window, once; whoever might react can, so it tells nothing."""
    window = table.window
    if window is None or not table.settled <= number <= table.number:
        raise Refused(409, "window-closed")
    seats = [seat for seat in might_react_seats(table, user) if seat not in window.held]
    if not seats:
        raise Refused(403, "no-hold")
    return [ev.Held(seats[0], max(window.until, now + _HOLD))]


def might_react_seats(table: Table, user: str) -> list[int]:
    """The seats of a person that might react in the open window."""
    if table.window is None:
        return []
    seats = {table.seat_of(country) for country in table.window.spec.countries}
    return sorted(seat for seat in seats if table.seats[seat].person == user)


def order(
    table: Table, user: str, number: int, cards: dict[str, ev.Order], passes: bool
) -> list[Event]:
    """Standing orders of a seat, for each card, and "pass until my turn"."""
    seat = _own_seat(table, user, number)
    if table.has_begun:
        rules = table.game.state.rules
        own = {
            card.id
            for card in rules.cards
            if card.trigger is not None
            and card.country in {country_index(c) for c in seat.countries}
        }
        for card in cards:
            if card not in own:
                raise UnknownName("card that reacts", card, own)
    elif cards:
        raise Refused(409, "game-not-begun")
    return [ev.Ordered(number, cards, passes)]


def prepare(table: Table, user: str, country: str, discards: tuple[str, ...]) -> list[Event]:
    """Choose which first cards a country discards, before it is asked; none: think again."""
    seat = _playing_seat(table, user, country)
    if country not in table.to_prepare(user):
        raise Refused(409, "not-setting-up", country=country_noun(country))
    n = table.surplus(country)
    if len(discards) not in (0, n):
        raise Refused(422, "discard-count", n=n, country=country_noun(country))
    rules = table.game.state.rules
    hand = [rules.cards[card].id for card in table.game.state.zones[HAND + country_index(country)]]
    for card in discards:
        if card not in hand:
            raise UnknownName("card in hand", card, hand)
        hand.remove(card)
    return [ev.Prepared(seat, country, discards)]


def undo(table: Table, user: str, to: int | None) -> list[Event]:
    """Take back own decisions; or propose it, where others have a say."""
    _not_over_for_undo(table, user)
    steps = table.steps
    own = [step for step in steps if step.user == user]
    if not own:
        raise Refused(409, "nothing-decided")
    target: Step | None = own[-1]
    if to is not None:
        found = [step for step in steps if step.against == to and not step.is_reaction]
        target = found[0] if found else None
    if target is None:
        raise Refused(409, "no-such-decision", number=to)
    if target.against in table.back_to(user):
        return [ev.TakenBack(target.actions)]
    return propose(table, user, "undo", target.actions)


def _not_over_for_undo(table: Table, user: str) -> None:
    if not table.has_begun:
        raise Refused(409, "game-not-begun")
    if table.is_abandoned:
        raise Refused(409, "game-over")
    if user not in table.people:
        raise Refused(403, "no-seat")


def propose(table: Table, user: str, what: ev.Motion, actions: int = 0) -> list[Event]:
    """Propose something that all people at the table must agree to; to go back or to end it, also
    those for whom a bot plays until they come back (`Table.voters`)."""
    if not table.has_begun:
        raise Refused(409, "game-not-begun")
    if table.status == "over" and what != "undo":
        raise Refused(409, "game-over")
    if user not in table.people:
        raise Refused(403, "no-seat")
    if table.proposal is not None:
        raise Refused(409, "proposal-open")
    proposed = ev.Proposed(user, what, actions)
    if table.voters(what) == [user]:
        return [proposed, _consequence(what, actions)]
    return [proposed]


def vote(table: Table, user: str, is_for: bool) -> list[Event]:
    proposal = table.proposal
    if proposal is None:
        raise Refused(409, "nothing-proposed")
    voters = table.voters(proposal.what)
    if user not in voters:
        raise Refused(403, "no-seat")
    if user in proposal.votes and is_for and not set(voters) <= proposal.votes:
        return []
    if not is_for:
        return [ev.Voted(user, False)]
    return _agreed(table, [user])


def time_out_votes(table: Table) -> list[Event]:
    """Those who are absent have had their time to answer a proposal."""
    absent = table.absent_votes()
    return _agreed(table, absent) if absent else []


def _agreed(table: Table, users: list[str]) -> list[Event]:
    """Some people's consent, and what was proposed if it was the last that was missing."""
    proposal = table.proposal
    assert proposal is not None
    events: list[Event] = [ev.Voted(user, True) for user in users]
    if set(table.voters(proposal.what)) <= proposal.votes | set(users):
        events.append(_consequence(proposal.what, proposal.actions))
    return events


def _consequence(what: ev.Motion, actions: int) -> Event:
    if what == "undo":
        return ev.TakenBack(actions)
    return ev.Paused() if what == "pause" else ev.Ended()


def resume(table: Table, user: str) -> list[Event]:
    if user not in table.people:
        raise Refused(403, "no-seat")
    return [ev.Resumed()] if table.is_paused else []


def _playing_seat(table: Table, user: str, country: str) -> int:
    country_index(country)
    if table.status == "lobby":
        raise Refused(409, "game-not-begun")
    seat = table.seat_of(country)
    if table.seats[seat].holder != user:
        raise Refused(403, "not-your-country", country=country_noun(country))
    if table.status == "over" and not table.steps:
        raise Refused(409, "game-over")
    return seat


def _not_paused(table: Table) -> None:
    _not_over(table)
    if table.is_paused:
        raise Refused(409, "game-paused")


# -- after the game --------------------------------------------------------------------


def rematch(table: Table, user: str, is_swapped: bool, is_started: bool = True) -> list[Event]:
    """A new table for the same people, each ready to be asked; swapped, each has the seat of the
    country opposite, if the seats allow it. Who plays alone begins at once, if that is wished."""
    if table.status != "over":
        raise Refused(409, "game-not-over")
    if not table.seats_of(user):
        raise Refused(403, "no-seat")
    seats = [
        msgspec.structs.replace(
            seat, bot=None if seat.holder is not None else seat.bot or table.settings.stand_in,
            invitation=None, is_away=False, is_open=False,
        )
        for seat in table.seats
    ]  # fmt: skip
    if is_swapped:
        by_countries = {seat.countries: seat for seat in seats}
        opposite = [tuple(_opposite(c) for c in seat.countries) for seat in seats]
        if all(countries in by_countries for countries in opposite):
            seats = [
                msgspec.structs.replace(by_countries[countries], countries=seat.countries)
                for seat, countries in zip(seats, opposite, strict=True)
            ]
    created = ev.Created(
        user, table.settings, tuple(seats), secret=fresh_seed(), is_version_1=False
    )
    events: list[Event] = [created]
    if is_started and {seat.holder for seat in seats if seat.bot is None} == {user}:
        events.append(ev.Started())
    return events


def _opposite(country: str) -> str:
    """Germany and the United Kingdom, Japan and the Soviet Union, Italy and the United States."""
    return COUNTRIES[country_index(country) ^ 1]


def note_rematch(table: Table, id: str) -> list[Event]:
    return [] if table.rematch is not None else [ev.Rematched(id)]
