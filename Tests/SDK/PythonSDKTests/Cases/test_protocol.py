# SPDX-License-Identifier: Apache-2.0
"""Tests of the package against the protocol document: every method, field, error and limit."""

import json
import os
import pathlib
import re
import subprocess
import sys
import unittest

import darkroom
from darkroom import Picker, Slider, UserActivity, errors, events, requests
from darkroom.values import SessionInfo

ROOT = pathlib.Path(__file__).resolve().parents[4]
DOCUMENT = (ROOT / "Sources/Darkroom.docc/Reference/Protocol.md").read_text()
REFERENCE = (ROOT / "Sources/Darkroom.docc/Reference/PythonSDK.md").read_text()
TO_EXTENSION, TO_HOST = (
    re.search(f"(?ms)^## {title}$(.*?)^## ", DOCUMENT)[1]
    for title in ("From the host to the extension", "From the extension to the host")
)


def examples(part):
    """Returns the messages of the examples by method: the first message, and the reply or None."""
    found = {}
    for method, body in re.findall(r"(?ms)^### `([^`]+)`\n(.*?)(?=^### |\Z)", part):
        messages = [json.loads(line) for line in re.search(r"(?s)```json\n(.*?)```", body)[1].splitlines()]
        found[method] = (messages[0], messages[1] if len(messages) > 1 else None)
    return found


ACTIVITY = UserActivity(
    title="Edit",
    user_info={"photo": "photo-1.jpg", "thumbnail": b"\xff\xd8\xff"},
    target_content_identifier="photo-1",
    webpage_url="https://example.org/photo-1",
    required_user_info_keys=["photo"],
)
CONTROLS = [
    Slider("zoom", "Zoom", 1, (1, 5), 0.5, prominent=[1, 2], format="%@×", symbol="plus.magnifyingglass"),
    Picker("filter", "Filter", ["None", "Mono"], symbol="camera.filters"),
]
ASSET = darkroom.Asset("7", "Sunset", "image", 41230, 1750000000000, "5b0f3b0e-6a0c-4f0b-9c53-0c0e8b2f7a11", True)
#: The request of each example, and the value of its reply.
REQUESTS = {
    "camera/start": (requests.camera_start("latest"), None),
    "camera/stop": (requests.camera_stop(), None),
    "camera/settings": (
        requests.camera_settings(),
        [
            darkroom.CameraSetting("zoom", 100, 500, 10, 100, 100, True),
            darkroom.CameraSetting("automaticFocus", 0, 1, 1, 1, 1, True),
            darkroom.CameraSetting("focus", 0, 250, 5, 0, 40, False),
        ],
    ),
    "camera/set": (requests.camera_set("zoom", 200), 200),
    "capture/subscribe": (requests.capture_subscribe(False), None),
    "capture/unsubscribe": (requests.capture_unsubscribe(), None),
    "pointer/subscribe": (requests.pointer_subscribe(), None),
    "capture/playSound": (requests.capture_play_sound(1, "cameraShutter", "click.wav"), True),
    "context/get": (requests.context_get(), {"flash": "off"}),
    "context/update": (requests.context_update({"flash": "on"}, {"flash": "off"}), 14),
    "session/dismiss": (requests.session_dismiss(), None),
    "session/openApplication": (requests.session_open_application(ACTIVITY), None),
    "session/invalidateContent": (requests.session_invalidate_content(), 3),
    "session/beginActivity": (requests.session_begin_activity("closing the film"), "1"),
    "session/endActivity": (requests.session_end_activity("1"), None),
    "photos/authorization": (requests.photos_authorization("addOnly"), "authorized"),
    "photos/add": (requests.photos_add("photo-1.jpg", "Sunset", "image", True, 1750000000000), ASSET),
    "photos/list": (
        requests.photos_list("9", 50),
        darkroom.AssetPage([darkroom.Asset("7", "Sunset", "image", 41230, 1750000000000, None, False)], "7"),
    ),
    "photos/open": (requests.photos_open("7"), "/library/7.jpg"),
    "photos/delete": (requests.photos_delete("7"), None),
    "controls/declare": (requests.controls_declare(1, CONTROLS), None),
    "microphone/start": (requests.microphone_start("latest"), None),
    "microphone/stop": (requests.microphone_stop(), None),
}
PERMISSIONS = darkroom.Permissions("denied", "denied", "limited", "authorized")
#: The event of each example of a notification.
EVENTS = {
    "session/willDismiss": darkroom.Dismissal("person", 2),
    "capture/event": darkroom.Press("primary", "remote", 1),
    "pointer/event": darkroom.PointerEvent("began", 960, 540.5, 1, 81250000000),
    "context/changed": darkroom.ContextChanged({"flash": "on"}),
    "camera/ended": darkroom.CameraEnded(
        "unplugged", "the camera or its driver was removed; plug in the camera and start a new session"
    ),
    "camera/changed": darkroom.CameraChanged((15, 1)),
    "scene/changed": darkroom.SceneChanged("active", "landscapeLeft"),
    "lock/changed": darkroom.LockChanged("unlocked"),
    "permission/changed": darkroom.PermissionChanged(PERMISSIONS),
    "requirements/changed": darkroom.RequirementsChanged(("viewfinder", "captureEvents"), 5),
    "photos/changed": darkroom.PhotosChanged(),
    "controls/changed": darkroom.ControlChanged("zoom", 2.5, 1),
    "controls/appearance": darkroom.ControlsAppearanceChanged("active"),
    "content/room": darkroom.SpaceChanged("low", "session", 524288000, 9000),
    "microphone/ended": darkroom.MicrophoneEnded("unplugged", "the microphone or its driver was removed"),
}


