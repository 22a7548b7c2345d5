# SPDX-License-Identifier: Apache-2.0
"""Camera frames, as views of shared memory or as copies."""

from __future__ import annotations

import os
from typing import Any, Optional, Tuple, Union

from . import images
from .errors import FrameOverwritten, UnknownFormat
from .images import PixelPlane
from .memory import DATA, TIMESTAMP, FrameLayoutRing

__all__ = ["Frame", "FrameMemory", "FrameRing"]


class FrameMemory:
    """The memory of frames, whose owner reuses the memory of older frames."""

    def holds(self, sequence: int) -> bool:
        """Returns whether a frame is complete and not overwritten."""
        raise NotImplementedError

    def overwritten(self, sequence: int) -> FrameOverwritten:
        """Returns the error for a frame that the memory does not hold any longer."""
        return FrameOverwritten(f"the host has overwritten frame {sequence}")


class Frame:
    """A frame of the camera, in I420: a plane of brightness (Y), and two of color (U, V) with half the width and height.

    A frame is either a copy, which is valid forever, or a view of the ring without a copy. The host reuses the memory of a
    view: after `slots` - 1 newer frames with the delivery ``latest``, and after the frame is finished with ``every``. Then
    every method raises `FrameOverwritten`. Keep a frame with `copy`. A program that hosts sessions receives frames of the
    viewfinder (`darkroom.host`); such a frame is valid until the next one is requested.

    Attributes:
        sequence: The number of the frame, from 1.
        timestamp: The capture time, in nanoseconds of ``time.monotonic_ns()``.
        width: The number of pixels per row.
        height: The number of rows.
    """

    __slots__ = ("sequence", "timestamp", "width", "height", "_planes", "_ring")

    def __init__(
        self,
        sequence: int,
        timestamp: int,
        width: int,
        height: int,
        planes: Tuple[PixelPlane, ...],
        ring: Optional[FrameMemory] = None,
    ) -> None:
        self.sequence, self.timestamp, self.width, self.height = sequence, timestamp, width, height
        self._planes, self._ring = planes, ring

    def __repr__(self) -> str:
        kind = "view" if self.is_view else "copy"
        return f"<Frame {self.sequence}, {self.width} × {self.height}, {kind}>"

    @property
    def is_view(self) -> bool:
        """Whether the frame is a view of the ring, and not a copy."""
        return self._ring is not None

    @property
    def is_valid(self) -> bool:
        """Whether the host has not overwritten the frame."""
        return self._ring is None or self._ring.holds(self.sequence)

    def check(self) -> None:
        """Raises `FrameOverwritten` if the host has overwritten the frame.

        Call this method after the planes of a view were read: the result is correct only if it returns.
        """
        if self._ring is not None and not self._ring.holds(self.sequence):
            raise self._ring.overwritten(self.sequence)

    @property
    def planes(self) -> Tuple[PixelPlane, ...]:
        """The planes Y, U and V, without a copy."""
        self.check()
        return self._planes

    @property
    def stride(self) -> int:
        """The distance between the rows of the plane Y, in bytes."""
        return self._planes[0].stride

    def copy(self) -> Frame:
        """Returns a copy, which is valid forever.

        Raises:
            FrameOverwritten: The host overwrote the frame before the copy was complete.
        """
        if self._ring is None:
            return self
        self.check()
        copies = tuple(
            PixelPlane(memoryview(bytes(plane.data)), plane.width, plane.height, plane.stride) for plane in self._planes
        )
        self.check()
        return Frame(self.sequence, self.timestamp, self.width, self.height, copies)

    def numpy(self) -> Tuple[Any, Any, Any]:
        """Returns the planes Y, U and V as NumPy arrays with the shape (rows, columns), without a copy.

        Call `check` after the arrays of a view were read.

        Raises:
            MissingLibrary: NumPy is not installed.
            FrameOverwritten: The host has overwritten the frame.
        """
        luma, u, v = self.planes
        return luma.numpy(), u.numpy(), v.numpy()

    def i420(self) -> bytes:
        """Returns a copy of the planes Y, U and V without padding, one after the other."""
        data = b"".join([plane.tobytes() for plane in self.planes])
        self.check()
        return data

    def rgb(self) -> bytes:
        """Returns the pixels as red, green and blue, 8 bits each, row by row."""
        frame = self.copy()
        return images.rgb(frame.width, frame.height, frame._planes)

    def png(self, level: int = 3) -> bytes:
        """Returns the frame as a PNG file; `level` is the compression level of zlib."""
        return images.png(self.width, self.height, self.rgb(), level)

    def jpeg(self, quality: int = 90) -> bytes:
        """Returns the frame as a JPEG file.

        Raises:
            MissingLibrary: Pillow is not installed.
        """
        frame = self.copy()
        return images.jpeg(frame.width, frame.height, frame._planes, quality)

    def save(self, path: Union[str, os.PathLike[str]], quality: int = 90) -> None:
        """Writes the frame to a file. An extension uses `Session.save`, whose files are migrated.

        Args:
            path: The path. The suffix determines the format: ``.png``, or ``.jpg`` and ``.jpeg`` with Pillow.
            quality: The quality of a JPEG file, from 1 to 95.

        Raises:
            MissingLibrary: Pillow is not installed.
            UnknownFormat: The suffix is unknown.
        """
        data = self._encoded(os.fspath(path), quality)
        with open(path, "wb") as file:
            file.write(data)

    def _encoded(self, name: str, quality: int) -> bytes:
        """Returns the contents of an image file, whose format is determined by the suffix of its name."""
        suffix = os.path.splitext(name)[1].lower()
        if suffix == ".png":
            return self.png()
        if suffix in (".jpg", ".jpeg"):
            return self.jpeg(quality)
        raise UnknownFormat(f"{name}: the image format is unknown")


class FrameRing(FrameLayoutRing, FrameMemory):
    """The ring of the camera's frames, which the host writes."""

    def frame(self, sequence: int) -> Frame:
        """Returns a view of a frame, which may be overwritten."""
        planes = tuple(
            PixelPlane(self.plane(sequence, layout), layout.row_bytes, layout.rows, layout.stride) for layout in self.layout
        )
        timestamp = self.counter(self.slot(sequence) + TIMESTAMP)
        return Frame(sequence, timestamp, self.width, self.height, planes, self)

    def pixels(self, sequence: int) -> memoryview:
        """Returns all pixels of a frame, with the padding between planes and rows."""
        slot = self.slot(sequence)
        return self.bytes[slot + DATA : slot + self.pixel_end]
