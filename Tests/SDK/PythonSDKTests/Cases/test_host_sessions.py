# SPDX-License-Identifier: Apache-2.0
"""Tests of hosted sessions, viewfinder frames and watched content, with a server in this process."""

import os
import tempfile
import threading
import unittest

import darkroom
from darkroom.host import Event, HostDisconnected, HostError, HostProtocolError, HostTimeout, WatchEnded
from darkroom.host._interface import policy_list
from fake_server import SESSION, VIEWFINDER, ServerTestCase, Viewfinder, planes_of, sample, wait_until
from host_calls import APP, EXTENSION


def result(**members):
    """Returns a result of a session."""
    schema = {"$ref": "#/components/schemas/Result"}
    return {**sample(schema, is_complete=False), **members}


class SessionTests(ServerTestCase):
    def test_events_arrive_in_their_order_until_the_end(self):
        session = self.host().launch(EXTENSION)
        layer = {"name": "seccomp", "state": "enforced"}
        self.server.event("started", sandbox={"full": True, "layers": [layer]})
        self.server.event("acceptsPresses", accepts=True)
        self.server.event("ended", outcome={"kind": "dismissed", "by": "user"})
        events = list(session.events(timeout=20))
        self.assertEqual([event.kind for event in events], ["started", "acceptsPresses", "ended"])
        self.assertEqual((events[0].sandbox.layers[0].state, events[1].accepts), ("enforced", True))
        self.assertEqual((events[2].outcome.by, session.has_ended), ("user", True))
        # Each iteration starts with the first event.
        self.assertEqual(list(session.events()), events)

    def test_an_iteration_waits_for_events_with_a_timeout(self):
        session = self.host().launch(EXTENSION)
        events = session.events(timeout=0.05)
        with self.assertRaises(HostTimeout) as caught:
            next(events)
        self.assertEqual(caught.exception.kind, "timeout")
        threading.Timer(0.05, self.server.event, ["presented"]).start()
        self.assertEqual(next(session.events(timeout=20)), Event("presented"))

    def test_events_that_precede_the_reply_of_the_launch_are_kept(self):
        host = self.host()
        self.server.silent.add("session/launch")
        thread, results = self.thread(lambda: host.launch(EXTENSION))
        self.server.wait_for("session/launch")
        self.server.event("started")
        self.server.reply("session/launch", result={"session": SESSION})
        thread.join()
        self.assertEqual(next(results[0].events(timeout=20)), Event("started"))

    def test_the_end_of_the_with_statement_dismisses_the_session_and_waits(self):
        self.server.results["session/result"] = result(content="/content", files=[{"path": "a.jpg", "size": 3}])
        with self.host().launch(EXTENSION) as session:
            session.tap("primary")
        methods = [message["method"] for message in self.server.messages]
        self.assertEqual(methods[-3:], ["session/press", "session/dismiss", "session/result"])
        self.assertEqual((session.result.content, session.result.files[0].path), ("/content", "a.jpg"))
        self.assertEqual(len(self.server.sent("session/result")), 1)

    def test_a_session_that_has_ended_is_not_dismissed(self):
        host = self.host()
        with host.launch(EXTENSION) as session:
            self.server.event("ended", outcome={"kind": "completed", "exitCode": 0})
            list(session.events())
        self.assertEqual(self.server.sent("session/dismiss"), [])
        # The session ends before the server reads the request.
        self.server.errors["session/dismiss"] = {"code": -32000, "message": "gone", "data": {"kind": "notFound"}}
        with host.launch(EXTENSION):
            pass
        self.assertEqual(len(self.server.sent("session/result")), 2)

    def test_an_error_in_the_with_statement_dismisses_the_session_and_is_raised(self):
        with self.assertRaisesRegex(ValueError, "mine"):
            with self.host().launch(EXTENSION):
                raise ValueError("mine")
        self.server.wait_for("session/result")
        # The error of the body is raised even if the connection fails afterwards.
        host = self.host()
        with self.assertRaisesRegex(ValueError, "mine"):
            with host.launch(EXTENSION):
                self.server.close()
                raise ValueError("mine")

    def test_a_closed_connection_is_an_error_at_the_end_of_the_with_statement(self):
        host = self.host()
        with self.assertRaises(HostDisconnected):
            with host.launch(EXTENSION):
                host.close()

    def test_a_wait_continues_after_a_timeout(self):
        self.server.silent.add("session/result")
        session = self.host().launch(EXTENSION)
        with self.assertRaises(HostTimeout):
            session.wait(timeout=0.05)
        self.server.reply("session/result", result=result(summary="done"))
        self.assertEqual(session.wait(timeout=20).summary, "done")
        self.assertEqual(len(self.server.sent("session/result")), 1)

    def test_the_events_of_ended_sessions_are_not_kept(self):
        host = self.host()
        session = host.launch(EXTENSION)
        self.server.event("ended", outcome={"kind": "completed"})
        list(session.events())
        self.assertEqual(host._connection.inbox._logs, {})


