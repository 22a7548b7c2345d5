#!/usr/bin/python3 -I
# SPDX-License-Identifier: Apache-2.0
"""Presses a button control of a virtual camera (vivid), which simulates faults that a real camera cannot produce on demand.

  camera_button.py DEVICE NAME    NAME is the control's name, for example "Inject Fatal Streaming Error"
"""

import fcntl
import struct
import sys

# struct v4l2_queryctrl, struct v4l2_control and the ioctl requests that take them (linux/videodev2.h).
QUERY, CONTROL = "2I32s4i3I", "Ii"
QUERY_CONTROL, SET_CONTROL = 0xC0445624, 0xC008561C
NEXT = 0x80000000

with open(sys.argv[1], "rb+", buffering=0) as device:
    number, title = 0, ""
    while title != sys.argv[2]:
        query = struct.pack(QUERY, number | NEXT, 0, b"", 0, 0, 0, 0, 0, 0, 0)
        # Fails with EINVAL after the last control.
        number, _, name, *_ = struct.unpack(QUERY, fcntl.ioctl(device, QUERY_CONTROL, query))
        title = name.split(b"\0")[0].decode()
    fcntl.ioctl(device, SET_CONTROL, struct.pack(CONTROL, number, 1))
