# SPDX-License-Identifier: Apache-2.0
"""A session that the server hosts, and the changes of watched content, for threads."""

from __future__ import annotations

import threading
import time
from types import TracebackType
from typing import Iterator, List, Optional, Type

from ..frames import Frame
from ..sound import SoundBlock, SoundRing
from . import _interface as requests
from ._schemas import (
    Button, ContentChange, Event, FrameInfo, PointerPhase, Result, SoundInfo, SoundProgress, ViewfinderInfo,
)
from .arguments import adjustment
from .connection import Connection
from .errors import HostError
from .inbox import Exchange
from .sound import open_ring
from .viewfinder import ViewfinderMemory


class HostedSession:
    """A session of the server.

    Use the session in a ``with`` statement: its end dismisses the session and waits until the content is migrated. All
    methods may be called from any thread. `Host.launch` creates sessions.

    Attributes:
        id: The ID of the session, a UUID.
    """

    def __init__(self, host: object, connection: Connection, id: str) -> None:
        self.id = id
        # The connection stays open while the session is in use.
        self._host, self._connection = host, connection
        with connection.locked:
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
        self._starting = threading.Lock()
        self._viewing, self._listening = threading.RLock(), threading.RLock()

    def __repr__(self) -> str:
        return f"<HostedSession {self.id}>"

    def __enter__(self) -> HostedSession:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        try:
            self._dismiss_running()
            self.wait()
        except HostError:
            # The error of the body is the reason.
            if error is None:
                raise
        finally:
            self._close_memories()

    # Events and the result.

    def events(self, timeout: Optional[float] = None) -> Iterator[Event]:
        """Yields the events of the session. Each iteration starts with the first event, and ends after ``ended``.

        Args:
            timeout: The maximum number of seconds to wait for each event.

        Raises:
            HostTimeout: No event arrived in time.
            HostDisconnected: The connection is closed.
        """
        count = 0
        while True:
            self._connection.wait(lambda: len(self._log.events) > count, timeout)
            event = self._log.events[count]
            count += 1
            yield event
            if event.kind == "ended":
                return

    @property
    def has_ended(self) -> bool:
        """Whether the session has ended, and its content is migrated."""
        return self._log.is_complete

    def wait(self, timeout: Optional[float] = None) -> Result:
        """Waits until the session has ended and its content is migrated, and returns the result.

        Raises:
            HostTimeout: The session has not ended in time. It continues.
            HostDisconnected: The connection is closed, so that the server dismisses the session.
        """
        if self._result is None:
            with self._starting:
                if self._ending is None:
                    self._ending = self._connection.send(requests.session_result(self.id))
                ending = self._ending
            self._connection.wait(lambda: ending.is_answered, timeout)
            self._result = ending.value()
        return self._result

    @property
    def result(self) -> Result:
        """The result, after the session has ended. Waits for the end, as `wait` does."""
        return self.wait()

    def dismiss(self) -> None:
        """Dismisses the session for the user. The extension has the grace period to exit."""
        self._connection.call(requests.session_dismiss(self.id))

    def terminate(self) -> None:
        """Terminates the session without a grace period. Its content is migrated."""
        self._connection.call(requests.session_terminate(self.id))

    def _dismiss_running(self) -> None:
        """Dismisses the session, unless it has ended."""
        try:
            if not self.has_ended and self._result is None:
                self.dismiss()
        except HostError as error:
            # The session has ended meanwhile.
            if error.kind != "notFound":
                raise

    # Buttons and controls.

    def tap(self, button: Button) -> None:
        """Presses a button and releases it. The extension receives presses only after ``acceptsPresses``.

        Args:
            button: ``primary`` or ``secondary``.
        """
        self._connection.call(requests.session_press(self.id, button))

    def press(self, button: Button) -> None:
        """Presses a button."""
        self._connection.call(requests.session_press(self.id, button, "began"))

    def release(self, button: Button) -> None:
        """Releases a button."""
        self._connection.call(requests.session_press(self.id, button, "ended"))

    def cancel(self, button: Button) -> None:
        """Cancels the press of a button: the extension must not capture."""
        self._connection.call(requests.session_press(self.id, button, "cancelled"))

    def pointer(self, phase: PointerPhase, x: float, y: float, contact: int = 0) -> None:
        """Passes a change of a contact with the viewfinder to the extension.

        The extension receives contacts only after it has subscribed to them.

        Args:
            phase: ``tap``, ``began``, ``moved``, ``ended`` or ``cancelled``. A tap begins and ends a contact.
            x: The distance from the left edge of the viewfinder's picture, in pixels of the picture.
            y: The distance from the upper edge of the picture, in pixels of the picture.
            contact: 0 for the pointer, another number for each finger, at most 15.
        """
        self._connection.call(requests.session_pointer(self.id, x, y, phase, contact))

    def adjust(
        self,
        control: str,
        value: Optional[float] = None,
        *,
        steps: Optional[int] = None,
        title: Optional[str] = None,
    ) -> None:
        """Adjusts a camera control. Pass exactly one of `value`, `steps` and `title`.

        Args:
            control: The ID of the control, as declared by the extension.
            value: The new value; for a picker, the index of the title, from 0.
            steps: The number of steps to move.
            title: The title to select.
        """
        self._connection.call(adjustment(self.id, control, value, steps, title))

    # The viewfinder.

    def open_viewfinder(self, timeout: Optional[float] = None) -> Optional[ViewfinderInfo]:
        """Waits until the extension has a viewfinder.

        Returns:
            The size and the planes of the viewfinder, or None if the session has ended without one.

        Raises:
            HostTimeout: The extension had no viewfinder in time.
        """
        with self._viewing:
            if self._info is None:
                if self._opening is None:
                    self._opening = self._connection.send(requests.viewfinder_open(self.id))
                opening = self._opening
                self._connection.wait(lambda: opening.is_answered, timeout)
                info = opening.value()
                if info.opened:
                    self._memory = ViewfinderMemory(info, opening.take_descriptor())
                self._info = info
            return self._info if self._info.opened else None

    def next_frame(self, timeout: Optional[float] = None) -> Optional[Frame]:
        """Waits for the next frame of the viewfinder, without a copy.

        The frame is valid until the next call of this method or of `release_frame`: then its methods raise
        `FrameOverwritten`. The host does not let the extension reuse the memory of a valid frame. A faulty extension
        can still change the pixels: make a `copy` where that matters.

        Returns:
            The frame, or None after the last one.

        Raises:
            HostTimeout: No frame arrived in time.
        """
        limit = None if timeout is None else time.monotonic() + timeout
        with self._viewing:
            self.open_viewfinder(timeout)
            if self._memory is None:
                return None
            self._memory.release()
            if self._next is None:
                self._next = self._connection.send(requests.viewfinder_next(self.id))
            exchange = self._next
            self._connection.wait(lambda: exchange.is_answered, limit and max(limit - time.monotonic(), 0))
            self._next = None
            return self._memory.frame(exchange.value())

    def release_frame(self) -> None:
        """Releases the current frame, so that the extension can overwrite the frame. Frames are then skipped."""
        with self._viewing:
            if self._memory is not None and self._memory.is_holding:
                self._memory.release()
                self._connection.call(requests.viewfinder_release(self.id))

    def frames(self, timeout: Optional[float] = None) -> Iterator[Frame]:
        """Yields the frames of the viewfinder, without a copy. A frame is valid until the iteration continues.

        If the iteration is left early, the last frame stays valid until the next one is requested or `release_frame`
        is called.

        Args:
            timeout: The maximum number of seconds to wait for each frame.
        """
        while (frame := self.next_frame(timeout)) is not None:
            yield frame

    # The sound.

    def open_sound(self, timeout: Optional[float] = None) -> Optional[SoundInfo]:
        """Opens the sound that the extension receives from its microphone.

        Returns:
            The format of the sound, or None if the session has no microphone.

        Raises:
            HostTimeout: The server sent no answer in time.
        """
        with self._listening:
            if self._sound_info is None:
                if self._sound_opening is None:
                    self._sound_opening = self._connection.send(requests.sound_open(self.id))
                opening = self._sound_opening
                self._connection.wait(lambda: opening.is_answered, timeout)
                info = opening.value()
                if info.opened:
                    self._sound = open_ring(info, opening.take_descriptor())
                self._sound_info = info
            return self._sound_info if self._sound_info.opened else None

    def read_sound(self, timeout: Optional[float] = None) -> List[SoundBlock]:
        """Waits for sound, and returns copies of the blocks since the previous call.

        The first call returns the blocks that are still in memory, about one second. Neither the microphone nor the
        extension waits for this program: ``lost`` of a block is the number of frames that were missed before the block.

        Returns:
            The blocks, or an empty list after the last one.

        Raises:
            HostTimeout: No sound arrived in time. The extension may not have started its microphone.
        """
        limit = None if timeout is None else time.monotonic() + timeout
        with self._listening:
            self.open_sound(timeout)
            if self._sound is None:
                return []
            while not (blocks := self._sound.read()):
                if self._sound_next is None:
                    self._sound_next = self._connection.send(requests.sound_next(self.id, self._sound.last))
                exchange = self._sound_next
                self._connection.wait(lambda: exchange.is_answered, limit and max(limit - time.monotonic(), 0))
                self._sound_next = None
                if not exchange.value().more:
                    return self._sound.read()
            return blocks

    def sound(self, timeout: Optional[float] = None) -> Iterator[SoundBlock]:
        """Yields the blocks of sound that the extension receives, until the sound ends.

        Args:
            timeout: The maximum number of seconds to wait for each block.
        """
        while blocks := self.read_sound(timeout):
            yield from blocks

    def _close_memories(self) -> None:
        with self._viewing:
            if self._memory is not None:
                self._memory.close()
        with self._listening:
            if self._sound is not None:
                self._sound.close()


