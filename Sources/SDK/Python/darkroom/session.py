# SPDX-License-Identifier: Apache-2.0
"""A session whose methods wait."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import threading
import time
from types import TracebackType
from typing import Any, Iterator, List, Optional, Sequence, Type, TypeVar, Union

from . import requests
from .camera import CameraBase
from .core import Image, SessionCore
from .errors import FrameTimeout, SessionEnded
from .events import CaptureEvent, Event
from .frames import Frame
from .requests import UNSET, Request
from .sound import Microphone
from .values import Asset, AssetPage, CameraSetting, Picker, Slider, UserActivity

T = TypeVar("T")


class Camera(CameraBase):
    """The camera of a `Session`."""

    _session: Session

    def frame(self, timeout: Optional[float] = None) -> Frame:
        """Returns a copy of the newest frame. Waits for the first frame after the start.

        Args:
            timeout: The maximum number of seconds to wait; None waits until the session ends.

        Raises:
            CameraUnavailable: The camera does not run.
            FrameTimeout: No frame arrived in time.
            SessionEnded: The session ended first.
        """
        limit = None if timeout is None else time.monotonic() + timeout
        while (frame := self._newest()) is None:
            if self._session.is_dismissed or self._session._is_over:
                raise SessionEnded("the session ended before the camera delivered a frame")
            if limit is not None and time.monotonic() >= limit:
                raise FrameTimeout(f"the camera delivered no frame in {timeout} s")
            self._session._wait(limit)
        return frame


class Session(SessionCore[Camera]):
    """The session of this process.

    Use the session in a ``with`` statement. Its start answers the host; its end closes the connection. The iteration yields
    events until the session is dismissed; the last event is a `Dismissal`. A session may be used by one thread.

    Args:
        capture_events: Whether the iteration subscribes to capture events.
    """

    _camera_type = Camera

    def __init__(self, capture_events: bool = True) -> None:
        super().__init__(capture_events)
        self._wakeup: Optional[List[int]] = None

    def __enter__(self) -> Session:
        self._open()
        try:
            self._catch_termination()
            while self._info is None:
                if self._is_over or self.is_dismissed:
                    raise SessionEnded("the session ended before it started")
                self._wait(None)
        except BaseException:
            self._finish()
            raise
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> bool:
        self._finish()
        return self._ends_quietly(error)

    def _finish(self) -> None:
        """Restores the signal handler, and closes the connection."""
        if self._wakeup is not None:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            for descriptor in self._wakeup:
                os.close(descriptor)
            self._wakeup = None
        self._close()

    def __iter__(self) -> Iterator[Event]:
        if self._wants_capture_events and not self._is_subscribed and not self.is_dismissed:
            self.subscribe()
        while True:
            event = self._next_event()
            if event is not None:
                yield event
            elif self.is_dismissed or self._is_over:
                return
            else:
                self._wait(None)

    def _catch_termination(self) -> None:
        """Ends the iteration after SIGTERM, unless the program handles the signal itself."""
        is_main = threading.current_thread() is threading.main_thread()
        if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
            return
        receiver, sender = os.pipe()
        os.set_blocking(sender, False)
        self._wakeup = [receiver, sender]

        def terminate(number: int, frame: Any) -> None:
            with contextlib.suppress(BlockingIOError):
                os.write(sender, b"\0")

        signal.signal(signal.SIGTERM, terminate)

    def _wait(self, limit: Optional[float]) -> None:
        """Waits until the state can have changed, or until the time `limit`."""
        watched = self._watched() + ([self._wakeup[0]] if self._wakeup else [])
        timeout = None if limit is None else max(limit - time.monotonic(), 0)
        # Messages are handled first, because the grace period of a dismissal is short.
        for descriptor in select.select(watched, [], [], timeout)[0]:
            if self._wakeup and descriptor == self._wakeup[0]:
                os.read(descriptor, 64)
                self._terminate()
            else:
                self._ready(descriptor)

    def _call(self, request: Request[T]) -> T:
        """Sends a request, and waits for its reply."""
        number = self._send(request)
        while not self._has_reply(number):
            self._wait(None)
        return self._value(request, number)

    # Files.

    def save(self, image: Image, name: str, quality: int = 90) -> str:
        """Writes an image, or any bytes, into the session directory. The file has its name only when it is complete.

        Args:
            image: A frame, or the contents of the file.
            name: The path in the session directory. For a frame, the suffix determines the format: ``.png``, or ``.jpg`` and
                ``.jpeg`` with Pillow.
            quality: The quality of a JPEG file, from 1 to 95.

        Returns:
            The absolute path.

        Raises:
            FileNotSaved: The file cannot be written, for example because no space is left.
            MissingLibrary: Pillow is not installed.
            UnknownFormat: The suffix is unknown.
        """
        return self._write(self._encoded(image, name, quality), name)

    # Camera and microphone.

    def start_camera(self, delivery: str = "latest", frames: bool = False, viewfinder: bool = True) -> Camera:
        """Starts the delivery of frames.

        Args:
            delivery: ``latest``: a slow program misses frames. ``every``: the camera waits for the program.
            frames: Whether the iteration yields a `FrameReady` for each frame.
            viewfinder: Whether each frame is passed to the viewfinder. Pass False to draw the viewfinder yourself.

        Raises:
            CameraUnavailable: The session has no camera, or the camera has failed.
            PermissionDenied: The use of the camera is not allowed.
        """
        camera = self._prepare_camera(delivery, frames, viewfinder)
        camera._session = self
        with camera._starting():
            self._call(requests.camera_start(delivery))
        return camera

    def stop_camera(self) -> None:
        """Stops the delivery of frames."""
        self._call(requests.camera_stop())
        if self.camera is not None:
            self.camera.is_running = False

    def camera_settings(self) -> List[CameraSetting]:
        """Returns the settings of the running camera."""
        return self._call(requests.camera_settings())

    def set_camera(self, name: str, value: int) -> int:
        """Changes a setting of the camera, and returns the resulting value. The camera may need seconds."""
        return self._call(requests.camera_set(name, value))

    def start_microphone(self, delivery: str = "latest") -> Microphone:
        """Starts the delivery of sound; the iteration yields a `SoundReady` for new blocks.

        Args:
            delivery: ``latest``: a slow program misses blocks. ``every``: a file waits for the program.
        """
        microphone = self._prepare_microphone()
        self._call(requests.microphone_start(delivery))
        self._hears = True
        return microphone

    def stop_microphone(self) -> None:
        """Stops the delivery of sound."""
        self._call(requests.microphone_stop())

    # Capture events.

    def subscribe(self, default_sound_disabled: bool = False) -> None:
        """Subscribes to capture events. The iteration calls this method, unless it was called before.

        Args:
            default_sound_disabled: Whether the program plays the sound for remote events itself, with `play_sound`.
        """
        self._call(requests.capture_subscribe(default_sound_disabled))
        self._is_subscribed = True

    def unsubscribe(self) -> None:
        """Unsubscribes from capture events: the buttons have their usual functions again."""
        self._call(requests.capture_unsubscribe())

    def subscribe_pointer(self) -> None:
        """Subscribes to `PointerEvent` until the end of the session.

        The start and the end of a contact are interactions of the user, which `open_application` requires.
        """
        self._call(requests.pointer_subscribe())

    def play_sound(self, event: CaptureEvent, sound: Optional[str] = "cameraShutter", path: Optional[str] = None) -> bool:
        """Plays a sound for a remote capture event, and returns whether the playback has started.

        Args:
            event: The event.
            sound: ``cameraShutter``, ``beginVideoRecording`` or ``endVideoRecording``; the fallback if `path` is given.
            path: A WAV file of the extension, relative to its directory.
        """
        return self._call(requests.capture_play_sound(event.id, sound, path))

    # The app.

    def get_context(self) -> Any:
        """Returns the current app context, or None."""
        return self._call(requests.context_get())

    def update_context(self, context: Any, expected: Any = UNSET) -> int:
        """Replaces the app context, and returns its size in bytes.

        Args:
            context: The new context: any JSON; None clears it.
            expected: The context that must be stored now, exactly as the host sent it; by default any.

        Raises:
            ContextConflict: The stored context is not `expected`.
            ContextTooLarge: The context is larger than 4096 bytes.
        """
        return self._call(requests.context_update(context, expected))

    def open_application(self, activity: Optional[UserActivity] = None) -> None:
        """Opens the app that owns the captures. If the screen is locked, the host prompts the user for authentication.

        Raises:
            InteractionRequired: The user did not press a button before.
            AuthenticationFailed: The user was not authenticated; the session continues.
        """
        self._call(requests.session_open_application(activity or UserActivity()))

    def dismiss(self) -> None:
        """Ends the session, like a dismissal by the user."""
        self._call(requests.session_dismiss())

    def invalidate_content(self) -> int:
        """Erases the contents of the session directory, and returns the number of erased files."""
        return self._call(requests.session_invalidate_content())

    def begin_activity(self, reason: str) -> str:
        """Begins an activity that delays the dismissal, and returns its name."""
        return self._call(requests.session_begin_activity(reason))

    def end_activity(self, activity: str) -> None:
        """Ends an activity."""
        self._call(requests.session_end_activity(activity))

    @contextlib.contextmanager
    def activity(self, reason: str) -> Iterator[None]:
        """Delays the dismissal during the ``with`` statement, such as for finalizing a video."""
        name = self.begin_activity(reason)
        try:
            yield
        finally:
            self.end_activity(name)

    def declare_controls(self, controls: Sequence[Union[Slider, Picker]]) -> int:
        """Declares all camera controls that the user can adjust, and returns the revision."""
        self._revision += 1
        self._call(requests.controls_declare(self._revision, controls))
        return self._revision

    # The photo library.

    def photos_authorization(self, level: str = "readWrite") -> str:
        """Returns the permission for the photo library; `level` is ``addOnly`` or ``readWrite``."""
        return self._call(requests.photos_authorization(level))

    def add_photo(
        self,
        name: str,
        title: Optional[str] = None,
        media_type: Optional[str] = None,
        move: bool = False,
        created_at: Optional[int] = None,
    ) -> Asset:
        """Adds a file of the session directory to the photo library.

        Args:
            name: The path in the session directory.
            title: The title for the user; by default the file's name.
            media_type: ``image``, ``video``, ``audio`` or ``other``; by default detected.
            move: Whether the file is moved out of the session directory.
            created_at: The creation time in milliseconds since 1970; by default now.
        """
        return self._call(requests.photos_add(name, title, media_type, move, created_at))

    def list_photos(self, after: Optional[str] = None, limit: int = 100) -> AssetPage:
        """Returns readable assets, newest first; `after` is `next` of the previous page."""
        return self._call(requests.photos_list(after, limit))

    def open_photo(self, asset: str) -> str:
        """Returns the path of the file of an asset, read-only."""
        return self._call(requests.photos_open(asset))

    def delete_photo(self, asset: str) -> None:
        """Deletes an asset."""
        self._call(requests.photos_delete(asset))
