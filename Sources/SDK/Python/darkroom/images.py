# SPDX-License-Identifier: Apache-2.0
"""Images of frames: RGB, PNG with the standard library, JPEG with Pillow.

The samples of frames have the full range of JPEG files (JFIF, BT.601). The conversion to RGB uses NumPy if the program has
imported NumPy, and tables otherwise; both give the same bytes.
"""

from __future__ import annotations

import io
import struct
import sys
import zlib
from typing import Any, List, Sequence, Tuple, Union

from .errors import MissingLibrary

#: The brightness 0 to 255, with room for the differences of colors on both sides.
_RAMP = bytes(256) + bytes(range(256)) + b"\xff" * 256
#: For each difference of a color from the brightness, from -256 to 255: the color of each brightness.
_SHIFTED = [_RAMP[256 + shift : 512 + shift] for shift in range(-256, 256)]


def _differences(factor: float) -> List[int]:
    """Returns the differences of a color for each chroma sample, in 65536ths."""
    return [round(factor * 65536 * (sample - 128)) for sample in range(256)]


_HALF = 1 << 15
_RED, _BLUE = _differences(1.402), _differences(1.772)
_GREEN_U, _GREEN_V = _differences(-0.344136), _differences(-0.714136)
_RED_OF = [_SHIFTED[256 + (value + _HALF >> 16)] for value in _RED]
_BLUE_OF = [_SHIFTED[256 + (value + _HALF >> 16)] for value in _BLUE]


class PixelPlane:
    """A plane of a frame: rows of 8-bit samples.

    Attributes:
        data: The rows, in a view without a copy.
        width: The number of samples per row.
        height: The number of rows.
        stride: The distance between rows, in bytes.
    """

    __slots__ = ("data", "width", "height", "stride")

    def __init__(self, data: memoryview, width: int, height: int, stride: int) -> None:
        self.data, self.width, self.height, self.stride = data, width, height, stride

    def row(self, number: int) -> memoryview:
        """Returns a row, without a copy."""
        begin = number * self.stride
        return self.data[begin : begin + self.width]

    def tobytes(self) -> bytes:
        """Returns a copy of the rows without the padding between them."""
        if self.stride == self.width:
            return bytes(self.data)
        return b"".join([self.row(number) for number in range(self.height)])

    def numpy(self) -> Any:
        """Returns the plane as a NumPy array with the shape (height, width), without a copy.

        Raises:
            MissingLibrary: NumPy is not installed.
        """
        numpy = import_numpy()
        # The last row has no padding, which a reshaped buffer would need.
        return numpy.ndarray((self.height, self.width), numpy.uint8, self.data, strides=(self.stride, 1))


def import_numpy() -> Any:
    """Returns NumPy, or raises `MissingLibrary`."""
    try:
        import numpy
    except ImportError as error:
        raise MissingLibrary("NumPy is not installed", "install python3-numpy on the host") from error
    return numpy


def _doubled(colors: Sequence[bytes]) -> List[bytes]:
    """Returns a row with each element twice, because two pixels share a chroma sample."""
    row = [b""] * (2 * len(colors))
    row[0::2] = colors
    row[1::2] = colors
    return row


def _rgb_by_tables(width: int, height: int, planes: Tuple[PixelPlane, ...]) -> bytes:
    """Converts a frame with tables: for each chroma sample, a table of brightness to color."""
    luma, blue_chroma, red_chroma = planes
    image = bytearray(3 * width * height)
    for half in range((height + 1) // 2):
        u, v = blue_chroma.row(half), red_chroma.row(half)
        red = _doubled([_RED_OF[sample] for sample in v])
        blue = _doubled([_BLUE_OF[sample] for sample in u])
        pairs = zip(map(_GREEN_U.__getitem__, u), map(_GREEN_V.__getitem__, v))
        green = _doubled([_SHIFTED[256 + (first + second + _HALF >> 16)] for first, second in pairs])
        for number in range(2 * half, min(2 * half + 2, height)):
            row = luma.row(number)
            for channel, tables in enumerate((red, green, blue)):
                begin, end = 3 * width * number + channel, 3 * width * (number + 1)
                image[begin:end:3] = bytes([table[sample] for table, sample in zip(tables, row)])
    return bytes(image)


def _rgb_by_numpy(numpy: Any, width: int, height: int, planes: Tuple[PixelPlane, ...]) -> bytes:
    """Converts a frame with NumPy."""
    luma, u, v = (plane.numpy() for plane in planes)
    differences = (
        numpy.array(_RED)[v],
        numpy.array(_GREEN_U)[u] + numpy.array(_GREEN_V)[v],
        numpy.array(_BLUE)[u],
    )
    image = numpy.empty((height, width, 3), numpy.uint8)
    for channel, difference in enumerate(differences):
        shift = (difference + _HALF >> 16).astype(numpy.int16)
        shift = shift.repeat(2, axis=0)[:height].repeat(2, axis=1)[:, :width]
        image[:, :, channel] = numpy.clip(luma + shift, 0, 255)
    return bytes(image.tobytes())


def rgb(width: int, height: int, planes: Tuple[PixelPlane, ...]) -> bytes:
    """Returns the pixels of a frame as red, green and blue, 8 bits each, row by row."""
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        return _rgb_by_numpy(numpy, width, height, planes)
    return _rgb_by_tables(width, height, planes)


def png(width: int, height: int, pixels: Union[bytes, bytearray, memoryview], level: int = 3) -> bytes:
    """Encodes an image as PNG.

    Args:
        width: The number of pixels per row.
        height: The number of rows.
        pixels: RGB with 3 bytes per pixel, or grayscale with 1.
        level: The compression level of zlib, from 0 to 9.
    """

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    channels = len(pixels) // (width * height)
    if channels not in (1, 3) or len(pixels) != channels * width * height:
        raise ValueError(f"{len(pixels)} bytes are not {width} × {height} pixels")
    header = struct.pack(">IIBBBBB", width, height, 8, 2 if channels == 3 else 0, 0, 0, 0)
    view, row = memoryview(pixels), channels * width
    lines = b"".join([part for number in range(height) for part in (b"\0", view[number * row : (number + 1) * row])])
    body = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(lines, level)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + body


def jpeg(width: int, height: int, planes: Tuple[PixelPlane, ...], quality: int = 90) -> bytes:
    """Encodes a frame as JPEG with Pillow.

    Raises:
        MissingLibrary: Pillow is not installed.
    """
    try:
        from PIL import Image
    except ImportError as error:
        raise MissingLibrary("JPEG requires Pillow", "install python3-pil on the host, or save as .png") from error
    channels = [Image.frombytes("L", (plane.width, plane.height), plane.tobytes()) for plane in planes]
    for number in (1, 2):
        # An odd size has one more column or row of chroma.
        doubled = channels[number].resize((2 * planes[number].width, 2 * planes[number].height))
        channels[number] = doubled.crop((0, 0, width, height))
    file = io.BytesIO()
    Image.merge("YCbCr", channels).save(file, "JPEG", quality=quality)
    return file.getvalue()
