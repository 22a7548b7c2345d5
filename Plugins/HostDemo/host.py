#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Launches an extension with a test pattern, saves its first viewfinder frame, and takes one picture."""

import sys
import time

from darkroom.host import Event, Host, HostedSession, HostError


def handle(session: HostedSession, event: Event, path: str) -> None:
    """Handles an event of the session."""
    if event.sandbox:
        print(f"the extension runs in {len(event.sandbox.layers)} layers")
    elif event.refusal:
        print(f"refused: {event.refusal.sentence}")
    elif event.message:
        print(f"notice: {event.message}")
    elif event.accepts:
        frame = session.next_frame()
        if frame is not None:
            frame.save(path)
            print(f"viewfinder: {frame.width}x{frame.height}")
        session.tap("primary")
        # The extension has this time to write the picture.
        time.sleep(1)
        session.dismiss()


def take_picture(extension: str, path: str) -> None:
    """Launches an extension, and prints its captures."""
    with Host(start=True) as host:
        with host.launch(extension, camera="pattern:320x240") as session:
            for event in session.events():
                handle(session, event, path)
        result = session.result
        print(result.summary)
        for file in result.files:
            print(f"{result.content}/{file.path}: {file.size} bytes")


def main() -> int:
    """Runs the program, and returns its exit code."""
    if len(sys.argv) != 3:
        print(f"usage: {sys.argv[0]} EXTENSION FRAME.png", file=sys.stderr)
        return 64
    try:
        take_picture(sys.argv[1], sys.argv[2])
    except HostError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
