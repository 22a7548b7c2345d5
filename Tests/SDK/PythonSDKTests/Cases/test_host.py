# SPDX-License-Identifier: Apache-2.0
"""Tests of the client of darkroom-host for threads, with a server in this process."""

import gc
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import warnings
from unittest import mock

import darkroom
import host_calls
from darkroom.host import (
    Delivery,
    Host,
    HostDisconnected,
    HostError,
    HostProtocolError,
    HostTimeout,
    HostUnavailable,
    Installation,
)
from darkroom.host._interface import viewfinder_open
from darkroom.host.transport import MAXIMUM_LINE, LineReader, received, state_root
from fake_server import (
    METHODS,
    SESSION,
    STARTED_SERVER,
    VIEWFINDER,
    FakeServer,
    ServerTestCase,
    Viewfinder,
    open_descriptors,
    planes_of,
    wait_until,
)

APP, EXTENSION = host_calls.APP, host_calls.EXTENSION


class CallTests(ServerTestCase):
    def test_each_method_sends_the_parameters_of_the_description(self):
        for is_complete in (True, False):
            self.server.is_complete = is_complete
            host = self.host()
            for method, call, params in host_calls.CALLS:
                call(host)
                self.assertEqual(self.server.sent(method)[-1], params, method)
            session = host.launch(EXTENSION)
            for method, call, params in host_calls.SESSION_CALLS:
                if method == "viewfinder/open":
                    Viewfinder(self.server)
                call(session)
                self.assertEqual(self.server.sent(method)[-1], {"session": SESSION, **params}, method)
        calls = {method for method, _, _ in host_calls.CALLS + host_calls.SESSION_CALLS}
        self.assertEqual(set(METHODS), calls | host_calls.OTHERS)

    def test_the_first_request_negotiates_the_version(self):
        host = Host(self.server.root, client="kiosk 2")
        self.assertEqual(self.server.messages[0]["method"], "host/hello")
        self.assertEqual(self.server.messages[0]["params"], {"versions": [1], "client": "kiosk 2"})
        self.assertEqual((host.info.state, host.info.process), (self.server.root, os.getpid()))
        host.close()

    def test_results_are_values_of_python(self):
        host = self.host()
        app = {"id": APP, "name": "Camera", "installedAt": 5, "controls": []}
        extension = {"id": EXTENSION, "name": "Capture", "policy": "capture"}
        app["extensions"] = [{**extension, "launchDeadline": 2.5, "usesProtocol": True}]
        self.server.results["apps/install"] = {"app": app, "replaced": True, "warnings": []}
        installed = host.install("bundle")
        self.assertEqual(self.server.sent("apps/install"), [{"bundle": os.path.abspath("bundle")}])
        self.assertIsInstance(installed, Installation)
        self.assertEqual((installed.id, installed.installed_at, installed.replaced), (APP, 5, True))
        self.assertEqual((installed.extensions[0].launch_deadline, installed.extensions[0].uses_protocol), (2.5, True))
        delivery = {"session": SESSION, "path": "/content", "files": 2, "bytes": 9, "later": True}
        self.server.results["content/list"] = {"deliveries": [delivery]}
        self.assertEqual(host.content(APP), (Delivery(SESSION, "/content", 2, 9),))
        decision = {"resource": "camera", "decision": {"decision": "authorized"}}
        self.server.results["permissions/get"] = {"permissions": [decision]}
        self.assertEqual(host.permissions(APP)["camera"].decision, "authorized")

    def test_the_context_is_a_value_of_python(self):
        host = self.host()
        for text, value in (('{"é":[1,null]}', {"é": [1, None]}), ("7", 7)):
            self.server.results["context/get"] = {"context": text}
            self.assertEqual(host.context(APP), value)
            host.set_context(APP, value)
            self.assertEqual(self.server.sent("context/set")[-1], {"app": APP, "context": text})
        self.server.results["context/get"] = {}
        self.assertIsNone(host.context(APP))
        host.set_context(APP, None)
        self.assertEqual(self.server.sent("context/clear"), [{"app": APP}])

    def test_paths_become_absolute_and_names_do_not(self):
        host = self.host()
        here = pathlib.Path()
        host.launch(EXTENSION, camera=here / "film.y4m", microphone="./sound.wav")
        options = self.server.sent("session/launch")[-1]["options"]
        self.assertEqual(options, {"camera": os.path.abspath("film.y4m"), "microphone": os.path.abspath("sound.wav")})
        host.launch_program(APP, "bin/tool", policy=here / "p.json", read_only_paths=["data"])
        expected = {"app": APP, "program": os.path.abspath("bin/tool"), "policy": os.path.abspath("p.json")}
        expected["readOnlyPaths"] = [os.path.abspath("data")]
        self.assertEqual(self.server.sent("session/launchProgram")[-1], expected)
        host.compare_policies("capture", "./capture")
        expected = {"old": "capture", "new": os.path.abspath("capture")}
        self.assertEqual(self.server.sent("policy/difference")[-1], expected)

    def test_an_adjustment_has_exactly_one_value(self):
        session = self.host().launch(EXTENSION)
        for arguments in ({}, {"value": 1, "steps": 1}, {"steps": 1, "title": "Mono"}):
            with self.assertRaises(TypeError):
                session.adjust("zoom", **arguments)

    def test_two_threads_call_methods_at_the_same_time(self):
        host = self.host()
        self.server.results["apps/find"] = lambda params: {
            "id": params["app"], "name": "", "installedAt": 0, "extensions": [], "controls": []
        }  # fmt: skip

        def call(name):
            return {host.app(f"{name}.{number}").id == f"{name}.{number}" for number in range(200)}

        threads = [self.thread(lambda name=name: call(name)) for name in ("one", "two")]
        for thread, results in threads:
            thread.join()
            self.assertEqual(results, [{True}])

    def test_replies_in_another_order_reach_their_callers(self):
        host = self.host()
        self.server.silent |= {"policy/list", "rpc.discover"}
        first, one = self.thread(host.policies)
        self.server.wait_for("policy/list")
        second, two = self.thread(host.discover)
        self.server.wait_for("rpc.discover")
        self.server.reply("rpc.discover", result={"openrpc": "1.3.2"})
        second.join()
        self.assertEqual((one, two), ([], [{"openrpc": "1.3.2"}]))
        self.server.reply("policy/list", result={"policies": ["capture"]})
        first.join()
        self.assertEqual(one, [("capture",)])


