# SPDX-License-Identifier: Apache-2.0
"""A connection for threads: a thread reads the messages of the server, and wakes the threads that wait."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
from typing import Any, Callable, List, Optional, TypeVar

from ..requests import Request
from .errors import HostDisconnected, HostError, HostTimeout
from .inbox import Exchange, Inbox
from .server import Link
from .transport import LineReader, received

T = TypeVar("T")

#: The time in seconds in which the reader finds the reason of a failed write.
_REASON_TIMEOUT = 1


class Connection:
    """A connection. All methods may be called from any thread.

    Attributes:
        inbox: The state of the connection, which `locked` protects.
        locked: The lock of the state, which notifies of changes.
    """

    def __init__(self, link: Link) -> None:
        self.inbox = Inbox()
        self.locked = threading.Condition()
        self._socket, self._server = link
        # Reentrant, because the interpreter can free a `Host`, which closes the connection, at any place of a thread.
        self._sending = threading.RLock()
        self._process = os.getpid()
        self._reader = threading.Thread(target=self._read, name="darkroom.host", daemon=True)
        self._reader.start()

    def call(self, request: Request[T], timeout: Optional[float] = None) -> T:
        """Sends a request, and returns the value of the reply."""
        return self.exchange(request, timeout).value()

    def exchange(self, request: Request[T], timeout: Optional[float] = None) -> Exchange[T]:
        """Sends a request, and waits for the reply."""
        exchange = self.send(request)
        try:
            self.wait(lambda: exchange.is_answered, timeout)
        except BaseException:
            self.abandon(exchange)
            raise
        return exchange

    def send(self, request: Request[T]) -> Exchange[T]:
        """Sends a request whose reply the caller awaits."""
        with self.locked:
            exchange, line = self.inbox.begin(request)
        self._write(line)
        return exchange

    def post(self, request: Request[Any]) -> None:
        """Sends a request without waiting for the reply. A failure is ignored."""
        with contextlib.suppress(HostError):
            self.abandon(self.send(request))

    def abandon(self, exchange: Exchange[Any]) -> None:
        """Undoes a request when the reply arrives, because no caller waits any longer."""
        with self.locked:
            undoing = self.inbox.abandon(exchange)
        for request in undoing:
            self.post(request)

    def wait(self, is_ready: Callable[[], bool], timeout: Optional[float] = None) -> None:
        """Waits until a condition holds, which depends on the messages that have arrived.

        Raises:
            HostDisconnected: The connection is closed.
            HostTimeout: The timeout, in seconds, has elapsed.
        """
        with self.locked:
            self.locked.wait_for(lambda: is_ready() or self.inbox.failure is not None, timeout)
            if not is_ready():
                self.inbox.check()
                raise HostTimeout(f"the server sent no answer in {timeout:g} s")

    def close(self) -> None:
        """Closes the connection, and stops the server if this program has started the server."""
        if os.getpid() != self._process:
            # After a fork, the connection and the server belong to the other process.
            self._socket.close()
            return
        self._fail(HostDisconnected("this program closed the connection"))
        # A thread that frees the last reference closes the connection, which can be the reader.
        if threading.current_thread() is not self._reader:
            self._reader.join()
        with self._sending:
            self._socket.close()
        server, self._server = self._server, None
        if server is not None:
            server.stop()

    def _fail(self, failure: HostError) -> None:
        """Notes that the connection is closed, and wakes all threads."""
        with self.locked:
            self.inbox.fail(failure)
            self.locked.notify_all()
        # This ends the reader, and writes that block.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def _write(self, line: bytes) -> None:
        try:
            with self._sending:
                self._socket.sendall(line)
        except OSError as error:
            # The reader knows more: the server may have sent the reason before it closed the connection.
            with self.locked:
                self.locked.wait_for(lambda: self.inbox.failure is not None, _REASON_TIMEOUT)
                self.inbox.check()
            raise HostDisconnected(f"the connection failed: {error.strerror}") from error

    def _read(self) -> None:
        """Handles the messages of the server until the connection is closed."""
        lines = LineReader()
        try:
            while True:
                data, descriptors = received(self._socket)
                undoing: List[Request[None]] = []
                with self.locked:
                    for line in lines.lines(data, descriptors):
                        undoing += self.inbox.receive(line, lines)
                    self.locked.notify_all()
                if not data:
                    raise HostDisconnected("the server closed the connection")
                for request in undoing:
                    self.post(request)
        except HostError as error:
            self._fail(error)
        except OSError as error:
            self._fail(HostDisconnected(f"the connection failed: {error.strerror}"))
        except BaseException as error:
            # No thread may wait forever.
            self._fail(HostDisconnected(f"the reader of messages failed: {error!r}"))
            raise
        finally:
            lines.close()
