# SPDX-License-Identifier: Apache-2.0
"""The state of a session, without waiting: `Session` waits with select(2), and `AsyncSession` with an event loop."""

from __future__ import annotations

import collections
import errno
import os
from typing import Any, Deque, Dict, Generic, List, Optional, Type, TypeVar, Union

from . import events as kinds
from .camera import CameraBase
from .connection import PROTOCOL_VERSIONS, Connection, passed_descriptors
from .errors import (
    CameraUnavailable,
    ContextConflict,
    FileNotSaved,
    MicrophoneUnavailable,
    NotInSession,
    SessionEnded,
    UnsupportedVersion,
    request_error,
)
from .events import Event
from .frames import Frame
from .requests import Request
from .sound import Microphone
from .values import Permissions, SessionInfo
from .viewfinder import Viewfinder

C = TypeVar("C", bound=CameraBase)
T = TypeVar("T")
Image = Union[Frame, bytes, bytearray, memoryview]


class SessionCore(Generic[C]):
    """The parts that `Session` and `AsyncSession` share.

    Attributes:
        camera: The camera, after `start_camera`; otherwise None.
        microphone: The microphone, after `start_microphone`; otherwise None.
        viewfinder: The viewfinder, or None if the session has none.
        permissions: The current permissions of the app.
        lock_state: ``locked`` or ``unlocked``.
        context: The last known app context, or None.
        phase: ``active``, ``inactive`` or ``background``.
        orientation: The current orientation of the machine.
        is_dismissed: Whether the session is being dismissed.
    """

    _camera_type: Type[C]

    def __init__(self, capture_events: bool = True) -> None:
        self._wants_capture_events = capture_events
        self._is_subscribed = False
        self._info: Optional[SessionInfo] = None
        self._events: Deque[Event] = collections.deque()
        self._replies: Dict[int, Any] = {}
        self._context_requests: Dict[int, Request[Any]] = {}
        self._request_count = 0
        self._revision = -1
        self.camera: Optional[C] = None
        self.microphone: Optional[Microphone] = None
        self.viewfinder: Optional[Viewfinder] = None
        self._hears = False
        self.is_dismissed = False
        self.context: Any = None

    def _open(self) -> None:
        """Takes the descriptors of the host."""
        self._descriptors = passed_descriptors()
        self._connection = Connection(self._descriptors["host-in"], self._descriptors["host-out"])

    @property
    def info(self) -> SessionInfo:
        """The host's description of the session at its start."""
        if self._info is None:
            raise SessionEnded("the session has not started", "use the session in a with statement")
        return self._info

    @property
    def directory(self) -> str:
        """The session directory: its files are migrated to the app."""
        return self.info.session_directory

    def log(self, message: str, level: str = "info") -> None:
        """Adds a line to the session's log; `level` is ``debug``, ``info``, ``notice`` or ``error``."""
        self._notify("log", level=level, message=message)

    def presented(self, sequence: int) -> None:
        """Reports that the program displayed a frame to the user by other means than the viewfinder."""
        self._notify("viewfinder/presented", frame=sequence)

    # The state.

    @property
    def _is_over(self) -> bool:
        return not self._connection.is_open

    def _notify(self, method: str, **params: Any) -> None:
        self._connection.send(method=method, params=params)

    def _send(self, request: Request[T]) -> int:
        """Sends a request and returns its ID."""
        self._request_count += 1
        if request.method in ("context/get", "context/update"):
            self._context_requests[self._request_count] = request
        self._connection.send(id=self._request_count, method=request.method, params=request.params)
        return self._request_count

    def _has_reply(self, request_id: int) -> bool:
        """Returns whether the reply has arrived.

        Raises:
            SessionEnded: No reply can arrive.
        """
        if request_id not in self._replies and self._is_over:
            raise SessionEnded("the host closed the connection")
        return request_id in self._replies

    def _value(self, request: Request[T], request_id: int) -> T:
        """Returns the value of a reply that has arrived, or raises its error."""
        reply = self._replies.pop(request_id)
        if "error" in reply:
            raise request_error(request.method, reply["error"])
        result = reply.get("result")
        return request.decode(result if isinstance(result, dict) else {})

    def _receive(self) -> None:
        """Handles the messages that have arrived."""
        for message in self._connection.receive():
            self._handle(message)

    def _handle(self, message: Dict[str, Any]) -> None:
        method, params = message.get("method"), message.get("params")
        params = params if isinstance(params, dict) else {}
        if method is None:
            if isinstance(message.get("id"), int):
                self._settle_context(message)
                self._replies[message["id"]] = message
        elif method == "session/start" and self._info is None:
            self._start(message.get("id"), params)
        elif "id" in message:
            error = {"code": -32601, "message": f"this version does not have the method {method}"}
            self._connection.send(id=message["id"], error=error)
        else:
            event = kinds.decode(method, params)
            if event is not None and not self.is_dismissed:
                self._apply(event)
                self._events.append(event)

    def _settle_context(self, reply: Dict[str, Any]) -> None:
        """Updates the context if a reply contains or confirms it, when the reply arrives.

        Changes that the host sent before the reply are older, and those after the reply are newer.
        """
        request = self._context_requests.pop(reply["id"], None)
        if request is None:
            return
        error, result = reply.get("error"), reply.get("result")
        if "error" in reply:
            if not isinstance(error, dict) or error.get("code") != ContextConflict.number:
                return
            context = error.get("data")
        elif request.method == "context/update":
            context = request.params["context"]
        else:
            context = result.get("context") if isinstance(result, dict) else None
        self.context = context
        for index, event in enumerate(self._events):
            if isinstance(event, kinds.ContextChanged):
                self._events[index] = kinds.ContextChanged(context)

    def _start(self, request_id: Any, params: Dict[str, Any]) -> None:
        """Answers the first request of the host."""
        offered = params.get("protocolVersions") or []
        versions = [version for version in PROTOCOL_VERSIONS if version in offered]
        if not versions:
            error = {"code": 4004, "message": "only version 1 is supported", "data": {"spoken": list(PROTOCOL_VERSIONS)}}
            self._connection.send(id=request_id, error=error)
            raise UnsupportedVersion(f"the host offers the versions {offered}")
        self._info = info = SessionInfo._of(params)
        self.permissions: Permissions = info.permissions
        self.lock_state, self.context = info.lock_state, info.context
        self.phase, self.orientation = info.phase, info.orientation
        if "preview" in self._descriptors:
            self.viewfinder = Viewfinder(self._descriptors["preview"], self._descriptors["preview-event"])
        self._connection.send(id=request_id, result={"protocolVersion": max(versions)})

    def _apply(self, event: Event) -> None:
        """Updates the state before the program receives an event."""
        camera = self.camera
        if isinstance(event, kinds.Dismissal):
            self.is_dismissed = True
        elif isinstance(event, kinds.ContextChanged):
            self.context = event.context
        elif isinstance(event, kinds.SceneChanged):
            self.phase, self.orientation = event.phase, event.orientation
        elif isinstance(event, kinds.LockChanged):
            self.lock_state = event.lock_state
        elif isinstance(event, kinds.PermissionChanged):
            self.permissions = event.permissions
            if camera and event.permissions.camera != "authorized":
                camera.is_running = False
        elif isinstance(event, kinds.CameraEnded) and camera:
            camera.has_ended = True
            camera.is_running = camera.is_running and event.reason == "finished"
        elif isinstance(event, kinds.CameraChanged) and camera:
            camera.frame_rate = event.frame_rate

    def _terminate(self) -> None:
        """Ends the session in order after SIGTERM."""
        if not self.is_dismissed:
            self.is_dismissed = True
            self._events.append(kinds.Dismissal("signal"))

    # Devices.

    def _prepare_camera(self, delivery: str, frames: bool, viewfinder: bool) -> C:
        """Returns the camera before it is started."""
        if "frames" not in self._descriptors:
            raise CameraUnavailable("the session has no camera")
        if self.camera is None:
            ring, event, done = (self._descriptors[name] for name in ("frames", "frame-event", "frame-done"))
            self.camera = self._camera_type(ring, event, done)
        self.camera._start(delivery, frames, self.viewfinder if viewfinder else None)
        return self.camera

    def _prepare_microphone(self) -> Microphone:
        """Returns the microphone before it is started."""
        if "sound" not in self._descriptors:
            raise MicrophoneUnavailable("the session has no microphone")
        if self.microphone is None:
            ring, event, done = (self._descriptors[name] for name in ("sound", "sound-event", "sound-done"))
            self.microphone = Microphone(ring, event, done)
        return self.microphone

    def _watched(self) -> List[int]:
        """Returns the descriptors that become readable when the state can change."""
        names = ["host-in"]
        if self.camera is not None:
            names.append("frame-event")
        if self._hears:
            names.append("sound-event")
        return [self._descriptors[name] for name in names]

    def _ready(self, descriptor: int) -> None:
        """Handles a readable descriptor."""
        if descriptor == self._connection.host_in:
            self._receive()
        elif self.camera is not None and descriptor == self._descriptors["frame-event"]:
            self.camera._drain()
        elif self.microphone is not None:
            blocks = self.microphone._drain()
            if blocks:
                self._events.append(kinds.SoundReady(blocks))

    def _next_event(self) -> Optional[Event]:
        """Returns the next event, or None if there is none yet."""
        camera = self.camera
        if camera is not None:
            camera._release()
        # After a dismissal, the grace period is too short for the remaining frames.
        has_frames = camera is not None and camera._has_pending and not self.is_dismissed
        # The program receives the last frames before the end of the camera.
        if self._events and not (has_frames and isinstance(self._events[0], kinds.CameraEnded)):
            return self._events.popleft()
        # A frame that was overwritten is finished, but not passed to the program.
        while camera is not None and has_frames and camera._has_pending:
            frame = camera._take()
            if frame is not None:
                return kinds.FrameReady(frame)
            camera._release()
        return None

    # Files.

    def _encoded(self, image: Image, name: str, quality: int) -> bytes:
        """Returns the contents of an image file, whose format is determined by the suffix of its name."""
        return image._encoded(name, quality) if isinstance(image, Frame) else bytes(image)

    def _write(self, data: bytes, name: str) -> str:
        """Writes a file of the session directory, which has its name only when it is complete."""
        path = os.path.normpath(os.path.join(self.directory, name))
        if not path.startswith(self.directory.rstrip("/") + "/"):
            raise FileNotSaved(f"{name} is not in the session directory", "use a relative name")
        partial = f"{path}.part"
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(partial, "wb") as file:
                file.write(data)
            os.replace(partial, path)
        except OSError as error:
            try:
                os.unlink(partial)
            except OSError:
                pass
            is_full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
            fix = "delete files of the session directory, or write smaller files" if is_full else ""
            raise FileNotSaved(f"{name} cannot be written: {error.strerror}", fix) from error
        return path

    def _close(self) -> None:
        """Closes the rings and the connection."""
        for device in (self.viewfinder, self.camera, self.microphone):
            if device is not None:
                device._close()
        self._connection.is_open = False
        for descriptor in self._descriptors.values():
            os.close(descriptor)
        self._descriptors = {}

    def _ends_quietly(self, error: Optional[BaseException]) -> bool:
        """Returns whether an error only reports that the session has ended."""
        return isinstance(error, SessionEnded) or (self.is_dismissed and isinstance(error, NotInSession))