class ErrorTests(ServerTestCase):
    def test_an_error_of_the_server_has_its_details(self):
        host = self.host()
        fault = {"severity": "error", "file": "app.json", "key": "id", "reason": "missing", "fix": "add it", "line": 3}
        data = {"kind": "bundle", "step": "openat", "errno": 2, "path": "/bundle", "diagnostics": [fault]}
        self.server.errors["apps/install"] = {"code": -32000, "message": "the bundle has faults", "data": data}
        with self.assertRaisesRegex(HostError, "^the bundle has faults$") as caught:
            host.install("/bundle")
        error = caught.exception
        self.assertEqual((error.kind, error.code, error.number), ("bundle", "bundle", -32000))
        self.assertEqual((error.step, error.errno, error.path), ("openat", 2, "/bundle"))
        self.assertEqual((error.diagnostics[0].fix, error.diagnostics[0].line), ("add it", 3))
        self.assertIsInstance(error, darkroom.DarkroomError)

    def test_an_error_of_the_transport_has_a_kind(self):
        host = self.host()
        for number, kind in ((-32600, "invalidRequest"), (-32601, "methodNotFound"), (-32602, "invalidParams")):
            self.server.errors["policy/list"] = {"code": number, "message": "no", "data": {"path": "width"}}
            with self.assertRaises(HostError) as caught:
                host.policies()
            self.assertEqual((caught.exception.kind, caught.exception.path), (kind, "width"))
        self.server.errors["policy/list"] = 7
        with self.assertRaisesRegex(HostError, "no reason"):
            host.policies()

    def test_a_missing_server_is_an_error_with_the_fix(self):
        with tempfile.TemporaryDirectory() as directory:
            with self.assertRaisesRegex(HostUnavailable, "start 'darkroom serve' or pass start=True") as caught:
                Host(directory)
            self.assertEqual(caught.exception.kind, "unavailable")
        self.server.close()
        with self.assertRaisesRegex(HostUnavailable, "start 'darkroom serve' or pass start=True"):
            Host(self.server.root)

    def test_a_server_of_another_user_is_refused(self):
        with mock.patch("os.geteuid", lambda: 4711):
            with self.assertRaisesRegex(HostUnavailable, "belongs to UID"):
                Host(self.server.root)
        self.server.wait_for("closed")
        self.assertEqual(self.server.sent("host/hello"), [])

    def test_a_failed_negotiation_closes_the_connection(self):
        self.server.errors["host/hello"] = {"code": -32600, "message": "no common version"}
        with self.assertRaisesRegex(HostError, "no common version"):
            Host(self.server.root)
        self.server.wait_for("closed")

    def test_a_server_that_does_not_answer_is_an_error(self):
        self.server.silent.add("host/hello")
        with self.assertRaises(HostTimeout):
            Host(self.server.root, timeout=0.05)

    def test_a_result_without_a_required_member_is_an_error(self):
        host = self.host()
        for result in ({}, {"policies": 7}, {"policies": [7]}, [], None):
            self.server.results["policy/list"] = lambda params, result=result: result
            with self.assertRaises(HostProtocolError):
                host.policies()
        self.assertEqual(host.lock_state().settable, True)

    def test_lines_that_are_not_messages_end_the_connection(self):
        for line in (b"{\n", b"[]\n", b"\xff\n", b"[" * 100_000 + b"\n"):
            host = self.host()
            self.server.write(line)
            with self.assertRaises(HostProtocolError):
                wait_until(lambda: host.policies() is None)

    def test_a_line_of_more_than_one_mebibyte_ends_the_connection(self):
        for end in (b"", b"\n"):
            host = self.host()
            self.server.silent.add("policy/list")
            thread, results = self.thread(host.policies)
            self.server.wait_for("policy/list", len(self.server.connections))
            self.server.write(b" " * (MAXIMUM_LINE + 1) + end)
            thread.join()
            self.assertIsInstance(results[0], HostProtocolError)
            self.assertIn("1048576", str(results[0]))
            self.server.wait_for("closed", len(self.server.connections))

    def test_a_line_of_one_mebibyte_is_read(self):
        host = self.host()
        start, end = b'{"jsonrpc": "2.0", "id": 2, "result": {"policies": ["', b'"]}}'
        self.server.silent.add("policy/list")
        thread, results = self.thread(host.policies)
        self.server.wait_for("policy/list")
        self.server.write(start + b"x" * (MAXIMUM_LINE - len(start + end)) + end + b"\n")
        thread.join()
        self.assertEqual(len(results[0][0]), MAXIMUM_LINE - len(start + end))

    def test_a_request_that_is_too_long_is_not_sent(self):
        host = self.host()
        with self.assertRaisesRegex(HostError, "exceeds the limit"):
            host.set_context(APP, "x" * MAXIMUM_LINE)
        with self.assertRaisesRegex(HostError, "not valid UTF-8"):
            host.install(b"/\xff".decode(errors="surrogateescape"))
        self.assertEqual(host.policies(), ("text", "text"))

    def test_unknown_notifications_members_and_replies_are_ignored(self):
        host = self.host()
        self.server.send(method="later/event", params=7)
        self.server.send(method="session/event", params={"session": "other", "event": {"kind": "later"}}, later=1)
        self.server.send(id=99, result={})
        self.server.send(id="x", result={})
        self.server.send(id=1, method="later/request", params={})
        self.assertEqual(host.policies(), ("text", "text"))

    def test_an_invalid_notification_ends_the_connection(self):
        for params in ({}, {"session": 7, "event": {}}, {"session": SESSION, "event": {"accepts": True}}):
            host = self.host()
            host.launch(EXTENSION)
            self.server.send(method="session/event", params=params)
            with self.assertRaises(HostProtocolError):
                wait_until(lambda: host.policies() is None)


