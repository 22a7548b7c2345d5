# SPDX-License-Identifier: Apache-2.0
"""The start of darkroom-host by a client."""

from __future__ import annotations

import errno
import os
import socket
import subprocess
import time
from typing import List, NamedTuple, Optional, Sequence, Union

from .errors import HostTimeout, HostUnavailable
from .transport import StrPath, connected_socket

#: Whether a client starts the server: True, or the path of the program, or the program with options.
Start = Union[bool, StrPath, Sequence[str]]

#: The time between two attempts to connect, in seconds.
_PAUSE = 0.02


class ServerProcess:
    """A server that this program has started.

    The server is the leader of a separate session (setsid(2)), so that an interrupt from the terminal does not end the
    server before this program has dismissed its sessions. The server writes its messages to the standard error of this
    program.
    """

    def __init__(self, command: Sequence[str], root: str) -> None:
        self.name = command[0]
        try:
            self._process = subprocess.Popen(
                [*command, "--root", root],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError as error:
            fix = "install Darkroom, or pass the path of 'darkroom-host' as start="
            raise HostUnavailable(f"{self.name}: {error.strerror}", fix, errno=error.errno, path=self.name) from error

    @property
    def exit_code(self) -> Optional[int]:
        """The exit code of the server, or None while the server runs."""
        return self._process.poll()

    def stop(self) -> None:
        """Terminates the server, and waits until the content of all sessions is migrated."""
        self._process.terminate()
        self._process.wait()


class Link(NamedTuple):
    """A connection, and the server if this program has started the server."""

    socket: socket.socket
    server: Optional[ServerProcess]

    def close(self) -> None:
        """Closes the connection, and stops the server."""
        self.socket.close()
        if self.server is not None:
            self.server.stop()


def connect(root: str, start: Start, timeout: float) -> Link:
    """Returns a connection to the server of a state directory. Starts a server if none runs and `start` permits it.

    Raises:
        HostUnavailable: No server runs, or the server belongs to another user.
        HostTimeout: The server that was started is not ready in time.
    """
    try:
        return Link(connected_socket(root), None)
    except HostUnavailable as error:
        if start is False or not _is_absent(error):
            raise
    server = ServerProcess(_command(start), root)
    try:
        return Link(_awaited_socket(server, root, timeout), server)
    except BaseException:
        server.stop()
        raise


def _command(start: Start) -> List[str]:
    """Returns the command that starts a server."""
    if start is True or start is False:
        return ["darkroom-host"]
    return [os.fspath(start)] if isinstance(start, (str, os.PathLike)) else list(start)


def _is_absent(error: HostUnavailable) -> bool:
    """Returns whether an error reports that no server listens."""
    return error.errno in (errno.ENOENT, errno.ECONNREFUSED)


def _awaited_socket(server: ServerProcess, root: str, timeout: float) -> socket.socket:
    """Returns a connection when the server is ready."""
    limit = time.monotonic() + timeout
    while True:
        # A server that another program has started at the same time is as good; the second one then exits.
        code = server.exit_code
        try:
            return connected_socket(root)
        except HostUnavailable as error:
            if not _is_absent(error):
                raise
        if code is not None:
            message = f"'{server.name}' exited with code {code} before it accepted connections"
            raise HostUnavailable(message, "read its message on standard error")
        if time.monotonic() >= limit:
            raise HostTimeout(f"'{server.name}' accepted no connection in {timeout} s")
        time.sleep(_PAUSE)
