# SPDX-License-Identifier: Apache-2.0
"""Tests of sessions that wait, with a host in this process."""

import os
import signal
import subprocess
import sys
import threading
import time
import unittest

import darkroom
from fake_host import Host, sample
from test_images import decoded



class SessionTests(unittest.TestCase):
    def test_answers_the_start_and_ends_after_the_dismissal(self):
        with Host() as host, darkroom.Session() as session:
            self.assertEqual((session.directory, session.context), (host.directory, {"flash": "off"}))
            self.assertEqual(session.lock_state, "locked")
            self.assertEqual(session.info.permissions, darkroom.Permissions(*["authorized"] * 4))
            self.assertEqual(session.info.camera, darkroom.CameraFormat(7, 5, (30, 1), "Test pattern"))
            self.assertEqual(session.info.deadlines, {"launch": 10, "dismissal": 2.5})
            self.assertEqual((session.info.surface, session.phase, session.orientation), ("commandLine", "active", "portrait"))
            host.press()
            host.press("secondary", "ended")
            host.press(phase="cancelled")
            host.notify("future/notification", value=1)
            host.send(id="x", method="future/request")
            host.dismiss()
            host.press()
            events = list(session)
        expected = [darkroom.Press("primary"), darkroom.Release("secondary"), darkroom.Cancellation("primary")]
        self.assertEqual(events, expected + [darkroom.Dismissal("person")])
        self.assertNotEqual(darkroom.Press("primary"), darkroom.Release("primary"))
        self.assertEqual(events[-1].grace, 2)
        self.assertEqual(host.messages[0], {"jsonrpc": "2.0", "id": 1, "result": {"protocolVersion": 1}})
        self.assertEqual(host.wait_for("capture/subscribe"), {"defaultSoundDisabled": False})
        self.assertIn(-32601, [message["error"]["code"] for message in host.messages if "error" in message])

    def test_ends_if_the_host_exits(self):
        with Host() as host, darkroom.Session() as session:
            host.press()
            session.subscribe()
            host.close()
            self.assertEqual(list(session), [darkroom.Press("primary")])
            with self.assertRaises(darkroom.SessionEnded):
                session.get_context()

    def test_the_end_of_a_session_is_no_error_of_the_program(self):
        with Host() as host, darkroom.Session() as session:
            camera = session.start_camera()
            host.dismiss()
            camera.frame()
            self.fail("there is no frame")
        with Host() as host, darkroom.Session() as session:
            host.errors["context/get"] = {"code": 4014, "message": "the session is being dismissed"}
            host.dismiss()
            self.assertEqual(list(session)[-1:], [darkroom.Dismissal("person")])
            session.get_context()
            self.fail("the request succeeded")

    def test_refuses_a_host_without_a_known_version(self):
        with Host(protocolVersions=[2, 11]) as host:
            with self.assertRaises(darkroom.UnsupportedVersion):
                with darkroom.Session():
                    pass
            host.thread.join(0.2)
            self.assertEqual(host.messages[0]["error"]["data"], {"spoken": [1]})
            self.assertEqual(host.messages[0]["error"]["code"], 4004)

    def test_a_program_without_a_host_learns_the_fix(self):
        with self.assertRaisesRegex(darkroom.NotStartedByHost, "darkroom run") as raised:
            with darkroom.Session():
                pass
        self.assertEqual(raised.exception.code, "notStartedByHost")

    def test_state_follows_the_notifications_of_the_host(self):
        permissions = {"camera": "denied", "microphone": "denied", "photos": "limited"}
        with Host() as host, darkroom.Session() as session:
            camera = session.start_camera()
            host.notify("context/changed", context=[1])
            host.notify("lock/changed", lockState="unlocked")
            host.notify("scene/changed", phase="inactive", orientation="landscapeLeft")
            host.notify("camera/changed", frameRate=[15, 1])
            host.notify("permission/changed", permissions=permissions)
            host.dismiss()
            kinds = [type(event).__name__ for event in session]
            self.assertEqual((session.context, session.lock_state, session.phase), ([1], "unlocked", "inactive"))
            self.assertEqual((camera.frame_rate, camera.is_running), ((15, 1), False))
            self.assertEqual(session.permissions.photos_add_only, "authorized")
            with self.assertRaises(darkroom.CameraUnavailable):
                camera.frame()
        expected = ["ContextChanged", "LockChanged", "SceneChanged", "CameraChanged", "PermissionChanged", "Dismissal"]
        self.assertEqual(kinds, expected)

    def test_an_error_of_the_host_is_an_exception_with_its_code(self):
        with Host() as host, darkroom.Session() as session:
            stored = {"flash": "on"}
            host.errors["context/update"] = {"code": 4018, "message": "the context differs", "data": stored}
            with self.assertRaises(darkroom.ContextConflict) as raised:
                session.update_context({}, expected=None)
            self.assertEqual((raised.exception.number, raised.exception.code), (4018, "contextChanged"))
            self.assertEqual(raised.exception.data, stored)
            self.assertIn("context/update: the context differs; merge", str(raised.exception))
            host.errors["context/update"] = {"code": 4999, "message": "later"}
            with self.assertRaises(darkroom.RequestError) as raised:
                session.update_context({})
            self.assertEqual((type(raised.exception), raised.exception.number), (darkroom.RequestError, 4999))

    def test_a_message_that_is_too_long_is_not_sent(self):
        with Host() as host, darkroom.Session() as session:
            with self.assertRaisesRegex(darkroom.DarkroomError, "65536"):
                session.log("x" * 65536)
            session.log("short", "debug")
            self.assertEqual(host.wait_for("log"), {"level": "debug", "message": "short"})

    def test_a_signal_ends_the_session_in_order(self):
        with Host() as host, darkroom.Session() as session:
            session.subscribe()
            threading.Timer(0.1, os.kill, (os.getpid(), signal.SIGTERM)).start()
            self.assertEqual(list(session), [darkroom.Dismissal("signal")])
        self.assertIs(signal.getsignal(signal.SIGTERM), signal.SIG_DFL)

    def test_waits_without_processor_time(self):
        with Host() as host, darkroom.Session() as session:
            session.start_camera()
            threading.Timer(1, host.dismiss).start()
            used = time.thread_time()
            list(session)
            self.assertLess(time.thread_time() - used, 0.1)


