# SPDX-License-Identifier: Apache-2.0
"""The viewfinder: the ring of frames that the extension writes, and the host displays."""

from __future__ import annotations

import contextlib
import os
import struct
import time
from typing import Iterator, Optional, Tuple

from .frames import Frame
from .images import PixelPlane
from .memory import HELD, PUBLISHED, SEQUENCE, TIMESTAMP, WRITTEN, FrameLayoutRing, fence


class Viewfinder:
    """The viewfinder of the session, with the size of the camera's frames.

    Attributes:
        width: The number of pixels per row.
        height: The number of rows.
    """

    def __init__(self, descriptor: int, event: int) -> None:
        self._ring = FrameLayoutRing(descriptor, writable=True)
        self._event = event
        self._last = 0
        self.width, self.height = self._ring.width, self._ring.height

    def show(self, frame: Frame) -> bool:
        """Displays a frame of the camera.

        Returns:
            Whether the frame is displayed. False if the host overwrote the frame during the copy: show the next frame.
        """
        with contextlib.suppress(_Overwritten):
            with self.draw(frame.timestamp) as planes:
                if not frame.is_valid:
                    raise _Overwritten
                for target, source in zip(planes, frame._planes):
                    _copy(target, source)
                if not frame.is_valid:
                    raise _Overwritten
            return True
        return False

    @contextlib.contextmanager
    def draw(self, timestamp: Optional[int] = None) -> Iterator[Tuple[PixelPlane, ...]]:
        """Displays the frame that the body of the ``with`` statement draws into the planes Y, U and V.

        The planes contain an older frame at first. If the body raises an exception, nothing is displayed.

        Args:
            timestamp: The capture time of the camera's frame, in nanoseconds of ``time.monotonic_ns()``; now by default.
        """
        ring = self._ring
        sequence = self._next()
        slot = ring.slot(sequence)
        ring.set_counter(slot + SEQUENCE, 0)
        fence()
        ring.set_counter(slot + TIMESTAMP, time.monotonic_ns() if timestamp is None else timestamp)
        ring.set_counter(slot + WRITTEN, time.monotonic_ns())
        yield tuple(
            PixelPlane(ring.plane(sequence, layout), layout.row_bytes, layout.rows, layout.stride) for layout in ring.layout
        )
        fence()
        ring.set_counter(slot + SEQUENCE, sequence)
        fence()
        ring.set_counter(PUBLISHED, sequence)
        self._last = sequence
        os.write(self._event, struct.pack("<Q", 1))

    def _next(self) -> int:
        """Returns the number of the next frame, whose slot does not contain the frame that the host displays."""
        # The host's counter must be read after the previous frame was published: see "Viewfinder ring" in the protocol.
        fence()
        held = self._ring.counter(HELD)
        following = self._last + 1
        return following + 1 if held > 0 and self._ring.slot(held) == self._ring.slot(following) else following

    def _close(self) -> None:
        """Removes the mapping."""
        self._ring.close()


class _Overwritten(Exception):
    """The camera's frame was overwritten during the copy."""


def _copy(target: PixelPlane, source: PixelPlane) -> None:
    """Copies a plane to another of the same size."""
    if (target.width, target.height) != (source.width, source.height):
        raise ValueError(f"the frame has {source.width} × {source.height} pixels, not {target.width} × {target.height}")
    if target.stride == source.stride:
        target.data[:] = source.data
        return
    for number in range(target.height):
        target.row(number)[:] = source.row(number)
