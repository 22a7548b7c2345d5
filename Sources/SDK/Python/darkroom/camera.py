# SPDX-License-Identifier: Apache-2.0
"""The camera of a session: which frames are passed to the viewfinder and to the program, and which are finished."""

from __future__ import annotations

import contextlib
import os
import struct
from typing import Iterator, Optional, Tuple

from .errors import CameraUnavailable, FrameOverwritten
from .frames import Frame, FrameRing
from .viewfinder import Viewfinder


class CameraBase:
    """The camera of a session; `Camera` and `AsyncCamera` add the method that waits for a frame.

    Attributes:
        width: The number of pixels per row.
        height: The number of rows.
        frame_rate: A number of frames, and the number of seconds that they take.
        is_running: Whether the camera delivers frames.
        has_ended: Whether no more frames arrive in this session.
        dropped: The number of frames that the program missed.
    """

    def __init__(self, descriptor: int, event: int, done: int) -> None:
        self._ring = FrameRing(descriptor)
        self._event, self._done = event, done
        self.width, self.height = self._ring.width, self._ring.height
        frames, seconds = struct.unpack_from("<2I", self._ring.bytes, 32)
        self.frame_rate: Tuple[int, int] = (frames, seconds)
        self.is_running = False
        self.has_ended = False
        self.dropped = 0
        #: The last finished frame.
        self._last = 0
        #: The newest frame before the camera was started.
        self._before = 0
        self._every = False
        self._delivers = False
        self._target: Optional[Viewfinder] = None
        self._unfinished = 0

    def _start(self, delivery: str, frames: bool, target: Optional[Viewfinder]) -> None:
        """Notes the options of a start, before the host is asked for frames."""
        self._every, self._delivers, self._target = delivery == "every", frames, target
        self._before = self._ring.published
        self._skip_to(self._before)

    @contextlib.contextmanager
    def _starting(self) -> Iterator[None]:
        """Marks the camera as running, unless the body, which requests frames, fails."""
        self.is_running = True
        try:
            yield
        except BaseException:
            self.is_running = False
            raise

    def _drain(self) -> None:
        """Resets the counter of new frames, which is readable."""
        try:
            os.read(self._event, 8)
        except BlockingIOError:
            pass
        if not self._delivers:
            while (sequence := self._next()) > 0:
                self._show(sequence)
                self._finish(sequence)

    def _next(self) -> int:
        """Returns the number of the frame to process next, or 0 if there is no new frame."""
        newest = self._ring.published
        if newest <= self._last:
            return 0
        return self._last + 1 if self._every else newest

    def _take(self) -> Optional[Frame]:
        """Returns a view of the next frame for the program; the frame is finished by `_release`."""
        sequence = self._next() if self._delivers else 0
        if sequence == 0:
            return None
        self._show(sequence)
        self._unfinished = sequence
        if not self._ring.holds(sequence):
            # The program misses the frame, which nevertheless counts as finished.
            self.dropped += 1
            return None
        return self._ring.frame(sequence)

    def _release(self) -> None:
        """Finishes the frame that the program has processed."""
        if self._unfinished > 0:
            self._finish(self._unfinished)
            self._unfinished = 0

    @property
    def _has_pending(self) -> bool:
        """Whether the program has not received all frames of the ring."""
        return self._delivers and self._next() > 0

    def _show(self, sequence: int) -> None:
        """Passes a frame to the viewfinder."""
        if self._target is not None:
            self._target.show(self._ring.frame(sequence))

    def _finish(self, sequence: int) -> None:
        """Reports that a frame and those before it are finished."""
        self.dropped += max(sequence - self._last - 1, 0)
        self._skip_to(sequence)

    def _skip_to(self, sequence: int) -> None:
        if sequence > self._last:
            os.write(self._done, struct.pack("<Q", sequence - self._last))
            self._last = sequence

    def _close(self) -> None:
        """Removes the mapping."""
        self._ring.close()

    def _newest(self) -> Optional[Frame]:
        """Returns a copy of the newest frame since the start, or None if there is none yet.

        Raises:
            CameraUnavailable: The camera does not run.
        """
        if not self.is_running:
            raise CameraUnavailable("the camera does not run")
        while (newest := self._ring.published) > self._before:
            try:
                return self._ring.frame(newest).copy()
            except FrameOverwritten:
                # A newer frame exists, or the host is writing this frame.
                if self._ring.published == newest:
                    return None
        if self.has_ended:
            raise CameraUnavailable("the camera has ended without a frame")
        return None
