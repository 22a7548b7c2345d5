# SPDX-License-Identifier: Apache-2.0
"""Rings in shared memory: the header, the slots, and the order of reads and writes.

Python has no memory barriers, and yet this module reads and writes rings safely, for three reasons:

- Each counter is 8 bytes at a multiple of 8, and is read and written as one native 64-bit value. CPython copies such a value
  with one load or store, so that a counter is never half old.
- `fence` takes and releases a lock twice. The release of the first lock and the acquisition of the second are atomic operations
  with release and acquire order; no processor moves a memory access across both. The pair is therefore a full barrier.
- Each access is a call of the interpreter, so that no compiler reorders two of them.

A frame whose sequence number is the same before and after its pixels were copied, with a fence on both sides, is complete.
"""

from __future__ import annotations

import mmap
import struct
import sys
import threading
from typing import NamedTuple, Tuple

from .errors import ProtocolError

HEADER_BYTES = 4096
#: The offsets of counters in the header.
PUBLISHED, HELD = 128, 136
#: The offsets of the fields of a slot.
SEQUENCE, TIMESTAMP, WRITTEN = 0, 8, 16
#: The offset of the pixels of a frame, or of the samples of a block, in its slot.
DATA = 64

_gate = threading.Lock()


def fence() -> None:
    """Executes a full memory barrier."""
    with _gate:
        pass
    with _gate:
        pass


class PlaneLayout(NamedTuple):
    """The position of a plane in a slot, in bytes."""

    offset: int
    stride: int
    rows: int
    row_bytes: int


class Ring:
    """A ring in shared memory.

    Args:
        descriptor: The memory file.
        magic: The first four bytes of the header.
        writable: Whether this side writes the frames.
    """

    def __init__(self, descriptor: int, magic: bytes, writable: bool = False) -> None:
        if sys.byteorder != "little" or sys.maxsize < 2**32:
            raise ProtocolError("rings require a little-endian 64-bit processor", "use another machine")
        access = mmap.PROT_READ | mmap.PROT_WRITE if writable else mmap.PROT_READ
        self._is_closed = False
        self._map = mmap.mmap(descriptor, 0, mmap.MAP_SHARED, access)
        self.bytes = memoryview(self._map)
        self._counters = self.bytes.cast("Q")
        found, version, header, slots, stride = struct.unpack_from("<4s4I", self.bytes, 0)
        self.slots: int = slots
        self.slot_stride: int = stride
        if (found, version, header) != (magic, 1, HEADER_BYTES) or self.slots == 0:
            raise ProtocolError(f"the ring {found!r}, version {version}, is unknown")
        if HEADER_BYTES + self.slots * self.slot_stride > len(self.bytes):
            raise ProtocolError("the ring is larger than its memory")

    def counter(self, offset: int) -> int:
        """Returns a counter, which the host may be writing."""
        return int(self._counters[offset // 8])

    def set_counter(self, offset: int, value: int) -> None:
        """Writes a counter, which the host may be reading."""
        self._counters[offset // 8] = value

    def slot(self, sequence: int) -> int:
        """Returns the offset of the slot of a frame or block."""
        return HEADER_BYTES + (sequence - 1) % self.slots * self.slot_stride

    @property
    def published(self) -> int:
        """The sequence number of the newest frame or block, or 0 before the first."""
        newest = self.counter(PUBLISHED)
        fence()
        return newest

    def holds(self, sequence: int) -> bool:
        """Returns whether a frame or block is complete and not overwritten.

        Call this method before and after the data is read.
        """
        if self._is_closed:
            return False
        fence()
        found = self.counter(self.slot(sequence) + SEQUENCE)
        fence()
        return found == sequence

    def close(self) -> None:
        """Removes the mapping, unless views of its memory are in use."""
        self._is_closed = True
        try:
            self._counters.release()
            self.bytes.release()
            self._map.close()
        except BufferError:
            pass  # The interpreter removes the mapping with the last view.


class FrameLayoutRing(Ring):
    """A ring of frames: of the camera, or of the viewfinder."""

    def __init__(self, descriptor: int, writable: bool = False) -> None:
        super().__init__(descriptor, b"DKFR", writable)
        self.width, self.height, pixels = struct.unpack_from("<3I", self.bytes, 20)
        planes = [PlaneLayout(*struct.unpack_from("<4I", self.bytes, 48 + 16 * plane)) for plane in range(3)]
        self.layout: Tuple[PlaneLayout, ...] = tuple(planes)
        self.pixel_end = max(plane.offset + plane.stride * (plane.rows - 1) + plane.row_bytes for plane in planes)
        if pixels != 1 or self.pixel_end > self.slot_stride:
            raise ProtocolError(f"the pixel format {pixels} is unknown")

    def plane(self, sequence: int, layout: PlaneLayout) -> memoryview:
        """Returns the bytes of a plane of a frame, without a copy."""
        begin = self.slot(sequence) + layout.offset
        return self.bytes[begin : begin + layout.stride * (layout.rows - 1) + layout.row_bytes]
