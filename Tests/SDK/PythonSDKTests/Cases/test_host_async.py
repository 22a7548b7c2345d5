# SPDX-License-Identifier: Apache-2.0
"""Tests of the client of darkroom-host for asyncio, with a server in this process."""

import asyncio
import gc
import os
import socket
import sys
import unittest
import warnings

import host_calls
from darkroom.host import (
    AsyncHost,
    HostDisconnected,
    HostError,
    HostProtocolError,
    HostTimeout,
    HostUnavailable,
    WatchEnded,
)
from darkroom.host.transport import MAXIMUM_LINE
from fake_server import METHODS, SESSION, STARTED_SERVER, FakeServer, Viewfinder, open_descriptors, planes_of, sample

APP, EXTENSION = host_calls.APP, host_calls.EXTENSION
#: The names of the methods that both clients have.
CLASSES = {"Host": "AsyncHost", "HostedSession": "AsyncHostedSession", "ContentWatch": "AsyncContentWatch"}


class AsyncHostTests(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self):
        self.server = FakeServer()
        self.addCleanup(self.server.__exit__)
        self.addCleanup(lambda: self.assertEqual(self.server.faults, []))

    async def host(self):
        """Returns a connection to the server, which is closed after the test."""
        host = await AsyncHost(self.server.root).open()
        self.addAsyncCleanup(host.close)
        return host

    async def sent(self, method):
        """Waits until the server has received a request."""
        await asyncio.get_running_loop().run_in_executor(None, self.server.wait_for, method)

    async def test_each_method_sends_the_parameters_of_the_description(self):
        for is_complete in (True, False):
            self.server.is_complete = is_complete
            host = await self.host()
            for method, call, params in host_calls.CALLS:
                await call(host)
                self.assertEqual(self.server.sent(method)[-1], params, method)
            session = await host.launch(EXTENSION)
            for method, call, params in host_calls.SESSION_CALLS:
                if method == "viewfinder/open":
                    Viewfinder(self.server)
                await call(session)
                self.assertEqual(self.server.sent(method)[-1], {"session": SESSION, **params}, method)
            self.server.results["context/get"] = {"context": "[1]"}
            self.assertEqual(await host.context(APP), [1])
        calls = {method for method, _, _ in host_calls.CALLS + host_calls.SESSION_CALLS}
        self.assertEqual(set(METHODS), calls | host_calls.OTHERS)

    def test_both_clients_have_the_same_methods(self):
        import darkroom.host

        for plain, other in CLASSES.items():
            names = [{name for name in vars(getattr(darkroom.host, kind)) if name[0] != "_"} for kind in (plain, other)]
            self.assertEqual(names[1] - {"open"}, names[0], plain)

    async def test_a_session_yields_events_and_frames(self):
        Viewfinder(self.server, frames=3)
        schema = {"$ref": "#/components/schemas/Result"}
        self.server.results["session/result"] = {**sample(schema, is_complete=False), "content": "/content"}
        async with AsyncHost(self.server.root) as host:
            async with host.launch(EXTENSION, camera="pattern") as session:
                self.server.event("acceptsPresses", accepts=True)
                async for event in session.events():
                    if event.kind == "acceptsPresses" and event.accepts:
                        await session.tap("primary")
                        break
                frames = []
                async for frame in session.frames(timeout=20):
                    frames.append((frame.sequence, [plane.tobytes() for plane in frame.planes]))
                self.assertEqual(frames, [(number, planes_of(number)) for number in (1, 2, 3)])
                with self.assertRaisesRegex(HostError, "await session.wait"):
                    session.result
            self.assertEqual(session.result.content, "/content")
        methods = [message["method"] for message in self.server.messages if message["method"] != "closed"]
        self.assertEqual(methods[-2:], ["session/dismiss", "session/result"])

    async def test_a_frame_is_valid_until_the_next_one(self):
        Viewfinder(self.server)
        session = await (await self.host()).launch(EXTENSION)
        async for frame in session.frames():
            break
        self.assertTrue(frame.is_valid)
        self.assertEqual((await session.next_frame()).sequence, 2)
        self.assertFalse(frame.is_valid)
        await session.release_frame()
        self.assertEqual(len(self.server.sent("viewfinder/release")), 1)

    async def test_tasks_call_methods_at_the_same_time(self):
        host = await self.host()
        self.server.silent.add("host/recover")
        slow = asyncio.ensure_future(host.recover())
        results = await asyncio.gather(*[host.policies() for _ in range(200)])
        self.assertEqual(results, [("text", "text")] * 200)
        self.assertFalse(slow.done())
        self.server.reply("host/recover", result={"sessions": [], "notices": [], "clean": True})
        self.assertTrue((await slow).clean)

    async def test_waits_have_a_timeout_and_continue(self):
        Viewfinder(self.server)
        self.server.silent |= {"session/result", "viewfinder/next"}
        session = await (await self.host()).launch(EXTENSION)
        for _ in range(2):
            with self.assertRaises(HostTimeout):
                await session.wait(timeout=0.02)
            with self.assertRaises(HostTimeout):
                await session.next_frame(timeout=0.02)
        with self.assertRaises(HostTimeout):
            await session.events(timeout=0.02).__anext__()
        self.server.reply("viewfinder/next", result={"more": False})
        self.assertIsNone(await session.next_frame(timeout=20))
        self.assertEqual(len(self.server.sent("viewfinder/next")), 1)
        self.assertEqual(len(self.server.sent("session/result")), 1)

    async def test_a_cancelled_launch_terminates_its_session(self):
        host = await self.host()
        self.server.silent.add("session/launch")

        async def launch():
            async with host.launch(EXTENSION):
                self.fail("the session was launched")

        task = asyncio.ensure_future(launch())
        await self.sent("session/launch")
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        self.server.reply("session/launch", result={"session": SESSION})
        await self.sent("session/terminate")
        self.assertEqual(self.server.sent("session/terminate"), [{"session": SESSION}])

    async def test_a_cancelled_task_dismisses_its_session(self):
        host = await self.host()
        entered = asyncio.Event()

        async def use():
            async with host.launch(EXTENSION):
                entered.set()
                await asyncio.sleep(1000)

        task = asyncio.ensure_future(use())
        await entered.wait()
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        self.assertEqual(len(self.server.sent("session/dismiss") + self.server.sent("session/result")), 2)

    async def test_watched_changes_are_an_iteration(self):
        self.server.results["content/watch"] = {"subscription": 1}
        host = await self.host()
        async with host.watch_content(APP) as changes:
            for _ in range(2):
                self.server.change(removed=SESSION)
            found = []
            async for change in changes:
                found.append(change.removed)
                if len(found) == 2:
                    asyncio.get_running_loop().call_later(0.02, asyncio.ensure_future, changes.close())
            self.assertEqual(found, [SESSION] * 2)
        await self.sent("content/unwatch")
        self.assertEqual(self.server.sent("content/unwatch"), [{"subscription": 1}])
        changes = await host.watch_content(APP)
        self.server.notify("content/ended", subscription=1, message="the directory was removed")
        with self.assertRaisesRegex(WatchEnded, "removed"):
            await changes.next()

    async def test_closing_wakes_all_tasks(self):
        host = await self.host()
        session = await host.launch(EXTENSION)
        watch = await host.watch_content(APP)
        self.server.silent |= {"session/result", "policy/list", "viewfinder/open"}
        waits = [session.events().__anext__(), session.wait(), host.policies(), watch.next(), session.next_frame()]
        tasks = [asyncio.ensure_future(wait) for wait in waits]
        await self.sent("viewfinder/open")
        await host.close()
        for result in await asyncio.gather(*tasks, return_exceptions=True):
            self.assertIsInstance(result, HostDisconnected)
        with self.assertRaisesRegex(HostDisconnected, "use the host in an 'async with' statement"):
            await host.policies()
        with self.assertRaises(HostDisconnected):
            await session.tap("primary")

    async def test_the_end_of_the_server_reaches_all_tasks_without_processor_time(self):
        host = await self.host()
        self.server.silent.add("policy/list")
        task = asyncio.ensure_future(host.policies())
        await self.sent("policy/list")
        self.server.close()
        with self.assertRaisesRegex(HostDisconnected, "the server closed the connection"):
            await task
        calls = []
        asyncio.get_running_loop().call_later(0.1, calls.append, 1)
        await asyncio.sleep(0.15)
        self.assertEqual(calls, [1])
        with self.assertRaises(HostDisconnected):
            await host.apps()

    async def test_lines_that_are_too_long_or_not_messages_end_the_connection(self):
        for data in (b"{\n", b" " * (MAXIMUM_LINE + 1)):
            host = await self.host()
            self.server.silent.add("policy/list")
            task = asyncio.ensure_future(host.policies())
            await asyncio.sleep(0.02)
            await asyncio.get_running_loop().run_in_executor(None, self.server.write, data)
            with self.assertRaises(HostProtocolError):
                await task

    async def test_requests_larger_than_the_buffer_of_the_socket_are_sent(self):
        host = await self.host()
        host._connection._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
        self.server.check = lambda message: None
        texts = [f"{number}" * 100_000 for number in range(6)]
        await asyncio.gather(*[host.set_context(APP, text) for text in texts])
        sent = [params["context"] for params in self.server.sent("context/set")]
        self.assertEqual(sent, [f'"{text}"' for text in texts])

    async def test_no_descriptor_remains(self):
        viewfinder = Viewfinder(self.server, frames=100)
        descriptors = open_descriptors()
        for count in range(1, 4):
            self.server.descriptors.append(viewfinder.memory)
            async with AsyncHost(self.server.root) as host:
                session = await host.launch(EXTENSION)
                await session.next_frame()
                self.server.send([viewfinder.memory] * 3, method="later/event")
                await host.policies()
            del session
            gc.collect()
            await asyncio.get_running_loop().run_in_executor(None, self.server.wait_for, "closed", count)
        for _ in range(200):
            if open_descriptors() == descriptors:
                break
            await asyncio.sleep(0.01)
        self.assertEqual(open_descriptors(), descriptors)

    async def test_a_connection_that_is_not_closed_is_reported_and_closed(self):
        host = await AsyncHost(self.server.root).open()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            del host
            gc.collect()
        self.assertEqual([warning.category for warning in caught], [ResourceWarning])
        await self.sent("closed")

    async def test_a_server_is_started_and_stopped(self):
        root = f"{self.server.root}/other"
        command = [sys.executable, "-c", STARTED_SERVER]
        async with AsyncHost(root, start=command) as host:
            process = host.info.process
        self.assertTrue(os.path.exists(f"{root}/stopped"))
        with self.assertRaises(ProcessLookupError):
            os.kill(process, 0)

    async def test_a_cancelled_start_stops_the_server(self):
        root = f"{self.server.root}/other"
        task = asyncio.ensure_future(AsyncHost(root, start=[sys.executable, "-c", STARTED_SERVER]).open())
        await asyncio.sleep(0)
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task
        for _ in range(2000):
            if os.path.exists(f"{root}/stopped"):
                break
            await asyncio.sleep(0.01)
        self.assertTrue(os.path.exists(f"{root}/stopped"))

    async def test_a_missing_server_is_an_error_with_the_fix(self):
        with self.assertRaisesRegex(HostUnavailable, "start 'darkroom serve' or pass start=True"):
            async with AsyncHost(f"{self.server.root}/other"):
                self.fail("a server runs")


if __name__ == "__main__":
    unittest.main()
