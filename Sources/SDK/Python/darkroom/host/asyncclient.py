# SPDX-License-Identifier: Apache-2.0
"""The client of darkroom-host for asyncio."""

from __future__ import annotations

import asyncio
import sys
import warnings
from types import TracebackType
from typing import Any, Coroutine, Dict, Generator, Generic, Mapping, Optional, Sequence, Tuple, Type, TypeVar, Union

from ..requests import Request
from . import _interface as requests
from ._schemas import (
    ActiveSession,
    App,
    Asset,
    AssetSet,
    Authentication,
    CameraCapture,
    CameraDevice,
    Decision,
    DecisionKind,
    Delivery,
    DeviceKind,
    DeviceUseListing,
    Diagnostic,
    ImageFormat,
    InstalledApps,
    KeyBinding,
    LaunchPlace,
    LockReports,
    LockState,
    LockStatus,
    LogListing,
    LogOutcome,
    LogVerification,
    MachineReport,
    MicrophoneDevice,
    PathAccess,
    PathUse,
    PendingContent,
    PhotoAdditions,
    PhotoVerification,
    PolicyComparison,
    PolicyExplanation,
    PolicyProof,
    QuarantinedContent,
    Readiness,
    Recovery,
    RequiredAudit,
    Resource,
    ServerInfo,
    SessionInfo,
    StorageLimits,
    StorageUsage,
)
from .arguments import (
    AppOpening,
    Installation,
    absolute,
    app_opening,
    context_set,
    context_value,
    device,
    launch_options,
    launch_program,
    name_or_path,
)
from .asyncconnection import AsyncConnection
from .asyncsessions import AsyncContentWatch, AsyncHostedSession
from .client import CLIENT
from .errors import HostDisconnected
from .server import Link, Start, connect
from .transport import StrPath, state_root
from .viewfinderimage import ViewfinderImage

S = TypeVar("S", bound=Union[AsyncContentWatch, AsyncHostedSession])


class Opening(Generic[S]):
    """A session or watch that the server has not created yet. Use it with ``async with``, or with ``await``."""

    def __init__(self, opening: Coroutine[Any, Any, S]) -> None:
        self._opening = opening
        self._opened: Optional[S] = None

    def __await__(self) -> Generator[Any, None, S]:
        return self._opening.__await__()

    async def __aenter__(self) -> S:
        self._opened = await self._opening
        return self._opened

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if self._opened is not None:
            await self._opened.__aexit__(kind, error, trace)


