"""`/api/games/...`: looking back."""

import asyncio
from typing import Annotated

import msgspec
from litestar import Controller, Response, get, post
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody, PathParameter, QueryParameter

from quartermaster.bots import Estimate
from quartermaster.errors import UnknownName
from quartermaster.forms.notation import country_index
from quartermaster.game import Game
from quartermaster.rules.names import COUNTRIES
from quartermaster.rules.victory import income
from quartermaster.server.refusals import Refused
from quartermaster.server.services import Services, Visitor
from quartermaster.server.table.choices import Choice, told_choice
from quartermaster.server.table.dealing import DealProof, proof_of
from quartermaster.server.table.queries import viewed_seats
from quartermaster.server.table.table import Table
from quartermaster.server.table.views import LogView
from quartermaster.sight.explain import Supply
from quartermaster.sight.view import View
from quartermaster.speech.say import spoken


class ReplayView(msgspec.Struct, frozen=True):
    """A game at a moment. The first is 0; `actions` led to it from the one before."""

    step: int
    steps: int
    actions: list[Choice]
    view: View
    log: LogView  # of this step
    supply: dict[str, dict[str, Supply]]  # by country and space, as at that moment
    income: dict[str, int]  # points each country's stars would have brought it
    turns: list[int]  # the steps with which turns begin, of the whole game so far


class RoundEstimate(msgspec.Struct, frozen=True):
    """Who was likely to win at the beginning of a round, by what anyone could see."""

    round: int
    step: int
    axis: float
    allies: float
    lead: float


class RecordText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    record: str


class RecordView(msgspec.Struct, frozen=True):
    """What a record tells of its game."""

    rules: str
    options: dict[str, bool]
    round: int
    score: dict[str, int]
    winner: str | None
    is_over: bool


class Records(Controller):
    """Games that somebody has kept as a text."""

    path = "/api/records"
    tags = ("Replays",)

    @post("/", summary="Look at a record", status_code=200, sync_to_thread=True)
    def look(self, data: JSONBody[RecordText]) -> RecordView:
        """What it is, before a table goes on from it. Nothing is kept."""
        game = Game.from_record(data.record, "record")
        return RecordView(
            rules=game.rules,
            options=dict(game.options),
            round=game.state.round,
            score=dict(game.score),
            winner=game.winner if game.is_over else None,
            is_over=game.is_over,
        )


class Replays(Controller):
    """Games as they went."""

    path = "/api/games/{game:str}"
    tags = ("Replays",)

    @get("/replay/{step:int}", summary="See a moment of the game")
    async def replay(
        self,
        onlooker: Given[Visitor],
        step: Annotated[int, PathParameter(ge=0, le=10**6)],
        seat: Annotated[int | None, QueryParameter(ge=0, le=5)] = None,
        eyes: Annotated[
            str | None,
            QueryParameter(
                name="as", max_length=20, description="A country, all or none; once it is over"
            ),
        ] = None,
    ) -> ReplayView:
        """While the game goes on, as your seat saw it; once it is over, through any eyes."""
        return replay_at(await onlooker.table(), onlooker.id, step, seat, eyes)

    @get("/record", summary="Download the record", media_type="text/plain")
    async def record(self, onlooker: Given[Visitor]) -> Response[str]:
        """A text that replays to the same game. It tells all cards, so only once it is over."""
        table = await onlooker.table()
        _over(table)
        name = f'attachment; filename="quartermaster-{table.id}.txt"'
        return Response(table.game.record, headers={"content-disposition": name})

    @get("/deal", summary="Check the deal")
    async def deal(self, onlooker: Given[Visitor]) -> DealProof:
        """What the cards came from, and every card that came of it, once the game is over."""
        table = await onlooker.table()
        _over(table)
        key = table.id, table.number, spoken()
        if key not in _proofs:
            _proofs[key] = await asyncio.to_thread(proof_of, table.copy())
            while len(_proofs) > 50:
                del _proofs[next(iter(_proofs))]
        return _proofs[key]

    @get("/estimates", summary="How the chances went")
    async def estimates(self, onlooker: Given[Visitor]) -> list[RoundEstimate]:
        """Round by round, once the game is over; it takes a few seconds the first time."""
        table = await onlooker.table()
        _over(table)
        if table.id not in _estimated:
            _estimated[table.id] = await _estimate(onlooker.services, table)
            while len(_estimated) > 200:
                del _estimated[next(iter(_estimated))]
        return _estimated[table.id]


