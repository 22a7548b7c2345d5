#!/usr/bin/python3 -I
# SPDX-License-Identifier: Apache-2.0
"""Presses a button of a virtual camera (vivid), by which it does what no test could have a real one do.

  camera_button.py DEVICE NAME    as the driver calls the button, for example "Inject Fatal Streaming Error"
"""

import fcntl
import struct
import sys

# struct v4l2_queryctrl and v4l2_control, and the requests that take them (linux/videodev2.h).
QUERY, CONTROL = "2I32s4i3I", "Ii"
QUERY_CONTROL, SET_CONTROL = 0xC0445624, 0xC008561C
NEXT = 0x80000000

with open(sys.argv[1], "rb+", buffering=0) as device:
    number, title = 0, ""
    while title != sys.argv[2]:
        query = struct.pack(QUERY, number | NEXT, 0, b"", 0, 0, 0, 0, 0, 0, 0)
        # Fails with EINVAL behind the last one.
        number, _, name, *_ = struct.unpack(QUERY, fcntl.ioctl(device, QUERY_CONTROL, query))
        title = name.split(b"\0")[0].decode()
    fcntl.ioctl(device, SET_CONTROL, struct.pack(CONTROL, number, 1))
