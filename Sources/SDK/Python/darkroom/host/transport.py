# SPDX-License-Identifier: Apache-2.0
"""The transport: the socket of the server, lines of JSON, and the descriptors that lines carry."""

from __future__ import annotations

import array
import collections
import errno
import json
import os
import socket
import struct
from typing import Any, Deque, Iterator, List, Optional, Tuple, Union

from .errors import HostError, HostProtocolError, HostUnavailable

StrPath = Union[str, "os.PathLike[str]"]

#: The maximum length of a line in bytes, without its line feed.
MAXIMUM_LINE = 1 << 20
#: The maximum length of the path of a socket's address (unix(7)).
_MAXIMUM_PATH = 107
#: The maximum number of descriptors that one call receives; the kernel closes further descriptors (unix(7)).
_MAXIMUM_DESCRIPTORS = 4


def state_root(root: Optional[StrPath] = None) -> str:
    """Returns the absolute path of the state directory: `root`, or the directory that the environment determines.

    Raises:
        HostUnavailable: The environment determines no directory.
    """
    chosen = os.environ.get("DARKROOM_ROOT") if root is None else os.fspath(root)
    if chosen:
        return os.path.abspath(chosen)
    # XDG Base Directory Specification: relative paths are ignored.
    state, home = os.environ.get("XDG_STATE_HOME", ""), os.environ.get("HOME", "")
    if state.startswith("/"):
        return os.path.join(state, "darkroom")
    if not home.startswith("/"):
        raise HostUnavailable("the state root is unknown", "set HOME, XDG_STATE_HOME or DARKROOM_ROOT, or pass root=")
    return os.path.join(home, ".local/state/darkroom")


def connected_socket(root: str) -> socket.socket:
    """Returns a connection to the server of a state directory.

    Raises:
        HostUnavailable: No server runs, or the server belongs to another user.
    """
    path = os.path.join(root, "serve", "host")
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC)
    try:
        _connect(link, path)
        _check_owner(link, path)
    except OSError as error:
        link.close()
        if error.errno in (errno.ENOENT, errno.ECONNREFUSED):
            fix = "start 'darkroom serve' or pass start=True"
            raise HostUnavailable(f"no server listens at {path}", fix, errno=error.errno, path=path) from error
        raise HostUnavailable(f"{path}: {error.strerror}", errno=error.errno, path=path) from error
    except BaseException:
        link.close()
        raise
    return link


def _connect(link: socket.socket, path: str) -> None:
    """Connects to a path, which may be longer than an address."""
    if len(os.fsencode(path)) <= _MAXIMUM_PATH:
        link.connect(path)
        return
    directory = os.open(os.path.dirname(path), os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        link.connect(f"/proc/self/fd/{directory}/{os.path.basename(path)}")
    finally:
        os.close(directory)


def _check_owner(link: socket.socket, path: str) -> None:
    """Raises an error if the server belongs to another user, who could read the captures."""
    size = struct.calcsize("iII")
    _, user, _ = struct.unpack("iII", link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    if user != os.geteuid():
        message = f"the server at {path} belongs to UID {user}, and this program has UID {os.geteuid()}"
        raise HostUnavailable(message, "use a state directory of this user", path=path)


def encoded(**message: Any) -> bytes:
    """Returns a message as a line.

    Raises:
        HostError: The line is too long, or contains a path that is not UTF-8. The kind is ``argument``.
    """
    text = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    try:
        line = text.encode()
    except UnicodeEncodeError:
        raise HostError("a path or text is not valid UTF-8", "rename the file", kind="argument") from None
    if len(line) > MAXIMUM_LINE:
        raise HostError(f"a request of {len(line)} bytes exceeds the limit of {MAXIMUM_LINE} bytes", kind="argument")
    return line + b"\n"


def received(link: socket.socket) -> Tuple[bytes, List[int]]:
    """Returns the next bytes, and the descriptors that arrived with them. Child processes do not inherit them."""
    space = socket.CMSG_SPACE(_MAXIMUM_DESCRIPTORS * array.array("i").itemsize)
    data, ancillary, _, _ = link.recvmsg(1 << 16, space, socket.MSG_CMSG_CLOEXEC)
    descriptors = array.array("i")
    for level, kind, content in ancillary:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            descriptors.frombytes(content[: len(content) - len(content) % descriptors.itemsize])
    return data, descriptors.tolist()


class LineReader:
    """Splits the received bytes into lines, and closes descriptors that no line takes."""

    def __init__(self) -> None:
        self._pending = bytearray()
        #: The position of the first pending byte in the connection.
        self._start = 0
        #: The descriptors, each with the position after the last byte that was received together with it.
        self._descriptors: Deque[Tuple[int, int]] = collections.deque()

    def lines(self, data: bytes, descriptors: List[int]) -> Iterator[bytes]:
        """Yields the lines that are complete.

        Raises:
            HostProtocolError: A line is too long.
        """
        searched = len(self._pending)
        self._pending += data
        end = self._start + len(self._pending)
        self._descriptors.extend((end, descriptor) for descriptor in descriptors)
        while (length := self._pending.find(b"\n", searched)) >= 0:
            self._check_length(length)
            line = bytes(self._pending[:length])
            del self._pending[: length + 1]
            yield line
            self._start += length + 1
            searched = 0
            self._close_before(self._start)
        self._check_length(len(self._pending))

    def take_descriptor(self) -> Optional[int]:
        """Returns a descriptor that arrived with the first byte of the current line, or None. The caller owns it."""
        return self._descriptors.popleft()[1] if self._descriptors else None

    def close(self) -> None:
        """Closes the descriptors that no line has taken."""
        while self._descriptors:
            os.close(self._descriptors.popleft()[1])

    def _check_length(self, length: int) -> None:
        if length > MAXIMUM_LINE:
            raise HostProtocolError(f"the server sent a line of more than {MAXIMUM_LINE} bytes")

    def _close_before(self, position: int) -> None:
        """Closes the descriptors that arrived before a position: they belong to no later line."""
        while self._descriptors and self._descriptors[0][0] <= position:
            os.close(self._descriptors.popleft()[1])
