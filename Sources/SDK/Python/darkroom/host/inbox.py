# SPDX-License-Identifier: Apache-2.0
"""The state of a connection, without waiting: replies, the events of sessions, and changes of content."""

from __future__ import annotations

import collections
import json
import os
from typing import Any, Deque, Dict, Generic, List, Optional, Tuple, TypeVar

from ..requests import Request
from . import _interface as requests
from ._interface import METHODS
from ._schemas import ContentChange, ErrorData, Event
from .decoding import integer, mapping, member, text
from .errors import HostError, HostProtocolError, WatchEnded
from .transport import LineReader, encoded

T = TypeVar("T")

#: The error codes of JSON-RPC 2.0.
_KINDS = {
    -32700: "parseError",
    -32600: "invalidRequest",
    -32601: "methodNotFound",
    -32602: "invalidParams",
    -32603: "internalError",
}
_LAUNCHES = ("session/launch", "session/launchProgram")


class Exchange(Generic[T]):
    """A request and its reply.

    Attributes:
        request: The request.
        id: The ID of the request.
        descriptor: The descriptor that the reply carried, or None.
        is_abandoned: Whether no caller waits for the reply.
    """

    def __init__(self, request: Request[T], id: int) -> None:
        self.request, self.id = request, id
        self.descriptor: Optional[int] = None
        self.is_abandoned = False
        self._reply: Optional[Dict[str, Any]] = None

    def __del__(self) -> None:
        _close(self.take_descriptor())

    @property
    def is_answered(self) -> bool:
        """Whether the reply has arrived."""
        return self._reply is not None

    def value(self) -> T:
        """Returns the value of the reply, or raises its error."""
        reply = self._reply or {}
        if "error" in reply:
            raise host_error(reply["error"])
        return self.request.decode(member(reply, "result", mapping))

    def take_descriptor(self) -> Optional[int]:
        """Returns the descriptor of the reply, which the caller then owns."""
        descriptor, self.descriptor = self.descriptor, None
        return descriptor


class SessionLog:
    """The events of a session so far.

    Attributes:
        events: The events.
        is_claimed: Whether a caller has the session.
    """

    def __init__(self) -> None:
        self.events: List[Event] = []
        self.is_claimed = False

    @property
    def is_complete(self) -> bool:
        """Whether the session has ended."""
        return bool(self.events) and self.events[-1].kind == "ended"


class ChangeQueue:
    """The changes of watched content that the caller has not received.

    Attributes:
        changes: The changes.
        failure: The reason why the server has ended the subscription, or None.
        is_closed: Whether the caller has ended the subscription.
    """

    def __init__(self) -> None:
        self.changes: Deque[ContentChange] = collections.deque()
        self.failure: Optional[HostError] = None
        self.is_closed = False

    @property
    def is_ready(self) -> bool:
        """Whether a change has arrived, or none will."""
        return bool(self.changes) or self.failure is not None or self.is_closed

    def take(self) -> Optional[ContentChange]:
        """Returns the next change, or None after the caller has ended the subscription.

        Raises:
            HostError: The server has ended the subscription.
        """
        if self.is_closed:
            return None
        if not self.changes and self.failure is not None:
            raise self.failure._copied()
        return self.changes.popleft()


