# SPDX-License-Identifier: Apache-2.0
"""Tests of the package in real sessions. DARKROOM_PROGRAMS is the directory of the command."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest
import wave

ROOT = pathlib.Path(__file__).resolve().parents[4]
PACKAGE = ROOT / "Sources/SDK/Python/darkroom"
PROGRAMS = os.environ.get("DARKROOM_PROGRAMS")
APP = "org.example.python"
USES = {"camera": "To test.", "microphone": "To test."}
START = "await presented within 20s\nawait listening within 20s\nwait 500ms\n"

PLAIN = """
import darkroom, wave

with darkroom.Session() as session:
    session.start_camera()
    microphone = session.start_microphone()
    zoom = darkroom.Slider("zoom", "Zoom", 1, (1, 5), 0.5)
    if session.info.camera_controls > 0:
        session.declare_controls([zoom])
    session.update_context({"count": 0}, expected=session.context)
    sound, lost = b"", 0
    for event in session:
        if isinstance(event, darkroom.SoundReady):
            sound += b"".join(block.samples for block in event.blocks)
            lost += sum(block.lost for block in event.blocks)
        elif event == darkroom.Press("primary"):
            frame = session.camera.frame()
            session.save(frame, "photo.png")
            session.update_context({"count": session.get_context()["count"] + 1})
        elif event == darkroom.Press("secondary"):
            with session.activity("writing the sound"):
                with wave.open(session.directory + "/sound.wav", "wb") as file:
                    file.setnchannels(microphone.channels)
                    file.setsampwidth(2)
                    file.setframerate(microphone.sample_rate)
                    file.writeframes(sound)
    session.log(f"lost {lost}")
"""

ASYNC = """
import asyncio
import numpy
import darkroom

async def main():
    async with darkroom.AsyncSession() as session:
        camera = await session.start_camera("every", frames=True, viewfinder=False)
        count, shown = 0, 0
        async for event in session:
            if isinstance(event, darkroom.FrameReady):
                count += 1
                luma, u, v = event.frame.numpy()
                assert luma.shape == (session.info.camera.height, session.info.camera.width)
                with session.viewfinder.draw(event.frame.timestamp) as planes:
                    planes[0].numpy()[:] = 255 - luma
                    planes[1].numpy()[:] = u
                    planes[2].numpy()[:] = v
                event.frame.check()
            elif event == darkroom.Press("primary"):
                await session.save(await camera.frame(), "photo.jpg")
        await session.save(f"{count} {camera.dropped}".encode(), "count.txt")

asyncio.run(main())
"""


@unittest.skipUnless(PROGRAMS, "DARKROOM_PROGRAMS is not set")
class SandboxTests(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.mkdtemp(prefix="darkroom-python-")
        self.addCleanup(subprocess.run, ["chmod", "-R", "u+rwX", self.directory])
        os.chmod(self.directory, 0o755)
        self.environment = {**os.environ, "DARKROOM_ROOT": f"{self.directory}/state", "DARKROOM_SERVE": "none"}
        self.environment.pop("PYTHONPATH", None)

    def darkroom(self, *arguments):
        """Runs the command and returns its output."""
        command = [f"{PROGRAMS}/darkroom", *arguments]
        result = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=120)
        self.assertEqual(result.returncode, 0, f"{result.stdout}{result.stderr}")
        return result.stdout + result.stderr

    def run_session(self, program, script, *options):
        """Runs an extension, and returns the directory of its content and the output."""
        bundle = f"{self.directory}/bundle"
        extension = f"{bundle}/Extensions/Capture"
        shutil.copytree(PACKAGE, f"{extension}/darkroom", ignore=shutil.ignore_patterns("__pycache__"))
        manifest = {"id": APP, "name": "Python", "usageDescriptions": USES}
        pathlib.Path(f"{bundle}/app.json").write_text(json.dumps(manifest))
        manifest = {"id": f"{APP}.capture", "name": "Capture", "executable": "capture.py", "protocol": "1"}
        manifest["usageDescriptions"] = USES
        pathlib.Path(f"{extension}/extension.json").write_text(json.dumps(manifest))
        pathlib.Path(f"{extension}/capture.py").write_text(f"#!/usr/bin/python3 -BsE\n{program}")
        os.chmod(f"{extension}/capture.py", 0o755)
        pathlib.Path(f"{self.directory}/script").write_text(script)
        self.darkroom("install", bundle)
        output = self.darkroom("run", *options, "--script", f"{self.directory}/script", f"{APP}.capture")
        (session,) = pathlib.Path(f"{self.directory}/state/apps/{APP}/container/SessionContent").iterdir()
        self.assertIn("exited with code 0", output)
        return session, output

    def test_a_session_with_camera_and_microphone(self):
        script = START + "press primary\nawait file photo.png within 20s\n"
        script += "press secondary\nawait file sound.wav within 20s\ndismiss\n"
        session, output = self.run_session(PLAIN, script, "--camera", "pattern:64x48@30", "--microphone", "tone")
        self.assertEqual(sorted(os.listdir(session)), ["photo.png", "sound.wav"])
        with wave.open(str(session / "sound.wav")) as file:
            self.assertGreater(file.getnframes(), file.getframerate() // 10)
            self.assertNotEqual(file.readframes(4800).strip(b"\0"), b"")
        self.assertIn("lost 0", output)
        self.assertEqual(json.loads(self.darkroom("context", "get", APP)), {"count": 1})

    def test_a_session_with_asyncio_and_numpy_receives_every_frame(self):
        script = START + "press primary\nawait file photo.jpg within 20s\n"
        film = f"{self.directory}/viewfinder.y4m"
        session, output = self.run_session(ASYNC, script + "dismiss\n", "--camera", "pattern:64x48@30", "--preview", film)
        self.assertEqual((session / "photo.jpg").read_bytes()[:3], b"\xff\xd8\xff")
        count, dropped = map(int, (session / "count.txt").read_text().split())
        self.assertGreater(count, 5)
        self.assertEqual(dropped, 0)
        self.assertIn(b"FRAME", pathlib.Path(film).read_bytes())


if __name__ == "__main__":
    unittest.main()
