# SPDX-License-Identifier: Apache-2.0
"""The viewfinder of a session: the frames that the extension draws, in shared memory."""

from __future__ import annotations

import mmap
import os
from typing import Optional, Tuple

from ..errors import FrameOverwritten
from ..frames import Frame, FrameMemory
from ..images import PixelPlane
from ._schemas import FrameInfo, Plane, ViewfinderInfo
from .errors import HostProtocolError


class ViewfinderMemory(FrameMemory):
    """The memory of a viewfinder. Only the frame that the server has passed last is valid.

    Attributes:
        is_holding: Whether a frame is valid, so that the extension does not overwrite the frame.
    """

    def __init__(self, info: ViewfinderInfo, descriptor: Optional[int]) -> None:
        if descriptor is None:
            raise HostProtocolError("the server passed no memory for the viewfinder")
        try:
            self._size, self._planes = _geometry(info)
            self._length = info.bytes or 0
            self._map = mmap.mmap(descriptor, self._length, mmap.MAP_SHARED, mmap.PROT_READ)
        except (OSError, ValueError):
            raise HostProtocolError("the memory of the viewfinder cannot be mapped") from None
        finally:
            os.close(descriptor)
        self._bytes = memoryview(self._map)
        self._current = 0

    @property
    def is_holding(self) -> bool:
        return self._current > 0

    def frame(self, info: FrameInfo) -> Optional[Frame]:
        """Returns a view of a frame, or None after the last frame."""
        if not info.more:
            return None
        if info.offset is None or info.sequence is None or info.timestamp is None:
            raise HostProtocolError("the message of the server describes no frame")
        planes = tuple(self._plane(info.offset, plane) for plane in self._planes)
        self._current = info.sequence
        return Frame(info.sequence, info.timestamp, *self._size, planes, self)

    def release(self) -> None:
        """Invalidates the current frame."""
        self._current = 0

    def holds(self, sequence: int) -> bool:
        """Returns whether a frame is valid."""
        return sequence == self._current

    def overwritten(self, sequence: int) -> FrameOverwritten:
        """Returns the error for a frame that was released."""
        return FrameOverwritten(f"frame {sequence} of the viewfinder was released", "keep frames with copy()")

    def close(self) -> None:
        """Removes the mapping, unless views of its memory are in use."""
        self._current = 0
        try:
            self._bytes.release()
            self._map.close()
        except BufferError:
            pass  # The interpreter removes the mapping with the last view.

    def _plane(self, offset: int, plane: Plane) -> PixelPlane:
        """Returns the plane of a frame that starts at an offset, without a copy."""
        begin = offset + plane.offset
        end = begin + plane.stride * (plane.rows - 1) + plane.row_bytes if plane.rows else begin
        if begin < 0 or end > self._length:
            raise HostProtocolError("a frame of the viewfinder exceeds its memory")
        return PixelPlane(self._bytes[begin:end], plane.row_bytes, plane.rows, plane.stride)


def _geometry(info: ViewfinderInfo) -> Tuple[Tuple[int, int], Tuple[Plane, ...]]:
    """Returns the size and the planes of a viewfinder."""
    planes = info.planes or ()
    if info.width is None or info.height is None or info.bytes is None or len(planes) != 3:
        raise HostProtocolError("the message of the server describes no viewfinder")
    if any(plane.row_bytes > plane.stride or min(plane.offset, plane.rows, plane.row_bytes) < 0 for plane in planes):
        raise HostProtocolError("the planes of the viewfinder overlap")
    return (info.width, info.height), planes
