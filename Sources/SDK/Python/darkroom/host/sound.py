# SPDX-License-Identifier: Apache-2.0
"""The sound of a session: the blocks that the extension receives from its microphone, in shared memory."""

from __future__ import annotations

import os
from typing import Optional

from ..errors import ProtocolError
from ..sound import SoundRing
from ._schemas import SoundInfo
from .errors import HostProtocolError


def open_ring(info: SoundInfo, descriptor: Optional[int]) -> SoundRing:
    """Returns the ring of the sound that a server has opened, and closes the descriptor of its memory.

    Raises:
        HostProtocolError: The memory is missing, or does not match its description.
    """
    if descriptor is None:
        raise HostProtocolError("the server passed no memory for the sound")
    try:
        ring = SoundRing(descriptor, None, info.clock_lead or 0)
    except (OSError, ValueError, ProtocolError):
        raise HostProtocolError("the memory of the sound cannot be mapped") from None
    finally:
        os.close(descriptor)
    if (ring.sample_rate, ring.channels, ring.block_frames) != (info.sample_rate, info.channels, info.block_frames):
        ring.close()
        raise HostProtocolError("the memory of the sound does not match its description")
    return ring
