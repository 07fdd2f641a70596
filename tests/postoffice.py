"""A mail server that keeps what it is given, for tests."""

import asyncio
import re
import ssl
import threading
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from email import message_from_string
from email.message import EmailMessage
from email.policy import default


class Post:
    """Takes mail."""

    def __init__(self, tls: ssl.SSLContext | None = None, refuse: str = "") -> None:
        self.tls = tls
        self.refuse = refuse  # once, whatever is addressed to anybody
        self.said: list[str] = []
        self.mails: list[str] = []

    @asynccontextmanager
    async def listen(self, is_tls: bool = False) -> AsyncIterator[int]:
        tls = self.tls if is_tls else None
        server = await asyncio.start_server(self.take, "127.0.0.1", 0, ssl=tls)
        async with server:
            yield server.sockets[0].getsockname()[1]

    async def take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        is_hidden = writer.get_extra_info("sslcontext") is not None

        def say(text: str) -> None:
            writer.write(f"{text}\r\n".encode())

        say("220 ready")
        while line := (await reader.readline()).decode().strip():
            self.said.append(f"{line} (hidden)" if is_hidden else line)
            match line.split()[0].upper():
                case "EHLO":
                    offer = "250-STARTTLS\r\n" if self.tls and not is_hidden else ""
                    say(f"250-hello\r\n{offer}250 AUTH PLAIN")
                case "STARTTLS" if self.tls:
                    say("220 go on")
                    await writer.drain()
                    await writer.start_tls(self.tls)
                    is_hidden = True
                case "AUTH":
                    say("235 welcome")
                case "RCPT" if self.refuse:
                    say(self.refuse)
                    self.refuse = ""
                case "DATA":
                    say("354 go on")
                    text = (await reader.readuntil(b"\r\n.\r\n")).decode()
                    self.mails.append(text.replace("\r\n..", "\r\n."))  # as SMTP has it
                    say("250 taken")
                case "QUIT":
                    say("221 bye")
                    break
                case _:
                    say("250 fine")
        writer.close()
        await writer.wait_closed()


class Office:
    """A post office in a thread of its own."""

    def __init__(self, post: Post, port: int) -> None:
        self.post = post
        self.url = f"smtp://127.0.0.1:{port}"

    def mails(self, address: str, count: int = 1, seconds: float = 5) -> list[EmailMessage]:
        """The mail to an address, once there are so many, and no more come for a moment."""
        give_up = time.monotonic() + seconds
        while True:
            found = []
            for text in list(self.post.mails):
                mail = message_from_string(text, _class=EmailMessage, policy=default)
                if mail["To"] == address:
                    found.append(mail)
            if len(found) >= count or time.monotonic() > give_up:
                break
            time.sleep(0.02)
        assert len(found) == count, [mail["Subject"] for mail in found]
        return found


def links(mail: EmailMessage, purpose: str) -> list[str]:
    """The links of a kind in a mail."""
    return re.findall(rf"http\S+/mail/{purpose}\?\S+", mail.get_content())


@contextmanager
def office() -> Iterator[Office]:
    post, loop = Post(), asyncio.new_event_loop()
    ready, ports = threading.Event(), []
    end = asyncio.Event()

    async def run() -> None:
        async with post.listen() as port:
            ports.append(port)
            ready.set()
            await end.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
    thread.start()
    assert ready.wait(10)
    try:
        yield Office(post, ports[0])
    finally:
        loop.call_soon_threadsafe(end.set)
        thread.join(10)
        loop.close()
