# SPDX-License-Identifier: Apache-2.0
"""A call of each method of `Host` and `HostedSession`, with all arguments. The calls of `AsyncHost` are the same."""

from darkroom.host import RequiredAudit, StorageLimits
from fake_server import SESSION

APP, EXTENSION = "org.example.camera", "org.example.camera.capture"
#: The options of a launch, and their members in the request.
OPTIONS = {
    "camera": "pattern",
    "microphone": "tone",
    "place": "lockScreen",
    "grace": 1.5,
    "watchdog": 0,
    "idle_timeout": 60,
    "digests": True,
    "audit": RequiredAudit("/audit", "/key"),
}
SENT_OPTIONS = {
    "camera": "pattern",
    "microphone": "tone",
    "place": "lockScreen",
    "grace": 1.5,
    "watchdog": 0,
    "idleTimeout": 60,
    "digests": True,
    "audit": {"attestation": "/audit", "publicKey": "/key"},
}
PROGRAM = {
    "policy": "strict",
    "read_only_paths": ["/data"],
    "environment": {"A": "b"},
    "camera": "/dev/video0",
}
SENT_PROGRAM = {
    "app": APP,
    "program": "ffmpeg",
    "arguments": ["-version"],
    "policy": "strict",
    "readOnlyPaths": ["/data"],
    "environment": {"A": "b"},
    "camera": "/dev/video0",
}