class ClosingTests(ServerTestCase):
    def test_closing_wakes_all_threads(self):
        host = self.host()
        session = host.launch(EXTENSION)
        watch = host.watch_content(APP)
        self.server.silent |= {"session/result", "policy/list", "viewfinder/open"}
        bodies = [lambda: list(session.events()), session.wait, host.policies, watch.next, session.next_frame]
        threads = [self.thread(body) for body in bodies]
        for method in ("session/result", "policy/list", "viewfinder/open"):
            self.server.wait_for(method)
        host.close()
        for thread, results in threads:
            thread.join(20)
            self.assertIsInstance(results[0], HostDisconnected)
            self.assertEqual(results[0].kind, "disconnected")
        with self.assertRaisesRegex(HostDisconnected, "this program closed the connection"):
            host.policies()
        host.close()
        self.server.wait_for("closed")

    def test_the_end_of_the_server_reaches_all_callers(self):
        host = self.host()
        self.server.silent.add("policy/list")
        thread, results = self.thread(host.policies)
        self.server.wait_for("policy/list")
        self.server.close()
        thread.join()
        self.assertRegex(str(results[0]), "the server closed the connection")
        with self.assertRaises(HostDisconnected):
            host.apps()

    def test_the_reason_for_which_the_server_closes_the_connection_is_reported(self):
        host = self.host()
        self.server.send(id=None, error={"code": -32700, "message": "the line exceeds a limit"})
        self.server.close()
        with self.assertRaisesRegex(HostError, "the line exceeds a limit") as caught:
            wait_until(lambda: host.policies() is None)
        self.assertEqual(caught.exception.kind, "parseError")

    def test_no_thread_or_descriptor_remains(self):
        viewfinder = Viewfinder(self.server, frames=100)
        threads, descriptors = threading.active_count(), open_descriptors()
        for _ in range(3):
            # Two replies carry descriptors that no caller takes, and a notification carries three.
            self.server.descriptors.extend([viewfinder.memory] * 3)
            with Host(self.server.root) as host:
                session = host.launch(EXTENSION)
                session.next_frame()
                host._connection.post(viewfinder_open(SESSION))
                host._connection.send(viewfinder_open(SESSION))
                self.server.send([viewfinder.memory] * 3, method="later/event")
                host.policies()
            del session
            gc.collect()
            self.server.wait_for("closed", len(self.server.connections))
            wait_until(lambda: threading.active_count() == threads and open_descriptors() == descriptors)

    def test_a_descriptor_belongs_to_the_reply_whose_first_byte_carried_the_descriptor(self):
        viewfinder = Viewfinder(self.server)
        session = self.host().launch(EXTENSION)
        other = os.memfd_create("other")
        self.addCleanup(os.close, other)
        with open(other, "wb", closefd=False) as file:
            file.write(b"x" * VIEWFINDER["bytes"])
        self.server.silent.add("viewfinder/open")
        thread, results = self.thread(session.next_frame)
        self.server.wait_for("viewfinder/open")
        # The descriptor of an earlier line, a line without a descriptor, and a reply in two parts.
        self.server.send([other], method="later/event")
        self.server.send(method="later/event")
        request = self.server.messages[-1]["id"]
        reply = json.dumps({"jsonrpc": "2.0", "id": request, "result": VIEWFINDER}).encode() + b"\n"
        self.server.write(reply[:9], [viewfinder.memory])
        time.sleep(0.05)
        self.server.write(reply[9:])
        thread.join()
        self.assertEqual(results[0].planes[0].tobytes(), planes_of(1)[0])

    def test_a_connection_that_is_not_closed_is_reported(self):
        host = Host(self.server.root)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            del host
            gc.collect()
        self.assertEqual([warning.category for warning in caught], [ResourceWarning])
        self.server.wait_for("closed")

    def test_the_exit_of_the_interpreter_does_not_wait_for_a_connection_that_is_not_closed(self):
        program = "import sys; from darkroom.host import Host; host = Host(sys.argv[1]); print(host.policies())"
        command = [sys.executable, "-c", program, self.server.root]
        result = subprocess.run(command, capture_output=True, text=True, timeout=20)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "('text', 'text')\n", ""))

    def test_a_session_keeps_the_connection_open(self):
        session = Host(self.server.root).launch(EXTENSION)
        gc.collect()
        session.tap("primary")
        session._host.close()

    def test_the_child_of_a_fork_does_not_close_the_connection(self):
        host = self.host()
        process = os.fork()
        if process == 0:
            host.close()
            os._exit(0)
        self.assertEqual(os.waitpid(process, 0)[1], 0)
        self.assertEqual(host.policies(), ("text", "text"))

    def test_an_interrupted_launch_terminates_its_session(self):
        host = self.host()
        self.server.silent.add("session/launch")
        with mock.patch.object(host._connection, "wait", side_effect=KeyboardInterrupt):
            with self.assertRaises(KeyboardInterrupt):
                host.launch(EXTENSION)
        self.server.wait_for("session/launch")
        self.server.reply("session/launch", result={"session": SESSION})
        self.server.wait_for("session/terminate")
        self.assertEqual(self.server.sent("session/terminate"), [{"session": SESSION}])


