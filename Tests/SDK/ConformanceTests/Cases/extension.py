#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The conformance extension in Python. The extensions in the other languages do the same with their libraries."""

import datetime
import sys

import darkroom


def digest(data):
    """Returns the digest of bytes: FNV-1a with 64 bits."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return f"{value:016x}"


def described(context):
    """Returns an app context as text."""
    return f"flash {context['flash']}, count {context['count']}" if context else "none"


def permissions_text(permissions):
    """Returns permissions as text."""
    names = permissions.camera, permissions.microphone, permissions.photos, permissions.photos_add_only
    return "permissions: " + " ".join(names)


class Subject:
    """The state of the extension."""

    def __init__(self, session):
        self.session = session
        self.frames, self.images, self.last = [], 0, 0
        self.needs_presentation, self.is_sound_disabled = True, False

    def run(self):
        """Handles events until the session ends."""
        session = self.session
        self.describe_session()
        session.start_camera("every", frames=True)
        session.subscribe()
        session.log("ready")
        for event in session:
            self.handle(event)

    def describe_session(self):
        """Logs what the host has sent at the start."""
        session, info = self.session, self.session.info
        session.log(f"session {info.session_id}")
        directories = info.session_directory, info.container_directory, info.extension_directory
        session.log(f"directories {' '.join(directories)} {info.assets_directory or 'none'}")
        session.log(f"context: {described(session.context)}")
        session.log(session.lock_state)
        session.log(permissions_text(session.permissions))
        session.log(f"{session.phase} {session.orientation}")
        watchdog = info.deadlines.get("watchdog")
        watchdog = "none" if watchdog is None else f"{watchdog:g}"
        session.log(f"launched from {info.surface} by {info.control or 'none'}, watchdog {watchdog}")
        microphone = f"{info.microphone.sample_rate} {info.microphone.channels}" if info.microphone else "none"
        session.log(f"controls {info.camera_controls}, microphone {microphone}")

    def handle(self, event):
        """Handles an event."""
        if isinstance(event, darkroom.FrameReady):
            self.receive_frame(event.frame)
        elif isinstance(event, darkroom.SoundReady):
            for block in event.blocks:
                text = f"sound at {block.position}, {block.frames} frames, lost {block.lost}"
                self.session.log(f"{text}, digest {digest(block.samples)}")
        elif isinstance(event, darkroom.CaptureEvent):
            self.handle_button(event)
        elif isinstance(event, darkroom.ContextChanged):
            self.session.log(f"context: {described(event.context)}")
            if event.context and "task" in event.context:
                self.perform(event.context["task"])
        elif isinstance(event, darkroom.Dismissal):
            self.session.save(f"dropped {self.session.camera.dropped}\n".encode(), "finished.txt")
            self.session.log(f"dismissed: {event.reason}, {event.grace:g} seconds")
        else:
            self.session.log(self.text(event))

    def perform(self, task):
        """Performs the task of an app context."""
        tasks = (
            self.activity, self.controls, self.dismiss, self.enlarge, self.erase, self.exchange, self.listen, self.log,
            self.open, self.photos, self.pointer, self.restart, self.settings, self.silence, self.subscribe, self.unsubscribe,
            self.update,
        )  # fmt: skip
        {method.__name__: method for method in tasks}[task]()

    def text(self, event):
        """Returns a change of the state as text."""
        texts = {
            darkroom.LockChanged: lambda: event.lock_state,
            darkroom.PermissionChanged: lambda: permissions_text(event.permissions),
            darkroom.SceneChanged: lambda: f"{event.phase} {event.orientation}",
            darkroom.CameraChanged: lambda: f"camera rate {event.frame_rate[0] / event.frame_rate[1]:g}",
            darkroom.CameraEnded: lambda: f"camera ended: {event.reason}, {event.message}",
            darkroom.MicrophoneEnded: lambda: f"microphone ended: {event.reason}",
            darkroom.SpaceChanged: lambda: f"room {event.state} {event.reason} {event.bytes} {event.files}",
            darkroom.PhotosChanged: lambda: "photos changed",
            darkroom.ControlsAppearanceChanged: lambda: f"controls {event.appearance}",
            darkroom.PointerEvent: lambda: f"{event.phase} {event.contact} at {event.x:g} {event.y:g}, {event.timestamp}",
            darkroom.ControlChanged: lambda: f"{event.control} {event.value:g}",
            darkroom.RequirementsChanged: lambda: self.requirements_text(event),
        }
        return texts[type(event)]()

    @staticmethod
    def requirements_text(event):
        """Returns the requirements of the watchdog as text."""
        seconds = "" if event.seconds is None else f", {event.seconds:g} seconds"
        return f"missing {' '.join(sorted(event.missing)) or 'nothing'}{seconds}"

    # Camera.

    def receive_frame(self, frame):
        """Writes the digests of the first three frames to a file."""
        dropped, self.last = frame.sequence - self.last - 1, frame.sequence
        self.session.log(f"frame {frame.sequence}, dropped {dropped}")
        if len(self.frames) < 3:
            self.frames.append(f"{frame.sequence} {digest(frame.i420())}\n")
            if len(self.frames) == 3:
                self.session.save("".join(self.frames).encode(), "frames.txt")
                self.session.log("wrote frames.txt")
        if self.session.viewfinder is None and self.needs_presentation:
            self.session.presented(frame.sequence)
        self.needs_presentation = False

    def handle_button(self, event):
        """Saves an image at each press of the primary button."""
        phases = {darkroom.Press: "began", darkroom.Release: "ended", darkroom.Cancellation: "cancelled"}
        self.session.log(f"{event.button} {phases[type(event)]}")
        if type(event) is not darkroom.Press:
            return
        if event.button == "secondary":
            self.is_sound_disabled = not self.is_sound_disabled
            self.subscribe()
            return
        self.images += 1
        frame = self.session.camera.frame()
        header = f"P5\n{frame.width} {frame.height}\n255\n".encode()
        self.session.save(header + frame.planes[0].tobytes(), f"photo-{self.images}.pgm")
        self.session.log(f"wrote photo-{self.images}.pgm, frame {frame.sequence}")
        if self.is_sound_disabled and event.source == "remote":
            self.session.log(f"sound {str(self.session.play_sound(event)).lower()}")

    def unsubscribe(self):
        """Ends the delivery of capture events."""
        self.session.unsubscribe()

    def subscribe(self):
        """Starts the delivery of capture events again."""
        self.session.subscribe(default_sound_disabled=self.is_sound_disabled)

    def pointer(self):
        """Starts the delivery of contacts with the viewfinder."""
        self.session.subscribe_pointer()

    def restart(self):
        """Starts the camera again with the other delivery."""
        self.session.stop_camera()
        self.session.start_camera("latest", frames=True)
        self.needs_presentation = True
        self.session.log("restarted")

    def settings(self):
        """Reads and changes the settings of the camera."""
        for item in self.session.camera_settings():
            numbers = f"{item.minimum} {item.maximum} {item.step} {item.default} {item.value}"
            self.session.log(f"{item.name} {numbers} {str(item.adjustable).lower()} {len(item.values or ())}")
        self.session.log(f"zoom is {self.session.set_camera('zoom', 205)}")

    # The app context.

    def update(self):
        """Replaces the context."""
        self.session.update_context({"flash": "auto", "count": 5})

    def exchange(self):
        """Replaces the context that is known, until no other process has changed it."""
        session = self.session
        while True:
            count = session.context["count"]
            try:
                session.update_context({"flash": "off", "count": count + 1}, expected=session.context)
            except darkroom.ContextConflict:
                session.log(f"conflict: {described(session.context)}")
            else:
                session.log(f"exchanged: {described(session.context)}")
                return

    def enlarge(self):
        """Sends a context that the host refuses."""
        try:
            self.session.update_context({"flash": "huge", "count": 14})
        except darkroom.ContextTooLarge:
            self.session.log(f"not updated: {described(self.session.context)}")

    # The photo library.

    def photos(self):
        """Adds, lists, opens and deletes photos."""
        session = self.session
        session.log(f"photos {session.photos_authorization('addOnly')}")
        asset = session.add_photo("photo-1.pgm", title='Sun "set"', media_type="image", created_at=1750000000250)
        session.log(f"added {asset.id}")
        assets, page = [], session.list_photos()
        assets += page.assets
        while page.next is not None:
            page = session.list_photos(after=page.next)
            assets += page.assets
        for item in assets:
            own = str(item.own_session).lower()
            session.log(f"photo {item.id} '{item.title}' {item.media_type} {item.bytes} {own}")
        session.log(f"photo {assets[0].id} at {session.open_photo(assets[0].id)}")
        try:
            session.delete_photo(assets[-1].id)
        except darkroom.NoSuchAsset:
            session.log("not deleted")

    # The session.

    def open(self):
        """Opens the app, which the host refuses."""
        first = darkroom.UserActivity(
            "org.example.edit",
            title="Edit",
            user_info={
                "photo": "photo-1.pgm", "rating": 4.5, "count": 2, "isNew": True, "tags": ["a", "b"],
                "raw": b"\x01\x02\xff", "page": darkroom.URL("https://example.org/1"),
                "taken": datetime.datetime.fromtimestamp(1750000000, datetime.timezone.utc),
            },
            target_content_identifier="photo-1",
            webpage_url="https://example.org/",
            required_user_info_keys=["photo"],
        )  # fmt: skip
        second = darkroom.UserActivity(
            "org.example.edit", user_info={"photo": "photo-2.pgm"}, required_user_info_keys=["photo"]
        )
        for activity in first, second:
            try:
                self.session.open_application(activity)
            except darkroom.AuthenticationFailed as error:
                self.session.log(f"not opened: {error.data['reason']}")
            except darkroom.RequestError as error:
                self.session.log(f"not opened: {error.code}")

    def activity(self):
        """Performs an activity that delays the dismissal."""
        with self.session.activity("closing the film"):
            self.session.log("in the activity")
        self.session.log("after the activity")

    def controls(self):
        """Declares camera controls."""
        self.session.declare_controls([
            darkroom.Slider(
                "zoom", "Zoom", 1, range=(1, 5), step=0.5, prominent=(1, 2), format="%@×",
                symbol="plus.magnifyingglass",
            ),
            darkroom.Picker("filter", "Filter", ["None", 'Mono "1"'], symbol="camera.filters"),
        ])  # fmt: skip

    def listen(self):
        """Starts the microphone."""
        self.session.start_microphone("every")

    def silence(self):
        """Stops the microphone."""
        self.session.stop_microphone()

    def erase(self):
        """Erases the captured files."""
        self.session.invalidate_content()
        self.session.log("erased")

    def log(self):
        """Logs text that needs escapes, and all levels."""
        self.session.log('a\t"b"\\\n\x7f\x01é😀', level="debug")
        self.session.log("notice", level="notice")
        self.session.log("error", level="error")

    def dismiss(self):
        """Ends the session."""
        self.session.dismiss()


def main():
    try:
        with darkroom.Session() as session:
            Subject(session).run()
    except (darkroom.ProtocolError, darkroom.UnsupportedVersion):
        sys.exit(70)


if __name__ == "__main__":
    main()
