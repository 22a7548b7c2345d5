# SPDX-License-Identifier: Apache-2.0
"""The arguments of requests: paths that the server can resolve, and the options of a launch."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any, Mapping, Optional, Sequence, Tuple

from ..requests import Request
from . import _interface as requests
from ._schemas import (
    App,
    ControlPress,
    Diagnostic,
    InstallResult,
    LaunchOptions,
    LaunchPlace,
    OpeningReason,
    RequiredAudit,
)
from .transport import StrPath


@dataclass(frozen=True)
class Installation(App):
    """An app that was installed now.

    Attributes:
        replaced: Whether an earlier installation was replaced.
        warnings: The warnings about the bundle.
    """

    replaced: bool = False
    warnings: Tuple[Diagnostic, ...] = ()

    @classmethod
    def _from(cls, result: InstallResult) -> Installation:
        """Returns the app of a reply."""
        return cls(**vars(result.app), replaced=result.replaced, warnings=result.warnings)


@dataclass(frozen=True)
class AppOpening:
    """The opening of an app by a control.

    Attributes:
        delivery: The ID of the delivery that the app receives.
        reason: ``control``, or ``permission`` if the app must request the permission to use the camera first.
    """

    delivery: str
    reason: OpeningReason

    @classmethod
    def _from(cls, effect: ControlPress) -> AppOpening:
        """Returns the opening of a reply."""
        return cls(effect.delivery or "", effect.reason or "control")


def absolute(path: StrPath) -> str:
    """Returns an absolute path. The server has another working directory."""
    return os.path.abspath(os.fspath(path))


def name_or_path(value: StrPath) -> str:
    """Returns the name of a policy or program, or an absolute path if `value` is a path."""
    if isinstance(value, str) and "/" not in value:
        return value
    return absolute(value)


def device(value: Optional[StrPath]) -> Optional[str]:
    """Returns the text that selects a camera or microphone. A path of a file becomes absolute."""
    if isinstance(value, str) and not value.startswith(("./", "../")):
        return value
    return None if value is None else absolute(value)


def launch_options(
    camera: Optional[StrPath],
    microphone: Optional[StrPath],
    place: Optional[LaunchPlace],
    grace: Optional[float],
    watchdog: Optional[float],
    idle_timeout: Optional[float],
    digests: Optional[bool],
    audit: Optional[RequiredAudit],
) -> LaunchOptions:
    """Returns the options of a launch."""
    paths = audit and RequiredAudit(absolute(audit.attestation), absolute(audit.public_key))
    return LaunchOptions(device(camera), device(microphone), place, grace, watchdog, idle_timeout, digests, paths)


def launch_program(
    app: str,
    program: StrPath,
    arguments: Sequence[str],
    policy: Optional[StrPath],
    read_only_paths: Sequence[StrPath],
    environment: Optional[Mapping[str, str]],
    camera: Optional[StrPath],
) -> Request[str]:
    """Returns the request ``session/launchProgram``."""
    return requests.session_launch_program(
        app,
        name_or_path(program),
        arguments or None,
        None if policy is None else name_or_path(policy),
        [absolute(path) for path in read_only_paths] or None,
        environment,
        device(camera),
    )


def context_set(app: str, context: Any) -> Request[None]:
    """Returns the request that replaces the app context, or deletes the context if `context` is None."""
    if context is None:
        return requests.context_clear(app)
    text = json.dumps(context, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return requests.context_set(app, text)


def app_opening(app: str, activity: Optional[Mapping[str, Any]]) -> Request[str]:
    """Returns the request that opens an app, with the JSON text of the activity."""
    if activity is None:
        return requests.apps_open(app)
    text = json.dumps(activity, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return requests.apps_open(app, text)


def context_value(text: Optional[str]) -> Any:
    """Returns the app context or a record as a value of Python."""
    return None if text is None else json.loads(text)


def adjustment(
    session: str, control: str, value: Optional[float], steps: Optional[int], title: Optional[str]
) -> Request[None]:
    """Returns the request ``session/adjust``."""
    if sum(argument is not None for argument in (value, steps, title)) != 1:
        raise TypeError("pass exactly one of value, steps and title")
    return requests.session_adjust(session, control, value, steps, title)
