"""Tokens, passwords and names."""

import asyncio
import time

import pytest

from quartermaster.errors import QuartermasterError
from quartermaster.server import names
from quartermaster.server.identity import tokens
from quartermaster.server.identity.passwords import Hashing, Tries
from quartermaster.server.refusals import Refused
from toy_app import SECRET


def test_tokens() -> None:
    token = tokens.sign(SECRET, "anna", "laptop")
    assert tokens.read(SECRET, token) == ("anna", "laptop")
    assert tokens.read(b"another secret", token) is None
    before = tokens._serializer(SECRET, "session").dumps(["anna", 3])  # there were sessions
    assert tokens.read(SECRET, str(before)) == ("anna", "anna.3")
    assert tokens.read(SECRET, token[:-1] + ("A" if token[-1] != "A" else "B")) is None


@pytest.mark.parametrize(
    "garbage", ["", ".", "a.b", "..", "é.ü", "\ud800.x", "\x00", "x" * 10**6, "W10.x", "null.null"]
)
def test_garbage_tokens_are_nobody(garbage: str) -> None:
    assert tokens.read(SECRET, garbage) is None


def test_tokens_of_another_kind_are_nobody() -> None:
    for payload in ({"user": "anna"}, ["anna"], ["anna", None], [3, 3], "anna"):
        token = tokens._serializer(SECRET, "session").dumps(payload)
        assert tokens.read(SECRET, str(token)) is None


def test_ids() -> None:
    ids = {names.new_id() for _ in range(200)}
    assert len(ids) == 200
    assert all(one.isascii() and one.isalnum() and len(one) >= 12 for one in ids)


def test_passwords() -> None:
    async def work() -> None:
        hashing = Hashing()
        hashed = await hashing.hash("here", "Schwert\u00e4hre", "Anna")
        assert "Schwert" not in hashed
        assert await hashing.check("here", hashed, "Schwerta\u0308hre")  # composed otherwise
        assert not await hashing.check("here", hashed, "schwert\u00e4hre")
        assert not await hashing.check("here", "no hash", "swordfish")
        for wrong in ("seven77", "x" * 129, "half \ud800 a character"):
            with pytest.raises(QuartermasterError, match="8 to 128"):
                await hashing.hash("here", wrong, "Anna")
            assert not await hashing.check("here", hashed, wrong)
        for guessed in ("PassWord", "12345678", "aaaabbbb", "Annabella"):
            with pytest.raises(QuartermasterError, match="would guess"):
                await hashing.hash("here", guessed, "Anna-Bella")

        async def seconds(one: str | None) -> float:
            start = time.perf_counter()
            assert not await hashing.check("here", one, "swordfish")
            return time.perf_counter() - start

        with_user = min([await seconds(hashed) for _ in range(2)])
        assert min([await seconds(None) for _ in range(2)]) > with_user / 5

    asyncio.run(work())


def test_few_may_wait_for_a_hash_and_fewer_of_one_client() -> None:
    async def work() -> None:
        hashing = Hashing()
        hashed = await hashing.hash("here", "swordfish", "Anna")

        async def ask(client: str) -> bool | int:
            try:
                return await hashing.check(client, hashed, "swordfish")
            except Refused as refusal:
                return refusal.status if "retry-after" in (refusal.headers or {}) else 0

        one = await asyncio.gather(*(ask("one") for _ in range(12)))
        assert one == [True] * 2 + [503] * 10
        many = await asyncio.gather(*(ask(f"client {n}") for n in range(12)))
        assert many == [True] * 8 + [503] * 4
        assert await ask("one") is True  # all is well again

    asyncio.run(work())


def test_guessing_gets_slower_for_who_guesses_and_nobody_else() -> None:
    now = 1000.0
    tries = Tries(lambda: now)
    waits = []
    for _ in range(12):
        now += tries.wait("mallory", "anna")
        tries.note("mallory", "anna", False)
        waits.append(tries.wait("mallory", "anna"))
    assert waits == [0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128]
    assert tries.wait("anna's phone", "anna") == 0
    assert tries.wait("mallory", "boris") == 0
    for _ in range(20):
        tries.note("mallory", "anna", False)
    assert tries.wait("mallory", "anna") == 900  # at most
    tries.note("anna's phone", "anna", True)
    assert tries.wait("mallory", "anna") == 900
    now += 3600
    tries.note("mallory", "anna", False)
    assert tries.wait("mallory", "anna") == 0  # long ago


def test_a_name_guessed_at_from_everywhere_is_not_locked() -> None:
    async def work() -> None:
        tries = Tries()
        for number in range(50):
            assert not tries.is_under_attack("anna")
            tries.note(f"address {number}", "anna", False)
        assert tries.is_under_attack("anna")
        assert not tries.is_under_attack("boris")
        inside = 0

        async def enter(who: str, is_known: bool) -> str:
            nonlocal inside
            try:
                async with tries.place(who, "anna", is_known, patience=0.05):
                    inside += 1
                    return "in"
            except Refused as refusal:
                return refusal.code

        crowd = await asyncio.gather(*(enter(f"stranger {n}", False) for n in range(20)))
        assert sorted(crowd) == ["in"] * 4 + ["too-many-tries"] * 16
        assert await enter("the owner elsewhere", False) == "in"
        crowd_and_owner = await asyncio.gather(
            *(enter(f"stranger {n}", False) for n in range(20)), enter("the owner", True)
        )
        assert crowd_and_owner[-1] == "in"

    asyncio.run(work())


def test_names() -> None:
    assert names.clean_name("  Anna\t\u00a0 B. ") == "Anna B."
    assert names.clean_name("Jose\u0301") == "Jos\u00e9"
    assert names.clean_name("x" * 24) == "x" * 24
    hidden = ["a\x00b", "a\x1bb", "a\u202eb", "a\u2066b", "a\u200bb", "a\u200db", "a\ufeffb"]
    for wrong in ["", "  ", "x" * 25, "\u3164", "\u0301", "\ud800", "a\ue000", *hidden]:
        with pytest.raises(QuartermasterError, match="1 to 24 characters"):
            names.clean_name(wrong)


def test_texts() -> None:
    assert names.clean_text("one  two\r\n\r\n\r\n\r\nthree\n") == "one two\n\nthree"
    family = "\U0001f468\u200d\U0001f469"
    assert names.clean_text(family) == family
    for wrong in ["", "\n", "x" * 501, "a\x07", "a\u202eb", "\u200d", "\u200b"]:
        with pytest.raises(QuartermasterError, match="1 to 500 characters"):
            names.clean_text(wrong)
    with pytest.raises(QuartermasterError, match="1 to 3 characters"):
        names.clean_text("four", most=3)