class DescriptorTests(unittest.TestCase):
    def setUp(self):
        self.sockets = socket.socketpair()
        for end in self.sockets:
            self.addCleanup(end.close)
        self.memory = os.memfd_create("memory")
        self.addCleanup(os.close, self.memory)

    def test_child_processes_do_not_inherit_received_descriptors(self):
        socket.send_fds(self.sockets[0], [b"x"], [self.memory] * 2)
        data, descriptors = received(self.sockets[1])
        self.assertEqual((data, len(descriptors)), (b"x", 2))
        for descriptor in descriptors:
            self.assertFalse(os.get_inheritable(descriptor))
            os.close(descriptor)

    def test_the_number_of_descriptors_of_a_message_is_limited(self):
        before = open_descriptors()
        socket.send_fds(self.sockets[0], [b"x"], [self.memory] * 200)
        _, descriptors = received(self.sockets[1])
        self.assertLessEqual(len(descriptors), 5)
        self.assertEqual(open_descriptors(), before + len(descriptors))
        for descriptor in descriptors:
            os.close(descriptor)

    def test_descriptors_that_no_line_takes_are_closed(self):
        reader = LineReader()
        one, two, three = (os.dup(self.memory) for _ in range(3))
        # The first descriptor arrives together with the end of a line and the start of another.
        lines = reader.lines(b"a\nb", [one])
        self.assertEqual(list(lines), [b"a"])
        self.assertTrue(is_open(one))
        for line in reader.lines(b"\nc", [two]):
            self.assertEqual((line, reader.take_descriptor()), (b"b", one))
        self.assertEqual(list(reader.lines(b"\n", [three])), [b"c"])
        self.assertEqual((is_open(one), is_open(two), is_open(three)), (True, False, False))
        os.close(one)


