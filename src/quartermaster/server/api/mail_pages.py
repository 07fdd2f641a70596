"""Where the links in mail lead: plain pages with one button each, without scripts.

Following a link changes nothing, for mail programs do so by themselves; the button does. Mail
programs that offer "unsubscribe" send what the button sends (RFC 8058).
"""

from html import escape
from typing import Annotated, Any, Final

from litestar import Request, Response, Router, get, post
from litestar.di import NamedDependency as Given
from litestar.params import QueryParameter

from quartermaster.server.api.clients import Client, let_in
from quartermaster.server.identity.passwords import LONGEST_PASSWORD, SHORTEST_PASSWORD
from quartermaster.server.refusals import Refused
from quartermaster.server.services import Services
from quartermaster.speech.say import say, spoken

Token = Annotated[str, QueryParameter(max_length=600)]

_STYLE: Final = """
body { font: 18px/1.5 Georgia, serif; max-width: 32rem; margin: 4rem auto; padding: 0 1rem;
  color: #2b2a26; background: #f4efe2; }
button, input { font: inherit; padding: 0.4rem 1rem; }
label, input { display: block; margin: 0.5rem 0; }
@media (prefers-color-scheme: dark) { body { color: #eee6d2; background: #23211c; } }
"""


def _page(title: str, text: str, form: str = "", status: int = 200) -> Response[str]:
    body = (
        f'<!doctype html><html lang="{spoken()}"><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><meta name="robots" content="noindex">'
        f'<title>{escape(title)}</title><link rel="stylesheet" href="/mail/style.css">'
        f"<h1>{escape(title)}</h1><p>{escape(text)}</p>{form}"
        f'<p><a href="/">Quartermaster</a></p></html>'
    )
    return Response(body, status_code=status, media_type="text/html; charset=utf-8")


def _form(button: str, fields: str = "") -> str:
    """A form with one button. It posts to the page's own address, which holds the token."""
    return f'<form method="post">{fields}<button>{escape(button)}</button></form>'


@get("/confirm", include_in_schema=False)
async def ask_confirm(token: Token = "") -> Response[str]:
    return _page(say("mail.title"), say("mail.confirm-ask"), _form(say("mail.confirm-button")))


@post("/confirm", include_in_schema=False)
async def confirm(services: Given[Services], token: Token = "") -> Response[str]:
    try:
        await services.mail.confirm(token)
    except Refused as refusal:
        return _page(say("mail.title"), str(refusal), status=refusal.status)
    await services.signals.heed()
    return _page(say("mail.title"), say("mail.confirmed"))


@get("/stop", include_in_schema=False)
async def ask_stop(token: Token = "") -> Response[str]:
    return _page(say("mail.title"), say("mail.stop-ask"), _form(say("mail.stop-button")))


@post("/stop", include_in_schema=False)
async def stop(services: Given[Services], token: Token = "") -> Response[str]:
    try:
        await services.mail.stop(token)
    except Refused as refusal:
        return _page(say("mail.title"), str(refusal), status=refusal.status)
    await services.signals.heed()
    return _page(say("mail.title"), say("mail.stopped"))


@get("/reset", include_in_schema=False)
async def ask_reset(services: Given[Services], token: Token = "") -> Response[str]:
    title = say("mail.reset-subject")
    try:
        user = await services.mail.user_to_reset(token)
    except Refused as refusal:
        return _page(title, str(refusal), status=refusal.status)
    field = (
        f'<input type="hidden" name="username" autocomplete="username" value="{escape(user.name)}">'
        f"<label>{escape(say('mail.new-password'))}"
        '<input type="password" name="password" autocomplete="new-password" required'
        f' minlength="{SHORTEST_PASSWORD}" maxlength="{LONGEST_PASSWORD}"></label>'
    )
    return _page(
        title, say("mail.reset-ask", name=user.name), _form(say("mail.reset-button"), field)
    )


@post("/reset", include_in_schema=False)
async def reset(
    request: Request[Any, Any, Any],
    services: Given[Services],
    client: Given[Client],
    token: Token = "",
) -> Response[str]:
    title = say("mail.reset-subject")
    try:
        user = await services.mail.user_to_reset(token)
        given = (await request.form()).get("password")
        password = given if isinstance(given, str) else ""  # a file is none
        hashed = await services.hashing.hash(client.address, password, user.name)
    except Refused as refusal:
        return _page(title, str(refusal), status=refusal.status)
    await services.people.change(user.id, password=hashed)
    await services.people.end_sessions(user.id)
    await services.signals.heed()
    found = await services.store.user(user.id)
    answer = _page(title, say("mail.reset-done"))
    if found is not None:
        answer.cookies = (await let_in(services, found, client)).cookies
    return answer


@get("/style.css", include_in_schema=False, sync_to_thread=False)
def style() -> Response[str]:
    return Response(_STYLE, media_type="text/css")


def mail_routes() -> Router:
    handlers = [ask_confirm, confirm, ask_stop, stop, ask_reset, reset, style]
    return Router("/mail", route_handlers=handlers)
