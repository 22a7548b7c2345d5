# SPDX-License-Identifier: Apache-2.0
"""Pictures of extensions: viewfinder frames in shared memory, and thumbnails of captured files."""

import mmap
import os

from gi.repository import Gdk, GdkPixbuf, GLib

try:
    import numpy
except ImportError:
    numpy = None

# The differences between a color and the brightness, for each chroma sample.
RED, GREEN_U, GREEN_V, BLUE = (
    [round(factor * (sample - 128)) for sample in range(256)] for factor in (1.402, -0.344136, -0.714136, 1.772)
)
# The color for each sum of a brightness and a difference. A negative sum is an index from the end.
COLORS = bytes(range(256)) + b"\xff" * 256 + bytes(256)
# Wider frames are reduced, so that the conversion is faster than the camera.
MAXIMUM_WIDTH = 1280 if numpy else 320

# Captured files can be hostile. Only these decoders are used, selected by the name of the file and not by its contents.
DECODERS = {".jpg": "jpeg", ".jpeg": "jpeg", ".png": "png"}
MAXIMUM_BYTES = MAXIMUM_PIXELS = 1 << 25
THUMBNAIL_HEIGHT = 160


class Viewfinder:
    """The viewfinder of a session."""

    def __init__(self, descriptor, size, width, height, planes):
        """Maps the memory file that `OpenViewfinder` returns, and closes its descriptor."""
        try:
            self.memory = mmap.mmap(descriptor, size, mmap.MAP_SHARED, mmap.PROT_READ)
        finally:
            os.close(descriptor)
        self.planes = planes
        # The distance between converted pixels: 1 or even, because two pixels share a chroma sample.
        step = 1 if width <= MAXIMUM_WIDTH else 2 * -(-width // (2 * MAXIMUM_WIDTH))
        self.width, self.height = -(-width // step), -(-height // step)
        # The distances between converted samples in the planes Y, U and V.
        self.steps = step, max(step // 2, 1), max(step // 2, 1)

    def texture(self, offset):
        """Returns the frame at an offset as a texture."""
        pixels = GLib.Bytes.new(self.by_numpy(offset) if numpy else self.by_tables(offset))
        return Gdk.MemoryTexture.new(self.width, self.height, Gdk.MemoryFormat.R8G8B8, pixels, 3 * self.width)

    def by_numpy(self, offset):
        """Returns the pixels of a frame, converted with NumPy."""
        y, u, v = (
            numpy.ndarray((rows, columns), numpy.uint8, self.memory, offset + start, (stride, 1))
            for start, stride, rows, columns in self.planes
        )
        y, u, v = (plane[::step, ::step] for plane, step in zip((y, u, v), self.steps))
        red, green_u, green_v, blue = (numpy.array(table, numpy.int16) for table in (RED, GREEN_U, GREEN_V, BLUE))
        image = numpy.empty((self.height, self.width, 3), numpy.uint8)
        for channel, shift in enumerate((red[v], green_u[u] + green_v[v], blue[u])):
            if self.steps[0] == 1:
                shift = shift.repeat(2, axis=0)[: self.height].repeat(2, axis=1)[:, : self.width]
            image[:, :, channel] = numpy.clip(y + shift, 0, 255)
        return image.tobytes()

    def by_tables(self, offset):
        """Returns the pixels of a frame, converted without NumPy."""
        image = bytearray()
        for row in range(0, self.height * self.steps[0], self.steps[0]):
            y, u, v = (self.samples(plane, offset, row) for plane in range(3))
            if self.steps[0] == 1:
                u, v = (bytes(sample for sample in samples for _ in range(2)) for samples in (u, v))
            for brightness, blue, red in zip(y, u, v):
                image.append(COLORS[brightness + RED[red]])
                image.append(COLORS[brightness + GREEN_U[blue] + GREEN_V[red]])
                image.append(COLORS[brightness + BLUE[blue]])
        return bytes(image)

    def samples(self, plane, offset, row):
        """Returns the samples of a plane for a row of pixels."""
        start, stride, _, columns = self.planes[plane]
        begin = offset + start + (row // 2 if plane else row) * stride
        return self.memory[begin : begin + columns : self.steps[plane]]


def thumbnail(path):
    """Returns a small texture of a file, or None if the file is not a JPEG or PNG image."""
    decoder = DECODERS.get(os.path.splitext(path)[1].lower())
    try:
        if not decoder or os.path.getsize(path) > MAXIMUM_BYTES:
            return None
        loader = GdkPixbuf.PixbufLoader.new_with_type(decoder)
        loader.connect("size-prepared", reduce)
        try:
            with open(path, "rb") as file:
                loader.write(file.read())
        finally:
            loader.close()
    except (GLib.Error, OSError):
        return None
    return Gdk.Texture.new_for_pixbuf(loader.get_pixbuf())


def reduce(loader, width, height):
    """Sets the size of a thumbnail. A size of 0 stops the decoder of an image that is too large or too narrow."""
    is_usual = width * height <= MAXIMUM_PIXELS and width <= 4 * height and height <= 4 * width
    reduced = THUMBNAIL_HEIGHT if is_usual else 0
    loader.set_size(width * reduced // height, reduced)
