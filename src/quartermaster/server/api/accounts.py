"""`/api/me`: guests, names, passwords, devices."""

import time
from typing import Annotated, Any, Final

import msgspec
from litestar import Controller, Response, delete, get, patch, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody, PathParameter

from quartermaster.server.api.clients import (
    Client,
    Me,
    Session,
    language_cookie,
    let_in,
    me_of,
    session_cookie,
)
from quartermaster.server.edge.languages import check_language
from quartermaster.server.edge.mail import check_email
from quartermaster.server.identity.passwords import needs_new_hash
from quartermaster.server.identity.sessions import refuse_banned
from quartermaster.server.names import clean_name, fold, new_id
from quartermaster.server.refusals import Refused
from quartermaster.server.services import Services
from quartermaster.server.store.rows import User
from quartermaster.speech.say import spoken

SessionId = Annotated[str, PathParameter(pattern="^[A-Za-z0-9.]{1,80}$", description="Its id")]


_CHANGE: Final = 200  # bytes about that a change of oneself takes, with what tells servers of it


class Guest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str


class Credentials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    password: str


class Password(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A new password, and the one it replaces, if there is one."""

    password: str
    old: str | None = None


class Forgotten(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str


class SignOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    everywhere: bool = False


class MeChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is left out stays; an empty text takes a webhook or address away. Who has a password
    gives it with another address."""

    name: str | None = None
    webhook: str | None = None
    email: str | None = None
    language: str | None = None
    password: str | None = None


class Device(msgspec.Struct, frozen=True):
    """Where you are signed in."""

    id: str
    device: str  # such as "Firefox, Linux"; may be empty
    created_at: float
    seen_at: float  # to the hour
    is_this: bool


class Accounts(Controller):
    """Who you are. No registration: a name makes you a guest, a password lets you be the same
    person on another device."""

    path = "/api"
    tags = ("People",)

    @post("/me", summary="Come as a guest")
    async def be_guest(
        self, services: Given[Services], client: Given[Client], data: JSONBody[Guest]
    ) -> Response[Session]:
        """Names of people with a password are theirs, and those that look like them."""
        name = clean_name(data.name)
        await services.people.check_name(name)
        user = User(new_id(), name, None, None, None, None, time.time(), language=spoken())
        await services.store.add_user(user)
        return await let_in(services, user, client, 201)

    @get("/me", summary="Who am I?")
    async def who_am_i(self, user: Given[User], client: Given[Client]) -> Response[Me]:
        """A browser's cookie is renewed by this."""
        cookies = (
            [session_cookie(client.token, client)] if client.has_cookie and client.token else []
        )
        return Response(me_of(user), cookies=cookies)

    @patch("/me", summary="Change name, webhook, address or language")
    async def change(
        self,
        services: Given[Services],
        user: Given[User],
        client: Given[Client],
        data: JSONBody[MeChange],
    ) -> Response[Me]:
        """A mail is sent to a new address with a link to confirm it; until then nothing else
        goes there. A language is that of notices, and of this browser from now on."""
        services.rates.charge(user.id, _CHANGE)
        columns: dict[str, Any] = {}
        cookies: list[Cookie] = []
        if data.language is not None:
            columns["language"] = check_language(data.language)
            cookies.append(language_cookie(data.language, client))
        if data.name is not None:
            columns["name"] = name = clean_name(data.name)
            if fold(name) != user.reserved:
                await services.people.check_name(name, user.id)
            if user.claimed is not None:
                columns |= {"claimed": name.casefold(), "reserved": fold(name)}
        if data.webhook is not None:
            columns["webhook"] = (
                services.notifier.check_webhook(data.webhook) if data.webhook else None
            )
        address = check_email(data.email) if data.email else None
        if user.password is not None and _is_other_address(user, data.email):
            # Whoever reads mail there can have a new password.
            if data.password is None:
                raise Refused(422, "password-needed")
            await check_own_password(services, user, client, data.password)
        if data.email == "":
            columns |= {"email": None, "pending_email": None}
        elif address is not None and address != user.email:
            await services.mail.ask_to_confirm(user, address, client.address)
            columns["pending_email"] = address
        await services.people.change(user.id, **columns)
        await services.signals.heed()
        if "pending_email" in columns and address is not None:
            services.spawn(services.mail.send_confirm(user, address))
        return Response(me_of(await _again(services, user)), cookies=cookies)

    @post("/me/password", summary="Claim your name with a password, or change it", status_code=200)
    async def set_password(
        self,
        services: Given[Services],
        user: Given[User],
        client: Given[Client],
        data: JSONBody[Password],
    ) -> Response[Session]:
        """Who has a password gives the old one too. Ends the sessions on other devices."""
        if user.password is None:
            await services.people.check_name(user.name, user.id)
        else:
            await check_own_password(services, user, client, data.old)
        hashed = await services.hashing.hash(client.address, data.password, user.name)
        await services.people.change(
            user.id,
            password=hashed,
            claimed=user.name.casefold(),
            reserved=user.reserved if user.password is not None else fold(user.name),
        )
        await services.people.end_sessions(user.id)
        await services.signals.heed()
        return await let_in(services, await _again(services, user), client)

    @post("/sign-in", summary="Be the same person on another device", status_code=200)
    async def sign_in(
        self, services: Given[Services], client: Given[Client], data: JSONBody[Credentials]
    ) -> Response[Session]:
        """Wrong tries make who sends them wait, never the owner of the name elsewhere."""
        try:
            claimed = clean_name(data.name).casefold()
        except Refused:
            claimed = ""
        user = await services.store.user_named(claimed)
        known = client.known_to(user, services.settings.secret)
        who = client.address if known is None else f"device {known}"
        async with services.sign_ins.place(who, claimed, known is not None):
            hashed = None if user is None else user.password
            is_right = await services.hashing.check(client.address, hashed, data.password)
            services.sign_ins.note(who, claimed, is_right)
        if user is None or not is_right:
            raise Refused(403, "wrong-password")
        refuse_banned(user)
        if hashed is not None and needs_new_hash(hashed):
            renewed = await services.hashing.renew(client.address, data.password)
            await services.people.change(user.id, password=renewed)
            user = await _again(services, user)
        return await let_in(services, user, client)

    @post("/password-reset", summary="Have a link mailed to set a new password", status_code=200)
    async def forgot(
        self, services: Given[Services], client: Given[Client], data: JSONBody[Forgotten]
    ) -> dict[str, bool]:
        """To the confirmed address of the account. The answer is the same whether there is one."""
        if not services.mail.is_on:
            raise Refused(422, "no-mail")
        try:
            user = await services.store.user_named(clean_name(data.name).casefold())
        except Refused:
            user = None
        services.spawn(services.mail.send_reset(user, client.address))
        return {"asked": True}

    @get("/me/sessions", summary="Where am I signed in?")
    async def devices(
        self, services: Given[Services], user: Given[User], client: Given[Client]
    ) -> list[Device]:
        """The device used last first."""
        this = services.sessions.id_of(client.token)
        return [
            Device(one.id, one.device, one.created_at, one.seen_at, one.id == this)
            for one in await services.people.sessions_of(user.id)
        ]

    @delete("/me/sessions/{session:str}", summary="Sign out on one device", status_code=200)
    async def end_session(
        self, services: Given[Services], user: Given[User], session: SessionId
    ) -> dict[str, bool]:
        if not await services.people.end_sessions(user.id, only=session):
            raise Refused(404, "no-such-session")
        await services.signals.heed()
        return {"signed_out": True}

    @post("/sign-out", summary="Leave this device, or all", status_code=200)
    async def sign_out(
        self,
        services: Given[Services],
        user: Given[User],
        client: Given[Client],
        data: JSONBody[SignOut],
    ) -> Response[dict[str, bool]]:
        """Streams that were opened there end at once."""
        only = None if data.everywhere else services.sessions.id_of(client.token)
        await services.people.end_sessions(user.id, only=only)
        await services.signals.heed()
        return Response({"signed_out": True}, cookies=[session_cookie("", client)], status_code=200)


def _is_other_address(user: User, email: str | None) -> bool:
    """Whether mail would go elsewhere, or nowhere any more."""
    kept = {user.email, user.pending_email} - {None}
    return bool(kept) if email == "" else email is not None and email not in kept


async def check_own_password(
    services: Services,
    user: User,
    client: Client,
    given: str | None,
) -> None:
    """Refuse whoever is signed in as someone, but does not know their password."""
    if given is None:
        raise Refused(422, "old-password-needed")
    who = f"user {user.id}"  # no stranger can use these tries up
    async with services.sign_ins.place(who, user.claimed or "", True):
        is_right = await services.hashing.check(client.address, user.password, given)
        services.sign_ins.note(who, user.claimed or "", is_right)
    if not is_right:
        raise Refused(403, "wrong-old-password")


async def _again(services: Services, user: User) -> User:
    found = await services.store.user(user.id)
    assert found is not None
    return found
