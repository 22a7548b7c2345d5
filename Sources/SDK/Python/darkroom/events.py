# SPDX-License-Identifier: Apache-2.0
"""The events of a session. `decode` returns the event of a notification of the host."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, List, Optional, Tuple

from .frames import Frame
from .sound import SoundBlock
from .values import Permissions, rate, required


@dataclass(frozen=True)
class Event:
    """The base class of all events."""


@dataclass(frozen=True)
class CaptureEvent(Event):
    """A capture button changed its state. Two events are equal if their classes and buttons are equal.

    Attributes:
        button: ``primary`` or ``secondary``.
        source: ``button`` for a button of the machine, ``remote`` for a remote device such as headphones.
        id: The number of the event in the session, from 1; 0 if no sound can be played for the event.
    """

    button: str = "primary"
    source: str = field(default="button", compare=False)
    id: int = field(default=0, compare=False)


class Press(CaptureEvent):
    """A capture button was pressed."""


class Release(CaptureEvent):
    """A capture button was released."""


class Cancellation(CaptureEvent):
    """A press was revoked: ignore it from now on."""


@dataclass(frozen=True)
class PointerEvent(Event):
    """A contact with the viewfinder changed: a finger, or the left button of a pointer.

    Attributes:
        phase: ``began``, ``moved``, ``ended``, or ``cancelled``: undo the effects of the contact.
        x: The distance from the left edge of the viewfinder's picture, in pixels of the picture.
        y: The distance from the upper edge of the picture, in pixels of the picture.
        contact: 0 for the pointer, a greater number for a finger. A later finger can have the same number.
        timestamp: The time of the event, in nanoseconds of ``time.monotonic_ns()``.
    """

    phase: str
    x: float
    y: float
    contact: int = 0
    timestamp: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Dismissal(Event):
    """The session ends: finish within the grace period. This is the last event.

    Attributes:
        reason: ``person``, ``host``, ``deadline``, ``lock``, ``applicationOpened``, ``idle`` or ``powerKey`` as in
            ``session/willDismiss``, or ``signal`` after SIGTERM.
        grace: The remaining seconds.
    """

    reason: str
    grace: float = field(default=0, compare=False)


@dataclass(frozen=True)
class ContextChanged(Event):
    """Another process changed the app context; `context` is the new context, or None."""

    context: Any


@dataclass(frozen=True)
class CameraEnded(Event):
    """No more frames arrive in this session.

    Attributes:
        reason: ``finished``, ``unplugged``, ``formatChanged`` or ``failed``.
        message: The reason as a sentence for the user.
    """

    reason: str
    message: str = field(default="", compare=False)


@dataclass(frozen=True)
class CameraChanged(Event):
    """The camera's frame rate changed; `frame_rate` is a number of frames, and the number of seconds that they take."""

    frame_rate: Tuple[int, int]


@dataclass(frozen=True)
class SceneChanged(Event):
    """The phase or the orientation of the scene changed.

    Attributes:
        phase: ``active``, ``inactive`` or ``background``.
        orientation: ``portrait``, ``portraitUpsideDown``, ``landscapeLeft`` or ``landscapeRight``.
    """

    phase: str
    orientation: str


@dataclass(frozen=True)
class LockChanged(Event):
    """The screen was ``locked`` or ``unlocked``."""

    lock_state: str


@dataclass(frozen=True)
class PermissionChanged(Event):
    """The permissions of the app changed."""

    permissions: Permissions


@dataclass(frozen=True)
class RequirementsChanged(Event):
    """The requirements of the watchdog changed.

    Attributes:
        missing: The requirements that are not met yet: ``camera``, ``viewfinder``, ``captureEvents``.
        seconds: The remaining seconds, or None if the watchdog is disarmed.
    """

    missing: Tuple[str, ...]
    seconds: Optional[float]


@dataclass(frozen=True)
class PhotosChanged(Event):
    """The list of readable assets changed."""


