# SPDX-License-Identifier: Apache-2.0
"""The devices of a fake host: rings in shared memory and their counters, as in the protocol document."""

import array
import mmap
import os
import select
import struct
import time

WIDTH, HEIGHT, SLOTS, SLOT_BYTES = 33, 17, 4, 4096
# The planes of a frame: the offset in the slot, the stride, the rows, and the bytes of a row. The rows have padding.
PLANES = [(64, 48, HEIGHT, WIDTH), (1024, 24, 9, 17), (1280, 24, 9, 17)]
BLOCK, CHANNELS, SOUND_BYTES = 48, 2, 256
PADDING = 0xEE
# The offsets in a header and in a slot.
PUBLISHED, HELD = 128, 136
SEQUENCE, TIMESTAMP, POSITION, DATA = 0, 8, 24, 64
# The time limit of a wait in seconds.
LIMIT = 30


def digest(data):
    """Returns the digest of bytes: FNV-1a with 64 bits, which each extension can calculate in a few lines."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


class Ring:
    """A ring in a memory file."""

    def __init__(self, magic, slot_bytes, fields):
        self.descriptor = os.memfd_create("ring", os.MFD_CLOEXEC)
        os.ftruncate(self.descriptor, 4096 + SLOTS * slot_bytes)
        self.memory, self.slot_bytes = mmap.mmap(self.descriptor, 0), slot_bytes
        struct.pack_into("<4s4I", self.memory, 0, magic, 1, 4096, SLOTS, slot_bytes)
        struct.pack_into(f"<{len(fields)}I", self.memory, 20, *fields)

    def number(self, offset):
        """Returns a counter."""
        return struct.unpack_from("<Q", self.memory, offset)[0]

    def set_number(self, offset, value):
        """Writes a counter."""
        struct.pack_into("<Q", self.memory, offset, value)

    def slot(self, sequence):
        """Returns the offset of the slot of a frame or block."""
        return 4096 + (sequence - 1) % SLOTS * self.slot_bytes


class FrameRing(Ring):
    """The ring of the camera or of the viewfinder."""

    def __init__(self):
        super().__init__(b"DKFR", SLOT_BYTES, [WIDTH, HEIGHT, 1, 30, 1, 3])
        for index, plane in enumerate(PLANES):
            struct.pack_into("<4I", self.memory, 48 + 16 * index, *plane)

    def write(self, sequence):
        """Writes a frame, and returns its digest. The padding of rows differs from all samples."""
        slot = self.slot(sequence)
        self.set_number(slot + SEQUENCE, 0)
        self.set_number(slot + TIMESTAMP, 1000 + sequence)
        self.memory[slot + DATA : slot + SLOT_BYTES] = bytes([PADDING]) * (SLOT_BYTES - DATA)
        for plane, (offset, stride, rows, length) in enumerate(PLANES):
            for row in range(rows):
                samples = [(sequence * 31 + plane * 97 + row * 13 + column * 5) % PADDING for column in range(length)]
                begin = slot + offset + row * stride
                self.memory[begin : begin + length] = bytes(samples)
        self.set_number(slot + SEQUENCE, sequence)
        return self.content(sequence)

    def content(self, sequence):
        """Returns the digest of the samples in the slot of a frame, without the padding."""
        slot = self.slot(sequence)
        samples = b""
        for offset, stride, rows, length in PLANES:
            for begin in range(slot + offset, slot + offset + rows * stride, stride):
                samples += self.memory[begin : begin + length]
        return digest(samples)


class SoundRing(Ring):
    """The ring of the microphone."""

    def __init__(self):
        super().__init__(b"DKSR", SOUND_BYTES, [48000, CHANNELS, 1, BLOCK])

    def write(self, sequence, position, frames):
        """Writes a block, and returns its digest."""
        slot = self.slot(sequence)
        self.set_number(slot + SEQUENCE, 0)
        self.set_number(slot + TIMESTAMP, 2000 + sequence)
        struct.pack_into("<QI", self.memory, slot + POSITION, position, frames)
        samples = array.array("h", [sequence * 1000 - 37 * index for index in range(frames * CHANNELS)]).tobytes()
        self.memory[slot + DATA : slot + DATA + len(samples)] = samples
        self.set_number(slot + SEQUENCE, sequence)
        return digest(samples)


class Devices:
    """The devices of a session.

    Args:
        names: The names of the devices: camera, viewfinder, microphone.
    """

    def __init__(self, names):
        self.names = names
        self.camera, self.viewfinder, self.microphone = FrameRing(), FrameRing(), SoundRing()
        flags = os.EFD_CLOEXEC | os.EFD_NONBLOCK
        counters = ("frame-event", "frame-done", "preview-event", "sound-event", "sound-done")
        self.counters = {name: os.eventfd(0, flags) for name in counters}
        self.finished = dict.fromkeys(("frame-done", "sound-done"), 0)
        # The digests of the camera's frames, the newest frame that the viewfinder has shown, and the number of blocks.
        self.digests, self.shown, self.blocks = {}, 0, 0

    def descriptors(self):
        """Returns the descriptors for the extension by name."""
        rings = {"frames": self.camera, "preview": self.viewfinder, "sound": self.microphone}
        found = {}
        for device, names in (
            ("camera", ("frames", "frame-event", "frame-done")),
            ("viewfinder", ("preview", "preview-event")),
            ("microphone", ("sound", "sound-event", "sound-done")),
        ):
            for name in names if device in self.names else ():
                found[name] = rings[name].descriptor if name in rings else self.counters[name]
        return found

    def close(self):
        """Closes the descriptors of the host."""
        rings = self.camera, self.viewfinder, self.microphone
        for descriptor in [*self.counters.values(), *(ring.descriptor for ring in rings)]:
            os.close(descriptor)

    def publish_frames(self, numbers):
        """Publishes frames at once."""
        for number in numbers:
            self.digests[number] = self.camera.write(number)
            self.camera.set_number(PUBLISHED, number)
        os.eventfd_write(self.counters["frame-event"], len(numbers))

    def announce_overwritten(self, number):
        """Announces a frame that is being overwritten."""
        self.camera.set_number(self.camera.slot(number) + SEQUENCE, 0)
        self.camera.set_number(PUBLISHED, number)
        os.eventfd_write(self.counters["frame-event"], 1)

    def publish_sound(self, blocks):
        """Publishes blocks at once, and returns their digests."""
        digests = []
        for block in blocks:
            self.blocks += 1
            digests.append(self.microphone.write(self.blocks, block["position"], block["frames"]))
            self.microphone.set_number(PUBLISHED, self.blocks)
        os.eventfd_write(self.counters["sound-event"], len(blocks))
        return digests

    def wait_finished(self, counter, total):
        """Waits until the extension has finished all frames or blocks. Returns the number of finished ones."""
        end = time.monotonic() + LIMIT
        while self.finished[counter] < total and time.monotonic() < end:
            if select.select([self.counters[counter]], [], [], max(end - time.monotonic(), 0))[0]:
                self.finished[counter] += os.eventfd_read(self.counters[counter])
        return self.finished[counter]

    def hold(self, number):
        """Notes the frame of the viewfinder that the host displays."""
        self.viewfinder.set_number(HELD, number)

    def displayed(self):
        """Returns the numbers of the viewfinder's new frames, and the number of the camera's frame that each shows."""
        if select.select([self.counters["preview-event"]], [], [], 0)[0]:
            os.eventfd_read(self.counters["preview-event"])
        ring, published = self.viewfinder, self.viewfinder.number(PUBLISHED)
        found = []
        for number in range(self.shown + 1, published + 1):
            if ring.number(ring.slot(number) + SEQUENCE) == number:
                timestamp, content = ring.number(ring.slot(number) + TIMESTAMP), ring.content(number)
                frame = timestamp - 1000
                found.append((number, frame if self.digests.get(frame) == content else f"{frame} with other samples"))
        self.shown = published
        return found