class FrameTests(ServerTestCase):
    def test_frames_are_views_of_the_memory(self):
        viewfinder = Viewfinder(self.server)
        session = self.host().launch(EXTENSION)
        info = session.open_viewfinder()
        self.assertEqual((info.width, info.height, info.planes[1].row_bytes), (6, 4, 3))
        frame = session.next_frame(timeout=20)
        self.assertEqual((frame.sequence, frame.timestamp, frame.width, frame.height), (1, 1001, 6, 4))
        self.assertEqual([plane.tobytes() for plane in frame.planes], planes_of(1))
        self.assertEqual((frame.stride, frame.is_view, frame.planes[0].data.readonly), (8, True, True))
        luma, u, v = frame.numpy()
        self.assertEqual((luma.shape, u.shape, v.shape), ((4, 6), (2, 3), (2, 3)))
        offset = viewfinder.next({})["offset"] - 512
        os.pwrite(viewfinder.memory, b"\xee", offset)
        self.assertEqual((luma[0, 0], frame.planes[0].data[0]), (0xEE, 0xEE))
        self.assertFalse(luma.flags.writeable)

    def test_a_frame_is_valid_until_the_next_one(self):
        Viewfinder(self.server)
        session = self.host().launch(EXTENSION)
        first = session.next_frame()
        copy = first.copy()
        second = session.next_frame()
        self.assertTrue(second.is_valid and copy.is_valid and not first.is_valid)
        for use in (first.check, first.copy, first.numpy, first.rgb, first.png, lambda: first.planes):
            with self.assertRaisesRegex(darkroom.FrameOverwritten, "frame 1 of the viewfinder was released; keep"):
                use()
        self.assertEqual(copy.planes[0].tobytes(), planes_of(1)[0])
        session.release_frame()
        session.release_frame()
        self.assertFalse(second.is_valid)
        self.assertEqual(len(self.server.sent("viewfinder/release")), 1)

    def test_an_iteration_yields_all_frames(self):
        Viewfinder(self.server, frames=4)
        session = self.host().launch(EXTENSION)
        numbers = [(frame.sequence, frame.planes[2].tobytes()) for frame in session.frames()]
        self.assertEqual(numbers, [(number, planes_of(number)[2]) for number in range(1, 5)])
        self.assertEqual(self.server.sent("viewfinder/release"), [])
        self.assertIsNone(session.next_frame())

    def test_the_last_frame_of_an_iteration_that_is_left_stays_valid(self):
        Viewfinder(self.server)
        session = self.host().launch(EXTENSION)
        for frame in session.frames(timeout=20):
            break
        self.assertTrue(frame.is_valid)
        self.assertEqual(next(session.frames()).sequence, 2)
        self.assertFalse(frame.is_valid)

    def test_a_wait_for_a_frame_continues_after_a_timeout(self):
        viewfinder = Viewfinder(self.server)
        self.server.silent.add("viewfinder/next")
        session = self.host().launch(EXTENSION)
        for _ in range(2):
            with self.assertRaises(HostTimeout):
                session.next_frame(timeout=0.05)
        self.server.reply("viewfinder/next", result=viewfinder.next({}))
        self.assertEqual(session.next_frame(timeout=20).sequence, 1)
        self.assertEqual(len(self.server.sent("viewfinder/next")), 1)

    def test_a_session_without_a_viewfinder_has_no_frames(self):
        session = self.host().launch(EXTENSION)
        self.assertIsNone(session.open_viewfinder())
        self.assertEqual(list(session.frames()), [])
        self.assertEqual(self.server.sent("viewfinder/next"), [])

    def test_frames_are_saved_as_png_and_jpeg(self):
        Viewfinder(self.server)
        frame = self.host().launch(EXTENSION).next_frame()
        with tempfile.TemporaryDirectory() as directory:
            for name, magic in (("a.png", b"\x89PNG"), ("a.JPG", b"\xff\xd8\xff")):
                frame.save(f"{directory}/{name}")
                with open(f"{directory}/{name}", "rb") as file:
                    self.assertEqual(file.read(len(magic)), magic)
            with self.assertRaises(darkroom.UnknownFormat):
                frame.save(f"{directory}/a.gif")
            self.assertEqual(sorted(os.listdir(directory)), ["a.JPG", "a.png"])

    def test_a_view_outlives_the_session(self):
        Viewfinder(self.server)
        with self.host().launch(EXTENSION) as session:
            frame = session.next_frame()
            luma = frame.numpy()[0]
        self.assertFalse(frame.is_valid)
        self.assertEqual(luma.tobytes(), planes_of(1)[0])

    def test_a_viewfinder_that_exceeds_its_memory_is_rejected(self):
        plane = VIEWFINDER["planes"][0]
        geometries = [
            {"bytes": 1 << 20}, {"bytes": 0}, {"planes": [plane]}, {"width": None},
            {"planes": [{**plane, "stride": 1}] * 3}, {"planes": [{**plane, "offset": -1}] * 3},
        ]  # fmt: skip
        for members in geometries:
            Viewfinder(self.server)
            self.server.results["viewfinder/open"] = {**VIEWFINDER, **members}
            with self.assertRaises(HostProtocolError, msg=members):
                self.host().launch(EXTENSION).next_frame()
            self.server.descriptors.clear()
        self.server.results["viewfinder/open"] = VIEWFINDER
        with self.assertRaisesRegex(HostProtocolError, "no memory"):
            self.host().launch(EXTENSION).next_frame()

    def test_a_frame_that_exceeds_its_memory_is_rejected(self):
        for members in ({"offset": 1 << 20}, {"offset": 1400}, {"offset": -64}, {"sequence": None}):
            Viewfinder(self.server)
            result = {"more": True, "offset": 0, "sequence": 1, "timestamp": 0, **members}
            self.server.results["viewfinder/next"] = result
            with self.assertRaises(HostProtocolError, msg=members):
                self.host().launch(EXTENSION).next_frame()


