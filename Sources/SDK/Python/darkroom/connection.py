# SPDX-License-Identifier: Apache-2.0
"""The connection to the host: the descriptors, and messages as lines of JSON."""

from __future__ import annotations

import json
import os
import select
from typing import Any, Dict, List

from .errors import DarkroomError, NotStartedByHost, ProtocolError

#: The versions of the protocol that this package supports.
PROTOCOL_VERSIONS = (1,)
_FIRST_DESCRIPTOR = 3
_MAXIMUM_LINE = 65536


def passed_descriptors() -> Dict[str, int]:
    """Returns the descriptors that the host passes, by name (sd_listen_fds(3)). Child processes do not inherit them.

    Raises:
        NotStartedByHost: The host did not start this process.
    """
    if os.environ.get("LISTEN_PID") != str(os.getpid()):
        raise NotStartedByHost("this program was not started by a host")
    names = os.environ.get("LISTEN_FDNAMES", "").split(":")[: int(os.environ.get("LISTEN_FDS", "0"))]
    descriptors = {name: _FIRST_DESCRIPTOR + index for index, name in enumerate(names)}
    if "host-in" not in descriptors or "host-out" not in descriptors:
        raise NotStartedByHost("the host passed no pipes for messages")
    for descriptor in descriptors.values():
        os.set_inheritable(descriptor, False)
    return descriptors


class Connection:
    """The two pipes of messages.

    Attributes:
        is_open: Whether the host is connected.
    """

    def __init__(self, host_in: int, host_out: int) -> None:
        self.host_in, self._host_out = host_in, host_out
        self.is_open = True
        self._pending = b""

    def receive(self) -> List[Dict[str, Any]]:
        """Returns the messages that have arrived. Call this method when `host_in` is readable; otherwise it waits."""
        try:
            data = os.read(self.host_in, _MAXIMUM_LINE)
        except BlockingIOError:
            return []
        if not data:
            self.is_open = False
        *lines, self._pending = (self._pending + data).split(b"\n")
        return [_decoded(line) for line in lines]

    def send(self, **message: Any) -> None:
        """Writes a message. If the host has exited, the message is discarded, and `is_open` is False."""
        line = json.dumps({"jsonrpc": "2.0", **message}, separators=(",", ":"), allow_nan=False).encode()
        if len(line) > _MAXIMUM_LINE:
            raise DarkroomError(f"a message of {len(line)} bytes exceeds the limit", "send at most 65536 bytes")
        rest = line + b"\n"
        while rest:
            try:
                rest = rest[os.write(self._host_out, rest) :]
            except BlockingIOError:
                select.select([], [self._host_out], [])
            except BrokenPipeError:
                self.is_open = False
                return


def _decoded(line: bytes) -> Dict[str, Any]:
    """Returns the message of a line."""
    try:
        message = json.loads(line)
    except ValueError as error:
        raise ProtocolError("the host sent a line that is not JSON") from error
    if not isinstance(message, dict):
        raise ProtocolError("the host sent a line that is not a message")
    return message