class AsyncHost:
    """A connection to darkroom-host, for asyncio.

    Use the connection in an ``async with`` statement, or with `open` and `close`. Several tasks of one event loop may
    call the methods at the same time. `Host` describes the methods and the arguments.

    Attributes:
        info: The version, the state directory and the process of the server, after the connection is open.
    """

    info: ServerInfo

    def __init__(
        self, root: Optional[StrPath] = None, *, start: Start = False, timeout: float = 30, client: str = CLIENT
    ) -> None:
        self._root, self._start, self._timeout, self._client = root, start, timeout, client
        self._opened: Optional[AsyncConnection] = None

    def __repr__(self) -> str:
        state = "closed" if self._opened is None else self.info.state
        return f"<AsyncHost {state}>"

    async def __aenter__(self) -> AsyncHost:
        return await self.open()

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    def __del__(self) -> None:
        connection = None if sys.is_finalizing() else getattr(self, "_opened", None)
        if connection is not None and connection.inbox.failure is None:
            connection.close_later()
            warnings.warn(f"{self!r} was not closed", ResourceWarning, source=self)

    async def open(self) -> AsyncHost:
        """Connects to the server, and starts one if necessary. Returns this object."""
        self._opened = connection = AsyncConnection(await self._linked())
        try:
            self.info = await connection.call(requests.host_hello(requests.VERSIONS, self._client), self._timeout)
        except BaseException:
            await self.close()
            raise
        return self

    async def _linked(self) -> Link:
        """Returns a connection. The wait for a server that starts runs in a thread."""
        root = state_root(self._root)
        loop = asyncio.get_running_loop()
        link = loop.run_in_executor(None, lambda: connect(root, self._start, self._timeout))
        try:
            return await asyncio.shield(link)
        except asyncio.CancelledError:
            link.add_done_callback(_close_link)
            raise

    async def close(self) -> None:
        """Closes the connection. Tasks that wait receive `HostDisconnected`."""
        connection, self._opened = self._opened, None
        if connection is not None:
            await connection.close()

    @property
    def _connection(self) -> AsyncConnection:
        """The open connection."""
        if self._opened is None:
            raise HostDisconnected("the connection is not open", "use the host in an 'async with' statement")
        return self._opened

    # Apps.

    async def apps(self) -> InstalledApps:
        """Returns the installed apps, and messages about apps that cannot be read."""
        return await self._connection.call(requests.apps_list())

    async def app(self, app: str) -> App:
        """Returns the installed app with an ID."""
        return await self._connection.call(requests.apps_find(app))

    async def validate(self, bundle: StrPath) -> Tuple[Diagnostic, ...]:
        """Returns the faults of a bundle, errors first, without installing the bundle."""
        return await self._connection.call(requests.apps_validate(absolute(bundle)))

    async def install(self, bundle: StrPath) -> Installation:
        """Installs an app, or replaces an earlier installation, and returns the app."""
        return Installation._from(await self._connection.call(requests.apps_install(absolute(bundle))))

    async def uninstall(self, app: str, pending_content: PendingContent = "keep") -> None:
        """Uninstalls an app."""
        await self._connection.call(requests.apps_uninstall(app, pending_content))

    async def open_app(self, app: str, activity: Optional[Mapping[str, Any]] = None) -> str:
        """Opens an app, and returns the ID of the delivery."""
        return await self._connection.call(app_opening(app, activity))

    # Content.

    async def content(self, app: str) -> Tuple[Delivery, ...]:
        """Returns the captured content of an app, by session."""
        return await self._connection.call(requests.content_list(app))

    async def export_content(self, app: str, session: str, directory: StrPath) -> str:
        """Copies the content of a session into a directory, and returns the path of the copy."""
        return await self._connection.call(requests.content_export(app, session, absolute(directory)))

    async def invalidate_content(self, app: str, session: str) -> None:
        """Deletes the content of a session, which the app has taken."""
        await self._connection.call(requests.content_invalidate(app, session))

    async def quarantine(self, app: str) -> Tuple[QuarantinedContent, ...]:
        """Returns the entries that were not migrated, by session."""
        return await self._connection.call(requests.content_quarantine(app))

    def watch_content(self, app: str, consumer: Optional[str] = None) -> Opening[AsyncContentWatch]:
        """Subscribes to changes of an app's content. Use the result with ``async with`` or ``await``."""

        async def watch() -> AsyncContentWatch:
            connection = self._connection
            return AsyncContentWatch(self, connection, await connection.call(requests.content_watch(app, consumer)))

        return Opening(watch())

    # The app context and permissions.

    async def context(self, app: str) -> Any:
        """Returns the app context as a value of Python, or None if the app has no context."""
        return context_value(await self._connection.call(requests.context_get(app)))

    async def set_context(self, app: str, context: Any) -> None:
        """Replaces the app context by any value that JSON can represent; None deletes the context."""
        await self._connection.call(context_set(app, context))

    async def clear_context(self, app: str) -> None:
        """Deletes the app context."""
        await self._connection.call(requests.context_clear(app))

    async def permissions(self, app: str) -> Dict[Resource, Decision]:
        """Returns the decisions of the user about an app, by resource."""
        return {item.resource: item.decision for item in await self._connection.call(requests.permissions_get(app))}

    async def set_permission(
        self, app: str, resource: Resource, decision: DecisionKind, names: Sequence[str] = ()
    ) -> None:
        """Stores a decision of the user."""
        await self._connection.call(requests.permissions_set(app, resource, Decision(decision, tuple(names) or None)))

    async def reset_permissions(self, app: str, resource: Optional[Resource] = None) -> None:
        """Deletes the decision about a resource, or about all resources."""
        await self._connection.call(requests.permissions_reset(app, resource))

    # Sessions.

    def launch(
        self,
        extension: str,
        *,
        camera: Optional[StrPath] = None,
        microphone: Optional[StrPath] = None,
        place: Optional[LaunchPlace] = None,
        grace: Optional[float] = None,
        watchdog: Optional[float] = None,
        idle_timeout: Optional[float] = None,
        digests: Optional[bool] = None,
        audit: Optional[RequiredAudit] = None,
    ) -> Opening[AsyncHostedSession]:
        """Launches an installed extension. Use the result with ``async with`` or ``await``."""
        options = launch_options(camera, microphone, place, grace, watchdog, idle_timeout, digests, audit)
        return Opening(self._launched(requests.session_launch(extension, options)))

    def launch_program(
        self,
        app: str,
        program: StrPath,
        arguments: Sequence[str] = (),
        *,
        policy: Optional[StrPath] = None,
        read_only_paths: Sequence[StrPath] = (),
        environment: Optional[Mapping[str, str]] = None,
        camera: Optional[StrPath] = None,
    ) -> Opening[AsyncHostedSession]:
        """Launches a program that is not an installed extension. Use the result with ``async with`` or ``await``."""
        request = launch_program(app, program, arguments, policy, read_only_paths, environment, camera)
        return Opening(self._launched(request))

    async def _launched(self, request: Request[str]) -> AsyncHostedSession:
        """Returns the session of a launch."""
        connection = self._connection
        return AsyncHostedSession(self, connection, await connection.call(request))

    async def press_control(
        self,
        app: str,
        control: str,
        *,
        camera: Optional[StrPath] = None,
        microphone: Optional[StrPath] = None,
        place: Optional[LaunchPlace] = None,
        grace: Optional[float] = None,
        watchdog: Optional[float] = None,
        idle_timeout: Optional[float] = None,
        digests: Optional[bool] = None,
        audit: Optional[RequiredAudit] = None,
    ) -> Union[AsyncHostedSession, AppOpening]:
        """Presses a control of an app. Returns the session, or the opening of the app."""
        options = launch_options(camera, microphone, place, grace, watchdog, idle_timeout, digests, audit)
        effect = await self._connection.call(requests.control_press(app, control, options))
        if effect.session is None:
            return AppOpening._from(effect)
        return AsyncHostedSession(self, self._connection, effect.session)

    async def readiness(self, extension: str, *, camera: Optional[StrPath] = None) -> Readiness:
        """Checks each condition of a launch from the lock screen."""
        return await self._connection.call(requests.control_readiness(extension, device(camera)))

    async def key_bindings(self) -> Tuple[KeyBinding, ...]:
        """Returns the bindings of keys to controls, sorted by key."""
        return await self._connection.call(requests.control_bindings())

    async def bind_key(self, key: str, app: str, control: str) -> KeyBinding:
        """Binds a key to a control, and replaces the previous binding of the key."""
        return await self._connection.call(requests.control_bind(key, app, control))

    async def unbind_key(self, key: str) -> KeyBinding:
        """Removes the binding of a key, and returns the removed binding."""
        return await self._connection.call(requests.control_unbind(key))

    async def prewarm(
        self,
        extension: str,
        *,
        camera: Optional[StrPath] = None,
        microphone: Optional[StrPath] = None,
        place: Optional[LaunchPlace] = None,
        grace: Optional[float] = None,
        watchdog: Optional[float] = None,
        idle_timeout: Optional[float] = None,
        digests: Optional[bool] = None,
        audit: Optional[RequiredAudit] = None,
    ) -> None:
        """Prewarms an extension for a launch with equal options, which `launch` describes."""
        options = launch_options(camera, microphone, place, grace, watchdog, idle_timeout, digests, audit)
        await self._connection.call(requests.host_prewarm(extension, options))

    async def sessions(self) -> Tuple[SessionInfo, ...]:
        """Returns the running sessions of the server, including those of other clients."""
        return await self._connection.call(requests.session_list())

    async def active_sessions(self) -> Tuple[ActiveSession, ...]:
        """Returns the running sessions of all hosts of the state directory."""
        return await self._connection.call(requests.host_sessions())

    async def recover(self) -> Recovery:
        """Recovers the sessions of hosts that died: migrates their content."""
        return await self._connection.call(requests.host_recover())

    async def diagnose(self, policies: Sequence[StrPath] = ()) -> MachineReport:
        """Examines which sandbox layers the machine and the user support, as ``darkroom doctor`` does."""
        paths = [name_or_path(policy) for policy in policies]
        return await self._connection.call(requests.host_diagnose(paths or None))

    # Devices.

    async def cameras(self) -> Tuple[CameraDevice, ...]:
        """Returns the cameras of the machine: those of Video4Linux, then those of PipeWire."""
        return await self._connection.call(requests.device_list_cameras())

    async def microphones(self) -> Tuple[MicrophoneDevice, ...]:
        """Returns the microphones of the machine, without opening them."""
        return await self._connection.call(requests.device_list_microphones())

    async def capture(
        self,
        camera: StrPath,
        path: StrPath,
        *,
        frames: Optional[int] = None,
        settings: Optional[Mapping[str, int]] = None,
    ) -> CameraCapture:
        """Saves frames of a camera to a file, without an extension."""
        source = device(camera) or ""
        return await self._connection.call(requests.device_capture(source, absolute(path), frames, settings))

    # Sessions of all hosts.

    async def viewfinder_image(self, session: str, format: ImageFormat = "png") -> ViewfinderImage:
        """Returns the newest frame of a session as an image. The session can belong to another client or host."""
        return ViewfinderImage._from(await self._connection.exchange(requests.viewfinder_image(session, format)))

    # The session log.

    async def log(
        self,
        *,
        app: Optional[str] = None,
        extension: Optional[str] = None,
        outcomes: Optional[Sequence[LogOutcome]] = None,
        since: Optional[int] = None,
        until: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> LogListing:
        """Returns the ended sessions in the session log, newest first."""
        return await self._connection.call(requests.log_list(app, extension, outcomes, since, until, limit))

    async def log_record(self, session: str) -> Any:
        """Returns the log entry of a session with its record, or None if the log has no entry of the session."""
        return context_value(await self._connection.call(requests.log_record(session)))

    async def verify_log(self, head: Optional[str] = None) -> LogVerification:
        """Verifies that no entry of the session log was changed, removed or moved."""
        return await self._connection.call(requests.log_verify(head))

    async def log_head(self) -> Optional[str]:
        """Returns the head of the session log for a later `verify_log`, or None if the log is empty."""
        return await self._connection.call(requests.log_head())

    async def device_uses(
        self, *, app: Optional[str] = None, resource: Optional[DeviceKind] = None, limit: Optional[int] = None
    ) -> DeviceUseListing:
        """Returns the uses of cameras and microphones by sessions, newest first."""
        return await self._connection.call(requests.log_device_uses(app, resource, limit))

    # Storage.

    async def storage_limits(self, app: Optional[str] = None) -> StorageLimits:
        """Returns the storage limits of an app, or those of every app."""
        return await self._connection.call(requests.storage_limits(app))

    async def set_storage_limits(self, limits: StorageLimits, app: Optional[str] = None) -> None:
        """Replaces the storage limits of an app, or those of every app."""
        await self._connection.call(requests.storage_set_limits(limits, app))

    async def storage_usage(self, app: str) -> StorageUsage:
        """Returns the storage that the sessions of an app use."""
        return await self._connection.call(requests.storage_usage(app))

    async def empty_trash(self) -> int:
        """Deletes the items in the trash, and returns their number."""
        return await self._connection.call(requests.host_empty_trash())

    # The photo library, and files that apps share with their extensions.

    async def photos(
        self, *, app: Optional[str] = None, session: Optional[str] = None, limit: Optional[int] = None
    ) -> Tuple[Asset, ...]:
        """Returns the assets of the photo library, newest first."""
        return await self._connection.call(requests.photos_list(app, session, limit))

    async def add_photos(self, app: str, files: Sequence[StrPath]) -> PhotoAdditions:
        """Adds copies of files to the photo library for an app."""
        return await self._connection.call(requests.photos_add(app, [absolute(file) for file in files]))

    async def export_photo(self, asset: str, directory: StrPath) -> str:
        """Copies an asset of the photo library into a directory, and returns the path of the copy."""
        return await self._connection.call(requests.photos_export(asset, absolute(directory)))

    async def delete_photo(self, asset: str) -> None:
        """Deletes an asset of the photo library and its file."""
        await self._connection.call(requests.photos_delete(asset))

    async def select_photos(self, app: str, assets: Sequence[str]) -> None:
        """Replaces the assets that an app sees if its permission for photos is limited."""
        await self._connection.call(requests.photos_select(app, assets))

    async def selected_photos(self, app: str) -> Tuple[str, ...]:
        """Returns the IDs of the assets that an app sees if its permission for photos is limited, oldest first."""
        return await self._connection.call(requests.photos_selection(app))

    async def verify_photos(self) -> PhotoVerification:
        """Compares the index of the photo library with its files. Nothing is changed."""
        return await self._connection.call(requests.photos_verify())

    async def recover_photos(self) -> int:
        """Finishes or undoes changes of the photo library that a crash interrupted. Returns their number."""
        return await self._connection.call(requests.photos_recover())

    async def publish_assets(self, app: str, directory: StrPath) -> AssetSet:
        """Shares a copy of a directory with the extensions of an app."""
        return await self._connection.call(requests.assets_publish(app, absolute(directory)))

    async def assets(self, app: str) -> Tuple[AssetSet, ...]:
        """Returns the sets of files that an app shares, newest first."""
        return await self._connection.call(requests.assets_list(app))

    async def clear_assets(self, app: str) -> bool:
        """Stops sharing files with the extensions of an app. Returns whether files were shared before."""
        return await self._connection.call(requests.assets_clear(app))

    # The lock state.

    async def lock_state(self) -> LockStatus:
        """Returns the lock state, and whether `set_lock_state` is permitted."""
        return await self._connection.call(requests.lock_get())

    async def set_lock_state(self, state: LockState) -> None:
        """Sets the lock state, ``locked`` or ``unlocked``. The server must run with ``--lock-state settable``."""
        await self._connection.call(requests.lock_set(state))

    async def lock_reports(self) -> LockReports:
        """Returns whether Darkroom is locked, with the reports of the sources of the lock state."""
        return await self._connection.call(requests.lock_status())

    async def lock(self) -> None:
        """Locks Darkroom until the user unlocks it, for example with ``darkroom unlock``.

        The server must run with ``--lock-state standard``, so that its sessions follow this lock.
        """
        await self._connection.call(requests.lock_lock())

    # The passcode of Darkroom.

    async def has_passcode(self) -> bool:
        """Returns whether a passcode is set."""
        return await self._connection.call(requests.passcode_get())

    async def set_passcode(self, passcode: str, current: Optional[str] = None) -> Authentication:
        """Sets or replaces the passcode."""
        return await self._connection.call(requests.passcode_set(passcode, current))

    async def clear_passcode(self, current: Optional[str] = None) -> Authentication:
        """Removes the passcode. Afterwards, only PAM or a program can authenticate the user."""
        return await self._connection.call(requests.passcode_clear(current))

    # Policies.

    async def policies(self) -> Tuple[str, ...]:
        """Returns the names of the shipped policies."""
        return await self._connection.call(requests.policy_list())

    async def explain_policy(self, policy: StrPath, width: Optional[int] = None) -> PolicyExplanation:
        """Explains a policy as text."""
        return await self._connection.call(requests.policy_explain(name_or_path(policy), width))

    async def explain_access(self, path: str, policy: StrPath = "capture", use: PathUse = "read") -> PathAccess:
        """Explains what an extension can access at a path. Nothing is launched."""
        return await self._connection.call(requests.policy_access(name_or_path(policy), path, use))

    async def verify_policy(self, policy: StrPath) -> PolicyProof:
        """Proves the invariants of a policy for its compiled filters."""
        return await self._connection.call(requests.policy_verify(name_or_path(policy)))

    async def compare_policies(self, old: StrPath, new: StrPath) -> PolicyComparison:
        """Returns the differences between two policies."""
        return await self._connection.call(requests.policy_difference(name_or_path(old), name_or_path(new)))

    # The server.

    async def discover(self) -> Dict[str, Any]:
        """Returns the description of the server's interface, an OpenRPC document."""
        return await self._connection.call(requests.rpc_discover())


def _close_link(link: asyncio.Future[Link]) -> None:
    """Closes a connection that no task waits for any longer."""
    if not link.cancelled() and link.exception() is None:
        link.result().close()
