"""What seats have decided ahead of time: standing orders, and first cards to discard."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from quartermaster.forms.notation import Action
from quartermaster.rules.rule_set import Rules
from quartermaster.rules.when import AnyTime
from quartermaster.server.table.events import Ordered, Seat
from quartermaster.sight.decision import Decision

Turn = tuple[int, int]  # round and country


@dataclass(frozen=True)
class Orders:
    """All that was decided ahead at a table. What is decided makes other orders."""

    standing: Mapping[int, Ordered] = field(default_factory=dict)  # by seat
    given: Mapping[int, Turn] = field(default_factory=dict)  # seat -> the turn they were given in
    prepared: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # country -> discards

    def with_orders(self, event: Ordered, turn: Turn | None) -> "Orders":
        given = self.given if turn is None else {**self.given, event.seat: turn}
        return replace(self, standing={**self.standing, event.seat: event}, given=given)

    def with_prepared(self, country: str, discards: tuple[str, ...]) -> "Orders":
        return replace(self, prepared={**self.prepared, country: discards})

    def without_prepared(self) -> "Orders":
        """The game has gone back: first cards are chosen again."""
        return replace(self, prepared={})

    def without(self, number: int, countries: Iterable[str]) -> "Orders":
        """Someone else has a seat: what was decided for it does not bind them."""
        gone = set(countries)
        return replace(
            self,
            standing={seat: one for seat, one in self.standing.items() if seat != number},
            prepared={name: cards for name, cards in self.prepared.items() if name not in gone},
        )

    def at_turn(self, turn: Turn, on_turn: str, seats: Sequence[Seat]) -> "Orders":
        """ "Pass until my turn" is over once that has come."""
        over = {
            seat: Ordered(seat, orders.cards, False)
            for seat, orders in self.standing.items()
            if orders.passes and on_turn in seats[seat].countries and self.given.get(seat) != turn
        }
        return replace(self, standing={**self.standing, **over}) if over else self

    def passes(self, seat: int) -> bool:
        return seat in self.standing and self.standing[seat].passes

    def answer(
        self, seat: int, rules: Rules, decision: Decision, actions: Sequence[Action]
    ) -> str | None:
        """What a seat's standing orders say to a question whether to react."""
        orders = self.standing.get(seat)
        if decision.kind != "react":
            return None
        if orders is not None and orders.passes:
            return "pass"
        by_id = {card.id: card for card in rules.cards if card.trigger is not None}
        is_idle = decision.event["kind"].startswith("start-of-")
        undecided = False
        for action in actions:
            if action.card is None:
                continue
            order = orders.cards.get(action.card, "ask") if orders is not None else "ask"
            if order == "always":
                return action.text
            if order == "never":
                continue
            # A card for any time is not asked for at every step, unless that is wanted.
            trigger = by_id[action.card].trigger
            if order == "ask" and is_idle and isinstance(trigger, AnyTime):
                continue
            undecided = True
        return None if undecided else "pass"

    def next_discard(self, country: str, left: int) -> str | None:
        """The next of the first cards that a country has decided to discard, of those left."""
        cards = self.prepared.get(country, ())
        return f"discard {cards[-left]}" if 0 < left <= len(cards) else None
