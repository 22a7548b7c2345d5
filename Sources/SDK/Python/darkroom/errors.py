# SPDX-License-Identifier: Apache-2.0
"""The errors of this package: one hierarchy, each error with a code and a fix."""

from __future__ import annotations

from typing import Any, Dict, Optional, Type


class DarkroomError(Exception):
    """The base class of all errors of this package.

    Attributes:
        code: The name of the error, such as ``cameraUnavailable``. Names do not change between releases.
        message: The reason, as a sentence without a period.
        fix: The action that corrects the error; empty if there is none.
    """

    code = "error"
    fix = ""

    def __init__(self, message: str, fix: Optional[str] = None) -> None:
        self.message = message
        if fix is not None:
            self.fix = fix
        super().__init__(f"{message}; {self.fix}" if self.fix else message)


class NotStartedByHost(DarkroomError):
    """The program was not started by a host, so it has no session."""

    code = "notStartedByHost"
    fix = "install its app with 'darkroom install', and start it with 'darkroom run'"


class ProtocolError(DarkroomError):
    """The host sent a line that is not a message, or shared memory of an unknown format."""

    code = "protocolError"
    fix = "use the same release of Darkroom on both sides"


class SessionEnded(DarkroomError):
    """The session ended while the program waited for the host. ``with Session()`` ends quietly."""

    code = "sessionEnded"


class FrameOverwritten(DarkroomError):
    """The host overwrote a frame that was not copied in time."""

    code = "frameOverwritten"
    fix = "keep frames with copy(), or start the camera with the delivery 'every'"


class FrameTimeout(DarkroomError):
    """The camera delivered no frame in time."""

    code = "frameTimeout"
    fix = "wait longer, or report the camera as stalled"


class FileNotSaved(DarkroomError):
    """A file could not be written into the session directory; the cause is ``__cause__``."""

    code = "fileNotSaved"


class UnknownFormat(DarkroomError):
    """The name of a file has no suffix of a known image format."""

    code = "unknownFormat"
    fix = "use a name that ends with .png, .jpg or .jpeg, or pass bytes"


class MissingLibrary(DarkroomError):
    """An optional library is not installed, or not visible in the sandbox."""

    code = "missingLibrary"


class RequestError(DarkroomError):
    """The host answered a request with an error.

    Attributes:
        number: The error code of the protocol, such as 4002.
        data: The additional data of the error, or None.
    """

    code = "requestFailed"
    number = 0

    def __init__(self, message: str, number: int = 0, data: Any = None) -> None:
        super().__init__(message)
        self.number = number or self.number
        self.data = data


class InvalidMessage(RequestError):
    """The host could not read the request."""

    code = "invalidRequest"
    number = -32600


class MethodNotFound(RequestError):
    """The host does not have this method."""

    code = "methodNotFound"
    number = -32601
    fix = "install a newer release of Darkroom on the host"


class InvalidParams(RequestError):
    """A parameter of the request is missing or invalid."""

    code = "invalidParams"
    number = -32602


class HostFailure(RequestError):
    """The host failed; the message contains the reason."""

    code = "internalError"
    number = -32603


class ContextTooLarge(RequestError):
    """The app context is too large; the stored context is unchanged."""

    code = "contextTooLarge"
    number = 4001
    fix = "store at most 4096 bytes of compact JSON, and write larger data to files"


class CameraUnavailable(RequestError):
    """The session has no camera, or the camera has failed or is stopped."""

    code = "cameraUnavailable"
    number = 4002
    fix = "start the camera, or a new session with a camera"


class PermissionDenied(RequestError):
    """The app or the user has not granted the permission."""

    code = "permissionDenied"
    number = 4003
    fix = "state a usage description in both manifests, and allow the use with 'darkroom permission set'"


class UnsupportedVersion(RequestError):
    """The host offers no version of the protocol that this package supports."""

    code = "unsupportedVersion"
    number = 4004
    fix = "use the same release of Darkroom on both sides"


class ApplicationNotFound(RequestError):
    """The app to open does not exist, or cannot be opened."""

    code = "applicationNotFound"
    number = 4010
    fix = "name the program of the app as 'open' in app.json"


class AuthenticationFailed(RequestError):
    """The user was not authenticated; ``data["reason"]`` is the reason."""

    code = "authenticationFailed"
    number = 4011


class InteractionRequired(RequestError):
    """The request requires an action of the user first."""

    code = "interactionRequired"
    number = 4012
    fix = "send the request at most ten seconds after a press"


class Busy(RequestError):
    """The same operation is already in progress."""

    code = "busy"
    number = 4013
    fix = "wait for the previous request"


class NotInSession(RequestError):
    """The session is being dismissed."""

    code = "notInSession"
    number = 4014


class NoSuchAsset(RequestError):
    """The asset does not exist, or the extension may not read it."""

    code = "noSuchAsset"
    number = 4015
    fix = "use the ID of an asset of list_photos()"


class InvalidFile(RequestError):
    """The file cannot be accepted."""

    code = "invalidFile"
    number = 4016
    fix = "pass the path of a regular file in the session directory"


class NoSpace(RequestError):
    """There is not enough space."""

    code = "noSpace"
    number = 4017


class ContextConflict(RequestError):
    """The stored app context differs from the expected context, and is unchanged; ``data`` is the stored context."""

    code = "contextChanged"
    number = 4018
    fix = "merge the change with the stored context, and update again"


class InvalidControls(RequestError):
    """The camera controls are invalid; earlier controls remain."""

    code = "invalidControls"
    number = 4019


class MicrophoneUnavailable(RequestError):
    """The session has no microphone, or the microphone has failed."""

    code = "microphoneUnavailable"
    number = 4020
    fix = "start a new session with a microphone"


class InvalidSetting(RequestError):
    """The camera does not support the value, or has failed to set it."""

    code = "invalidSetting"
    number = 4021
    fix = "use a value of camera_settings()"


_BY_NUMBER: Dict[int, Type[RequestError]] = {kind.number: kind for kind in RequestError.__subclasses__()}


def request_error(method: str, error: Any) -> RequestError:
    """Returns the exception for the error of a reply."""
    fields = error if isinstance(error, dict) else {}
    number = fields.get("code")
    number = number if isinstance(number, int) else 0
    message = f"{method}: {fields.get('message') or 'the host gave no reason'}"
    return _BY_NUMBER.get(number, RequestError)(message, number, fields.get("data"))