@dataclass(frozen=True)
class ControlChanged(Event):
    """The user adjusted a camera control.

    Attributes:
        control: The ID of the control.
        value: The new value; for a picker, the index of the title.
        revision: The declaration that the user saw.
    """

    control: str
    value: float
    revision: int = field(default=0, compare=False)


@dataclass(frozen=True)
class ControlsAppearanceChanged(Event):
    """The appearance of the camera controls changed: ``inactive``, ``active`` or ``fullscreen``."""

    appearance: str


@dataclass(frozen=True)
class SpaceChanged(Event):
    """The space for new content changed.

    Attributes:
        state: ``free``, ``low`` (less than a tenth is left) or ``full`` (files cannot grow).
        reason: The limit that is reached first: ``session``, ``app`` or ``disk``.
        bytes: The number of bytes that could still be written.
        files: The number of files and directories that could still be created.
    """

    state: str
    reason: str = field(default="", compare=False)
    bytes: int = field(default=0, compare=False)
    files: int = field(default=0, compare=False)


@dataclass(frozen=True)
class MicrophoneEnded(Event):
    """No more sound arrives in this session.

    Attributes:
        reason: ``finished``, ``unplugged`` or ``failed``.
        message: The reason as a sentence for the user.
    """

    reason: str
    message: str = field(default="", compare=False)


@dataclass(frozen=True)
class FrameReady(Event):
    """A frame arrived; only after ``start_camera(frames=True)``. The frame is a view until the next event."""

    frame: Frame


@dataclass(frozen=True)
class SoundReady(Event):
    """Sound arrived; only after ``start_microphone()``."""

    blocks: List[SoundBlock]


_CAPTURE = {"began": Press, "ended": Release, "cancelled": Cancellation}


def _capture(fields: Dict[str, Any]) -> Optional[Event]:
    """Returns a capture event; None for a phase that this version does not know."""
    kind = _CAPTURE.get(required(fields, "phase", str))
    return kind and kind(required(fields, "button", str), fields.get("source") or "button", fields.get("id") or 0)


#: The decoder of each notification of the host.
_DECODERS: Dict[str, Callable[[Dict[str, Any]], Optional[Event]]] = {
    "session/willDismiss": lambda p: Dismissal(required(p, "reason", str), required(p, "grace", (int, float))),
    "capture/event": _capture,
    "pointer/event": lambda p: PointerEvent(
        required(p, "phase", str),
        required(p, "x", (int, float)),
        required(p, "y", (int, float)),
        required(p, "contact", int),
        required(p, "time", int),
    ),
    "context/changed": lambda p: ContextChanged(p.get("context")),
    "camera/ended": lambda p: CameraEnded(required(p, "reason", str), p.get("message") or ""),
    "camera/changed": lambda p: CameraChanged(rate(p.get("frameRate"))),
    "scene/changed": lambda p: SceneChanged(required(p, "phase", str), required(p, "orientation", str)),
    "lock/changed": lambda p: LockChanged(required(p, "lockState", str)),
    "permission/changed": lambda p: PermissionChanged(Permissions._of(required(p, "permissions", dict))),
    "requirements/changed": lambda p: RequirementsChanged(tuple(required(p, "missing", list)), p.get("seconds")),
    "photos/changed": lambda p: PhotosChanged(),
    "controls/changed": lambda p: ControlChanged(
        required(p, "control", str), required(p, "value", (int, float)), required(p, "revision", int)
    ),
    "controls/appearance": lambda p: ControlsAppearanceChanged(required(p, "appearance", str)),
    "content/room": lambda p: SpaceChanged(
        required(p, "state", str), p.get("reason") or "", p.get("bytes") or 0, p.get("files") or 0
    ),
    "microphone/ended": lambda p: MicrophoneEnded(required(p, "reason", str), p.get("message") or ""),
}


def decode(method: str, fields: Dict[str, Any]) -> Optional[Event]:
    """Returns the event of a notification, or None for a notification that this version does not know."""
    decoder = _DECODERS.get(method)
    return decoder(fields) if decoder else None