class Inbox:
    """The messages of a connection. All calls must come from one thread at a time.

    Attributes:
        failure: The reason why the connection is closed, or None.
    """

    def __init__(self) -> None:
        self.failure: Optional[HostError] = None
        self._request_count = 0
        self._exchanges: Dict[int, Exchange[Any]] = {}
        self._logs: Dict[str, SessionLog] = {}
        self._queues: Dict[int, ChangeQueue] = {}

    def check(self) -> None:
        """Raises an error if the connection is closed."""
        if self.failure is not None:
            raise self.failure._copied()

    def begin(self, request: Request[T]) -> Tuple[Exchange[T], bytes]:
        """Returns an exchange for a request, and the line that the caller sends.

        Raises:
            HostError: The connection is closed, or the line is too long.
        """
        self.check()
        self._request_count += 1
        line = encoded(id=self._request_count, method=request.method, params=request.params)
        exchange = Exchange(request, self._request_count)
        self._exchanges[exchange.id] = exchange
        return exchange, line

    def abandon(self, exchange: Exchange[Any]) -> List[Request[None]]:
        """Notes that no caller waits for a reply.

        Returns:
            The requests that undo a request that has succeeded.
        """
        exchange.is_abandoned = True
        return self._undone(exchange) if exchange.is_answered else []

    def claim_log(self, session: str) -> SessionLog:
        """Returns the events of a session that was launched."""
        log = self._logs.setdefault(session, SessionLog())
        log.is_claimed = True
        self._drop(session, log)
        return log

    def queue(self, subscription: int) -> ChangeQueue:
        """Returns the changes of a subscription."""
        return self._queues.setdefault(subscription, ChangeQueue())

    def close_queue(self, subscription: int) -> bool:
        """Ends the delivery of changes, and returns whether the server has to be notified."""
        queue = self._queues.pop(subscription, None)
        if queue is None or queue.is_closed:
            return False
        queue.is_closed = True
        return queue.failure is None and self.failure is None

    def fail(self, failure: HostError) -> None:
        """Notes that the connection is closed. No message follows."""
        self.failure = self.failure or failure

    def receive(self, line: bytes, reader: LineReader) -> List[Request[None]]:
        """Handles a message.

        Returns:
            Requests to send, which undo requests whose callers do not wait any longer.

        Raises:
            HostError: The connection is unusable.
        """
        message = _decoded(line)
        method = message.get("method")
        if method is None:
            return self._answer(message, reader)
        if isinstance(method, str) and "id" not in message:
            self._notify(method, message)
        return []

    def _answer(self, message: Dict[str, Any], reader: LineReader) -> List[Request[None]]:
        """Handles a reply."""
        id = message.get("id")
        if id is None and "error" in message:
            # The server could not read a line, and closes the connection.
            raise host_error(message["error"])
        exchange = self._exchanges.pop(id, None) if isinstance(id, int) else None
        if exchange is None:
            return []
        exchange._reply = message
        if METHODS[exchange.request.method].descriptors:
            exchange.descriptor = reader.take_descriptor()
        if exchange.is_abandoned:
            return self._undone(exchange)
        if "error" not in message:
            self._expect(exchange)
        return []

    def _expect(self, exchange: Exchange[Any]) -> None:
        """Prepares for the notifications that follow a reply."""
        if exchange.request.method in _LAUNCHES:
            self._logs.setdefault(exchange.value(), SessionLog())
        elif exchange.request.method == "content/watch":
            self._queues.setdefault(exchange.value(), ChangeQueue())

    def _undone(self, exchange: Exchange[Any]) -> List[Request[None]]:
        """Returns the requests that undo a request without a caller, and closes its descriptor."""
        _close(exchange.take_descriptor())
        method = exchange.request.method
        if method not in (*_LAUNCHES, "content/watch") or "error" in (exchange._reply or {}):
            return []
        value = exchange.value()
        if method in _LAUNCHES:
            self._logs.pop(value, None)
            return [requests.session_terminate(value)]
        self._queues.pop(value, None)
        return [requests.content_unwatch(value)]

    def _notify(self, method: str, message: Dict[str, Any]) -> None:
        """Handles a notification. Notifications that this version does not know are ignored."""
        if method not in requests.NOTIFICATIONS:
            return
        params = member(message, "params", mapping)
        if method == "session/event":
            session = member(params, "session", text)
            log = self._found(self._logs, session, SessionLog, _LAUNCHES)
            if log is not None:
                log.events.append(member(params, "event", Event._of))
                self._drop(session, log)
            return
        queue = self._found(self._queues, member(params, "subscription", integer), ChangeQueue, ("content/watch",))
        if queue is None:
            return
        if method == "content/changed":
            queue.changes.append(member(params, "change", ContentChange._of))
        else:
            queue.failure = WatchEnded(member(params, "message", text))

    def _found(self, items: Dict[Any, Any], key: Any, create: Any, methods: Any) -> Any:
        """Returns the item of a notification, or None if no caller wants the notification.

        A notification may precede the reply with its key, while one of `methods` is in progress.
        """
        if key not in items and any(exchange.request.method in methods for exchange in self._exchanges.values()):
            items[key] = create()
        return items.get(key)

    def _drop(self, session: str, log: SessionLog) -> None:
        """Removes the events of a session that has ended, which the caller keeps."""
        if log.is_claimed and log.is_complete:
            self._logs.pop(session, None)


def _close(descriptor: Optional[int]) -> None:
    if descriptor is not None:
        os.close(descriptor)


def _decoded(line: bytes) -> Dict[str, Any]:
    """Returns the message of a line."""
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise HostProtocolError("the server sent a line that is not JSON") from None
    if not isinstance(message, dict):
        raise HostProtocolError("the server sent a line that is not a message")
    return message


def host_error(error: Any) -> HostError:
    """Returns the exception for the error of a reply."""
    fields = error if isinstance(error, dict) else {}
    code, data = fields.get("code"), fields.get("data")
    message = str(fields.get("message") or "the server gave no reason")
    number = code if isinstance(code, int) else 0
    if number == -32000 and isinstance(data, dict):
        found = ErrorData._of(data)
        return HostError(
            message,
            kind=found.kind,
            number=number,
            step=found.step,
            errno=found.errno,
            path=found.path,
            diagnostics=found.diagnostics or (),
            refusal=found.refusal,
            id=found.id,
        )
    path = data.get("path") if isinstance(data, dict) else None
    return HostError(message, kind=_KINDS.get(number), number=number, path=path if isinstance(path, str) else None)
