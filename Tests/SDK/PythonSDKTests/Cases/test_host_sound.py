# SPDX-License-Identifier: Apache-2.0
"""Tests of the sound of hosted sessions, and of images of viewfinders, with a server in this process."""

import os
import unittest

from darkroom.host import AsyncHost, HostProtocolError, HostTimeout
from fake_server import SESSION, FakeServer, ServerTestCase, Sound, open_descriptors
from host_calls import EXTENSION

PNG = b"\x89PNG and more"
IMAGE = {"format": "png", "width": 6, "height": 4, "bytes": len(PNG), "sequence": 3, "takenAt": 1769846405000}


class SoundTests(ServerTestCase):
    def session(self):
        """Returns a session with sound."""
        return self.host().launch(EXTENSION, microphone="tone")

    def test_an_iteration_yields_each_block_until_the_end(self):
        Sound(self.server, blocks=2, later=3)
        session = self.session()
        info = session.open_sound()
        self.assertEqual((info.sample_rate, info.channels, info.block_frames), (8000, 1, 4))
        blocks = list(session.sound(timeout=20))
        self.assertEqual([block.sequence for block in blocks], [1, 2, 3, 4, 5])
        self.assertEqual([block.samples for block in blocks], [Sound.samples(number) for number in range(1, 6)])
        self.assertEqual([block.position for block in blocks], [0, 4, 8, 12, 16])
        self.assertEqual({block.lost for block in blocks}, {0})
        self.assertEqual(session.read_sound(), [])

    def test_timestamps_are_those_of_the_clock_of_the_client(self):
        Sound(self.server, blocks=1, later=0)
        self.assertEqual([block.timestamp for block in self.session().sound()], [1])

    def test_a_slow_reader_learns_how_many_frames_it_missed(self):
        sound = Sound(self.server, blocks=1)
        session = self.session()
        self.assertEqual([block.sequence for block in session.read_sound()], [1])
        for _ in range(6):
            sound.write()
        blocks = session.read_sound()
        self.assertEqual([(block.sequence, block.lost) for block in blocks], [(4, 8), (5, 0), (6, 0), (7, 0)])

    def test_the_first_blocks_of_a_late_reader_are_not_lost(self):
        Sound(self.server, blocks=9)
        blocks = self.session().read_sound()
        self.assertEqual([(block.sequence, block.lost) for block in blocks], [(6, 0), (7, 0), (8, 0), (9, 0)])

    def test_erased_blocks_are_skipped(self):
        sound = Sound(self.server, blocks=3, later=0)
        for slot in range(Sound.SLOTS):
            os.pwrite(sound.memory, bytes(Sound.STRIDE), 4096 + slot * Sound.STRIDE)
        session = self.session()
        self.assertEqual(session.read_sound(), [])
        sound.write()
        self.assertEqual([block.sequence for block in session.read_sound()], [4])

    def test_a_wait_for_sound_continues_after_a_timeout(self):
        sound = Sound(self.server, blocks=0)
        self.server.silent.add("sound/next")
        session = self.session()
        for _ in range(2):
            with self.assertRaises(HostTimeout):
                session.read_sound(timeout=0.05)
        self.server.reply("sound/next", result=sound.next({"after": 0}))
        self.assertEqual([block.sequence for block in session.read_sound(timeout=20)], [1])
        self.assertEqual(len(self.server.sent("sound/next")), 1)

    def test_a_session_without_a_microphone_has_no_sound(self):
        session = self.session()
        self.assertIsNone(session.open_sound())
        self.assertEqual(list(session.sound()), [])
        self.assertEqual(self.server.sent("sound/next"), [])

    def test_memory_that_does_not_match_its_description_is_rejected(self):
        for members in ({"channels": 2}, {"sampleRate": 48000}, {"blockFrames": 8}):
            Sound(self.server)
            self.server.results["sound/open"] = {**Sound.INFO, **members}
            with self.assertRaisesRegex(HostProtocolError, "does not match", msg=members):
                self.session().read_sound()
        sound = Sound(self.server)
        os.pwrite(sound.memory, b"DKFR", 0)
        with self.assertRaisesRegex(HostProtocolError, "cannot be mapped"):
            self.session().read_sound()
        self.server.descriptors.clear()
        with self.assertRaisesRegex(HostProtocolError, "no memory"):
            self.session().read_sound()


class ImageTests(ServerTestCase):
    def memory(self, content):
        """Passes a memory file with the next image."""
        memory = os.memfd_create("image")
        os.write(memory, content)
        os.lseek(memory, 0, os.SEEK_SET)
        self.server.memories.append(memory)
        self.server.descriptors.append(memory)
        self.server.results["viewfinder/image"] = IMAGE

    def test_an_image_has_the_bytes_of_the_memory_file(self):
        self.memory(PNG)
        host = self.host()
        before = open_descriptors()
        image = host.viewfinder_image(SESSION, "png")
        self.assertEqual((image.data, image.format, image.width, image.height), (PNG, "png", 6, 4))
        self.assertEqual((image.sequence, image.taken_at), (3, 1769846405000))
        self.assertEqual(self.server.sent("viewfinder/image"), [{"session": SESSION, "format": "png"}])
        self.assertEqual(open_descriptors(), before)

    def test_an_image_without_its_bytes_is_rejected(self):
        self.memory(PNG[:-1])
        with self.assertRaisesRegex(HostProtocolError, "too short"):
            self.host().viewfinder_image(SESSION)
        with self.assertRaisesRegex(HostProtocolError, "no memory"):
            self.host().viewfinder_image(SESSION)


class AsyncTests(unittest.IsolatedAsyncioTestCase):
    async def test_the_client_for_asyncio_yields_the_same_blocks(self):
        with FakeServer() as server:
            Sound(server, blocks=2, later=2)
            async with AsyncHost(server.root) as host:
                session = await host.launch(EXTENSION, microphone="tone")
                blocks = [block async for block in session.sound(timeout=20)]
                self.assertEqual([block.samples for block in blocks], [Sound.samples(number) for number in range(1, 5)])
                self.assertEqual(await session.read_sound(), [])
            self.assertEqual(server.faults, [])


if __name__ == "__main__":
    unittest.main()
