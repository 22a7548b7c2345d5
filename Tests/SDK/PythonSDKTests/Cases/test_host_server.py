# SPDX-License-Identifier: Apache-2.0
"""Tests of `darkroom.host` with the real server and sandbox. HostClientTests.swift sets the variables:

DARKROOM_BUNDLE is the bundle of an app with the extension Snapshot, and DARKROOM_EXAMPLE the program of the guide. The
server `darkroom-host` is in PATH.
"""

import asyncio
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

from darkroom.host import AsyncHost, Host, HostDisconnected, HostError

BUNDLE = os.environ.get("DARKROOM_BUNDLE")
EXAMPLE = os.environ.get("DARKROOM_EXAMPLE")
EXTENSION = "org.darkroom.sample.snapshot"
#: Only a failing test waits this long.
TIMEOUT = 180
SERVER = ["darkroom-host", "--lock-state", "settable", "--photo-library", "none"]
#: A busy machine can delay a launch by seconds.
OPTIONS = {"camera": "pattern:64x48@30", "watchdog": 0}


@unittest.skipUnless(BUNDLE, "DARKROOM_BUNDLE is not set")
class ServerTests(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="darkroom-python-", dir=os.environ["HOME"])
        # Content and bundles contain directories that are not writable.
        self.addCleanup(shutil.rmtree, self.directory)
        self.addCleanup(subprocess.run, ["chmod", "-R", "u+rwX", self.directory])
        self.root = f"{self.directory}/state"

    def wait_for(self, path):
        """Waits until a file exists."""
        limit = time.monotonic() + TIMEOUT
        while not os.path.exists(path):
            self.assertLess(time.monotonic(), limit, f"{path} was not written")
            time.sleep(0.01)

    def wait_until_accepting(self, session):
        """Waits until the extension has shown its viewfinder and accepts presses."""
        found = set()
        for event in session.events(timeout=TIMEOUT):
            found.add(event.kind if event.kind != "acceptsPresses" else event.accepts)
            if {"started", "presented", True} <= found:
                return
        self.fail(f"the session has ended: {session.result}")

    def check_frames(self, session):
        """Receives frames of the test pattern, and saves one."""
        last = 0
        for frame in session.frames(timeout=TIMEOUT):
            self.assertGreater(frame.sequence, last)
            last = frame.sequence
            self.assertEqual((frame.width, frame.height), (64, 48))
            self.assertEqual([len(plane.tobytes()) for plane in frame.planes], [64 * 48, 32 * 24, 32 * 24])
            luma, u, v = frame.numpy()
            self.assertEqual((luma.shape, u.shape, v.shape), ((48, 64), (24, 32), (24, 32)))
            self.assertNotEqual(luma.min(), luma.max())
            if last >= 3:
                frame.save(f"{self.directory}/frame.png")
                break
        session.release_frame()
        self.assertFalse(frame.is_valid)
        self.assertEqual(pathlib.Path(f"{self.directory}/frame.png").read_bytes()[:4], b"\x89PNG")

    def test_a_press_delivers_a_picture_to_the_app(self):
        with Host(self.root, start=SERVER) as host:
            self.assertTrue(host.recover().clean)
            app = host.install(BUNDLE)
            self.assertEqual([extension.id for extension in app.extensions], [EXTENSION])
            with host.watch_content(app.id) as changes:
                self.assertEqual(changes.next(TIMEOUT).initial, ())
                with host.launch(EXTENSION, digests=True, **OPTIONS) as session:
                    self.wait_until_accepting(session)
                    self.assertIn(session.id, [info.session for info in host.sessions()])
                    self.check_frames(session)
                    session.tap("primary")
                    self.wait_for(f"{self.root}/sessions/{session.id}/content/photo-1.jpg")
                result = session.result
                self.assertEqual((result.outcome.kind, result.outcome.by), ("dismissed", "user"), result.summary)
                self.assertEqual([file.path for file in result.files], ["photo-1.jpg"])
                self.assertRegex(result.files[0].sha256, "^sha256:[0-9a-f]{64}$")
                self.assertGreater(result.frames.consumed, 0)
                self.assertEqual(changes.next(TIMEOUT).added.session, session.id)
                self.check_content(host, app.id, result)
                self.assertEqual(changes.next(TIMEOUT).removed, session.id)
            self.assertIsNone(session.next_frame(TIMEOUT))
            host.uninstall(app.id)
            with self.assertRaises(HostError) as caught:
                host.launch(EXTENSION)
            self.assertEqual(caught.exception.kind, "notInstalled")

    def check_content(self, host, app, result):
        """Exports and deletes the content of a session."""
        (delivery,) = host.content(app)
        self.assertEqual((delivery.session, delivery.path, delivery.files), (result.session, result.content, 1))
        with self.assertRaises(HostError) as caught:
            host.uninstall(app)
        self.assertEqual(caught.exception.kind, "contentPending")
        copy = host.export_content(app, delivery.session, f"{self.directory}/export")
        for directory in (copy, delivery.path):
            self.assertEqual(pathlib.Path(directory, "photo-1.jpg").read_bytes()[:3], b"\xff\xd8\xff")
        host.invalidate_content(app, delivery.session)
        self.assertEqual((host.content(app), host.quarantine(app)), ((), ()))

    def test_the_state_of_an_app_and_of_the_host_is_accessible(self):
        with Host(self.root, start=SERVER) as host:
            app = host.install(BUNDLE).id
            self.assertEqual(host.apps().apps, (host.app(app),))
            self.assertIsNone(host.context(app))
            host.set_context(app, {"flash": "é"})
            self.assertEqual(host.context(app), {"flash": "é"})
            host.set_context(app, None)
            self.assertIsNone(host.context(app))
            host.set_permission(app, "camera", "denied")
            self.assertEqual(host.permissions(app)["camera"].decision, "denied")
            host.reset_permissions(app)
            for state in ("locked", "unlocked"):
                host.set_lock_state(state)
                self.assertEqual((host.lock_state().state, host.lock_state().settable), (state, True))
            self.assertIn("capture", host.policies())
            self.assertTrue(host.verify_policy("capture").proved)
            self.assertEqual(host.explain_policy("capture").name, "capture")
            self.assertFalse(host.compare_policies("capture", "capture").weaker)
            self.assertEqual(host.discover()["openrpc"], "1.3.2")
            pathlib.Path(f"{self.directory}/faulty").mkdir()
            self.assertNotEqual(host.validate(f"{self.directory}/faulty"), ())

    def test_a_program_is_hosted_with_asyncio(self):
        script = "unshare --user true; echo text >/session/a; exec sleep 1000"

        async def run():
            async with AsyncHost(self.root, start=SERVER) as host:
                async with host.launch_program("org.example.clock", "/bin/sh", ["-c", script]) as session:
                    async for event in session.events(timeout=TIMEOUT):
                        if event.kind == "refused" and event.refusal.call == "unshare":
                            break
                    path = f"{self.root}/sessions/{session.id}/content/a"
                    await asyncio.get_running_loop().run_in_executor(None, self.wait_for, path)
                    await session.terminate()
                return event.refusal, session.result

        refusal, result = asyncio.run(run())
        self.assertEqual((refusal.errno, refusal.program), ("EPERM", "unshare"))
        self.assertEqual([file.path for file in result.files], ["a"])
        self.assertIn("unshare", [refusal.call for refusal in result.refusals])

    def test_the_sessions_of_a_closed_connection_are_migrated(self):
        with Host(self.root, start=SERVER) as host:
            other = Host(self.root)
            session = other.launch_program("org.example.clock", "/bin/sh", ["-c", "echo >/session/a; exec sleep 1000"])
            self.wait_for(f"{self.root}/sessions/{session.id}/content/a")
            self.assertEqual([info.session for info in host.sessions()], [session.id])
            other.close()
            with self.assertRaises(HostDisconnected):
                session.wait()
            self.wait_for(f"{self.root}/apps/org.example.clock/container/SessionContent/{session.id}/a")

    def test_the_example_takes_a_picture(self):
        with Host(self.root, start=SERVER) as host:
            host.install(BUNDLE)
            environment = {**os.environ, "DARKROOM_ROOT": self.root}
            command = [sys.executable, EXAMPLE, EXTENSION, f"{self.directory}/frame.png"]
            result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=2 * TIMEOUT)
            self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
            self.assertIn("viewfinder: 320x240\n", result.stdout)
            self.assertIn("the user dismissed the session", result.stdout)
            path = result.stdout.splitlines()[-1].partition(": ")[0]
            self.assertEqual(pathlib.Path(path).name, "photo-1.jpg")
            self.assertEqual(pathlib.Path(path).read_bytes()[:3], b"\xff\xd8\xff")
        self.assertEqual(pathlib.Path(f"{self.directory}/frame.png").read_bytes()[:4], b"\x89PNG")


if __name__ == "__main__":
    unittest.main()
