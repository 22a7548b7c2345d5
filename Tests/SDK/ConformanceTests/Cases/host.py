#!/usr/bin/python3 -I
# SPDX-License-Identifier: Apache-2.0
"""Plays the sessions of a script with an extension, and writes the transcript of both sides.

The program implements only the protocol document, and shares no code with Darkroom. If the extension sends a message
that the script does not expect, the exit code is 1.

usage: host.py SCRIPT TRANSCRIPT PROGRAM [ARGUMENT...]

A session of a script has a name, the names of its devices, the parameters of session/start that differ from "start" of
the script, and steps. The members of a step are processed in this order; "comment" has no effect:

  hold         the number of the viewfinder's frame that the host displays from now on, or 0
  frames       the numbers of frames to publish at once; the host waits until the extension has finished all of them
  overwritten  the number of a frame to announce that is being overwritten
  sound        blocks of sound to publish at once; the host waits until the extension has finished all of them
  send         messages to write with one write(2), or with the number of calls in "pieces"
  text         a line to write as it is
  logs         the texts of the next messages, which must be lines of the log with the level "info"
  expect       the normal form of the next message; "reply" is the reply. The messages in "before" and "after" are
               written together with the reply. With "erases", the host first erases the session directory.
  close        the host closes its end of the pipe
  exit         the exit code of the extension; the host waits for the exit, and lists the captured files

The normal form of a message of the extension does not depend on choices that the protocol permits:

- A request has no "id". "ifContext" is text, because the host compares this value byte for byte.
- The session directory is "$directory", the revision of camera controls is "$revision", and the sentence of an error
  is "…".
- A parameter with its default value ("defaults" of the script) is left out. The order of members is irrelevant.
"""

import fcntl
import json
import os
import select
import signal
import sys
import tempfile
import time

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from devices import LIMIT, Devices, digest  # noqa: E402

START = 'start "1"'
VARIABLES = {"$long": "x" * 65000}
MAXIMUM_LINE = 65536


