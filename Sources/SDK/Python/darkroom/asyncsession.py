# SPDX-License-Identifier: Apache-2.0
"""A session for asyncio, with the same methods as `Session`."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import threading
import time
from types import TracebackType
from typing import Any, AsyncIterator, List, Optional, Sequence, Type, TypeVar, Union

from . import requests
from .camera import CameraBase
from .core import Image, SessionCore
from .errors import DarkroomError, FrameTimeout, SessionEnded
from .events import CaptureEvent, Event
from .frames import Frame
from .requests import UNSET, Request
from .sound import Microphone
from .values import Asset, AssetPage, CameraSetting, Picker, Slider, UserActivity

T = TypeVar("T")


class AsyncCamera(CameraBase):
    """The camera of an `AsyncSession`."""

    _session: AsyncSession

    async def frame(self, timeout: Optional[float] = None) -> Frame:
        """Returns a copy of the newest frame, as `Camera.frame` does."""
        limit = None if timeout is None else time.monotonic() + timeout
        while (frame := self._newest()) is None:
            if self._session.is_dismissed or self._session._is_over:
                raise SessionEnded("the session ended before the camera delivered a frame")
            if limit is not None and time.monotonic() >= limit:
                raise FrameTimeout(f"the camera delivered no frame in {timeout} s")
            await self._session._wait(limit)
        return frame


class AsyncSession(SessionCore[AsyncCamera]):
    """The session of this process, for asyncio.

    Use the session with ``async with`` and ``async for``. Several tasks may send requests at the same time; one task may
    iterate. `Session` describes the methods.

    Args:
        capture_events: Whether the iteration subscribes to capture events.
    """

    _camera_type = AsyncCamera

    def __init__(self, capture_events: bool = True) -> None:
        super().__init__(capture_events)
        self._watching: List[int] = []
        self._failure: Optional[DarkroomError] = None
        self._catches = False

    async def __aenter__(self) -> AsyncSession:
        self._open()
        self._loop = asyncio.get_running_loop()
        self._changed = self._loop.create_future()
        self._catch_termination()
        try:
            while self._info is None:
                if self._is_over or self.is_dismissed:
                    raise SessionEnded("the session ended before it started")
                await self._wait(None)
        except BaseException:
            self._finish()
            raise
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> bool:
        self._finish()
        return self._ends_quietly(error)

    def _finish(self) -> None:
        """Stops watching, restores the signal handler, and closes the connection."""
        self._stop_watching()
        self._stop_catching()
        self._close()

    async def __aiter__(self) -> AsyncIterator[Event]:
        if self._wants_capture_events and not self._is_subscribed and not self.is_dismissed:
            await self.subscribe()
        while True:
            event = self._next_event()
            if event is not None:
                yield event
            elif self.is_dismissed or self._is_over:
                return
            else:
                await self._wait(None)

    def _catch_termination(self) -> None:
        """Ends the iteration after SIGTERM, unless the program handles the signal itself."""
        is_main = threading.current_thread() is threading.main_thread()
        if not is_main or signal.getsignal(signal.SIGTERM) is not signal.SIG_DFL:
            return
        self._loop.add_signal_handler(signal.SIGTERM, self._handle_termination)
        self._catches = True

    def _handle_termination(self) -> None:
        self._terminate()
        self._pulse()

    def _pulse(self) -> None:
        """Wakes all tasks that wait."""
        self._changed.set_result(None)
        self._changed = self._loop.create_future()

    def _handle_ready(self, descriptor: int) -> None:
        """Handles a readable descriptor; an error is raised in the tasks that wait."""
        try:
            self._ready(descriptor)
        except DarkroomError as error:
            self._failure = error
            self._stop_watching()
        if self._is_over:
            # A closed pipe is always readable.
            self._stop_watching()
        self._pulse()

    def _watch(self) -> None:
        """Watches the descriptors of devices that were started."""
        if self._is_over or self._failure is not None:
            return
        for descriptor in self._watched():
            if descriptor not in self._watching:
                self._watching.append(descriptor)
                self._loop.add_reader(descriptor, self._handle_ready, descriptor)

    def _stop_watching(self) -> None:
        for descriptor in self._watching:
            self._loop.remove_reader(descriptor)
        self._watching = []

    def _stop_catching(self) -> None:
        if self._catches:
            self._loop.remove_signal_handler(signal.SIGTERM)
            self._catches = False

    async def _wait(self, limit: Optional[float]) -> None:
        """Waits until the state can have changed, or until the time `limit`."""
        if self._failure is not None:
            raise self._failure
        self._watch()
        timeout = None if limit is None else max(limit - time.monotonic(), 0)
        # asyncio.wait() waits for a future at once. asyncio.wait_for() would start a task, which misses earlier changes.
        await asyncio.wait([self._changed], timeout=timeout)
        if self._failure is not None:
            raise self._failure

    async def _call(self, request: Request[T]) -> T:
        """Sends a request, and waits for its reply."""
        number = self._send(request)
        while not self._has_reply(number):
            await self._wait(None)
        return self._value(request, number)

    # Files.

    async def save(self, image: Image, name: str, quality: int = 90) -> str:
        """Writes an image, or any bytes, into the session directory. The file has its name only when it is complete."""
        copy: Image = image.copy() if isinstance(image, Frame) else bytes(image)
        # The conversion takes longer than a frame: it runs in a thread.
        return await self._loop.run_in_executor(None, lambda: self._write(self._encoded(copy, name, quality), name))

    # Camera and microphone.

    async def start_camera(self, delivery: str = "latest", frames: bool = False, viewfinder: bool = True) -> AsyncCamera:
        """Starts the delivery of frames."""
        camera = self._prepare_camera(delivery, frames, viewfinder)
        camera._session = self
        with camera._starting():
            await self._call(requests.camera_start(delivery))
        return camera

    async def stop_camera(self) -> None:
        """Stops the delivery of frames."""
        await self._call(requests.camera_stop())
        if self.camera is not None:
            self.camera.is_running = False

    async def camera_settings(self) -> List[CameraSetting]:
        """Returns the settings of the running camera."""
        return await self._call(requests.camera_settings())

    async def set_camera(self, name: str, value: int) -> int:
        """Changes a setting of the camera, and returns the resulting value. The camera may need seconds."""
        return await self._call(requests.camera_set(name, value))

    async def start_microphone(self, delivery: str = "latest") -> Microphone:
        """Starts the delivery of sound; the iteration yields a `SoundReady` for new blocks."""
        microphone = self._prepare_microphone()
        await self._call(requests.microphone_start(delivery))
        self._hears = True
        return microphone

    async def stop_microphone(self) -> None:
        """Stops the delivery of sound."""
        await self._call(requests.microphone_stop())

    # Capture events.

    async def subscribe(self, default_sound_disabled: bool = False) -> None:
        """Subscribes to capture events. The iteration calls this method, unless it was called before."""
        await self._call(requests.capture_subscribe(default_sound_disabled))
        self._is_subscribed = True

    async def unsubscribe(self) -> None:
        """Unsubscribes from capture events: the buttons have their usual functions again."""
        await self._call(requests.capture_unsubscribe())

    async def subscribe_pointer(self) -> None:
        """Subscribes to `PointerEvent` until the end of the session."""
        await self._call(requests.pointer_subscribe())

    async def play_sound(self, event: CaptureEvent, sound: Optional[str] = "cameraShutter", path: Optional[str] = None) -> bool:
        """Plays a sound for a remote capture event, and returns whether the playback has started."""
        return await self._call(requests.capture_play_sound(event.id, sound, path))

    # The app.

    async def get_context(self) -> Any:
        """Returns the current app context, or None."""
        return await self._call(requests.context_get())

    async def update_context(self, context: Any, expected: Any = UNSET) -> int:
        """Replaces the app context, and returns its size in bytes."""
        return await self._call(requests.context_update(context, expected))

    async def open_application(self, activity: Optional[UserActivity] = None) -> None:
        """Opens the app that owns the captures. If the screen is locked, the host prompts the user for authentication."""
        await self._call(requests.session_open_application(activity or UserActivity()))

    async def dismiss(self) -> None:
        """Ends the session, like a dismissal by the user."""
        await self._call(requests.session_dismiss())

    async def invalidate_content(self) -> int:
        """Erases the contents of the session directory, and returns the number of erased files."""
        return await self._call(requests.session_invalidate_content())

    async def begin_activity(self, reason: str) -> str:
        """Begins an activity that delays the dismissal, and returns its name."""
        return await self._call(requests.session_begin_activity(reason))

    async def end_activity(self, activity: str) -> None:
        """Ends an activity."""
        await self._call(requests.session_end_activity(activity))

    @contextlib.asynccontextmanager
    async def activity(self, reason: str) -> AsyncIterator[None]:
        """Delays the dismissal during the ``with`` statement, such as for finalizing a video."""
        name = await self.begin_activity(reason)
        try:
            yield
        finally:
            await self.end_activity(name)

    async def declare_controls(self, controls: Sequence[Union[Slider, Picker]]) -> int:
        """Declares all camera controls that the user can adjust, and returns the revision."""
        self._revision += 1
        await self._call(requests.controls_declare(self._revision, controls))
        return self._revision

    # The photo library.

    async def photos_authorization(self, level: str = "readWrite") -> str:
        """Returns the permission for the photo library; `level` is ``addOnly`` or ``readWrite``."""
        return await self._call(requests.photos_authorization(level))

    async def add_photo(
        self,
        name: str,
        title: Optional[str] = None,
        media_type: Optional[str] = None,
        move: bool = False,
        created_at: Optional[int] = None,
    ) -> Asset:
        """Adds a file of the session directory to the photo library."""
        return await self._call(requests.photos_add(name, title, media_type, move, created_at))

    async def list_photos(self, after: Optional[str] = None, limit: int = 100) -> AssetPage:
        """Returns readable assets, newest first; `after` is `next` of the previous page."""
        return await self._call(requests.photos_list(after, limit))

    async def open_photo(self, asset: str) -> str:
        """Returns the path of the file of an asset, read-only."""
        return await self._call(requests.photos_open(asset))

    async def delete_photo(self, asset: str) -> None:
        """Deletes an asset."""
        await self._call(requests.photos_delete(asset))
