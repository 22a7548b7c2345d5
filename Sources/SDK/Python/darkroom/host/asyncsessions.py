# SPDX-License-Identifier: Apache-2.0
"""A session that the server hosts, and the changes of watched content, for asyncio."""

from __future__ import annotations

import asyncio
import time
from types import TracebackType
from typing import AsyncIterator, List, Optional, Type

from ..frames import Frame
from ..sound import SoundBlock, SoundRing
from . import _interface as requests
from ._schemas import (
    Button, ContentChange, Event, FrameInfo, PointerPhase, Result, SoundInfo, SoundProgress, ViewfinderInfo,
)
from .arguments import adjustment
from .asyncconnection import AsyncConnection
from .errors import HostError
from .inbox import Exchange
from .sound import open_ring
from .viewfinder import ViewfinderMemory


class AsyncHostedSession:
    """A session of the server, for asyncio.

    Use the session in an ``async with`` statement: its end dismisses the session and waits until the content is
    migrated. `HostedSession` describes the methods. `AsyncHost.launch` creates sessions.

    Attributes:
        id: The ID of the session, a UUID.
    """

    def __init__(self, host: object, connection: AsyncConnection, id: str) -> None:
        self.id = id
        # The connection stays open while the session is in use.
        self._host, self._connection = host, connection
        self._log = connection.inbox.claim_log(id)
        # The requests that wait for the session. A later call continues the wait after a timeout.
        self._ending: Optional[Exchange[Result]] = None
        self._opening: Optional[Exchange[ViewfinderInfo]] = None
        self._next: Optional[Exchange[FrameInfo]] = None
        self._result: Optional[Result] = None
        self._info: Optional[ViewfinderInfo] = None
        self._memory: Optional[ViewfinderMemory] = None
        self._sound_opening: Optional[Exchange[SoundInfo]] = None
        self._sound_next: Optional[Exchange[SoundProgress]] = None
        self._sound_info: Optional[SoundInfo] = None
        self._sound: Optional[SoundRing] = None
        self._viewing, self._listening = asyncio.Lock(), asyncio.Lock()

    def __repr__(self) -> str:
        return f"<AsyncHostedSession {self.id}>"

    async def __aenter__(self) -> AsyncHostedSession:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        try:
            await self._dismiss_running()
            await self.wait()
        except HostError:
            # The error of the body is the reason.
            if error is None:
                raise
        finally:
            if self._memory is not None:
                self._memory.close()
            if self._sound is not None:
                self._sound.close()

    # Events and the result.

    async def events(self, timeout: Optional[float] = None) -> AsyncIterator[Event]:
        """Yields the events of the session. Each iteration starts with the first event, and ends after ``ended``."""
        count = 0
        while True:
            await self._connection.wait(lambda: len(self._log.events) > count, timeout)
            event = self._log.events[count]
            count += 1
            yield event
            if event.kind == "ended":
                return

    @property
    def has_ended(self) -> bool:
        """Whether the session has ended, and its content is migrated."""
        return self._log.is_complete

    async def wait(self, timeout: Optional[float] = None) -> Result:
        """Waits until the session has ended and its content is migrated, and returns the result."""
        if self._result is None:
            if self._ending is None:
                self._ending = self._connection.send(requests.session_result(self.id))
            ending = self._ending
            await self._connection.wait(lambda: ending.is_answered, timeout)
            self._result = ending.value()
        return self._result

    @property
    def result(self) -> Result:
        """The result, after the ``async with`` statement or `wait`.

        Raises:
            HostError: The result is unknown before `wait` has returned. The kind is ``argument``.
        """
        if self._result is None:
            fix = "call 'await session.wait()' first"
            raise HostError("the result of the session is unknown", fix, kind="argument")
        return self._result

    async def dismiss(self) -> None:
        """Dismisses the session for the user. The extension has the grace period to exit."""
        await self._connection.call(requests.session_dismiss(self.id))

    async def terminate(self) -> None:
        """Terminates the session without a grace period. Its content is migrated."""
        await self._connection.call(requests.session_terminate(self.id))

    async def _dismiss_running(self) -> None:
        """Dismisses the session, unless it has ended."""
        try:
            if not self.has_ended and self._result is None:
                await self.dismiss()
        except HostError as error:
            # The session has ended meanwhile.
            if error.kind != "notFound":
                raise

    # Buttons and controls.

    async def tap(self, button: Button) -> None:
        """Presses a button and releases it. The extension receives presses only after ``acceptsPresses``."""
        await self._connection.call(requests.session_press(self.id, button))

    async def press(self, button: Button) -> None:
        """Presses a button."""
        await self._connection.call(requests.session_press(self.id, button, "began"))

    async def release(self, button: Button) -> None:
        """Releases a button."""
        await self._connection.call(requests.session_press(self.id, button, "ended"))

    async def cancel(self, button: Button) -> None:
        """Cancels the press of a button: the extension must not capture."""
        await self._connection.call(requests.session_press(self.id, button, "cancelled"))

    async def pointer(self, phase: PointerPhase, x: float, y: float, contact: int = 0) -> None:
        """Passes a change of a contact with the viewfinder to the extension.

        The extension receives contacts only after it has subscribed to them.

        Args:
            phase: ``tap``, ``began``, ``moved``, ``ended`` or ``cancelled``. A tap begins and ends a contact.
            x: The distance from the left edge of the viewfinder's picture, in pixels of the picture.
            y: The distance from the upper edge of the picture, in pixels of the picture.
            contact: 0 for the pointer, another number for each finger, at most 15.
        """
        await self._connection.call(requests.session_pointer(self.id, x, y, phase, contact))

    async def adjust(
        self,
        control: str,
        value: Optional[float] = None,
        *,
        steps: Optional[int] = None,
        title: Optional[str] = None,
    ) -> None:
        """Adjusts a camera control. Pass exactly one of `value`, `steps` and `title`."""
        await self._connection.call(adjustment(self.id, control, value, steps, title))

    # The viewfinder.

    async def open_viewfinder(self, timeout: Optional[float] = None) -> Optional[ViewfinderInfo]:
        """Waits until the extension has a viewfinder. Returns None if the session has ended without one."""
        async with self._viewing:
            return await self._open_viewfinder(timeout)

    async def _open_viewfinder(self, timeout: Optional[float]) -> Optional[ViewfinderInfo]:
        if self._info is None:
            if self._opening is None:
                self._opening = self._connection.send(requests.viewfinder_open(self.id))
            opening = self._opening
            await self._connection.wait(lambda: opening.is_answered, timeout)
            info = opening.value()
            if info.opened:
                self._memory = ViewfinderMemory(info, opening.take_descriptor())
            self._info = info
        return self._info if self._info.opened else None

    async def next_frame(self, timeout: Optional[float] = None) -> Optional[Frame]:
        """Waits for the next frame of the viewfinder, without a copy. Returns None after the last one."""
        limit = None if timeout is None else time.monotonic() + timeout
        async with self._viewing:
            await self._open_viewfinder(timeout)
            if self._memory is None:
                return None
            self._memory.release()
            if self._next is None:
                self._next = self._connection.send(requests.viewfinder_next(self.id))
            exchange = self._next
            await self._connection.wait(lambda: exchange.is_answered, limit and max(limit - time.monotonic(), 0))
            self._next = None
            return self._memory.frame(exchange.value())

    async def release_frame(self) -> None:
        """Releases the current frame, so that the extension can overwrite the frame. Frames are then skipped."""
        async with self._viewing:
            if self._memory is not None and self._memory.is_holding:
                self._memory.release()
                await self._connection.call(requests.viewfinder_release(self.id))

    async def frames(self, timeout: Optional[float] = None) -> AsyncIterator[Frame]:
        """Yields the frames of the viewfinder, without a copy. A frame is valid until the iteration continues."""
        while (frame := await self.next_frame(timeout)) is not None:
            yield frame

    # The sound.

    async def open_sound(self, timeout: Optional[float] = None) -> Optional[SoundInfo]:
        """Opens the sound that the extension receives. Returns None if the session has no microphone."""
        async with self._listening:
            return await self._open_sound(timeout)

    async def _open_sound(self, timeout: Optional[float]) -> Optional[SoundInfo]:
        if self._sound_info is None:
            if self._sound_opening is None:
                self._sound_opening = self._connection.send(requests.sound_open(self.id))
            opening = self._sound_opening
            await self._connection.wait(lambda: opening.is_answered, timeout)
            info = opening.value()
            if info.opened:
                self._sound = open_ring(info, opening.take_descriptor())
            self._sound_info = info
        return self._sound_info if self._sound_info.opened else None

    async def read_sound(self, timeout: Optional[float] = None) -> List[SoundBlock]:
        """Waits for sound, and returns copies of the blocks since the previous call; empty after the last block."""
        limit = None if timeout is None else time.monotonic() + timeout
        async with self._listening:
            await self._open_sound(timeout)
            if self._sound is None:
                return []
            while not (blocks := self._sound.read()):
                if self._sound_next is None:
                    self._sound_next = self._connection.send(requests.sound_next(self.id, self._sound.last))
                exchange = self._sound_next
                await self._connection.wait(lambda: exchange.is_answered, limit and max(limit - time.monotonic(), 0))
                self._sound_next = None
                if not exchange.value().more:
                    return self._sound.read()
            return blocks

    async def sound(self, timeout: Optional[float] = None) -> AsyncIterator[SoundBlock]:
        """Yields the blocks of sound that the extension receives, until the sound ends."""
        while blocks := await self.read_sound(timeout):
            for block in blocks:
                yield block


class AsyncContentWatch:
    """The changes of an app's content, for asyncio. `AsyncHost.watch_content` creates watches.

    Use the watch in an ``async with`` statement, and iterate. `ContentWatch` describes the methods.
    """

    def __init__(self, host: object, connection: AsyncConnection, subscription: int) -> None:
        # The connection stays open while the watch is in use.
        self._host, self._connection = host, connection
        self._subscription = subscription
        self._queue = connection.inbox.queue(subscription)

    async def __aenter__(self) -> AsyncContentWatch:
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    async def __aiter__(self) -> AsyncIterator[ContentChange]:
        while (change := await self.next()) is not None:
            yield change

    async def next(self, timeout: Optional[float] = None) -> Optional[ContentChange]:
        """Waits for the next change. Returns None after the watch is closed."""
        await self._connection.wait(lambda: self._queue.is_ready, timeout)
        return self._queue.take()

    async def close(self) -> None:
        """Ends the subscription."""
        must_notify = self._connection.inbox.close_queue(self._subscription)
        self._connection.pulse()
        if must_notify:
            await self._connection.call(requests.content_unwatch(self._subscription))
