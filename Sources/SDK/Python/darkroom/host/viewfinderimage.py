# SPDX-License-Identifier: Apache-2.0
"""An image of the viewfinder of a session, which the server encodes."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Optional

from ._schemas import ImageFormat, ImageInfo
from .errors import HostProtocolError
from .inbox import Exchange


@dataclass(frozen=True)
class ViewfinderImage:
    """The newest frame of a session as an image.

    Attributes:
        format: ``png`` or ``jpeg``.
        width: The width in pixels.
        height: The height in pixels.
        sequence: The sequence number of the frame, from 1.
        taken_at: The capture time in milliseconds since 1970, or None if the time that the extension reports is not
            plausible.
        data: The bytes of the image file.
    """

    format: ImageFormat
    width: int
    height: int
    sequence: int
    taken_at: Optional[int]
    data: bytes = field(repr=False)

    @classmethod
    def _from(cls, exchange: Exchange[ImageInfo]) -> ViewfinderImage:
        """Returns the image of a reply.

        Raises:
            HostError: The reply is an error, or its memory file is missing or shorter than announced.
        """
        info = exchange.value()
        descriptor = exchange.take_descriptor()
        if descriptor is None:
            raise HostProtocolError("the server passed no memory for the image")
        with os.fdopen(descriptor, "rb") as file:
            data = file.read(info.bytes)
        if len(data) != info.bytes:
            raise HostProtocolError("the memory of the image is too short")
        return cls(info.format, info.width, info.height, info.sequence, info.taken_at, data)
