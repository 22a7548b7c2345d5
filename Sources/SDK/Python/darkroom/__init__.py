# SPDX-License-Identifier: Apache-2.0
"""Capture extensions for Darkroom.

An extension in Python shows the camera, and saves an image at each press of the shutter::

    import darkroom

    with darkroom.Session() as session:
        camera = session.start_camera()
        for event in session:
            if event == darkroom.Press("primary"):
                session.save(camera.frame(), "photo.png")

The article "Python SDK" of the documentation describes each name. The package requires only the standard library of Python 3.9.
`AsyncSession` is for asyncio; it is imported at its first use, because asyncio takes longer to import than everything else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .errors import (
    ApplicationNotFound,
    AuthenticationFailed,
    Busy,
    CameraUnavailable,
    ContextConflict,
    ContextTooLarge,
    DarkroomError,
    FileNotSaved,
    FrameOverwritten,
    FrameTimeout,
    HostFailure,
    InteractionRequired,
    InvalidControls,
    InvalidFile,
    InvalidMessage,
    InvalidParams,
    InvalidSetting,
    MethodNotFound,
    MicrophoneUnavailable,
    MissingLibrary,
    NoSpace,
    NoSuchAsset,
    NotInSession,
    NotStartedByHost,
    PermissionDenied,
    ProtocolError,
    RequestError,
    SessionEnded,
    UnknownFormat,
    UnsupportedVersion,
)
from .events import (
    CameraChanged,
    CameraEnded,
    Cancellation,
    CaptureEvent,
    ContextChanged,
    ControlChanged,
    ControlsAppearanceChanged,
    Dismissal,
    Event,
    FrameReady,
    LockChanged,
    MicrophoneEnded,
    PermissionChanged,
    PhotosChanged,
    PointerEvent,
    Press,
    Release,
    RequirementsChanged,
    SceneChanged,
    SoundReady,
    SpaceChanged,
)
from .frames import Frame
from .images import PixelPlane, png
from .session import Camera, Session
from .sound import Microphone, SoundBlock
from .values import (
    URL,
    Asset,
    AssetPage,
    CameraFormat,
    CameraSetting,
    MicrophoneFormat,
    Permissions,
    Picker,
    SessionInfo,
    Slider,
    UserActivity,
)
from .viewfinder import Viewfinder

if TYPE_CHECKING:
    from .asyncsession import AsyncCamera, AsyncSession

__all__ = [
    "URL", "ApplicationNotFound", "Asset", "AssetPage", "AsyncCamera", "AsyncSession", "AuthenticationFailed", "Busy",
    "Camera", "CameraChanged", "CameraEnded", "CameraFormat", "CameraSetting", "CameraUnavailable", "Cancellation",
    "CaptureEvent", "ContextChanged", "ContextConflict", "ContextTooLarge", "ControlChanged",
    "ControlsAppearanceChanged", "DarkroomError", "Dismissal", "Event", "FileNotSaved", "Frame", "FrameOverwritten",
    "FrameReady", "FrameTimeout", "HostFailure", "InteractionRequired", "InvalidControls", "InvalidFile",
    "InvalidMessage", "InvalidParams", "InvalidSetting", "LockChanged", "MethodNotFound", "Microphone",
    "MicrophoneEnded", "MicrophoneFormat", "MicrophoneUnavailable", "MissingLibrary", "NoSpace", "NoSuchAsset",
    "NotInSession", "NotStartedByHost", "PermissionChanged", "PermissionDenied", "Permissions", "PhotosChanged",
    "Picker", "PixelPlane", "PointerEvent", "Press", "ProtocolError", "Release", "RequestError", "RequirementsChanged",
    "SceneChanged", "Session", "SessionEnded", "SessionInfo", "Slider", "SoundBlock", "SoundReady", "SpaceChanged",
    "UnknownFormat", "UnsupportedVersion", "UserActivity", "Viewfinder", "png",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    """Imports the classes for asyncio at their first use (PEP 562)."""
    if name in ("AsyncCamera", "AsyncSession"):
        from . import asyncsession

        return getattr(asyncsession, name)
    raise AttributeError(f"module 'darkroom' has no attribute '{name}'")
