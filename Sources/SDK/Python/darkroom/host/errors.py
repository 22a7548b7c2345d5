# SPDX-License-Identifier: Apache-2.0
"""The errors of a client of darkroom-host."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional, Tuple

from ..errors import DarkroomError, ProtocolError

if TYPE_CHECKING:
    from ._schemas import ControlRefusal, Diagnostic


class HostError(DarkroomError):
    """The server could not perform an operation, or a client could not reach the server.

    Attributes:
        kind: The name of the error, such as ``notInstalled``; `code` is the same name.
        number: The error code of JSON-RPC, such as -32000; 0 if the client found the error.
        step: The step or system call that failed, or None.
        errno: The error number of the step (errno(3)), or None.
        path: The path that the step was about, or the name of an invalid parameter, or None.
        diagnostics: With ``bundle``: the faults of the bundle.
        refusal: With ``refused``: the reason why the press of a control has no effect.
        id: With ``notInstalled``: the ID of the app or extension. With ``foregroundOccupied``: the session.
    """

    code = "hostError"

    def __init__(
        self,
        message: str,
        fix: Optional[str] = None,
        *,
        kind: Optional[str] = None,
        number: int = 0,
        step: Optional[str] = None,
        errno: Optional[int] = None,
        path: Optional[str] = None,
        diagnostics: Tuple[Diagnostic, ...] = (),
        id: Optional[str] = None,
        refusal: Optional[ControlRefusal] = None,
    ) -> None:
        super().__init__(message, fix)
        self.kind = self.code = kind or self.code
        self.number, self.step, self.errno, self.path = number, step, errno, path
        self.diagnostics, self.id, self.refusal = diagnostics, id, refusal

    def _copied(self) -> HostError:
        """Returns an equal error. Each thread that waits raises its own."""
        copy = type(self)(self.message, self.fix)
        vars(copy).update(vars(self))
        return copy


class HostUnavailable(HostError):
    """No server runs, or this program may not use the server. The kind is ``unavailable``."""

    code = "unavailable"


class HostDisconnected(HostError):
    """The connection is closed, by the server or by `close`. The kind is ``disconnected``."""

    code = "disconnected"


class HostTimeout(HostError):
    """The timeout of a wait has elapsed. The kind is ``timeout``."""

    code = "timeout"


class WatchEnded(HostError):
    """The server ended a subscription because of an error. The kind is ``watchEnded``."""

    code = "watchEnded"


class HostProtocolError(HostError, ProtocolError):
    """The server sent a line that is not a message of the interface. The kind is ``protocolError``."""

    code = "protocolError"
