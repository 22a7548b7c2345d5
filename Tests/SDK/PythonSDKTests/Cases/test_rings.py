# SPDX-License-Identifier: Apache-2.0
"""Tests of the rings in shared memory."""

import os
import struct
import threading
import time
import unittest

import darkroom
import fake_host
from darkroom.frames import FrameRing
from darkroom.memory import FrameLayoutRing, Ring, fence
from fake_host import HEIGHT, PLANES, SLOTS, WIDTH, sample, write_frame

from darkroom import FrameOverwritten, ProtocolError, Viewfinder


def samples(sequence, plane):
    """Returns the samples of a plane of a frame."""
    _, _, rows, length = PLANES[plane]
    return bytes(sample(sequence, plane, row, column) for row in range(rows) for column in range(length))


class FrameTests(unittest.TestCase):
    def setUp(self):
        self.host = fake_host.frame_ring()
        self.ring = FrameRing(self.host.descriptor)

    def test_a_frame_has_the_planes_of_the_camera_without_padding(self):
        write_frame(self.host, 5)
        frame = self.ring.frame(5)
        self.assertEqual((frame.sequence, frame.timestamp, frame.width, frame.height), (5, 1005, WIDTH, HEIGHT))
        self.assertEqual(frame.stride, PLANES[0][1])
        for number, plane in enumerate(frame.planes):
            self.assertEqual(plane.tobytes(), samples(5, number))
            self.assertTrue(plane.data.readonly)
        self.assertEqual(frame.i420(), b"".join(samples(5, number) for number in range(3)))
        luma, u, v = frame.numpy()
        self.assertEqual((luma.shape, u.shape, v.shape), ((5, 7), (3, 4), (3, 4)))
        self.assertEqual(luma.tobytes(), samples(5, 0))

    def test_a_view_is_of_the_same_memory(self):
        write_frame(self.host, 1)
        view = self.ring.frame(1).planes[0].data
        self.host.memory[self.host.slot(1) + 64] = 77
        self.assertEqual(view[0], 77)

    def test_an_overwritten_view_raises_and_a_copy_stays(self):
        write_frame(self.host, 1)
        view = self.ring.frame(1)
        copy = view.copy()
        write_frame(self.host, 1 + SLOTS)
        self.assertFalse(view.is_valid)
        self.assertTrue(view.is_view and not copy.is_view)
        for use in (view.check, view.copy, view.numpy, view.i420, view.rgb, view.png, view.jpeg, lambda: view.planes):
            with self.assertRaisesRegex(FrameOverwritten, "frame 1; keep frames with copy"):
                use()
        self.assertEqual(copy.planes[0].tobytes(), samples(1, 0))
        self.assertIs(copy.copy(), copy)

    def test_a_frame_that_the_host_is_writing_is_not_valid(self):
        write_frame(self.host, 1)
        self.host.set_number(self.host.slot(1), 0)
        self.assertFalse(self.ring.frame(1).is_valid)

    def test_copies_are_complete_while_the_host_writes(self):
        # The frames have 4 MB, so that the host overwrites frames during copies.
        size = 4 << 20
        host = fake_host.Ring(b"DKFR", [size, 1, 1, 30, 1, 3], size + 4096)
        for index, plane in enumerate([(64, size, 1, size), (64 + size, 1, 1, 1), (65 + size, 1, 1, 1)]):
            struct.pack_into("<4I", host.memory, 48 + 16 * index, *plane)
        ring = FrameRing(host.descriptor)
        process = os.fork()
        if process == 0:
            sequence = 0
            while True:
                sequence += 1
                host.set_number(host.slot(sequence), 0)
                fence()
                begin = host.slot(sequence) + 64
                host.memory[begin : begin + size] = bytes([sequence % 256]) * size
                fence()
                host.set_number(host.slot(sequence), sequence)
                host.set_number(128, sequence)
        try:
            complete = overwritten = 0
            limit = time.monotonic() + 20
            while (complete < 20 or overwritten < 5) and time.monotonic() < limit:
                newest = ring.published
                if newest == 0:
                    continue
                # Half of the reads use the oldest frame, which the host overwrites next.
                sequence = newest if complete <= overwritten else max(newest - SLOTS + 1, 1)
                try:
                    frame = ring.frame(sequence).copy()
                except FrameOverwritten:
                    overwritten += 1
                    continue
                complete += 1
                data = frame.planes[0].data
                self.assertEqual({data[0], data[size // 2], data[size - 1]}, {sequence % 256})
                self.assertEqual(bytes(data).count(data[0]), size)
            self.assertGreaterEqual(complete, 20)
            self.assertGreaterEqual(overwritten, 5)
        finally:
            os.kill(process, 9)
            os.waitpid(process, 0)

    def test_memory_of_an_unknown_format_is_rejected(self):
        for offset, value in ((0, 0), (4, 2), (8, 8192), (12, 0), (12, 5), (28, 2), (48, 9000)):
            host = fake_host.frame_ring()
            struct.pack_into("<I", host.memory, offset, value)
            with self.assertRaises(ProtocolError, msg=f"offset {offset}"):
                FrameRing(host.descriptor)

    def test_fences_of_several_threads_do_not_block(self):
        threads = [threading.Thread(target=lambda: [fence() for _ in range(2000)]) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(20)
            self.assertFalse(thread.is_alive())

    def test_closing_a_ring_keeps_the_memory_of_views(self):
        write_frame(self.host, 1)
        frame = self.ring.frame(1)
        plane = frame.planes[0]
        self.ring.close()
        self.assertEqual(plane.tobytes(), samples(1, 0))
        self.assertFalse(frame.is_valid)
        self.assertRaises(FrameOverwritten, frame.copy)


class ViewfinderTests(unittest.TestCase):
    def setUp(self):
        self.camera, self.host = fake_host.frame_ring(), fake_host.frame_ring()
        self.ring = FrameRing(self.camera.descriptor)
        self.event = os.eventfd(0, os.EFD_NONBLOCK)
        self.addCleanup(os.close, self.event)
        self.viewfinder = Viewfinder(self.host.descriptor, self.event)

    def luma(self, sequence):
        return FrameRing(self.host.descriptor).frame(sequence).planes[0].tobytes()

    def test_shows_a_frame_with_its_timestamp(self):
        write_frame(self.camera, 9)
        self.assertTrue(self.viewfinder.show(self.ring.frame(9)))
        self.assertEqual((self.host.number(128), os.eventfd_read(self.event)), (1, 1))
        self.assertEqual(self.host.number(self.host.slot(1) + 8), 1009)
        self.assertEqual(self.luma(1), samples(9, 0))

    def test_does_not_overwrite_the_frame_that_the_host_displays(self):
        numbers = []
        for sequence in range(1, 10):
            write_frame(self.camera, sequence)
            self.viewfinder.show(self.ring.frame(sequence))
            numbers.append(self.host.number(128))
            if sequence == 2:
                self.host.set_number(136, 2)
        self.assertEqual(numbers, [1, 2, 3, 4, 5, 7, 8, 9, 11])
        self.assertEqual(self.luma(2), samples(2, 0))

    def test_does_not_show_a_frame_that_was_overwritten(self):
        write_frame(self.camera, 1)
        frame = self.ring.frame(1)
        write_frame(self.camera, 1 + SLOTS)
        self.assertFalse(self.viewfinder.show(frame))
        self.assertEqual(self.host.number(128), 0)
        self.assertRaises(BlockingIOError, os.eventfd_read, self.event)
        self.assertTrue(self.viewfinder.show(self.ring.frame(1 + SLOTS)))
        self.assertEqual(self.host.number(128), 1)

    def test_shows_what_the_program_draws_unless_it_fails(self):
        with self.viewfinder.draw(123) as (luma, u, v):
            luma.row(0)[:] = b"1234567"
            self.assertEqual(self.host.number(self.host.slot(1)), 0)
        self.assertEqual(self.luma(1)[:7], b"1234567")
        self.assertEqual(self.host.number(self.host.slot(1) + 8), 123)
        with self.assertRaises(ZeroDivisionError):
            with self.viewfinder.draw():
                1 / 0
        self.assertEqual(self.host.number(128), 1)

    def test_copies_frames_with_another_stride(self):
        write_frame(self.camera, 1)
        data = memoryview(samples(1, 0))
        planes = tuple(
            darkroom.PixelPlane(memoryview(samples(1, number)), plane[3], plane[2], plane[3])
            for number, plane in enumerate(PLANES)
        )
        self.assertTrue(self.viewfinder.show(darkroom.Frame(1, 0, WIDTH, HEIGHT, planes)))
        self.assertEqual(self.luma(1), bytes(data))

    def test_rejects_frames_of_another_size(self):
        plane = darkroom.PixelPlane(memoryview(b"\0"), 1, 1, 1)
        with self.assertRaisesRegex(ValueError, "1 × 1 pixels, not 7 × 5"):
            self.viewfinder.show(darkroom.Frame(1, 0, 1, 1, (plane, plane, plane)))


class SoundTests(unittest.TestCase):
    def setUp(self):
        self.host = fake_host.Ring(b"DKSR", [48000, 2, 1, 8], 128)
        self.event, self.done = os.eventfd(0), os.eventfd(0, os.EFD_NONBLOCK)
        self.microphone = darkroom.Microphone(self.host.descriptor, self.event, self.done)

    def record(self, sequence, position, frames=8):
        slot = self.host.slot(sequence)
        self.host.set_number(slot + 8, 500 + sequence)
        struct.pack_into("<QI", self.host.memory, slot + 24, position, frames)
        self.host.memory[slot + 64 : slot + 64 + 4 * frames] = bytes([sequence]) * 4 * frames
        self.host.set_number(slot, sequence)
        self.host.set_number(128, sequence)

    def test_reads_each_block_once_and_reports_lost_sound(self):
        self.assertEqual((self.microphone.sample_rate, self.microphone.channels, self.microphone.block_frames), (48000, 2, 8))
        self.assertEqual(self.microphone.read(), [])
        self.record(1, 100)
        self.record(2, 108, 3)
        first, second = self.microphone.read()
        self.assertEqual((first.sequence, first.timestamp, first.position, first.frames, first.lost), (1, 501, 100, 8, 100))
        self.assertEqual((second.position, second.frames, second.lost, second.samples), (108, 3, 0, b"\2" * 12))
        self.assertEqual(second.numpy().tolist(), [[514, 514]] * 3)
        self.assertEqual(os.eventfd_read(self.done), 2)
        self.assertEqual(self.microphone.read(), [])
        self.record(3, 120)
        self.assertEqual([block.lost for block in self.microphone.read()], [9])

    def test_skips_overwritten_blocks_and_counts_them_as_finished(self):
        for sequence in range(1, 7):
            self.record(sequence, 8 * sequence)
        self.host.set_number(self.host.slot(3), 0)
        self.assertEqual([block.sequence for block in self.microphone.read()], [4, 5, 6])
        self.assertEqual(os.eventfd_read(self.done), 6)


class HeaderTests(unittest.TestCase):
    def test_a_ring_of_another_kind_is_rejected(self):
        with self.assertRaises(ProtocolError):
            Ring(fake_host.frame_ring().descriptor, b"DKSR")
        with self.assertRaises(ProtocolError):
            FrameLayoutRing(fake_host.Ring(b"DKSR", [48000, 2, 1, 8], 128).descriptor)


if __name__ == "__main__":
    unittest.main()
