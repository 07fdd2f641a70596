"""`quartermaster` with words in French, as far as tests need: the English ones in « ».

python -m french serve ...
"""

from quartermaster.cli.main import app
from quartermaster.lab.translations import english
from quartermaster.speech import say as words

_english = words.catalogue


def catalogue(domain: str, language: str) -> dict[str, str]:
    if language != "fr":
        return _english(domain, "en")
    # With the names of spaces and cards, which stand in English where they are declared.
    return {id: f"« {text} »" for id, text in english(domain).items()}


# In the program and in the processes it starts, not for whoever imports this to look for doctests.
if __name__ in ("__main__", "__mp_main__"):
    words.languages = lambda: ("en", "fr")  # type: ignore[assignment]
    words.catalogue = catalogue  # type: ignore[assignment]

if __name__ == "__main__":
    app()
