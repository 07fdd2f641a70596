"""`/api/me`: guests, names, passwords."""

import re
import time
from typing import Any

import msgspec
from litestar import Controller, Response, get, patch, post
from litestar.datastructures import Cookie
from litestar.di import NamedDependency as Given
from litestar.params import JSONBody

from quartermaster.web.identity import (
    COOKIE,
    check_password,
    clean_name,
    hash_password,
    new_id,
    sign,
)
from quartermaster.web.refusals import Refused
from quartermaster.web.services import Services
from quartermaster.web.store import User

_YEAR = 365 * 24 * 3600


class Guest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str


class Credentials(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: str
    password: str


class Password(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    password: str


class SignOut(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    everywhere: bool = False


class MeChange(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is left out stays; an empty text takes a webhook or address away."""

    name: str | None = None
    webhook: str | None = None
    email: str | None = None


class Me(msgspec.Struct, frozen=True):
    """A person, as only they see themselves."""

    id: str
    name: str
    has_password: bool
    webhook: str | None
    email: str | None


class Session(msgspec.Struct, frozen=True):
    """The token goes into `Authorization: Bearer` or, in browsers, into a cookie by itself."""

    token: str
    me: Me


def me_of(user: User) -> Me:
    return Me(user.id, user.name, user.password is not None, user.webhook, user.email)


class Accounts(Controller):
    """Who you are. No registration: a name makes you a guest, a password lets you be the same
    person on another device."""

    path = "/api"
    tags = ("People",)

    @post("/me", summary="Come as a guest")
    async def be_guest(
        self, services: Given[Services], secure: Given[bool], data: JSONBody[Guest]
    ) -> Response[Session]:
        user = User(new_id(), clean_name(data.name), None, None, 0, None, None, time.time())
        await services.store.add_user(user)
        services.remember(user)
        return _session(services, user, secure, 201)

    @get("/me", summary="Who am I?")
    async def who_am_i(self, user: Given[User]) -> Me:
        return me_of(user)

    @patch("/me", summary="Change name, webhook or address")
    async def change(
        self, services: Given[Services], user: Given[User], data: JSONBody[MeChange]
    ) -> Me:
        columns: dict[str, Any] = {}
        if data.name is not None:
            columns["name"] = clean_name(data.name)
            if user.claimed is not None:
                columns["claimed"] = columns["name"].casefold()
        if data.webhook is not None:
            columns["webhook"] = (
                services.notifier.check_webhook(data.webhook) if data.webhook else None
            )
        if data.email is not None:
            columns["email"] = _check_email(data.email) if data.email else None
        if columns:
            await services.store.change_user(user.id, **columns)
        return me_of(await _again(services, user))

    @post("/me/password", summary="Claim your name with a password", status_code=200)
    async def set_password(
        self,
        services: Given[Services],
        user: Given[User],
        secure: Given[bool],
        data: JSONBody[Password],
    ) -> Response[Session]:
        """Ends the sessions on other devices."""
        hashed = await hash_password(data.password)
        await services.store.change_user(
            user.id, password=hashed, claimed=user.name.casefold(), epoch=user.epoch + 1
        )
        return _session(services, await _again(services, user), secure, 200)

    @post("/sign-in", summary="Be the same person on another device", status_code=200)
    async def sign_in(
        self, services: Given[Services], secure: Given[bool], data: JSONBody[Credentials]
    ) -> Response[Session]:
        try:
            claimed = clean_name(data.name).casefold()
        except Refused:
            claimed = ""
        if services.sign_ins.count(claimed):
            raise Refused(429, "too-many-tries")
        user = await services.store.user_named(claimed)
        is_right = await check_password(None if user is None else user.password, data.password)
        if user is None or not is_right:
            raise Refused(403, "wrong-password")
        services.remember(user)
        return _session(services, user, secure, 200)

    @post("/sign-out", summary="Leave this device, or all", status_code=200)
    async def sign_out(
        self,
        services: Given[Services],
        user: Given[User],
        secure: Given[bool],
        data: JSONBody[SignOut],
    ) -> Response[dict[str, bool]]:
        if data.everywhere:
            await services.store.change_user(user.id, epoch=user.epoch + 1)
            await _again(services, user)
        return Response({"signed_out": True}, cookies=[_cookie("", secure, 0)], status_code=200)


def _check_email(text: str) -> str:
    word = r"[^@\s<>,;\"]+"
    fits = re.fullmatch(rf"{word}@{word}\.{word}", text) and text.isprintable()
    if len(text) > 254 or not fits:
        raise Refused(422, "bad-email")
    return text


async def _again(services: Services, user: User) -> User:
    found = await services.store.user(user.id)
    assert found is not None
    services.remember(found)
    return found


def _session(services: Services, user: User, secure: bool, status: int) -> Response[Session]:
    token = sign(services.settings.secret, user.id, user.epoch)
    return Response(
        Session(token, me_of(user)), cookies=[_cookie(token, secure, _YEAR)], status_code=status
    )


def _cookie(token: str, secure: bool, seconds: int) -> Cookie:
    return Cookie(
        key=COOKIE, value=token, max_age=seconds, httponly=True, samesite="lax", secure=secure
    )
