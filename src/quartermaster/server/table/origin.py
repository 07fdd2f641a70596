"""What a table's game begins from: chance that nobody can choose, or a recorded game."""

from functools import cached_property

from quartermaster.forms.deals import Deal
from quartermaster.forms.seats import make_seats
from quartermaster.game import Game
from quartermaster.server.table.course import Course
from quartermaster.server.table.events import Created, GameSettings
from quartermaster.server.table.lobby import Lobby
from quartermaster.server.table.seating import Seating
from quartermaster.sight.reactions import is_hidden_ask


class Origin:
    """What was fixed when the table was made. It never changes."""

    def __init__(self, created: Created | None = None) -> None:
        self._seed = 0 if created is None else created.seed
        self._record = None if created is None else created.record
        self._secret = None if created is None else created.secret
        self._is_version_1 = False if created is None else created.is_version_1
        self._commitment = None if self._secret is None else Deal(self._secret).commitment

    @property
    def is_record(self) -> bool:
        """Whether the game goes on from a record."""
        return self._record is not None

    @cached_property
    def brought(self) -> Game | None:
        """The recorded game that this one goes on from, where it goes on."""
        return None if self._record is None else Game.from_record(self._record)

    def is_dealt_anew(self, settings: GameSettings) -> bool:
        """Whether what is hidden in the record that it goes on from is dealt anew."""
        return self.is_record and self._secret is not None and settings.deal == "fresh"

    def commitment(self, settings: GameSettings) -> str | None:
        """What ties the table to its secret; nothing where the deal cannot be checked: at tables
        from before there were secrets, and where hidden cards are as recorded."""
        if self.is_record and not self.is_dealt_anew(settings):
            return None
        return self._commitment

    def begin(self, settings: GameSettings, seating: Seating, lobby: Lobby) -> Course:
        """The game begins, with what people have added to the deal."""
        countries = [seat.countries for seat in seating.seats]
        deal, added_by = None, {}
        if self._secret is not None and self.commitment(settings) is not None:
            added = lobby.contributions(seating)
            deal = Deal(self._secret, tuple(sorted(added.items())))
            added_by = {n: seating.seats[n].name for n in added}
        recorded = [0]
        if self._record is not None:
            game, record = Game.begin_record(self._record)
            for number in game.follow(record):
                text = record.actions[number][1]
                if text == "pass" and is_hidden_ask(game.state):
                    recorded[-1] = number + 1
                else:
                    recorded.append(number + 1)
            game.seats = make_seats(settings.rules, countries)
            if deal is not None:
                game.deal_anew(deal.seed)
        else:
            game = Game.new(
                settings.rules,
                seed=self._seed if deal is None else deal.seed,
                seats=countries,
                options=settings.options,
                is_version_1=self._is_version_1,
            )
        game.deal = deal
        return Course(game, deal, added_by, recorded)
