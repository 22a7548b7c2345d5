# SPDX-License-Identifier: Apache-2.0
"""Sound of the microphone, in blocks."""

from __future__ import annotations

import os
import struct
from dataclasses import dataclass, field
from typing import Any, List, Optional

from .images import import_numpy
from .memory import DATA, TIMESTAMP, Ring

#: The offsets of the fields of a slot.
_POSITION, _FRAMES = 24, 32


@dataclass(frozen=True)
class SoundBlock:
    """A block of sound: signed 16-bit samples, little-endian, interleaved by channel. The samples are a copy.

    Attributes:
        sequence: The number of the block, from 1.
        timestamp: The recording time of the first sample, in nanoseconds of ``time.monotonic_ns()``.
        position: The number of frames (one sample of each channel) that the microphone recorded before this block.
        frames: The number of frames in the block.
        channels: The number of channels.
        lost: The number of frames that were lost directly before this block.
        samples: The samples.
    """

    sequence: int
    timestamp: int
    position: int
    frames: int
    channels: int
    lost: int
    samples: bytes = field(repr=False)

    def numpy(self) -> Any:
        """Returns the samples as a NumPy array with the shape (frames, channels), without a copy.

        Raises:
            MissingLibrary: NumPy is not installed.
        """
        return import_numpy().frombuffer(self.samples, "<i2").reshape(self.frames, self.channels)


class SoundRing:
    """A ring of blocks, which another process writes.

    Args:
        descriptor: The memory file.
        end: The position up to which no frame counts as lost, or None for that of the first block.
        clock_lead: The nanoseconds by which the timestamps are ahead of ``time.monotonic_ns()``.

    Attributes:
        sample_rate: Samples per second and channel.
        channels: The number of channels.
        block_frames: The maximum number of frames in a block.
        last: The number of the last block that was read or missed, or 0.
    """

    def __init__(self, descriptor: int, end: Optional[int], clock_lead: int = 0) -> None:
        self._ring = Ring(descriptor, b"DKSR")
        self.sample_rate, self.channels, _, self.block_frames = struct.unpack_from("<4I", self._ring.bytes, 20)
        self.last = 0
        #: The position after the last block.
        self._end = end
        self._clock_lead = clock_lead

    def read(self) -> List[SoundBlock]:
        """Returns copies of the blocks after the last one; empty if there are none."""
        newest = self._ring.published
        first = max(self.last + 1, newest - self._ring.slots + 1)
        blocks = [block for block in map(self._block, range(first, newest + 1)) if block is not None]
        self.last = max(self.last, newest)
        return blocks

    def _block(self, sequence: int) -> Optional[SoundBlock]:
        """Returns a copy of a block, or None if the host has overwritten the block."""
        ring = self._ring
        if not ring.holds(sequence):
            return None
        slot = ring.slot(sequence)
        position, frames = struct.unpack_from("<QI", ring.bytes, slot + _POSITION)
        timestamp = ring.counter(slot + TIMESTAMP) - self._clock_lead
        samples = bytes(ring.bytes[slot + DATA : slot + DATA + 2 * self.channels * min(frames, self.block_frames)])
        if not ring.holds(sequence):
            return None
        lost = 0 if self._end is None else max(position - self._end, 0)
        self._end = position + frames
        return SoundBlock(sequence, timestamp, position, frames, self.channels, lost, samples)

    def close(self) -> None:
        """Removes the mapping."""
        self._ring.close()


class Microphone:
    """The microphone of the session.

    Attributes:
        sample_rate: Samples per second and channel.
        channels: The number of channels.
        block_frames: The maximum number of frames in a block.
    """

    def __init__(self, descriptor: int, event: int, done: int) -> None:
        self._ring = SoundRing(descriptor, 0)
        self.sample_rate, self.channels = self._ring.sample_rate, self._ring.channels
        self.block_frames = self._ring.block_frames
        self._event, self._done = event, done

    def read(self) -> List[SoundBlock]:
        """Returns copies of the blocks that were recorded since the previous call; empty if there are none."""
        before = self._ring.last
        blocks = self._ring.read()
        if self._ring.last > before:
            os.write(self._done, struct.pack("<Q", self._ring.last - before))
        return blocks

    def _drain(self) -> List[SoundBlock]:
        """Resets the counter of new blocks, which is readable, and returns the blocks."""
        try:
            os.read(self._event, 8)
        except BlockingIOError:
            pass
        return self.read()

    def _close(self) -> None:
        """Removes the mapping."""
        self._ring.close()
