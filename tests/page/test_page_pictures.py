"""What cards look like."""

from browsers import needs_chromium
from pages import Visitors
from servers import Client

pytestmark = needs_chromium

BASIC = {"build-army", "build-navy", "land-battle", "sea-battle", "deploy-air-force"}


def test_every_printed_card_shows_what_it_is_about(visitors: Visitors, anna: Client) -> None:
    page = visitors.come("/", anna)
    for rules in ("first", "second"):
        cards = anna.get(f"/api/rules/{rules}/cards", **{"air-marshal": True})
        assert {card["type"] for card in cards} >= {"event", "status", "response", "bolster"}
        found = page.evaluate(
            """async (cards) => {
              const { subjectOf, woodcut } = await ours("js/base/pictures/pictures.js");
              return cards.map((card) => [card.id, card.type, subjectOf(card), woodcut(card)]);
            }""",
            cards,
        )
        for id, kind, subject, drawing in found:
            assert (subject == kind) == (id in BASIC), id
            assert drawing.count("<path") >= 3, id
            assert "NaN" not in drawing, id
            assert "undefined" not in drawing, id


def test_a_picture_is_the_same_in_every_language(visitors: Visitors, anna: Client) -> None:
    page = visitors.come("/", anna)
    wolf = {"id": "wolf-packs", "type": "status", "country": "germany", "name": "Wolf Packs"}
    script = "(card) => ours('js/base/pictures/pictures.js').then(({ woodcut }) => woodcut(card))"
    drawing = page.evaluate(script, wolf)
    assert page.evaluate(script, {**wolf, "name": "Meutes de sous-marins"}) == drawing
    assert page.evaluate(script, {**wolf, "id": "bias-for-action"}) != drawing


def test_a_card_of_ones_own_has_the_picture_of_its_type(visitors: Visitors, anna: Client) -> None:
    page = visitors.come("/", anna)
    card = {"id": "giarabub-oasis", "type": "event", "country": "italy"}
    script = (
        "(card) => ours('js/base/pictures/pictures.js').then(({ subjectOf }) => subjectOf(card))"
    )
    assert page.evaluate(script, card) == "event"