class CameraTests(unittest.TestCase):
    def test_waits_for_the_first_frame_and_copies_it(self):
        with Host() as host, darkroom.Session() as session:
            camera = session.start_camera()
            self.assertEqual((camera.width, camera.height, camera.frame_rate), (7, 5, (30, 1)))
            with self.assertRaises(darkroom.FrameTimeout):
                camera.frame(timeout=0.05)
            threading.Timer(0.05, host.publish, (1,)).start()
            frame = camera.frame(timeout=20)
            host.publish(2, 3, 4, 5)
            self.assertEqual((frame.sequence, frame.planes[0].row(0)[0]), (1, sample(1, 0, 0, 0)))
            self.assertEqual(camera.frame().sequence, 5)

    def test_a_frame_from_before_the_start_is_not_used(self):
        with Host() as host, darkroom.Session() as session:
            host.publish(1)
            camera = session.start_camera()
            with self.assertRaises(darkroom.FrameTimeout):
                camera.frame(timeout=0.05)
            host.publish(2)
            self.assertEqual(camera.frame().sequence, 2)

    def test_passes_frames_to_the_viewfinder_and_finishes_them(self):
        with Host() as host, darkroom.Session() as session:
            session.start_camera()

            def play():
                for number in (1, 2):
                    host.publish(number)
                    self.assertEqual(host.shown(), number)
                host.publish(3, 4, 5)
                self.assertEqual(host.shown(), 3)
                host.dismiss()

            player = threading.Thread(target=play)
            player.start()
            self.assertEqual(list(session), [darkroom.Dismissal("person")])
            player.join()
            self.assertEqual((host.finished(), session.camera.dropped), (5, 2))
            self.assertEqual(host.preview.number(host.preview.slot(3) + 8), 1005)

    def test_frames_are_events_on_request_and_are_finished_after_the_event(self):
        with Host() as host, darkroom.Session() as session:
            session.start_camera("every", frames=True, viewfinder=False)
            host.publish(1, 2, 3)
            host.notify("camera/ended", reason="finished", message="the video has ended")
            seen, finished = [], []
            for event in session:
                if isinstance(event, darkroom.FrameReady):
                    self.assertTrue(event.frame.is_view)
                    seen.append(event.frame.sequence)
                    finished.append(host.finished())
                else:
                    self.assertEqual(event, darkroom.CameraEnded("finished"))
                    break
            self.assertEqual((seen, finished, host.finished()), ([1, 2, 3], [0, 1, 1], 1))
            self.assertEqual(host.preview.number(128), 0)
            self.assertEqual(session.camera.frame().sequence, 3)

    def test_the_newest_frame_is_enough_without_every(self):
        with Host() as host, darkroom.Session() as session:
            session.start_camera(frames=True)
            host.publish(1, 2, 3)
            events = iter(session)
            self.assertEqual(next(events).frame.sequence, 3)
            host.dismiss()
            self.assertEqual(next(events), darkroom.Dismissal("person"))
            self.assertEqual(host.finished(), 3)

    def test_the_dismissal_is_the_last_event_even_if_frames_remain(self):
        with Host() as host, darkroom.Session() as session:
            session.start_camera("every", frames=True)
            host.publish(1, 2, 3)
            events = iter(session)
            self.assertEqual(next(events).frame.sequence, 1)
            host.notify("camera/ended", reason="finished", message="")
            host.dismiss()
            self.assertEqual(next(events).frame.sequence, 2)
            session.get_context()
            self.assertEqual(list(events), [darkroom.CameraEnded("finished"), darkroom.Dismissal("person")])
            self.assertEqual(host.finished(), 2)

    def test_a_session_without_a_camera_or_permission_raises(self):
        with Host(camera=False, preview=False, microphone=False) as host, darkroom.Session() as session:
            self.assertIsNone(session.viewfinder)
            self.assertIsNone(session.info.camera)
            with self.assertRaises(darkroom.CameraUnavailable):
                session.start_camera()
            with self.assertRaises(darkroom.MicrophoneUnavailable):
                session.start_microphone()
        with Host() as host, darkroom.Session() as session:
            host.errors["camera/start"] = {"code": 4003, "message": "the camera is denied"}
            with self.assertRaises(darkroom.PermissionDenied):
                session.start_camera()
            self.assertFalse(session.camera.is_running)

    def test_sound_is_an_event(self):
        with Host() as host, darkroom.Session() as session:
            session.start_microphone("every")
            self.assertEqual(host.wait_for("microphone/start"), {"delivery": "every"})
            slot = host.sound.slot(1)
            host.sound.memory[slot + 32] = 8
            host.sound.set_number(slot, 1)
            host.sound.set_number(128, 1)
            os.eventfd_write(host.events["sound-event"], 1)
            event = next(iter(session))
            self.assertEqual([block.frames for block in event.blocks], [8])


