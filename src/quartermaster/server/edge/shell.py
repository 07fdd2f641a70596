"""What is there before the page's own code is: index.html and the manifest, in the language of the
request."""

import json
from html import escape
from typing import Final

from quartermaster.server.edge.files import AT, PAGE_FILES
from quartermaster.server.folders import PAGE
from quartermaster.speech.say import ENGLISH, say, speaking, spoken

# What of index.html people may read: without scripts, or in a list of links.
_SAID: Final = ("server.about", "server.needs-script")
HEADERS: Final = {"cache-control": "no-cache", "vary": "accept-language, cookie"}


def index() -> bytes:
    """index.html is written in English; its texts are those of the catalogue. The files that it
    names are those of one version."""
    text = (PAGE / "index.html").read_text("utf-8")
    with speaking(ENGLISH):
        english = [escape(say(id)) for id in _SAID]
    for id, old in zip(_SAID, english, strict=True):
        text = text.replace(old, escape(say(id)))
    text = text.replace('<html lang="en">', f'<html lang="{spoken()}">')
    return text.replace(f'"{AT}', f'"{AT}{PAGE_FILES.version()}/').encode()


def manifest() -> bytes:
    """The manifest, by which a phone can install the page like a program."""
    found = json.loads((PAGE / "manifest.webmanifest").read_text("utf-8"))
    found |= {"lang": spoken(), "description": say("server.about")}
    return json.dumps(found, ensure_ascii=False).encode()
