"""The README as a package index shows it.

An index has none of our files: pictures and links need the whole address of the repository, from
QUARTERMASTER_REPOSITORY when a release is built. Without one pictures are left out, and links
are plain text, rather than broken.
"""

import re

_PICTURE = re.compile(r"!\[([^\]]*)\]\((?!https?:)([^)]+)\)")
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)")
_EMPTY_ROW = re.compile(r"^[|\- ]+\n", re.MULTILINE)
_BLANK_LINES = re.compile(r"\n{3,}")


def index_page(readme: str, repository: str | None) -> str:
    """The text for an index.

    >>> index_page("![A map](docs/map.png) in [the docs](docs/a.md)", "https://git.example/q/")
    '![A map](https://git.example/q/raw/HEAD/docs/map.png) in [the docs](https://git.example/q/blob/HEAD/docs/a.md)'
    >>> index_page("A\\n\\n![A map](docs/map.png)\\n\\nin [the docs](docs/a.md)", None)
    'A\\n\\nin the docs'
    """
    if repository is not None:
        base = repository.rstrip("/")
        readme = _PICTURE.sub(rf"![\1]({base}/raw/HEAD/\2)", readme)
        return _LINK.sub(rf"[\1]({base}/blob/HEAD/\2)", readme)
    readme = _EMPTY_ROW.sub("", _PICTURE.sub("", readme))
    return _BLANK_LINES.sub("\n\n", _LINK.sub(r"\1", readme))


def project_urls(repository: str | None) -> dict[str, str]:
    """Where people find the project; nothing is made up."""
    if repository is None:
        return {}
    base = repository.rstrip("/")
    return {
        "Repository": base,
        "Documentation": f"{base}/tree/HEAD/docs",
        "Changelog": f"{base}/blob/HEAD/CHANGELOG.md",
        "Issues": f"{base}/issues",
    }