def is_open(descriptor):
    """Returns whether a descriptor is open."""
    return os.path.exists(f"/proc/self/fd/{descriptor}")


class StartTests(unittest.TestCase):
    """Tests of a server that the client starts: a Python program."""

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="darkroom-python-")
        self.addCleanup(directory.cleanup)
        self.root = directory.name + "/state"

    def command(self, *options):
        return [sys.executable, "-c", STARTED_SERVER, *options]

    def test_a_server_is_started_and_stopped(self):
        with Host(self.root, start=self.command()) as host:
            process = host.info.process
            self.assertNotEqual(os.getsid(process), os.getsid(0))
            self.assertFalse(os.path.exists(f"{self.root}/stopped"))
        self.assertTrue(os.path.exists(f"{self.root}/stopped"))
        with self.assertRaises(ProcessLookupError):
            os.kill(process, 0)

    def test_a_running_server_is_used_and_not_stopped(self):
        with FakeServer() as server:
            with Host(server.root, start=["/nonexistent"]) as host:
                self.assertEqual(host.policies(), ("text", "text"))

    def test_a_server_that_exits_is_an_error_with_its_code(self):
        with self.assertRaisesRegex(HostUnavailable, "exited with code 73"):
            Host(self.root, start=self.command("--fail"))

    def test_a_server_that_is_not_ready_in_time_is_terminated(self):
        with self.assertRaisesRegex(HostTimeout, "accepted no connection"):
            Host(self.root, start=self.command("--slow"), timeout=1)
        self.assertTrue(os.path.exists(f"{self.root}/stopped"))

    def test_a_missing_program_is_an_error_with_the_fix(self):
        with self.assertRaisesRegex(HostUnavailable, "install Darkroom"):
            Host(self.root, start=pathlib.Path("/nonexistent/darkroom-host"))
        with mock.patch.dict(os.environ, {"PATH": "/nonexistent"}):
            with self.assertRaisesRegex(HostUnavailable, "darkroom-host"):
                Host(self.root, start=True)


class StateRootTests(unittest.TestCase):
    def root(self, option=None, **variables):
        with mock.patch.dict(os.environ, variables, clear=True):
            return state_root(option)

    def test_the_option_and_the_environment_determine_the_root(self):
        variables = {"HOME": "/home/u", "XDG_STATE_HOME": "/state", "DARKROOM_ROOT": "/root"}
        self.assertEqual(self.root("/option", **variables), "/option")
        self.assertEqual(self.root(pathlib.Path("option")), os.path.abspath("option"))
        self.assertEqual(self.root(**variables), "/root")
        self.assertEqual(self.root(HOME="/home/u", XDG_STATE_HOME="/state", DARKROOM_ROOT=""), "/state/darkroom")
        self.assertEqual(self.root(HOME="/home/u", XDG_STATE_HOME="state"), "/home/u/.local/state/darkroom")
        with self.assertRaisesRegex(HostUnavailable, "set HOME"):
            self.root()

    def test_a_path_longer_than_an_address_is_possible(self):
        with FakeServer() as server:
            with tempfile.TemporaryDirectory() as directory:
                long = f"{directory}/{'x' * 120}"
                os.symlink(server.root, long)
                with Host(long) as host:
                    self.assertEqual(host.policies(), ("text", "text"))


if __name__ == "__main__":
    unittest.main()