class ContentWatch:
    """The changes of an app's content, in their order. `Host.watch_content` creates watches.

    Use the watch in a ``with`` statement, and iterate. The first change has the member ``initial``. The iteration ends
    after `close` is called, from any thread.
    """

    def __init__(self, host: object, connection: Connection, subscription: int) -> None:
        # The connection stays open while the watch is in use.
        self._host, self._connection = host, connection
        self._subscription = subscription
        with connection.locked:
            self._queue = connection.inbox.queue(subscription)

    def __enter__(self) -> ContentWatch:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __iter__(self) -> Iterator[ContentChange]:
        while (change := self.next()) is not None:
            yield change

    def next(self, timeout: Optional[float] = None) -> Optional[ContentChange]:
        """Waits for the next change.

        Returns:
            The change, or None after the watch is closed.

        Raises:
            HostTimeout: No change arrived in time.
            WatchEnded: The server cannot read the content any longer.
        """
        # The lock is held from the end of the wait: several threads may wait for the same change.
        with self._connection.locked:
            self._connection.wait(lambda: self._queue.is_ready, timeout)
            return self._queue.take()

    def close(self) -> None:
        """Ends the subscription."""
        with self._connection.locked:
            must_notify = self._connection.inbox.close_queue(self._subscription)
            self._connection.locked.notify_all()
        if must_notify:
            self._connection.call(requests.content_unwatch(self._subscription))
