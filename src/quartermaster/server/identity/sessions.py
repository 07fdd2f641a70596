"""Who is signed in: a token names a session in the database, which can be ended at any time.

What was read is remembered for a while, for nearly every request asks; `signals.py` forgets it
as soon as something has changed.
"""

import time
from typing import Final

from quartermaster.server.identity.tokens import read, sign
from quartermaster.server.names import new_id
from quartermaster.server.refusals import Refused
from quartermaster.server.settings import Settings
from quartermaster.server.store.people import SEEN_EVERY, People, SessionRow, is_banned
from quartermaster.server.store.rows import User

_REMEMBERED: Final = 5_000  # sessions
_FRESH: Final = 60.0  # seconds for which what was read is not read again, whatever is missed


class Sessions:
    """The sessions of one worker."""

    def __init__(self, settings: Settings, people: People) -> None:
        self._secret = settings.secret
        self._people = people
        self._known: dict[str, tuple[float, SessionRow, User]] = {}
        self._forgotten = 0  # how often: what was read meanwhile may be out of date

    def id_of(self, token: str | None) -> str | None:
        """The session of a token; whether it holds is another question."""
        found = read(self._secret, token) if token else None
        return None if found is None else found[1]

    async def user(self, token: str | None) -> User | None:
        """Whose token it is; nobody's if it is not ours or no longer holds."""
        found = read(self._secret, token) if token else None
        if found is None:
            return None
        user_id, id = found
        read_at, session, user = self._known.get(id, (0.0, None, None))
        if user is None or session is None or time.monotonic() - read_at > _FRESH:
            forgotten = self._forgotten
            known = await self._people.session(id)
            if known is None or known[1].id != user_id:
                self._known.pop(id, None)
                return None
            session, user = known
            if time.time() - session.seen_at > SEEN_EVERY:
                await self._people.see_session(id)
            if forgotten == self._forgotten:
                self._remember(session, user)
        refuse_banned(user)
        return user

    async def begin(self, user: User, device: str) -> str:
        """Sign someone in; gives the token of the new session."""
        session = await self._people.add_session(new_id(), user.id, device)
        self._remember(session, user)
        return sign(self._secret, user.id, session.id)

    def forget_user(self, user_id: str) -> None:
        """Forget what was read of somebody, so that it is read anew."""
        self._forgotten += 1
        for id in [id for id, (_, _, user) in self._known.items() if user.id == user_id]:
            del self._known[id]

    def forget(self, id: str) -> None:
        self._forgotten += 1
        self._known.pop(id, None)

    def _remember(self, session: SessionRow, user: User) -> None:
        self._known.pop(session.id, None)
        while len(self._known) >= _REMEMBERED:
            del self._known[next(iter(self._known))]
        self._known[session.id] = (time.monotonic(), session, user)


def refuse_banned(user: User) -> None:
    """Say to who is banned that they are, why, and for how long."""
    if is_banned(user):
        until = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(user.banned_until))
        if user.banned_until is not None and user.banned_until > time.time() + 50 * 365 * 86400:
            raise Refused(403, "banned", reason=user.ban_reason or "-")
        raise Refused(403, "banned-until", reason=user.ban_reason or "-", until=until)
