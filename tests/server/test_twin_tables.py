"""Two tables that only a hidden card makes different are alike to everyone else."""

from typing import Any

from witnesses import Twin, differences, told


def test_others_cannot_tell_who_is_asked(twins: tuple[Twin, Twin]) -> None:
    for name in ("anna", "otto"):
        one, other = (told(twin.look(getattr(twin, name))) for twin in twins)
        assert not list(differences(one, other))


def test_others_cannot_tell_who_has_passed(twins: tuple[Twin, Twin]) -> None:
    for twin in twins:
        twin.go_on()
    for name in ("anna", "otto"):
        one, other = (told(twin.look(getattr(twin, name))) for twin in twins)
        assert not list(differences(one, other))


def test_replays_do_not_tell_who_has_passed(twins: tuple[Twin, Twin]) -> None:
    for twin in twins:
        twin.go_on()
    for name in ("anna", "otto"):
        for step in range(5):
            one, other = (
                told(getattr(twin, name).ask("GET", f"{twin.path}/replay/{step}").json())
                for twin in twins
            )
            assert not list(differences(one, other)), f"step {step}"


def test_lists_do_not_tell_of_answers(twins: tuple[Twin, Twin]) -> None:
    """Nothing that anyone can fetch changes while someone answers in secret."""
    twin, _ = twins

    def listed() -> Any:
        found = twin.otto.ask("GET", "/api/games?show=watch").json()
        return next(game for game in found if twin.path.endswith(game["id"]))

    before = listed()
    for text in ("use skilled-pilots", "pass"):
        body = {"number": twin.number, "ask": 0, "text": text}
        assert twin.ben.ask("POST", f"{twin.path}/answers", body).is_success
        assert twin.look(twin.otto)["window"] is not None
        assert not list(differences(before, listed()))