class FileTests(unittest.TestCase):
    def test_saves_images_by_suffix_and_any_bytes(self):
        with Host() as host, darkroom.Session() as session:
            camera = session.start_camera()
            host.publish(1)
            frame = camera.frame()
            path = session.save(frame, "photo.png")
            self.assertEqual(path, f"{host.directory}/photo.png")
            with open(path, "rb") as file:
                self.assertEqual(decoded(file.read()), (7, 5, 3, frame.rgb()))
            with open(session.save(frame, "more/photo.JPG", quality=50), "rb") as file:
                self.assertEqual(file.read(3), b"\xff\xd8\xff")
            with open(session.save(b"text", "note.txt"), "rb") as file:
                self.assertEqual(file.read(), b"text")
            self.assertEqual(sorted(os.listdir(host.directory)), ["more", "note.txt", "photo.png"])
            with self.assertRaises(darkroom.UnknownFormat):
                session.save(frame, "photo.gif")

    def test_names_outside_of_the_session_directory_are_rejected(self):
        with Host() as host, darkroom.Session() as session:
            for name in ("../photo.png", "/tmp/photo.png", "a/../../x", ".", ""):
                with self.assertRaises(darkroom.FileNotSaved, msg=name):
                    session.save(b"", name)

    def test_the_fix_of_a_failed_write_depends_on_its_cause(self):
        with Host(), darkroom.Session() as session:
            with self.assertRaisesRegex(darkroom.FileNotSaved, "cannot be written: File name too long$") as raised:
                session.save(b"", "x" * 300)
            self.assertEqual(raised.exception.fix, "")

    def test_a_failed_write_leaves_no_file(self):
        program = (
            "import resource, sys, signal, darkroom\n"
            "from fake_host import Host\n"
            "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
            "with Host() as host, darkroom.Session() as session:\n"
            "    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
            "    try:\n"
            "        session.save(bytes(5000), 'large')\n"
            "    except darkroom.FileNotSaved as error:\n"
            "        import errno, os\n"
            "        assert error.__cause__.errno == errno.EFBIG, error\n"
            "        assert os.listdir(host.directory) == []\n"
            "        print(error)\n"
        )
        environment = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
        result = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
        self.assertIn("large cannot be written: File too large; delete files", result.stdout, result.stderr)


class PackageTests(unittest.TestCase):
    def test_a_session_does_not_import_asyncio_or_numpy(self):
        program = "import sys, darkroom; print(sorted({'asyncio', 'numpy', 'PIL'} & set(sys.modules)))"
        environment = {**os.environ, "PYTHONPATH": ":".join(sys.path)}
        result = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
        self.assertEqual(result.stdout, "[]\n")

    def test_every_name_of_the_package_exists(self):
        for name in darkroom.__all__:
            self.assertTrue(hasattr(darkroom, name), name)
        with self.assertRaises(AttributeError):
            darkroom.unknown


if __name__ == "__main__":
    unittest.main()
