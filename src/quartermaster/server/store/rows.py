"""What the database holds of people, games and talk: one value for each row."""

from typing import Any

import msgspec
from msgspec import UNSET, UnsetType


class User(msgspec.Struct, frozen=True):
    """Someone who plays; a guest while there is no password."""

    id: str
    name: str
    claimed: str | None
    password: str | None
    webhook: str | None
    email: str | None  # confirmed
    created_at: float
    reserved: str | None = None
    pending_email: str | None = None
    banned_until: float | None = None
    ban_reason: str | None = None
    language: str | None = None  # none: never said; then English


class GameRow(msgspec.Struct, frozen=True):
    """What lists and timers need of a game; all else is in its events."""

    id: str
    seq: int
    status: str
    is_public: bool
    rules: str
    summary: str  # what lists show of it, as JSON
    created_at: float
    updated_at: float
    wake_at: float | None
    result: str | None
    winner: str | None
    rematch: str | None


class EventRow(msgspec.Struct, frozen=True):
    """Something that happened in a game."""

    seq: int
    kind: str
    user_id: str | None
    data: str
    at: float


class Message(msgspec.Struct, frozen=True):
    """Something that was said in a room of a game."""

    id: int
    room: str
    user_id: str
    name: str
    text: str
    at: float


class Change(msgspec.Struct, frozen=True):
    """What events change in the row of their game; what is not given stays."""

    status: str | None = None
    is_public: bool | None = None
    summary: str | None = None
    wake_at: float | UnsetType | None = UNSET
    result: str | UnsetType | None = UNSET
    winner: str | UnsetType | None = UNSET
    rematch: str | UnsetType | None = UNSET
    players: dict[str, bool] | None = None  # user id: is it their turn

    def columns(self) -> dict[str, Any]:
        """The columns to set.

        >>> Change(status="over", wake_at=None).columns()
        {'status': 'over', 'wake_at': None}
        """
        columns: dict[str, Any] = {}
        if self.status is not None:
            columns["status"] = self.status
        if self.is_public is not None:
            columns["is_public"] = self.is_public
        if self.summary is not None:
            columns["summary"] = self.summary
        if self.wake_at is not UNSET:
            columns["wake_at"] = self.wake_at
        if self.result is not UNSET:
            columns["result"] = self.result
        if self.winner is not UNSET:
            columns["winner"] = self.winner
        if self.rematch is not UNSET:
            columns["rematch"] = self.rematch
        return columns
