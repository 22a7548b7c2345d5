# SPDX-License-Identifier: Apache-2.0
"""Tests of the documents on `darkroom.host`: the examples run with a server in this process, and the names exist."""

import contextlib
import io
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import wave
from unittest import mock

import darkroom.host
from darkroom.host import WatchEnded
from fake_server import DESCRIPTION, ROOT, SESSION, FakeServer, Sound, Viewfinder, sample

GUIDE = (ROOT / "Sources/Darkroom.docc/Guides/HostFromPython.md").read_text()
REFERENCE = (ROOT / "Sources/Darkroom.docc/Reference/PythonSDK.md").read_text()
EXAMPLE = ROOT / "Plugins/HostDemo/host.py"
BLOCKS = re.findall(r"(?ms)^```python\n(.*?)^```$", GUIDE)


class ScriptedServer(FakeServer):
    """A server with a session that accepts presses, and with one delivery of content."""

    def __init__(self):
        super().__init__()
        Viewfinder(self, frames=100)
        schema = DESCRIPTION["components"]["schemas"]["Result"]
        files = [{"path": "photo-1.jpg", "size": 9}]
        self.results["session/result"] = {**sample(schema, False), "summary": "done", "content": "/c", "files": files}
        self.results["content/watch"] = {"subscription": 1}
        self.results["content/export"] = {"path": "photos/1"}

    def answer(self, connection, message):
        super().answer(connection, message)
        if message["method"] == "session/launch":
            self.event("started", sandbox={"full": True, "layers": []})
            self.event("acceptsPresses", accepts=True)
        elif message["method"] == "session/dismiss":
            self.event("ended", outcome={"kind": "dismissed", "by": "user"})
        elif message["method"] == "content/watch":
            delivery = {"session": SESSION, "path": "/c", "files": 1, "bytes": 9}
            self.change(initial=[delivery])
            self.change(removed=SESSION)
            self.change(added=delivery)
            self.notify("content/ended", subscription=1, message="the test ends")


class ExampleTests(unittest.TestCase):
    def setUp(self):
        self.server = ScriptedServer()
        self.addCleanup(self.server.__exit__)
        self.addCleanup(lambda: self.assertEqual(self.server.faults, []))
        directory = tempfile.TemporaryDirectory(prefix="darkroom-python-")
        self.addCleanup(directory.cleanup)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(directory.name)

    def run_block(self, text):
        """Runs the example of the guide that contains a text, and returns its output."""
        (block,) = [block for block in BLOCKS if text in block]
        output = io.StringIO()
        with mock.patch.dict(os.environ, {"DARKROOM_ROOT": self.server.root}), contextlib.redirect_stdout(output):
            exec(compile(block, "HostFromPython.md", "exec"), {"__name__": "__main__"})
        return output.getvalue()

    def test_the_program_of_the_guide_is_the_example(self):
        (program,) = re.findall(r"(?ms)^<!-- file: host.py -->\n```python\n(.*?)^```$", GUIDE)
        self.assertEqual(program, EXAMPLE.read_text())
        self.assertLessEqual(program.count("\n"), 60)

    def test_the_program_takes_a_picture(self):
        environment = {**os.environ, "DARKROOM_ROOT": self.server.root}
        command = [sys.executable, EXAMPLE, "org.example.camera.capture", "frame.png"]
        result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        lines = ["the extension runs in 0 layers", "viewfinder: 6x4", "done", "/c/photo-1.jpg: 9 bytes"]
        self.assertEqual(result.stdout.splitlines(), lines)
        self.assertEqual(pathlib.Path("frame.png").read_bytes()[:4], b"\x89PNG")
        self.assertEqual(self.server.sent("session/press"), [{"session": SESSION, "button": "primary"}])

    def test_the_program_prints_errors_and_its_usage(self):
        self.server.errors["session/launch"] = {"code": -32000, "message": "not installed", "data": {"kind": "program"}}
        environment = {**os.environ, "DARKROOM_ROOT": self.server.root}
        for arguments, code, message in ((["a", "b"], 1, "not installed"), ([], 64, "usage: ")):
            command = [sys.executable, EXAMPLE, *arguments]
            result = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, code)
            self.assertIn(message, result.stderr)

    def test_the_example_of_frames_reads_and_saves_them(self):
        output = self.run_block("session.frames()")
        self.assertEqual([line.split()[0] for line in output.splitlines()], ["1", "2", "3"])
        self.assertEqual(pathlib.Path("frame.jpg").read_bytes()[:3], b"\xff\xd8\xff")

    def test_the_example_of_sound_saves_a_file(self):
        self.server.descriptors.clear()
        Sound(self.server, blocks=4)
        self.run_block("session.sound(")
        with wave.open("sound.wav") as file:
            self.assertEqual((file.getframerate(), file.getnchannels(), file.getsampwidth()), (8000, 1, 2))
            self.assertEqual(file.readframes(99), b"".join(Sound.samples(number) for number in (1, 2, 3)))

    def test_the_example_of_content_imports_each_delivery(self):
        with self.assertRaises(WatchEnded):
            self.run_block("watch_content")
        self.assertEqual(len(self.server.sent("content/export")), 2)
        self.assertEqual(len(self.server.sent("content/invalidate")), 2)
        self.assertEqual(self.server.sent("content/watch")[0]["consumer"], "importer")

    def test_the_example_of_errors_prints_the_faults(self):
        fault = {"severity": "error", "file": "app.json", "key": "id", "reason": "it is missing", "fix": "add the ID"}
        data = {"kind": "bundle", "diagnostics": [fault]}
        self.server.errors["apps/install"] = {"code": -32000, "message": "invalid bundle", "data": data}
        output = self.run_block("HostUnavailable")
        self.assertEqual(output, "bundle invalid bundle\napp.json: id: it is missing; add the ID\n")
        self.server.close()
        self.assertIn("start 'darkroom serve'", self.run_block("HostUnavailable"))

    def test_the_example_of_asyncio_presses_the_shutter(self):
        self.assertEqual(self.run_block("asyncio"), "done\n")
        self.assertEqual(len(self.server.sent("session/press")), 1)

    def test_each_example_of_the_guide_is_run(self):
        self.assertEqual(len(BLOCKS), 6)


class ReferenceTests(unittest.TestCase):
    def test_the_reference_has_every_name_of_the_package(self):
        named = set(re.findall(r"`(?:darkroom\.host\.)?(\w+)", REFERENCE))
        self.assertEqual([name for name in darkroom.host.__all__ if name not in named], [])

    def test_the_reference_has_every_member(self):
        missing = []
        for name in darkroom.host.__all__:
            kind = getattr(darkroom.host, name)
            members = {member for member in vars(kind) if not member.startswith("_")}
            members |= {member for member in getattr(kind, "__annotations__", {}) if not member.startswith("_")}
            missing += [f"{name}.{member}" for member in members if f"`{member}" not in REFERENCE]
        self.assertEqual(sorted(missing), [])

    def test_the_reference_has_every_kind_of_error_and_event(self):
        from typing import get_args

        from darkroom.host import _schemas

        for words in (_schemas.ErrorKind, _schemas.EventKind, _schemas.OutcomeKind, _schemas.Dismisser):
            self.assertEqual([word for word in get_args(words) if f"`{word}`" not in REFERENCE], [])


if __name__ == "__main__":
    unittest.main()
