# SPDX-License-Identifier: Apache-2.0
"""The values of messages: the session, permissions, assets, settings and controls."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Tuple

from .errors import ProtocolError


def required(fields: Dict[str, Any], name: str, kind: Any) -> Any:
    """Returns a member of a message, or raises `ProtocolError` if the member is missing or has another type."""
    value = fields.get(name)
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise ProtocolError(f"the message of the host has no valid '{name}'")
    return value


def rate(value: Any) -> Tuple[int, int]:
    """Returns a frame rate: a number of frames, and the number of seconds that they take."""
    if not isinstance(value, list) or len(value) != 2:
        raise ProtocolError("the message of the host has no valid 'frameRate'")
    return int(value[0]), int(value[1])


@dataclass(frozen=True)
class Permissions:
    """The permissions of the app: ``authorized``, ``denied``, ``notDetermined``, ``restricted`` or ``limited``.

    Attributes:
        camera: The use of the camera.
        microphone: The use of the microphone.
        photos: Reading and changing the user's photo library.
        photos_add_only: Adding to the photo library.
    """

    camera: str
    microphone: str
    photos: str
    photos_add_only: str

    @classmethod
    def _of(cls, fields: Dict[str, Any]) -> Permissions:
        """Returns the permissions of a message."""
        photos = required(fields, "photos", str)
        adding = fields.get("photosAddOnly") or ("authorized" if photos == "limited" else photos)
        return cls(required(fields, "camera", str), required(fields, "microphone", str), photos, adding)


@dataclass(frozen=True)
class CameraFormat:
    """The camera of a session.

    Attributes:
        width: The number of pixels per row.
        height: The number of rows.
        frame_rate: A number of frames, and the number of seconds that they take.
        name: The camera's own name, or ``Test pattern``, ``Film`` or ``Picture``.
    """

    width: int
    height: int
    frame_rate: Tuple[int, int]
    name: str

    @classmethod
    def _of(cls, fields: Dict[str, Any]) -> CameraFormat:
        """Returns the camera of ``session/start``."""
        size = required(fields, "width", int), required(fields, "height", int)
        return cls(*size, rate(fields.get("frameRate")), fields.get("name") or "")


@dataclass(frozen=True)
class MicrophoneFormat:
    """The microphone of a session.

    Attributes:
        sample_rate: Samples per second and channel.
        channels: The number of channels.
    """

    sample_rate: int
    channels: int

    @classmethod
    def _of(cls, fields: Dict[str, Any]) -> MicrophoneFormat:
        """Returns the microphone of ``session/start``."""
        return cls(required(fields, "sampleRate", int), required(fields, "channels", int))


@dataclass(frozen=True)
class SessionInfo:
    """The host's description of the session at its start.

    Attributes:
        session_id: The UUID of the session.
        app: The ID of the app that owns the captures.
        extension: The ID of this extension.
        session_directory: The directory for captures, the only one that outlives the session.
        container_directory: The directory for temporary files, erased after the session.
        extension_directory: The directory with the extension's own files, read-only.
        library_directory: The directory in which `open_photo` exposes assets, read-only.
        assets_directory: The directory of files that the app shares with its extensions, read-only, or None.
        context: The app context, or None.
        lock_state: ``locked`` or ``unlocked``.
        permissions: The permissions of the app.
        deadlines: The deadlines in seconds: ``launch``, ``dismissal``, and ``watchdog`` if it is armed.
        camera: The camera, or None.
        microphone: The microphone, or None.
        phase: ``active``, ``inactive`` or ``background``.
        orientation: ``portrait``, ``portraitUpsideDown``, ``landscapeLeft`` or ``landscapeRight``.
        surface: The place of the launch: ``lockScreen``, ``elsewhere`` or ``commandLine``.
        control: The ID of the control that launched the session, or None.
        camera_controls: The maximum number of camera controls.
    """

    session_id: str
    app: str
    extension: str
    session_directory: str
    container_directory: str
    extension_directory: str
    library_directory: str
    assets_directory: Optional[str]
    context: Any
    lock_state: str
    permissions: Permissions
    deadlines: Dict[str, float]
    camera: Optional[CameraFormat]
    microphone: Optional[MicrophoneFormat]
    phase: str
    orientation: str
    surface: str
    control: Optional[str]
    camera_controls: int

    @classmethod
    def _of(cls, fields: Dict[str, Any]) -> SessionInfo:
        """Returns the description in ``session/start``."""
        camera, microphone = fields.get("camera"), fields.get("microphone")
        scene, launch = fields.get("scene") or {}, fields.get("launch") or {}
        deadlines = required(fields, "deadlines", dict)
        return cls(
            session_id=required(fields, "sessionID", str),
            app=required(fields, "app", str),
            extension=required(fields, "extension", str),
            session_directory=required(fields, "sessionDirectory", str),
            container_directory=required(fields, "containerDirectory", str),
            extension_directory=required(fields, "extensionDirectory", str),
            library_directory=fields.get("libraryDirectory") or "/library",
            assets_directory=fields.get("assetsDirectory"),
            context=fields.get("appContext"),
            lock_state=required(fields, "lockState", str),
            permissions=Permissions._of(required(fields, "permissions", dict)),
            deadlines={name: float(value) for name, value in deadlines.items() if isinstance(value, (int, float))},
            camera=CameraFormat._of(camera) if camera else None,
            microphone=MicrophoneFormat._of(microphone) if microphone else None,
            phase=scene.get("phase") or "active",
            orientation=scene.get("orientation") or "portrait",
            surface=launch.get("surface") or "commandLine",
            control=launch.get("control"),
            camera_controls=fields.get("cameraControls") or 0,
        )


@dataclass(frozen=True)
class CameraSetting:
    """A setting of the camera. Protocol.md, ``camera/settings``, lists names and units.

    Attributes:
        name: The name, such as ``zoom``.
        minimum: The smallest value.
        maximum: The largest value.
        step: The distance between values.
        default: The default value.
        value: The current value.
        adjustable: Whether the value can be set now.
        values: All values if they are not `step` apart, or None.
    """

    name: str
    minimum: int
    maximum: int
    step: int
    default: int
    value: int
    adjustable: bool
    values: Optional[Tuple[int, ...]] = None

    @classmethod
    def _of(cls, fields: Dict[str, Any]) -> CameraSetting:
        """Returns a setting of a reply."""
        values = fields.get("values")
        return cls(
            name=required(fields, "name", str),
            minimum=required(fields, "minimum", int),
            maximum=required(fields, "maximum", int),
            step=required(fields, "step", int),
            default=required(fields, "default", int),
            value=required(fields, "value", int),
            adjustable=required(fields, "adjustable", bool),
            values=tuple(values) if values else None,
        )


@dataclass(frozen=True)
class Asset:
    """An asset of the user's photo library.

    Attributes:
        id: The permanent ID.
        title: The title for the user.
        media_type: ``image``, ``video``, ``audio`` or ``other``.
        bytes: The size.
        created_at: The creation time, in milliseconds since 1970.
        session: The UUID of the session that added the asset, or None.
        own_session: Whether this session added the asset.
    """

    id: str
    title: str
    media_type: str
    bytes: int
    created_at: int
    session: Optional[str]
    own_session: bool

    @classmethod
    def _of(cls, fields: Dict[str, Any]) -> Asset:
        """Returns an asset of a reply."""
        return cls(
            required(fields, "id", str),
            required(fields, "title", str),
            required(fields, "mediaType", str),
            required(fields, "bytes", int),
            required(fields, "createdAt", int),
            fields.get("session"),
            required(fields, "ownSession", bool),
        )


@dataclass(frozen=True)
class AssetPage:
    """A part of the list of assets.

    Attributes:
        assets: The assets, newest first.
        next: The argument `after` for the next page, or None after the last page.
    """

    assets: List[Asset]
    next: Optional[str]


@dataclass(frozen=True)
class Slider:
    """A camera control with a number as value. Give either `range` or `values`.

    Attributes:
        id: 1 to 64 ASCII letters, digits, dots, hyphens and underscores.
        title: The title for the user.
        value: The current value.
        range: The minimum and the maximum.
        step: The distance between values, or None for any value of the range.
        values: All values in ascending order.
        prominent: The values that are easier to select.
        format: The display format of the value, with exactly one ``%@``.
        symbol: The name of the symbol.
        enabled: Whether the user can change the value.
    """

    id: str
    title: str
    value: float
    range: Optional[Tuple[float, float]] = None
    step: Optional[float] = None
    values: Optional[Sequence[float]] = None
    prominent: Sequence[float] = ()
    format: Optional[str] = None
    symbol: str = ""
    enabled: bool = True

    def _fields(self) -> Dict[str, Any]:
        """Returns the members of the control in ``controls/declare``."""
        fields = _control(self, "slider")
        optional = {"range": self.range, "step": self.step, "values": self.values, "format": self.format}
        fields.update({name: value for name, value in optional.items() if value is not None})
        if self.prominent:
            fields["prominent"] = list(self.prominent)
        return fields


@dataclass(frozen=True)
class Picker:
    """A camera control with one of several titles as value.

    Attributes:
        id: 1 to 64 ASCII letters, digits, dots, hyphens and underscores.
        title: The title for the user.
        titles: The titles of the values.
        value: The index of the current title, from 0.
        symbol: The name of the symbol.
        enabled: Whether the user can change the value.
    """

    id: str
    title: str
    titles: Sequence[str]
    value: int = 0
    symbol: str = ""
    enabled: bool = True

    def _fields(self) -> Dict[str, Any]:
        """Returns the members of the control in ``controls/declare``."""
        return {**_control(self, "picker"), "titles": list(self.titles)}


def _control(control: Any, kind: str) -> Dict[str, Any]:
    """Returns the members that all controls have."""
    names = ("id", "title", "symbol", "enabled", "value")
    return {"kind": kind, **{name: getattr(control, name) for name in names}}


class URL(str):
    """A URL in the `user_info` of an activity."""


@dataclass(frozen=True)
class UserActivity:
    """An activity that the app continues.

    Attributes:
        activity_type: The type of the activity.
        title: The title for the user.
        user_info: The data that the app needs to continue: booleans, numbers, strings, bytes, `URL`, datetime, and lists and
            dictionaries of such values.
        target_content_identifier: The ID of the activity's content.
        webpage_url: A page for continuing the activity in a browser.
        required_user_info_keys: The keys of `user_info` that the app requires.
    """

    activity_type: str = "NSUserActivityTypeLockedCameraCapture"
    title: Optional[str] = None
    user_info: Dict[str, Any] = field(default_factory=dict)
    target_content_identifier: Optional[str] = None
    webpage_url: Optional[str] = None
    required_user_info_keys: Sequence[str] = ()

    def _fields(self) -> Dict[str, Any]:
        """Returns the members of ``activity`` in ``session/openApplication``."""
        fields: Dict[str, Any] = {"activityType": self.activity_type}
        texts = {
            "title": self.title,
            "targetContentIdentifier": self.target_content_identifier,
            "webpageURL": self.webpage_url,
        }
        fields.update({name: text for name, text in texts.items() if text is not None})
        if self.user_info:
            fields["userInfo"] = _encoded(self.user_info)
        if self.required_user_info_keys:
            fields["requiredUserInfoKeys"] = list(self.required_user_info_keys)
        return fields


def _encoded(value: Any) -> Any:
    """Returns a value of `user_info` as JSON."""
    if isinstance(value, dict):
        return {key: _encoded(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_encoded(item) for item in value]
    if isinstance(value, (bytes, bytearray, memoryview)):
        return {"$data": base64.b64encode(value).decode()}
    if isinstance(value, URL):
        return {"$url": str(value)}
    if hasattr(value, "timestamp"):
        return {"$date": value.timestamp()}
    return value