class ProtocolTests(unittest.TestCase):
    def test_every_request_is_exactly_that_of_the_document(self):
        documented = {method: both for method, both in examples(TO_HOST).items() if both[1] is not None}
        self.assertEqual(set(documented), set(REQUESTS))
        for method, (request, reply) in documented.items():
            sent, value = REQUESTS[method]
            params = json.loads(json.dumps(sent.params))
            self.assertEqual((sent.method, params), (request["method"], request["params"]), method)
            self.assertEqual(sent.decode(reply["result"]), value, method)

    def test_every_notification_of_the_host_is_an_event(self):
        documented = examples(TO_EXTENSION)
        self.assertEqual(set(documented), set(EVENTS) | {"session/start"})
        for method, event in EVENTS.items():
            found = events.decode(method, documented[method][0]["params"])
            # Equality of events ignores some members.
            self.assertEqual((type(found), vars(found)), (type(event), vars(event)))

    def test_every_notification_to_the_host_is_sent_by_the_session(self):
        notifications = {method for method, both in examples(TO_HOST).items() if both[1] is None}
        self.assertEqual(notifications, {"viewfinder/presented", "log"})
        source = (ROOT / "Sources/SDK/Python/darkroom/core.py").read_text()
        for method in notifications:
            self.assertIn(f'"{method}"', source)

    def test_the_description_of_the_session_has_every_field(self):
        info = SessionInfo._of(examples(TO_EXTENSION)["session/start"][0]["params"])
        self.assertEqual((info.session_directory, info.container_directory), ("/session", "/container"))
        self.assertEqual((info.extension_directory, info.library_directory), ("/extension", "/library"))
        self.assertEqual((info.assets_directory, info.context), ("/assets", {"flash": "off"}))
        self.assertEqual(info.deadlines, {"launch": 10, "dismissal": 2.5, "watchdog": 10})
        self.assertEqual(info.permissions, darkroom.Permissions("authorized", "denied", "notDetermined", "authorized"))
        self.assertEqual(info.camera, darkroom.CameraFormat(1920, 1080, (30, 1), "Test pattern"))
        self.assertEqual(info.microphone, darkroom.MicrophoneFormat(48000, 2))
        self.assertEqual((info.phase, info.orientation), ("active", "portrait"))
        self.assertEqual((info.surface, info.control, info.camera_controls), ("lockScreen", "shutter", 4))
        self.assertEqual((info.app, info.extension), ("org.example.camera", "org.example.camera.capture"))
        self.assertEqual((info.lock_state, info.session_id[:4]), ("locked", "5B0F"))

    def test_a_message_without_a_required_field_is_an_error(self):
        params = examples(TO_EXTENSION)["session/start"][0]["params"]
        for name in ("sessionID", "app", "sessionDirectory", "lockState", "permissions", "deadlines"):
            with self.assertRaisesRegex(darkroom.ProtocolError, name):
                SessionInfo._of({key: value for key, value in params.items() if key != name})
        for method in ("session/willDismiss", "capture/event", "controls/changed", "content/room"):
            with self.assertRaises(darkroom.ProtocolError):
                events.decode(method, {})

    def test_every_error_of_the_document_has_a_class(self):
        rows = re.findall(r"(?m)^\| (-?\d+) \| `(\w+)` \|", DOCUMENT)
        self.assertGreater(len(rows), 20)
        found = {kind.number: kind.code for kind in errors._BY_NUMBER.values()}
        # The host sends no request that it cannot write.
        expected = {int(number): name for number, name in rows if name != "parseError"}
        self.assertEqual(found, expected)
        for number, name in expected.items():
            error = errors.request_error("x/y", {"code": number, "message": "reason", "data": 1})
            self.assertEqual((error.number, error.code, error.data), (number, name, 1))

    def test_the_values_of_an_activity_have_their_types(self):
        from datetime import datetime, timezone

        at = datetime(2026, 1, 1, tzinfo=timezone.utc)
        info = {"link": darkroom.URL("https://example.org"), "at": at, "list": [b"\0", 1]}
        encoded = UserActivity("edit", user_info=info)._fields()
        expected = {"link": {"$url": "https://example.org"}, "at": {"$date": 1767225600.0}, "list": [{"$data": "AA=="}, 1]}
        self.assertEqual(encoded, {"activityType": "edit", "userInfo": expected})


class ReferenceTests(unittest.TestCase):
    def test_the_reference_has_every_name_of_the_package(self):
        named = set(re.findall(r"`(?:darkroom\.)?(\w+)", REFERENCE))
        self.assertEqual([name for name in darkroom.__all__ if name not in named], [])

    def test_the_reference_has_every_member(self):
        missing = []
        kinds = [darkroom.Session, darkroom.Camera, darkroom.Frame, darkroom.PixelPlane, darkroom.Viewfinder]
        for kind in kinds + [darkroom.Microphone, darkroom.SoundBlock, darkroom.SessionInfo, darkroom.UserActivity]:
            names = [name for name in vars(kind) if not name.startswith("_")] + list(getattr(kind, "__annotations__", {}))
            names += list(getattr(kind, "__slots__", ()))
            missing += [f"{kind.__name__}.{name}" for name in names if not name.startswith("_") and f"`{name}" not in REFERENCE]
        self.assertEqual(missing, [])

    def test_the_package_passes_the_type_checker(self):
        package = ROOT / "Sources/SDK/Python"
        command = [sys.executable, "-m", "mypy", "--config-file", str(package / "pyproject.toml"), "--cache-dir", os.devnull]
        result = subprocess.run([*command, str(package / "darkroom")], capture_output=True, text=True)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main()
