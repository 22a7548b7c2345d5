# SPDX-License-Identifier: Apache-2.0
"""Tests of the conversion of frames, and of the encoders."""

import io
import os
import random
import struct
import sys
import unittest
import zlib
from unittest import mock

from darkroom import MissingLibrary, PixelPlane, images, png


def frame(width, height, seed=1, padding=3):
    """Returns the planes of a frame of random samples, whose rows have padding."""
    samples = random.Random(seed)
    planes = []
    for w, h in ((width, height), ((width + 1) // 2, (height + 1) // 2), ((width + 1) // 2, (height + 1) // 2)):
        data = bytes(samples.randrange(256) for _ in range((w + padding) * h - padding))
        planes.append(PixelPlane(memoryview(data), w, h, w + padding))
    return tuple(planes)


def reference(planes, x, y):
    """Returns the color of a pixel by the formulas of JFIF 1.02."""
    luma = planes[0].row(y)[x]
    cb, cr = (plane.row(y // 2)[x // 2] - 128 for plane in planes[1:])
    values = (luma + 1.402 * cr, luma - 0.344136 * cb - 0.714136 * cr, luma + 1.772 * cb)
    return [min(max(value, 0), 255) for value in values]


def decoded(data):
    """Returns the width, the height, the number of channels and the pixels of a PNG file without row filters."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, position = [], 8
    while position < len(data):
        (length,), kind = struct.unpack_from(">I", data, position), data[position + 4 : position + 8]
        body = data[position + 8 : position + 8 + length]
        assert struct.unpack_from(">I", data, position + 8 + length)[0] == zlib.crc32(kind + body)
        chunks.append((kind, body))
        position += 12 + length
    assert [kind for kind, _ in chunks] == [b"IHDR", b"IDAT", b"IEND"]
    width, height, depth, color, *rest = struct.unpack(">IIBBBBB", chunks[0][1])
    assert (depth, rest) == (8, [0, 0, 0])
    channels = {0: 1, 2: 3}[color]
    lines = zlib.decompress(chunks[1][1])
    row = 1 + channels * width
    assert len(lines) == row * height and all(lines[number * row] == 0 for number in range(height))
    return width, height, channels, b"".join(lines[n * row + 1 : (n + 1) * row] for n in range(height))


class ConversionTests(unittest.TestCase):
    sizes = [(1, 1), (2, 2), (3, 1), (7, 5), (16, 10)]

    def test_colors_follow_the_formulas_of_jfif(self):
        for width, height in self.sizes:
            planes = frame(width, height)
            pixels = images.rgb(width, height, planes)
            self.assertEqual(len(pixels), 3 * width * height)
            for y in range(height):
                for x in range(width):
                    found = pixels[3 * (y * width + x) :][:3]
                    for channel, expected in zip(found, reference(planes, x, y)):
                        self.assertLess(abs(channel - expected), 1, (width, height, x, y))

    def test_numpy_gives_the_same_bytes_as_tables(self):
        import numpy

        for seed, (width, height) in enumerate(self.sizes):
            planes = frame(width, height, seed)
            with mock.patch.dict(sys.modules):
                del sys.modules["numpy"]
                tables = images.rgb(width, height, planes)
            self.assertEqual(images._rgb_by_numpy(numpy, width, height, planes), tables)

    def test_views_of_numpy_share_the_memory_of_the_plane(self):
        memory = bytearray(range(40))
        plane = PixelPlane(memoryview(memory)[:26], 6, 3, 10)
        array = plane.numpy()
        self.assertEqual(array.shape, (3, 6))
        self.assertEqual(array[2].tolist(), [20, 21, 22, 23, 24, 25])
        memory[20] = 99
        self.assertEqual(array[2, 0], 99)

    def test_a_missing_library_is_named_with_its_package(self):
        planes = frame(2, 2)
        with mock.patch.dict(sys.modules, {"PIL": None, "numpy": None}):
            with self.assertRaisesRegex(MissingLibrary, "python3-pil"):
                images.jpeg(2, 2, planes)
            with self.assertRaisesRegex(MissingLibrary, "python3-numpy"):
                planes[0].numpy()


class EncoderTests(unittest.TestCase):
    def test_a_png_file_contains_the_pixels(self):
        for channels in (1, 3):
            pixels = os.urandom(channels * 35)
            for level in (0, 3, 9):
                self.assertEqual(decoded(png(7, 5, pixels, level)), (7, 5, channels, pixels))

    def test_a_png_file_of_another_size_is_rejected(self):
        for size in (0, 34, 36, 70):
            with self.assertRaises(ValueError):
                png(7, 5, bytes(size))

    def test_a_jpeg_file_shows_the_frame(self):
        from PIL import Image

        width, height = 33, 17
        planes = (
            PixelPlane(memoryview(bytes(7 * x % 200 for _ in range(height) for x in range(width))), width, height, width),
            PixelPlane(memoryview(bytes([100]) * 17 * 9), 17, 9, 17),
            PixelPlane(memoryview(bytes([150]) * 17 * 9), 17, 9, 17),
        )
        with Image.open(io.BytesIO(images.jpeg(width, height, planes, 95))) as image:
            self.assertEqual((image.format, image.size, image.mode), ("JPEG", (width, height), "RGB"))
            found = image.tobytes()
        expected = images.rgb(width, height, planes)
        difference = sum((a - b) ** 2 for a, b in zip(found, expected)) / len(expected)
        self.assertLess(difference, 20)


if __name__ == "__main__":
    unittest.main()