_proofs: dict[tuple[str, int, str], DealProof] = {}
_estimated: dict[str, list[RoundEstimate]] = {}  # a game that is over does not change


async def _estimate(services: Services, table: Table) -> list[RoundEstimate]:
    moments = table.moments()
    rounds: dict[int, tuple[int, int]] = {}
    for step, (round, _) in enumerate(_turns(table)):
        rounds.setdefault(round, (step, moments[step]))
    rounds[max(rounds) + 1] = (len(moments) - 1, moments[-1])
    found: list[Estimate] = await services.bots.estimates(
        table.game.record, [count for _, count in rounds.values()]
    )
    return [
        RoundEstimate(round, step, each.axis, each.allies, each.lead)
        for (round, (step, _)), each in zip(rounds.items(), found, strict=False)
    ]


def _over(table: Table) -> None:
    if table.status != "over" or not table.has_begun:
        raise Refused(403, "tells-all-cards")


def replay_at(
    table: Table, user: str | None, step: int, seat: int | None, eyes: str | None
) -> ReplayView:
    """A moment of a table's game through someone's eyes."""
    moments = table.moments()
    if not moments:
        raise Refused(404, "no-steps-yet", step=step)
    if not 0 <= step < len(moments):
        raise Refused(404, "no-such-step", step=step, most=len(moments) - 1)
    is_over = table.status == "over"
    if eyes is not None and not is_over:
        raise Refused(403, "other-eyes")
    countries = table.countries_of(viewed_seats(table, user, seat))
    if eyes == "all" or (is_over and eyes is None):
        countries = frozenset(range(6))
    elif eyes == "none":
        countries = frozenset()
    elif eyes is not None:
        if eyes not in COUNTRIES:
            raise UnknownName("country", eyes, [*COUNTRIES, "all", "none"])
        countries = frozenset({country_index(eyes)})
    game = table.game.copy()
    game.undo(moments[step])
    before = 0
    if step:
        earlier = game.copy()
        earlier.undo(moments[step - 1])
        before = len(earlier.raw_log)
    view = game.view_of(countries)
    knows = None if countries == frozenset(range(6)) else countries
    actions = [
        told_choice(game.state.rules, action, knows)
        for action in game.history[moments[step - 1] if step else 0 :]
        if knows is None or action.text != "pass"  # a passing may have been in secret
    ]
    turns = _turns(table)
    return ReplayView(
        step,
        len(moments),
        actions,
        view,
        LogView(before, list(game.log_of(countries, before))),
        {country: game.supply(country) for country in COUNTRIES},
        {name: income(game.state, n) for n, name in enumerate(COUNTRIES)},
        [n for n, now in enumerate(turns) if n == 0 or now != turns[n - 1]],
    )


def _turns(table: Table) -> list[tuple[int, str]]:
    """Of each moment the round and whose turn it was. The game is gone through again, with the
    deals in it: cards may have been dealt anew."""
    found: list[tuple[int, str]] | None = table.derived.get("turns")
    if found is None:
        game, record = Game.begin_record(table.game.record)
        numbers = game.follow(record)
        found = []
        for count in table.moments():
            while len(game.codes) < count and next(numbers, None) is not None:
                pass  # the number of the next action: what comes before it has been done
            found.append((game.state.round, COUNTRIES[game.state.country]))
        table.derived["turns"] = found
    return found
