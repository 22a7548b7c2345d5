#!/usr/bin/python3 -BsE
# SPDX-License-Identifier: Apache-2.0
"""A camera kiosk: runs a capture extension through the D-Bus service of Darkroom, and shows the captures."""

import argparse
import os
import sys

import gi

gi.require_versions({"Gdk": "4.0", "Gtk": "4.0"})
from gi.repository import Gdk, Gio, GLib, Gtk

from pictures import Viewfinder, thumbnail
from service import APP, EXTENSION, MANAGER, PROPERTIES, ROOT, SESSION, UNLIMITED, Service, ignore, reason
from window import Window

# The time from the release of the shutter to the dismissal. A session delivers its captures when it ends.
DELIVERY_MILLISECONDS = 1000


class Kiosk:
    """One session after another, and the captures of their app."""

    def __init__(self, application, options):
        self.options, self.timer, self.is_dismissed = options, 0, False
        self.manager = self.app = self.extension = self.session = None
        self.window = Window(application, self.press, self.release, self.toggle_lock, self.open)
        self.service = Service(self.open, self.close, self.on_event)

    def log(self, *words):
        """Prints an event, for tests."""
        if self.options.log:
            print(*words, flush=True)

    def fail(self, heading, detail, fix=""):
        """Shows an error instead of the viewfinder."""
        self.session = None
        self.log("failed", heading)
        self.window.fail(heading, detail, fix)

    def refuse(self, sentence):
        """Shows a refusal in the status line."""
        self.log("refused", sentence)
        self.window.say(sentence, "refused")

    def act(self, method, *arguments):
        """Calls a method that returns nothing. A failure is shown in the status line."""
        method(*arguments, result_handler=ignore, error_handler=lambda _, error, __: self.refuse(reason(error)))

    # The service

    def open(self):
        """Finds the extension, shows the captures of its app and the lock state, and launches a session."""
        try:
            extensions = self.service.extensions()
            path = next((path for path in extensions if extensions[path]["Id"] == self.options.extension), None)
            if not path:
                detail = f"{self.options.extension} is not installed. Install its app, and try again."
                return self.fail("The extension is missing", detail, "darkroom install BUNDLE")
            self.window.name.set_label(extensions[path]["Name"])
            self.extension = self.service.proxy(path, EXTENSION)
            self.app = self.service.proxy(extensions[path]["App"], APP)
            self.app.connect("g-signal", self.on_content)
            self.window.remove_captures()
            for delivery in self.app.ListContent():
                self.add_captures(delivery)
            self.manager = self.service.proxy(ROOT, MANAGER)
            self.manager.connect("g-properties-changed", lambda *_: self.show_lock())
            self.show_lock()
            self.launch()
        except GLib.Error as error:
            if error.matches(Gio.DBusError.quark(), Gio.DBusError.SERVICE_UNKNOWN):
                return self.close()
            self.fail("The service failed", reason(error))

    def close(self):
        """Shows that the service has stopped, or is not running yet."""
        fix = "darkroom serve --dbus --lock-state settable"
        self.fail("Darkroom is not running", "Start the service in a terminal. The kiosk then continues.", fix)

    # The session

    def launch(self):
        """Launches the extension."""
        self.is_dismissed = False
        self.window.say("")
        self.window.show_state("", "Starting")
        options = {"camera": GLib.Variant("s", self.options.camera)}
        self.extension.Launch(
            "(a{sv})", options, timeout=UNLIMITED, result_handler=self.on_launch,
            error_handler=lambda _, error, __: self.fail("The extension was not launched", reason(error)),
        )

    def on_launch(self, extension, path, _):
        """Follows the new session, and waits for its result and its viewfinder."""
        self.log("session", path)
        self.session = session = self.service.proxy(path, SESSION)
        session.connect("g-properties-changed", lambda *_: self.show_state(session))
        self.show_state(session)
        session.GetResult(timeout=UNLIMITED, result_handler=self.on_end, error_handler=self.on_end)
        flags = Gio.DBusCallFlags.NONE
        session.call_with_unix_fd_list("OpenViewfinder", None, flags, UNLIMITED, None, None, self.on_viewfinder)

    def on_viewfinder(self, session, reply):
        """Maps the memory of the viewfinder, and requests the first frame."""
        try:
            values, descriptors = session.call_with_unix_fd_list_finish(reply)
        except GLib.Error as error:
            # The session has ended without a viewfinder. `on_end` shows the reason.
            return self.log("no viewfinder", reason(error))
        handle, *layout = values.unpack()
        viewfinder = Viewfinder(descriptors.get(handle), *layout)
        self.log("viewfinder", f"{viewfinder.width}x{viewfinder.height}")
        self.request_frame(session, viewfinder)

    def request_frame(self, session, viewfinder):
        session.NextFrame(timeout=UNLIMITED, result_handler=self.on_frame, error_handler=ignore, user_data=viewfinder)

    def on_frame(self, session, frame, viewfinder):
        """Shows a frame, which is valid until the request for the next one."""
        more, offset, sequence, timestamp = frame
        if more and session is self.session:
            self.window.show_frame(viewfinder.texture(offset))
            self.request_frame(session, viewfinder)

    def on_event(self, path, kind, details):
        """Shows refused calls and messages. The path of a session is unknown until its launch returns."""
        if self.session and path != self.session.get_object_path():
            return
        if kind == "refused":
            self.refuse(details["refusal"]["sentence"])
        elif kind == "notice":
            self.window.say(details["message"])

    def on_end(self, session, result, _):
        """Launches the next session if the kiosk dismissed this one. Otherwise shows the reason of the end."""
        if session is not self.session:
            return
        self.stop_timer()
        self.session = None
        summary = reason(result) if isinstance(result, GLib.Error) else result["summary"]
        self.log("ended", summary)
        if self.is_dismissed:
            self.launch()
        else:
            self.fail("The session has ended", summary)

    def show_state(self, session):
        """Shows whether the shutter can be pressed."""
        accepts = session.get_cached_property("AcceptsPresses")
        if session is self.session and not self.is_dismissed:
            is_ready = bool(accepts) and accepts.get_boolean()
            self.log("ready" if is_ready else "starting")
            self.window.show_state("ready" if is_ready else "", "Ready" if is_ready else "Starting")

    # The shutter

    def press(self):
        self.stop_timer()
        self.act(self.session.Press, "(s)", "primary")

    def release(self):
        # The session can end while the shutter is pressed.
        if self.session:
            self.act(self.session.Release, "(s)", "primary")
            self.timer = GLib.timeout_add(DELIVERY_MILLISECONDS, self.dismiss)

    def stop_timer(self):
        if self.timer:
            GLib.source_remove(self.timer)
            self.timer = 0

    def dismiss(self):
        """Dismisses the session, which then delivers its captures."""
        self.timer, self.is_dismissed = 0, True
        self.window.show_state("", "Delivering")
        self.act(self.session.Dismiss)

    # The lock and the captures

    def is_locked(self):
        state = self.manager and self.manager.get_cached_property("LockState")
        return bool(state) and state.get_string() == "locked"

    def show_lock(self):
        self.log("lock", "locked" if self.is_locked() else "unlocked")
        self.window.show_lock(self.is_locked())

    def toggle_lock(self):
        if self.manager:
            state = GLib.Variant("s", "unlocked" if self.is_locked() else "locked")
            self.act(self.service.proxy(ROOT, PROPERTIES).Set, "(ssv)", MANAGER, "LockState", state)

    def on_content(self, app, sender, signal, arguments):
        if signal == "ContentAdded":
            self.add_captures(*arguments.unpack())
        elif signal == "ContentRemoved":
            self.window.remove_captures(*arguments.unpack())

    def add_captures(self, delivery):
        """Shows the files of a delivery."""
        try:
            paths = sorted(entry.path for entry in os.scandir(delivery["path"]) if entry.is_file())
        except OSError:
            # Another program has removed the delivery.
            return
        for path in paths:
            # A file name can contain bytes that are not UTF-8.
            name = os.fsencode(os.path.basename(path)).decode(errors="replace")
            self.window.add_capture(delivery["session"], name, thumbnail(path))
            self.log("capture", delivery["session"], name)


def main():
    parser = argparse.ArgumentParser(description="Take pictures with a capture extension.")
    parser.add_argument("extension", metavar="EXTENSION", help="the ID of an installed extension")
    parser.add_argument("--camera", metavar="SOURCE", default="pattern", help="the camera (default: pattern)")
    parser.add_argument("--log", action="store_true", help="print a line for each event")
    options = parser.parse_args()
    if not Gdk.Display.get_default():
        sys.exit("kiosk.py: no display; start the kiosk in a graphical session")
    try:
        Gio.bus_get_sync(Gio.BusType.SESSION)
    except GLib.Error as error:
        sys.exit(f"kiosk.py: session bus: {error.message}; start the kiosk with dbus-run-session(1)")
    application = Gtk.Application(application_id="org.darkroom.Kiosk", flags=Gio.ApplicationFlags.NON_UNIQUE)
    application.connect("activate", lambda _: Kiosk(application, options))
    application.run()


if __name__ == "__main__":
    main()
