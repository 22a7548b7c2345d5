# SPDX-License-Identifier: Apache-2.0
"""A connection for asyncio: the event loop reads the messages of the server, and wakes the tasks that wait."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from typing import Any, Callable, Optional, Set, TypeVar

from ..requests import Request
from .errors import HostDisconnected, HostError, HostTimeout
from .inbox import Exchange, Inbox
from .server import Link
from .transport import LineReader, received

T = TypeVar("T")


class AsyncConnection:
    """A connection. All methods must be called from tasks of one event loop.

    Attributes:
        inbox: The state of the connection.
    """

    def __init__(self, link: Link) -> None:
        self.inbox = Inbox()
        self._socket, self._server = link
        self._socket.setblocking(False)
        self._loop = asyncio.get_running_loop()
        self._lines = LineReader()
        self._waiters: Set[asyncio.Future[None]] = set()
        #: The bytes that the socket has not accepted.
        self._unsent = bytearray()
        self._loop.add_reader(self._socket, self._read)

    async def call(self, request: Request[T], timeout: Optional[float] = None) -> T:
        """Sends a request, and returns the value of the reply."""
        return (await self.exchange(request, timeout)).value()

    async def exchange(self, request: Request[T], timeout: Optional[float] = None) -> Exchange[T]:
        """Sends a request, and waits for the reply."""
        exchange = self.send(request)
        try:
            await self.wait(lambda: exchange.is_answered, timeout)
        except BaseException:
            self.abandon(exchange)
            raise
        return exchange

    def send(self, request: Request[T]) -> Exchange[T]:
        """Sends a request whose reply the caller awaits."""
        exchange, line = self.inbox.begin(request)
        self._unsent += line
        if len(self._unsent) == len(line):
            self._flush()
        return exchange

    def post(self, request: Request[Any]) -> None:
        """Sends a request without waiting for the reply. A failure is ignored."""
        with contextlib.suppress(HostError):
            self.abandon(self.send(request))

    def abandon(self, exchange: Exchange[Any]) -> None:
        """Undoes a request when the reply arrives, because no caller waits any longer."""
        for request in self.inbox.abandon(exchange):
            self.post(request)

    async def wait(self, is_ready: Callable[[], bool], timeout: Optional[float] = None) -> None:
        """Waits until a condition holds, which depends on the messages that have arrived.

        Raises:
            HostDisconnected: The connection is closed.
            HostTimeout: The timeout, in seconds, has elapsed.
        """
        limit = None if timeout is None else time.monotonic() + timeout
        while not is_ready():
            self.inbox.check()
            if limit is not None and time.monotonic() >= limit:
                raise HostTimeout(f"the server sent no answer in {timeout:g} s")
            await self._change(limit)

    async def close(self) -> None:
        """Closes the connection, and stops the server if this program has started the server."""
        self.close_socket()
        server, self._server = self._server, None
        if server is not None:
            await self._loop.run_in_executor(None, server.stop)

    def close_socket(self) -> None:
        """Closes the connection without waiting."""
        self._fail(HostDisconnected("this program closed the connection"))
        self._socket.close()

    def close_later(self) -> None:
        """Closes the connection in the event loop, from any thread, unless the event loop is closed."""
        with contextlib.suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self.close_socket)

    def pulse(self) -> None:
        """Wakes all tasks that wait."""
        for waiter in self._waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def _change(self, limit: Optional[float]) -> None:
        """Waits for the next message, or until the time `limit`."""
        waiter: asyncio.Future[None] = self._loop.create_future()
        self._waiters.add(waiter)
        timer = None if limit is None else self._loop.call_later(max(limit - time.monotonic(), 0), self.pulse)
        try:
            await waiter
        finally:
            self._waiters.discard(waiter)
            if timer is not None:
                timer.cancel()

    def _fail(self, failure: HostError) -> None:
        """Notes that the connection is closed, and wakes all tasks."""
        if self.inbox.failure is None:
            self.inbox.fail(failure)
            self._loop.remove_reader(self._socket)
            self._loop.remove_writer(self._socket)
            self._lines.close()
            with contextlib.suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)
        self.pulse()

    def _flush(self) -> None:
        """Writes the bytes that the socket accepts now, and the rest when it accepts more."""
        try:
            while self._unsent:
                del self._unsent[: self._socket.send(self._unsent)]
        except BlockingIOError:
            self._loop.add_writer(self._socket, self._flush)
            return
        except OSError:
            # The reader finds the reason: the server may have sent an error before it closed the connection.
            self._unsent.clear()
        self._loop.remove_writer(self._socket)

    def _read(self) -> None:
        """Handles the messages that have arrived."""
        try:
            data, descriptors = received(self._socket)
            for line in self._lines.lines(data, descriptors):
                for request in self.inbox.receive(line, self._lines):
                    self.post(request)
            if not data:
                raise HostDisconnected("the server closed the connection")
        except BlockingIOError:
            return
        except HostError as error:
            self._fail(error)
        except OSError as error:
            self._fail(HostDisconnected(f"the connection failed: {error.strerror}"))
        self.pulse()
