"""`quartermaster` with words in French, as far as tests need: the English ones in « ».

python -m french serve ...
"""

from quartermaster.cli.main import app
from quartermaster.speech import say as words

_english = words.catalogue


def catalogue(domain: str, language: str) -> dict[str, str]:
    texts = _english(domain, "en")
    if language != "fr":
        return texts
    if domain == "game":  # where English names of cards are not
        texts = texts | {"card.build-army": "Build Army"}
    return {id: f"« {text} »" for id, text in texts.items()}


words.languages = lambda: ("en", "fr")  # type: ignore[assignment]
words.catalogue = catalogue  # type: ignore[assignment]

if __name__ == "__main__":
    app()