def compact(value, is_sorted=False):
    """Returns JSON text on one line, without control characters."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, sort_keys=is_sorted)
    return text.replace("\x7f", "\\u007f")


class Mismatch(Exception):
    """The extension does not follow the script."""


class Extension:
    """The process of the extension, and the pipes of messages.

    Args:
        command: The program and its arguments.
        devices: The descriptors of the devices by name.
    """

    def __init__(self, command, devices):
        child_in, self.to_child = os.pipe()
        self.from_child, child_out = os.pipe()
        self.pending, self.is_open = b"", True
        # The descriptor "later" is one of a later version of the protocol.
        passed = {"host-in": child_in, "host-out": child_out, "later": child_in} | devices
        # Duplicates with high numbers, so that dup2(2) to the final number closes none of the others.
        high = [fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 100) for descriptor in passed.values()]
        actions = [(os.POSIX_SPAWN_DUP2, descriptor, 3 + index) for index, descriptor in enumerate(high)]
        environment = {"PATH": "/usr/bin:/bin", "LISTEN_FDS": str(len(passed)), "LISTEN_FDNAMES": ":".join(passed)}
        shell = ["/bin/sh", "-c", 'LISTEN_PID=$$; export LISTEN_PID; exec "$@"', "sh", *command]
        self.process = os.posix_spawn(shell[0], shell, environment, file_actions=actions, setsid=True)
        for descriptor in [*high, child_in, child_out]:
            os.close(descriptor)

    def write(self, data, pieces=1):
        """Writes bytes in several pieces. The extension may have exited."""
        size = -(-len(data) // pieces)
        for begin in range(0, len(data), size):
            try:
                os.write(self.to_child, data[begin : begin + size])
            except BrokenPipeError:
                return
            time.sleep(0.005 if pieces > 1 else 0)

    def receive(self):
        """Returns the next message, or None at end of file."""
        while b"\n" not in self.pending:
            if not select.select([self.from_child], [], [], LIMIT)[0]:
                raise Mismatch("the extension sends no message")
            data = os.read(self.from_child, MAXIMUM_LINE)
            if not data:
                return None
            self.pending += data
        line, self.pending = self.pending.split(b"\n", 1)
        if len(line) > MAXIMUM_LINE:
            raise Mismatch("a message of the extension is too long")
        message = json.loads(line)
        if not isinstance(message, dict) or message.pop("jsonrpc", None) != "2.0":
            raise Mismatch(f"the line of the extension is not a message: {line!r}")
        return message

    def close_input(self):
        """Closes the pipe to the extension."""
        if self.is_open:
            os.close(self.to_child)
        self.is_open = False

    def wait(self):
        """Waits for the exit, and returns the exit code, or None after the time limit."""
        end = time.monotonic() + LIMIT
        while time.monotonic() < end:
            process, status = os.waitpid(self.process, os.WNOHANG)
            if process:
                self.process = None
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.005)
        return None

    def end(self):
        """Terminates the extension if it runs, and closes the pipes."""
        if self.process is not None:
            os.kill(self.process, signal.SIGKILL)
            os.waitpid(self.process, 0)
        self.close_input()
        os.close(self.from_child)


class Play:
    """The play of a session.

    Args:
        script: The script.
        session: The session.
        extension: The extension.
        devices: The devices of the session.
        directory: The session directory.
    """

    def __init__(self, script, session, extension, devices, directory):
        self.session, self.defaults = session, script["defaults"]
        self.start = script["start"] | session.get("start", {})
        self.extension, self.devices, self.directory = extension, devices, directory
        self.revision, self.identifiers = 0, set()
        self.lines = [f"== {session['name']}"]

    def run(self):
        """Plays all steps. `lines` has the transcript, even after a mismatch."""
        self.send([{"id": START, "method": "session/start", "params": self.start}])
        for step in self.session["steps"]:
            try:
                self.perform(step)
            except (Mismatch, ValueError) as error:
                raise Mismatch(f"{self.session['name']}: {compact(step)}:\n{error}") from error

    def perform(self, step):
        """Performs a step."""
        actions = {
            "hold": self.hold,
            "frames": self.publish_frames,
            "overwritten": self.announce_overwritten,
            "sound": self.publish_sound,
            "send": lambda messages: self.send(messages, step.get("pieces", 1)),
            "text": self.write_text,
            "logs": self.expect_logs,
            "expect": lambda expected: self.answer(expected, step),
            "close": self.close,
            "exit": self.expect_exit,
        }
        unknown = set(step) - set(actions) - {"comment", "pieces", "reply", "before", "after", "erases"}
        if unknown:
            raise Mismatch(f"the step has unknown members: {unknown}")
        for name, action in actions.items():
            if name in step:
                action(step[name])

    def note(self, text):
        """Adds a line about another action than a message to the transcript."""
        self.lines.append(f"= {text}")

    # Devices.

    def hold(self, number):
        """Displays a frame of the viewfinder."""
        self.note(f"the host displays the viewfinder's frame {number}")
        self.devices.hold(number)

    def publish_frames(self, numbers):
        """Publishes frames, and waits until the extension has finished them."""
        self.devices.publish_frames(numbers)
        for number in numbers:
            self.note(f"frame {number} is published, digest {self.devices.digests[number]}")
        self.note(f"{self.devices.wait_finished('frame-done', numbers[-1])} frames are finished")
        for number, frame in self.devices.displayed():
            self.note(f"the viewfinder's frame {number} shows frame {frame}")

    def announce_overwritten(self, number):
        """Announces a frame that is being overwritten."""
        self.note(f"frame {number} is overwritten")
        self.devices.announce_overwritten(number)

    def publish_sound(self, blocks):
        """Publishes blocks of sound, and waits until the extension has finished them."""
        for block, content in zip(blocks, self.devices.publish_sound(blocks)):
            self.note(f"{block['frames']} frames of sound at {block['position']} are published, digest {content}")
        self.note(f"{self.devices.wait_finished('sound-done', self.devices.blocks)} blocks are finished")

    # Messages of the host.

    def send(self, messages, pieces=1):
        """Writes messages together, or in several pieces."""
        lines = []
        for message in messages:
            shown = {name: value for name, value in message.items() if name != "id" or "method" in message}
            self.lines.append("< " + compact(shown, is_sorted=True))
            lines.append(compact({"jsonrpc": "2.0"} | self.resolved(message)) + "\n")
        self.extension.write("".join(lines).encode(), pieces)

    def resolved(self, value):
        """Returns a value of the script with the values of its variables."""
        if isinstance(value, dict):
            return {name: self.resolved(member) for name, member in value.items()}
        if isinstance(value, list):
            return [self.resolved(item) for item in value]
        variables = VARIABLES | {"$directory": self.directory, "$revision": self.revision}
        return variables.get(value, value) if isinstance(value, str) else value

    def write_text(self, text):
        """Writes a line as it is."""
        self.lines.append("< " + text)
        self.extension.write(text.encode() + b"\n")

    def close(self, _):
        """Closes the pipe to the extension."""
        self.note("the host closes the pipe")
        self.extension.close_input()

    # Messages of the extension.

    def expect_logs(self, texts):
        """Receives lines of the log."""
        for text in texts:
            self.receive({"method": "log", "params": {"level": "info", "message": text}})

    def receive(self, expected):
        """Receives a message with a normal form, and returns its ID, or None."""
        message = self.extension.receive()
        if message is None:
            raise Mismatch(f"the extension exited before this message: {compact(expected)}")
        identifier, form = message.get("id"), self.normal(message)
        self.lines.append("> " + compact(form, is_sorted=True))
        if compact(form, is_sorted=True) != compact(expected, is_sorted=True):
            raise Mismatch(f"expected: {compact(expected, is_sorted=True)}\nreceived: {compact(form, is_sorted=True)}")
        return identifier

    def answer(self, expected, step):
        """Receives a message, and replies to a request."""
        identifier = self.receive(expected)
        if "method" not in expected:
            return
        if (identifier is not None) != ("reply" in step):
            raise Mismatch(f"the message is a {'notification' if identifier is None else 'request'}")
        if "reply" not in step:
            return
        if identifier in self.identifiers or not isinstance(identifier, (int, str)):
            raise Mismatch(f"the ID of the request is not new: {identifier}")
        self.identifiers.add(identifier)
        if "erases" in step and step["reply"]["result"] != (erased := self.erase()):
            raise Mismatch(f"the host erased {erased}")
        self.send([*step.get("before", []), {"id": identifier} | step["reply"], *step.get("after", [])])

    def normal(self, message):
        """Returns the normal form of a message."""
        if "method" not in message:
            error = {"error": message["error"] | {"message": "…"}} if "error" in message else {}
            return self.simplified(message | error)
        method, params = message["method"], message.get("params", {})
        defaults = self.defaults.get(method, {})
        params = {name: value for name, value in params.items() if name not in defaults or defaults[name] != value}
        if method == "controls/declare":
            self.revision, params["revision"] = params["revision"], "$revision"
        if "ifContext" in params:
            params["ifContext"] = compact(params["ifContext"])
        return self.simplified({"method": method, "params": params})

    def simplified(self, value):
        """Returns a value with the variable of the session directory, and with integers instead of equal numbers."""
        if isinstance(value, dict):
            return {name: self.simplified(member) for name, member in value.items()}
        if isinstance(value, list):
            return [self.simplified(item) for item in value]
        if isinstance(value, float) and value.is_integer():
            return int(value)
        return value.replace(self.directory, "$directory") if isinstance(value, str) else value

    # Files.

    def captured(self):
        """Returns the paths of the captured files, relative to the session directory."""
        found = [os.path.join(folder, name) for folder, _, names in os.walk(self.directory) for name in names]
        return sorted(os.path.relpath(path, self.directory) for path in found)

    def erase(self):
        """Erases the captured files, and returns their number and size."""
        paths = [os.path.join(self.directory, name) for name in self.captured()]
        size = sum(os.path.getsize(path) for path in paths)
        for path in paths:
            os.unlink(path)
        return {"files": len(paths), "bytes": size}

    def expect_exit(self, code):
        """Waits for the exit of the extension, and lists the captured files."""
        if (message := self.extension.receive()) is not None:
            raise Mismatch(f"the extension sent another message: {compact(message)}")
        found = self.extension.wait()
        self.note(f"the extension exited with {found}")
        if found != code:
            raise Mismatch(f"the exit code is {found}, and not {code}")
        for name in self.captured():
            with open(os.path.join(self.directory, name), "rb") as file:
                data = file.read()
            self.note(f"the file {name} has {len(data)} bytes, digest {digest(data)}")


def play(script, session, command, lines):
    """Plays a session in a new session directory, and appends its transcript to `lines`."""
    with tempfile.TemporaryDirectory(prefix="darkroom-conformance-") as directory:
        devices = Devices(session["devices"])
        extension = Extension(command, devices.descriptors())
        performance = Play(script, session, extension, devices, directory)
        try:
            performance.run()
        finally:
            lines += performance.lines
            extension.end()
            devices.close()


def main():
    if len(sys.argv) < 4:
        sys.exit("usage: host.py SCRIPT TRANSCRIPT PROGRAM [ARGUMENT...]")
    with open(sys.argv[1], encoding="utf-8") as file:
        script = json.load(file)
    lines, failure = [], None
    try:
        for session in script["sessions"]:
            play(script, session, sys.argv[3:], lines)
    except Mismatch as error:
        failure = error
    with open(sys.argv[2], "w", encoding="utf-8") as file:
        file.write("".join(f"{line}\n" for line in lines))
    if failure:
        sys.exit(f"{failure}\nthe last lines of the transcript:\n" + "\n".join(lines[-10:]))


if __name__ == "__main__":
    main()
