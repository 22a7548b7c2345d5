# SPDX-License-Identifier: Apache-2.0
"""Tests of sessions for asyncio, with a host in this process."""

import asyncio
import inspect
import os
import signal
import threading
import time
import unittest

import darkroom
from fake_host import Host


class AsyncSessionTests(unittest.IsolatedAsyncioTestCase):
    async def test_yields_events_until_the_dismissal(self):
        with Host() as host:
            async with darkroom.AsyncSession() as session:
                host.press()
                host.dismiss()
                events = [event async for event in session]
                self.assertEqual(session.context, {"flash": "off"})
        self.assertEqual(events, [darkroom.Press("primary"), darkroom.Dismissal("person")])

    async def test_tasks_send_requests_at_the_same_time(self):
        with Host() as host:
            host.results["context/get"] = {"context": 7}
            host.silent.add("camera/set")
            async with darkroom.AsyncSession() as session:
                slow = asyncio.ensure_future(session.set_camera("zoom", 200))
                await asyncio.sleep(0)
                self.assertEqual(await asyncio.gather(session.get_context(), session.get_context()), [7, 7])
                self.assertFalse(slow.done())
                request = next(message for message in host.messages if message.get("method") == "camera/set")
                host.send(id=request["id"], result={"value": 190})
                self.assertEqual(await slow, 190)

    async def test_waits_for_frames_and_saves_them_in_a_thread(self):
        with Host() as host:
            host.results["session/beginActivity"] = {"activity": "1"}
            async with darkroom.AsyncSession() as session:
                camera = await session.start_camera()
                with self.assertRaises(darkroom.FrameTimeout):
                    await camera.frame(timeout=0.05)
                asyncio.get_running_loop().call_later(0.05, host.publish, 1)
                frame = await camera.frame(timeout=20)
                self.assertEqual((frame.sequence, frame.is_view), (1, False))
                self.assertEqual(await session.save(frame, "photo.png"), f"{host.directory}/photo.png")
                self.assertEqual(host.shown(), 1)
                async with session.activity("closing"):
                    pass
                self.assertEqual(host.wait_for("session/beginActivity"), {"reason": "closing"})
                self.assertEqual(host.wait_for("session/endActivity"), {"activity": "1"})

    async def test_a_wait_with_a_timeout_misses_no_change(self):
        with Host() as host:
            async with darkroom.AsyncSession() as session:
                camera = await session.start_camera()
                host.close()
                begin = time.monotonic()
                # The loop starts the task, and handles the closed pipe in the same iteration.
                with self.assertRaises(darkroom.SessionEnded):
                    await asyncio.create_task(camera.frame(timeout=20))
                self.assertLess(time.monotonic() - begin, 10)

    async def test_a_signal_ends_the_session_in_order(self):
        with Host() as host:
            async with darkroom.AsyncSession() as session:
                await session.subscribe()
                asyncio.get_running_loop().call_later(0.05, os.kill, os.getpid(), signal.SIGTERM)
                self.assertEqual([event async for event in session], [darkroom.Dismissal("signal")])

    async def test_ends_if_the_host_exits_without_processor_time(self):
        with Host() as host:
            async with darkroom.AsyncSession() as session:
                await session.subscribe()
                host.close()
                self.assertEqual([event async for event in session], [])
                used = time.thread_time()
                await asyncio.sleep(0.3)
                self.assertLess(time.thread_time() - used, 0.1)
                await session.get_context()
                self.fail("the request succeeded")

    async def test_an_error_of_the_protocol_reaches_the_task_that_waits(self):
        with Host() as host:
            with self.assertRaises(darkroom.ProtocolError):
                async with darkroom.AsyncSession() as session:
                    threading.Timer(0.05, os.write, (host.to_extension, b"no JSON\n")).start()
                    async for _ in session:
                        pass

    async def test_refuses_a_host_without_a_known_version(self):
        with Host(protocolVersions=[2]) as host:
            with self.assertRaises(darkroom.UnsupportedVersion):
                async with darkroom.AsyncSession():
                    pass
            host.thread.join(0.2)
            self.assertEqual(host.messages[0]["error"]["code"], 4004)

    async def test_has_the_methods_and_parameters_of_the_session_that_waits(self):
        def methods(kind):
            members = [(name, member) for name, member in inspect.getmembers(kind, callable) if not name.startswith("_")]
            return {name: str(inspect.signature(member).parameters) for name, member in members}

        self.assertEqual(methods(darkroom.AsyncSession), methods(darkroom.Session))
        self.assertEqual(methods(darkroom.AsyncCamera), methods(darkroom.Camera))


if __name__ == "__main__":
    unittest.main()