#: The method of the interface, the call, and the parameters of the request.
CALLS = [
    ("rpc.discover", lambda host: host.discover(), {}),
    ("apps/list", lambda host: host.apps(), {}),
    ("apps/find", lambda host: host.app(APP), {"app": APP}),
    ("apps/validate", lambda host: host.validate("/bundle"), {"bundle": "/bundle"}),
    ("apps/install", lambda host: host.install("/bundle"), {"bundle": "/bundle"}),
    ("apps/uninstall", lambda host: host.uninstall(APP, "discard"), {"app": APP, "pendingContent": "discard"}),
    ("apps/open", lambda host: host.open_app(APP), {"app": APP}),
    (
        "apps/open",
        lambda host: host.open_app(APP, {"activityType": "com.example.é"}),
        {"app": APP, "activity": '{"activityType":"com.example.é"}'},
    ),
    ("content/list", lambda host: host.content(APP), {"app": APP}),
    (
        "content/export",
        lambda host: host.export_content(APP, SESSION, "/copy"),
        {"app": APP, "session": SESSION, "directory": "/copy"},
    ),
    ("content/invalidate", lambda host: host.invalidate_content(APP, SESSION), {"app": APP, "session": SESSION}),
    ("content/quarantine", lambda host: host.quarantine(APP), {"app": APP}),
    ("context/set", lambda host: host.set_context(APP, {"flash": "on"}), {"app": APP, "context": '{"flash":"on"}'}),
    ("context/clear", lambda host: host.clear_context(APP), {"app": APP}),
    ("permissions/get", lambda host: host.permissions(APP), {"app": APP}),
    (
        "permissions/set",
        lambda host: host.set_permission(APP, "camera", "devices", ["Webcam"]),
        {"app": APP, "resource": "camera", "decision": {"decision": "devices", "names": ["Webcam"]}},
    ),
    ("permissions/reset", lambda host: host.reset_permissions(APP, "photos"), {"app": APP, "resource": "photos"}),
    ("session/list", lambda host: host.sessions(), {}),
    ("lock/get", lambda host: host.lock_state(), {}),
    ("lock/set", lambda host: host.set_lock_state("locked"), {"state": "locked"}),
    ("policy/list", lambda host: host.policies(), {}),
    ("policy/explain", lambda host: host.explain_policy("capture", 80), {"policy": "capture", "width": 80}),
    (
        "policy/access",
        lambda host: host.explain_access("/opt/models", "strict", "execute"),
        {"policy": "strict", "path": "/opt/models", "use": "execute"},
    ),
    ("policy/verify", lambda host: host.verify_policy("capture"), {"policy": "capture"}),
    (
        "policy/difference",
        lambda host: host.compare_policies("capture", "strict"),
        {"old": "capture", "new": "strict"},
    ),
    ("host/recover", lambda host: host.recover(), {}),
    ("host/diagnose", lambda host: host.diagnose(), {}),
    ("host/diagnose", lambda host: host.diagnose(["strict", "/own.json"]), {"policies": ["strict", "/own.json"]}),
    (
        "host/prewarm",
        lambda host: host.prewarm(EXTENSION, **OPTIONS),
        {"extension": EXTENSION, "options": SENT_OPTIONS},
    ),
    (
        "control/press",
        lambda host: host.press_control(APP, "shutter", **OPTIONS),
        {"app": APP, "control": "shutter", "options": SENT_OPTIONS},
    ),
    (
        "control/readiness",
        lambda host: host.readiness(EXTENSION, camera="pattern"),
        {"extension": EXTENSION, "camera": "pattern"},
    ),
    ("control/bindings", lambda host: host.key_bindings(), {}),
    (
        "control/bind",
        lambda host: host.bind_key("KEY_CAMERA", APP, "shutter"),
        {"key": "KEY_CAMERA", "app": APP, "control": "shutter"},
    ),
    ("control/unbind", lambda host: host.unbind_key("KEY_CAMERA"), {"key": "KEY_CAMERA"}),
    (
        "log/list",
        lambda host: host.log(app=APP, extension=EXTENSION, outcomes=["violated"], since=1, until=2, limit=3),
        {"app": APP, "extension": EXTENSION, "outcomes": ["violated"], "since": 1, "until": 2, "limit": 3},
    ),
    ("log/verify", lambda host: host.verify_log("1:sha256:0"), {"head": "1:sha256:0"}),
    ("lock/status", lambda host: host.lock_reports(), {}),
    ("lock/lock", lambda host: host.lock(), {}),
    ("log/head", lambda host: host.log_head(), {}),
    (
        "log/deviceUses",
        lambda host: host.device_uses(app=APP, resource="camera", limit=3),
        {"app": APP, "resource": "camera", "limit": 3},
    ),
    ("storage/limits", lambda host: host.storage_limits(APP), {"app": APP}),
    (
        "storage/setLimits",
        lambda host: host.set_storage_limits(StorageLimits(bytes=5, reserve=0), APP),
        {"limits": {"bytes": 5, "reserve": 0}, "app": APP},
    ),
    ("storage/usage", lambda host: host.storage_usage(APP), {"app": APP}),
    (
        "photos/list",
        lambda host: host.photos(app=APP, session=SESSION, limit=3),
        {"app": APP, "session": SESSION, "limit": 3},
    ),
    ("photos/add", lambda host: host.add_photos(APP, ["/a.jpg"]), {"app": APP, "files": ["/a.jpg"]}),
    ("photos/export", lambda host: host.export_photo("1", "/copy"), {"asset": "1", "directory": "/copy"}),
    ("photos/delete", lambda host: host.delete_photo("1"), {"asset": "1"}),
    ("photos/select", lambda host: host.select_photos(APP, ["1", "2"]), {"app": APP, "assets": ["1", "2"]}),
    ("photos/selection", lambda host: host.selected_photos(APP), {"app": APP}),
    ("photos/verify", lambda host: host.verify_photos(), {}),
    ("photos/recover", lambda host: host.recover_photos(), {}),
    ("device/listCameras", lambda host: host.cameras(), {}),
    ("device/listMicrophones", lambda host: host.microphones(), {}),
    (
        "device/capture",
        lambda host: host.capture("/dev/video0", "/a.png", frames=3, settings={"zoom-absolute": 2}),
        {"camera": "/dev/video0", "path": "/a.png", "frames": 3, "settings": {"zoom-absolute": 2}},
    ),
    ("passcode/get", lambda host: host.has_passcode(), {}),
    (
        "passcode/set",
        lambda host: host.set_passcode("new secret", "old"),
        {"passcode": "new secret", "current": "old"},
    ),
    ("passcode/clear", lambda host: host.clear_passcode("old"), {"current": "old"}),
    ("assets/publish", lambda host: host.publish_assets(APP, "/luts"), {"app": APP, "directory": "/luts"}),
    ("assets/list", lambda host: host.assets(APP), {"app": APP}),
    ("assets/clear", lambda host: host.clear_assets(APP), {"app": APP}),
    ("host/sessions", lambda host: host.active_sessions(), {}),
    ("host/emptyTrash", lambda host: host.empty_trash(), {}),
    ("content/watch", lambda host: host.watch_content(APP, "importer"), {"app": APP, "consumer": "importer"}),
    (
        "session/launch",
        lambda host: host.launch(EXTENSION, **OPTIONS),
        {"extension": EXTENSION, "options": SENT_OPTIONS},
    ),
    (
        "session/launchProgram",
        lambda host: host.launch_program(APP, "ffmpeg", ["-version"], **PROGRAM),
        SENT_PROGRAM,
    ),
]
#: The same for sessions.
SESSION_CALLS = [
    ("session/press", lambda session: session.tap("primary"), {"button": "primary"}),
    ("session/press", lambda session: session.press("secondary"), {"button": "secondary", "phase": "began"}),
    ("session/press", lambda session: session.release("secondary"), {"button": "secondary", "phase": "ended"}),
    ("session/press", lambda session: session.cancel("secondary"), {"button": "secondary", "phase": "cancelled"}),
    (
        "session/pointer",
        lambda session: session.pointer("moved", 640, 360.5, 1),
        {"x": 640, "y": 360.5, "phase": "moved", "contact": 1},
    ),
    ("session/adjust", lambda session: session.adjust("zoom", 2.5), {"control": "zoom", "value": 2.5}),
    ("session/adjust", lambda session: session.adjust("zoom", steps=-1), {"control": "zoom", "steps": -1}),
    ("session/adjust", lambda session: session.adjust("filter", title="Mono"), {"control": "filter", "title": "Mono"}),
    ("session/dismiss", lambda session: session.dismiss(), {}),
    ("session/terminate", lambda session: session.terminate(), {}),
    ("session/result", lambda session: session.wait(), {}),
    ("viewfinder/open", lambda session: session.open_viewfinder(), {}),
    ("viewfinder/next", lambda session: session.next_frame(), {}),
    ("viewfinder/release", lambda session: session.release_frame(), {}),
    ("sound/open", lambda session: session.open_sound(), {}),
]
#: The methods that the tests call in other ways.
OTHERS = {"host/hello", "content/unwatch", "context/get", "log/record", "sound/next", "viewfinder/image"}
