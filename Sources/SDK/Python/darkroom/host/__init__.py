# SPDX-License-Identifier: Apache-2.0
"""Hosting capture extensions: a client of the server ``darkroom-host``.

A program launches an installed extension, shows its viewfinder, and presses the shutter::

    from darkroom.host import Host

    with Host(start=True) as host:
        with host.launch("org.example.camera.capture", camera="pattern") as session:
            for event in session.events():
                if event.kind == "acceptsPresses" and event.accepts:
                    session.tap("primary")
                    break
        print(session.result.files)

The article "Host extensions from Python" of the documentation is an introduction; the article "Python SDK" describes
each name. Extensions do not need this package: they cannot reach the server from their sandbox. `AsyncHost` is for
asyncio; it is imported at its first use, because asyncio takes longer to import than everything else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..frames import Frame
from ..images import PixelPlane
from ..sound import SoundBlock
from ._schemas import (
    ActiveSession,
    App,
    Asset,
    AssetSet,
    Authentication,
    CameraCapture,
    CameraDevice,
    ContentChange,
    Control,
    Decision,
    Delivery,
    DeviceUse,
    DeviceUseListing,
    Diagnostic,
    Difference,
    Event,
    Extension,
    File,
    Fix,
    FixFile,
    FrameCounts,
    InstalledApps,
    KeyBinding,
    LayerReport,
    LockReport,
    LockReports,
    LockStatus,
    LogEntry,
    LogListing,
    LogVerification,
    MachineProperty,
    MachineReport,
    MicrophoneDevice,
    Outcome,
    PathAccess,
    PhotoAdditions,
    PhotoDiscrepancy,
    PhotoVerification,
    Plane,
    PolicyComparison,
    PolicyExplanation,
    PolicyProof,
    PolicyTrial,
    Quarantined,
    QuarantinedContent,
    Readiness,
    ReadinessCheck,
    Recovered,
    Recovery,
    Refusal,
    RequiredAudit,
    Result,
    Sandbox,
    SandboxLayer,
    ServerInfo,
    SessionInfo,
    SoundInfo,
    StorageLimits,
    StorageUsage,
    Verdict,
    ViewfinderInfo,
)
from .arguments import AppOpening, Installation
from .client import Host
from .errors import HostDisconnected, HostError, HostProtocolError, HostTimeout, HostUnavailable, WatchEnded
from .sessions import ContentWatch, HostedSession
from .viewfinderimage import ViewfinderImage

if TYPE_CHECKING:
    from .asyncclient import AsyncHost
    from .asyncsessions import AsyncContentWatch, AsyncHostedSession

__all__ = [
    "ActiveSession", "App", "AppOpening", "Asset", "AssetSet", "AsyncContentWatch", "AsyncHost", "AsyncHostedSession",
    "Authentication", "CameraCapture", "CameraDevice", "ContentChange", "ContentWatch", "Control", "Decision",
    "Delivery", "DeviceUse", "DeviceUseListing", "Diagnostic", "Difference", "Event", "Extension", "File", "Fix",
    "FixFile", "Frame", "FrameCounts", "Host", "HostDisconnected", "HostError", "HostProtocolError", "HostTimeout",
    "HostUnavailable", "HostedSession", "Installation", "InstalledApps", "KeyBinding", "LayerReport", "LockReport",
    "LockReports", "LockStatus", "LogEntry", "LogListing", "LogVerification", "MachineProperty", "MachineReport",
    "MicrophoneDevice", "Outcome", "PathAccess", "PhotoAdditions", "PhotoDiscrepancy", "PhotoVerification",
    "PixelPlane", "Plane", "PolicyComparison", "PolicyExplanation", "PolicyProof", "PolicyTrial", "Quarantined",
    "QuarantinedContent", "Readiness", "ReadinessCheck", "Recovered", "Recovery", "Refusal", "RequiredAudit", "Result",
    "Sandbox", "SandboxLayer", "ServerInfo", "SessionInfo", "SoundBlock", "SoundInfo", "StorageLimits", "StorageUsage",
    "Verdict", "ViewfinderImage", "ViewfinderInfo", "WatchEnded",
]  # fmt: skip

#: The module of each name that is imported at its first use.
_LATER = {"AsyncContentWatch": "asyncsessions", "AsyncHost": "asyncclient", "AsyncHostedSession": "asyncsessions"}


def __getattr__(name: str) -> Any:
    """Imports the classes for asyncio at their first use (PEP 562)."""
    if name in _LATER:
        import importlib

        return getattr(importlib.import_module(f".{_LATER[name]}", __name__), name)
    raise AttributeError(f"module 'darkroom.host' has no attribute '{name}'")