class WatchTests(ServerTestCase):
    def setUp(self):
        super().setUp()
        self.server.results["content/watch"] = {"subscription": 1}

    def receive_all(self, changes):
        """Waits until other threads have received all changes that the server has sent."""
        # The reply follows the changes.
        changes._connection.call(policy_list())
        wait_until(lambda: not changes._queue.changes)

    def test_changes_arrive_in_their_order(self):
        delivery = {"session": SESSION, "path": "/content", "files": 1, "bytes": 2}
        with self.host().watch_content(APP, "importer") as changes:
            self.server.change(initial=[delivery])
            self.server.change(added=delivery)
            self.server.change(removed=SESSION)
            first, second, third = (changes.next(timeout=20) for _ in range(3))
            self.assertEqual((first.initial[0].path, second.added.files, third.removed), ("/content", 1, SESSION))
            with self.assertRaises(HostTimeout):
                changes.next(timeout=0.05)
        self.assertEqual(self.server.sent("content/unwatch"), [{"subscription": 1}])
        self.assertIsNone(changes.next())
        changes.close()
        self.assertEqual(len(self.server.sent("content/unwatch")), 1)

    def test_changes_that_precede_the_reply_are_kept(self):
        host = self.host()
        self.server.silent.add("content/watch")
        thread, results = self.thread(lambda: host.watch_content(APP))
        self.server.wait_for("content/watch")
        self.server.change(initial=[])
        self.server.reply("content/watch", result={"subscription": 1})
        thread.join()
        self.assertEqual(results[0].next(timeout=20).initial, ())

    def test_closing_ends_the_iteration_of_another_thread(self):
        changes = self.host().watch_content(APP)
        thread, results = self.thread(lambda: list(changes))
        self.server.change(initial=[])
        self.receive_all(changes)
        changes.close()
        thread.join()
        self.assertEqual([change.initial for change in results[0]], [()])

    def test_two_threads_share_the_changes(self):
        changes = self.host().watch_content(APP)
        threads = [self.thread(lambda: list(changes)) for _ in range(2)]
        for _ in range(50):
            self.server.change(removed=SESSION)
        self.receive_all(changes)
        changes.close()
        for thread, _ in threads:
            thread.join()
        self.assertEqual(sum(len(results[0]) for _, results in threads), 50)

    def test_the_end_of_a_subscription_is_an_error_after_the_last_change(self):
        changes = self.host().watch_content(APP)
        self.server.change(initial=[])
        self.server.notify("content/ended", subscription=1, message="the directory was removed")
        self.assertEqual(changes.next().initial, ())
        for _ in range(2):
            with self.assertRaisesRegex(WatchEnded, "the directory was removed") as caught:
                changes.next()
        self.assertIsInstance(caught.exception, HostError)
        changes.close()
        self.assertEqual(self.server.sent("content/unwatch"), [])


class ControlTests(ServerTestCase):
    def test_a_log_record_is_a_value_of_python(self):
        host = self.host()
        self.server.results["log/record"] = {"record": '{"sequence":3}'}
        self.assertEqual(host.log_record(SESSION), {"sequence": 3})
        self.assertEqual(self.server.sent("log/record"), [{"session": SESSION}])
        self.server.results["log/record"] = {}
        self.assertIsNone(host.log_record(SESSION))

    def test_a_press_of_a_control_launches_a_session_or_opens_the_app(self):
        host = self.host()
        self.server.results["control/press"] = {"effect": "session", "session": SESSION}
        session = host.press_control(APP, "shutter")
        self.assertEqual(session.id, SESSION)
        self.server.results["control/press"] = {"effect": "applicationOpened", "delivery": "d", "reason": "permission"}
        opening = host.press_control(APP, "shutter", place="elsewhere")
        self.assertEqual((opening.delivery, opening.reason), ("d", "permission"))
        self.assertEqual(self.server.sent("control/press")[-1]["options"], {"place": "elsewhere"})


if __name__ == "__main__":
    unittest.main()
