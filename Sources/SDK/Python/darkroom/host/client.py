# SPDX-License-Identifier: Apache-2.0
"""The client of darkroom-host for threads."""

from __future__ import annotations

import sys
import warnings
from types import TracebackType
from typing import Any, Dict, Mapping, Optional, Sequence, Tuple, Type, Union

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
from .connection import Connection
from .server import Start, connect
from .sessions import ContentWatch, HostedSession
from .transport import StrPath, state_root
from .viewfinderimage import ViewfinderImage

#: The name of this package in messages of the server.
CLIENT = "darkroom.host for Python"


class Host:
    """A connection to darkroom-host.

    Use the connection in a ``with`` statement. Its end closes the connection: the server then dismisses the sessions of
    the connection. All methods may be called from any thread. The methods raise `HostError` if the server reports an
    error, and `HostDisconnected` if the connection is closed.

    Args:
        root: The state directory. Default: ``DARKROOM_ROOT``, or ``darkroom`` in ``XDG_STATE_HOME``, or
            ``~/.local/state/darkroom``.
        start: Whether to start ``darkroom-host`` if no server runs; or the path of the program; or the program with
            options, such as ``["darkroom-host", "--lock-state", "settable"]``. `close` stops a server that was started.
        timeout: The maximum number of seconds until the server is ready.
        client: The name of this program in messages of the server.

    Attributes:
        info: The version, the state directory and the process of the server.

    Raises:
        HostUnavailable: No server runs, or the server belongs to another user.
        HostTimeout: The server is not ready in time.
    """

    info: ServerInfo

    def __init__(
        self, root: Optional[StrPath] = None, *, start: Start = False, timeout: float = 30, client: str = CLIENT
    ) -> None:
        self._connection = Connection(connect(state_root(root), start, timeout))
        try:
            self.info = self._connection.call(requests.host_hello(requests.VERSIONS, client), timeout)
        except BaseException:
            self.close()
            raise

    def __repr__(self) -> str:
        return f"<Host {self.info.state}, PID {self.info.process}>"

    def __enter__(self) -> Host:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __del__(self) -> None:
        # At the exit of the interpreter, the reader does not run any longer, and the kernel closes the connection.
        connection = None if sys.is_finalizing() else getattr(self, "_connection", None)
        if connection is not None and connection.inbox.failure is None:
            connection.close()
            warnings.warn(f"{self!r} was not closed", ResourceWarning, source=self)

    def close(self) -> None:
        """Closes the connection. Calls of other threads that wait raise `HostDisconnected`.

        The server dismisses the sessions of this connection. If this program has started the server, waits until the
        server has migrated the content of all sessions.
        """
        self._connection.close()

    # Apps.

    def apps(self) -> InstalledApps:
        """Returns the installed apps, and messages about apps that cannot be read."""
        return self._connection.call(requests.apps_list())

    def app(self, app: str) -> App:
        """Returns the installed app with an ID."""
        return self._connection.call(requests.apps_find(app))

    def validate(self, bundle: StrPath) -> Tuple[Diagnostic, ...]:
        """Returns the faults of a bundle, errors first, without installing the bundle."""
        return self._connection.call(requests.apps_validate(absolute(bundle)))

    def install(self, bundle: StrPath) -> Installation:
        """Installs an app, or replaces an earlier installation, and returns the app.

        Raises:
            HostError: The kind is ``bundle`` if the bundle has faults; then ``diagnostics`` describes them.
        """
        return Installation._from(self._connection.call(requests.apps_install(absolute(bundle))))

    def uninstall(self, app: str, pending_content: PendingContent = "keep") -> None:
        """Uninstalls an app.

        Args:
            app: The ID of the app.
            pending_content: With ``keep``, an app with content that it has not taken is not uninstalled. With
                ``discard``, the content is deleted.
        """
        self._connection.call(requests.apps_uninstall(app, pending_content))

    def open_app(self, app: str, activity: Optional[Mapping[str, Any]] = None) -> str:
        """Opens an app, and returns the ID of the delivery.

        An app that watches its mailbox receives the delivery. Otherwise, the command of ``open`` in its ``app.json`` is
        started.

        Args:
            app: The ID of the app.
            activity: A user activity: a value with at least ``activityType``, which JSON can represent.
        """
        return self._connection.call(app_opening(app, activity))

    # Content.

    def content(self, app: str) -> Tuple[Delivery, ...]:
        """Returns the captured content of an app, by session."""
        return self._connection.call(requests.content_list(app))

    def export_content(self, app: str, session: str, directory: StrPath) -> str:
        """Copies the content of a session into a directory, and returns the path of the copy."""
        return self._connection.call(requests.content_export(app, session, absolute(directory)))

    def invalidate_content(self, app: str, session: str) -> None:
        """Deletes the content of a session, which the app has taken."""
        self._connection.call(requests.content_invalidate(app, session))

    def quarantine(self, app: str) -> Tuple[QuarantinedContent, ...]:
        """Returns the entries that were not migrated, by session."""
        return self._connection.call(requests.content_quarantine(app))

    def watch_content(self, app: str, consumer: Optional[str] = None) -> ContentWatch:
        """Subscribes to changes of an app's content.

        Args:
            app: The ID of the app.
            consumer: A name under which the server remembers the reported content, even after a restart.
        """
        return ContentWatch(self, self._connection, self._connection.call(requests.content_watch(app, consumer)))

    # The app context and permissions.

    def context(self, app: str) -> Any:
        """Returns the app context as a value of Python, or None if the app has no context."""
        return context_value(self._connection.call(requests.context_get(app)))

    def set_context(self, app: str, context: Any) -> None:
        """Replaces the app context by any value that JSON can represent; None deletes the context."""
        self._connection.call(context_set(app, context))

    def clear_context(self, app: str) -> None:
        """Deletes the app context."""
        self._connection.call(requests.context_clear(app))

    def permissions(self, app: str) -> Dict[Resource, Decision]:
        """Returns the decisions of the user about an app, by resource."""
        return {item.resource: item.decision for item in self._connection.call(requests.permissions_get(app))}

    def set_permission(self, app: str, resource: Resource, decision: DecisionKind, names: Sequence[str] = ()) -> None:
        """Stores a decision of the user.

        Args:
            app: The ID of the app.
            resource: ``camera``, ``microphone``, ``photos`` or ``photosAddOnly``.
            decision: ``ask``, ``authorized``, ``denied``, ``assets`` or ``devices``.
            names: With ``assets``, the IDs of the permitted assets; with ``devices``, the names of the permitted
                devices.
        """
        self._connection.call(requests.permissions_set(app, resource, Decision(decision, tuple(names) or None)))

    def reset_permissions(self, app: str, resource: Optional[Resource] = None) -> None:
        """Deletes the decision about a resource, or about all resources."""
        self._connection.call(requests.permissions_reset(app, resource))

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
    ) -> HostedSession:
        """Launches an installed extension, and returns the session after the start of its program.

        Args:
            extension: The ID of the extension.
            camera: The camera as for ``darkroom run --camera``, such as ``/dev/video0`` or ``pattern``; or the path of
                a file, as a path object or with ``./``.
            microphone: The microphone as for ``darkroom run --microphone``.
            place: ``lockScreen``, ``elsewhere`` or ``program``, which permits other sessions at the same time. Default: ``program``.
            grace: The seconds that the extension may take to exit after its dismissal. Default: 5.
            watchdog: The seconds in which the extension must meet the requirements of a capture extension; 0 means no
                limit. Default: that of the manifest.
            idle_timeout: The seconds without user input after which the session is dismissed. Default: never.
            digests: Whether the result and the record contain the SHA-256 digest of each file.
            audit: The signed audit without which nothing is launched.
        """
        options = launch_options(camera, microphone, place, grace, watchdog, idle_timeout, digests, audit)
        return HostedSession(self, self._connection, self._connection.call(requests.session_launch(extension, options)))

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
    ) -> HostedSession:
        """Launches a program that is not an installed extension.

        Args:
            app: The ID of the app that the captures belong to. The app need not be installed.
            program: The name or path of the program.
            arguments: The arguments.
            policy: The name of a shipped policy, or the path of a policy. Default: ``capture``.
            read_only_paths: The paths that the program can read in addition.
            environment: The variables that the program receives in addition.
            camera: The camera, whose frames the program reads from standard input as a YUV4MPEG2 video.
        """
        request = launch_program(app, program, arguments, policy, read_only_paths, environment, camera)
        return HostedSession(self, self._connection, self._connection.call(request))

    def press_control(
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
    ) -> Union[HostedSession, AppOpening]:
        """Presses a control of an app. Returns the session, or the opening of the app.

        The press launches the extension on the lock screen, and opens the app elsewhere. `launch` describes the other
        arguments.

        Args:
            app: The ID of the app.
            control: The ID of the control.
            place: The place of the press: ``lockScreen`` or ``elsewhere``. With ``program``, the default, the lock
                state determines the place.

        Raises:
            HostError: The kind is ``refused`` if the press has no effect; then ``refusal`` is the reason.
        """
        options = launch_options(camera, microphone, place, grace, watchdog, idle_timeout, digests, audit)
        effect = self._connection.call(requests.control_press(app, control, options))
        if effect.session is None:
            return AppOpening._from(effect)
        return HostedSession(self, self._connection, effect.session)

    def readiness(self, extension: str, *, camera: Optional[StrPath] = None) -> Readiness:
        """Checks each condition of a launch from the lock screen."""
        return self._connection.call(requests.control_readiness(extension, device(camera)))

    def key_bindings(self) -> Tuple[KeyBinding, ...]:
        """Returns the bindings of keys to controls, sorted by key."""
        return self._connection.call(requests.control_bindings())

    def bind_key(self, key: str, app: str, control: str) -> KeyBinding:
        """Binds a key to a control, and replaces the previous binding of the key.

        A bound key presses its control while ``darkroom control listen`` runs.

        Args:
            key: The kernel's name of the key, such as ``KEY_CAMERA``, or ``KEY_POWER:double`` for two presses.
            app: The ID of the app.
            control: The ID of the control.
        """
        return self._connection.call(requests.control_bind(key, app, control))

    def unbind_key(self, key: str) -> KeyBinding:
        """Removes the binding of a key, and returns the removed binding."""
        return self._connection.call(requests.control_unbind(key))

    def prewarm(
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
        self._connection.call(requests.host_prewarm(extension, options))

    def sessions(self) -> Tuple[SessionInfo, ...]:
        """Returns the running sessions of the server, including those of other clients."""
        return self._connection.call(requests.session_list())

    def active_sessions(self) -> Tuple[ActiveSession, ...]:
        """Returns the running sessions of all hosts of the state directory."""
        return self._connection.call(requests.host_sessions())

    def recover(self) -> Recovery:
        """Recovers the sessions of hosts that died: migrates their content."""
        return self._connection.call(requests.host_recover())

    def diagnose(self, policies: Sequence[StrPath] = ()) -> MachineReport:
        """Examines which sandbox layers the machine and the user support, as ``darkroom doctor`` does.

        For each policy, a system program is run in a sandbox; no extension is launched. The examination takes seconds.

        Args:
            policies: The names or paths of at most 16 policies to examine in addition to the shipped ones.

        Raises:
            HostError: The kind is ``busy`` if the server is examining the machine for another request.
        """
        paths = [name_or_path(policy) for policy in policies]
        return self._connection.call(requests.host_diagnose(paths or None))

    # Devices.

    def cameras(self) -> Tuple[CameraDevice, ...]:
        """Returns the cameras of the machine: those of Video4Linux, then those of PipeWire.

        Each camera is queried, and none is started. A camera that cannot be used has an ``error``.
        """
        return self._connection.call(requests.device_list_cameras())

    def microphones(self) -> Tuple[MicrophoneDevice, ...]:
        """Returns the microphones of the machine, without opening them."""
        return self._connection.call(requests.device_list_microphones())

    def capture(
        self,
        camera: StrPath,
        path: StrPath,
        *,
        frames: Optional[int] = None,
        settings: Optional[Mapping[str, int]] = None,
    ) -> CameraCapture:
        """Saves frames of a camera to a file, without an extension.

        The file is replaced when it is complete. If the connection ends first, the file stays unchanged.

        Args:
            camera: The camera as for `launch`.
            path: The path of an image (``.jpg``, ``.png``) or of a YUV4MPEG2 video (``.y4m``).
            frames: The number of frames. An image is the last of them. Default: 30 frames of a video, 5 of an image.
            settings: The values of camera settings, such as ``{"zoom-absolute": 2}``. They are kept after the capture.

        Raises:
            HostError: The kind is ``camera`` if the camera provides no frames or refuses a setting, and ``busy`` if the
                connection already saves frames.
        """
        source = device(camera) or ""
        return self._connection.call(requests.device_capture(source, absolute(path), frames, settings))

    # Sessions of all hosts.

    def viewfinder_image(self, session: str, format: ImageFormat = "png") -> ViewfinderImage:
        """Returns the newest frame of a session as an image. The session can belong to another client or host.

        Args:
            session: The ID of a running session.
            format: ``png``, or ``jpeg`` with a quality of 95 of 100.

        Raises:
            HostError: The kind is ``viewfinder`` if the session shows no viewfinder, and ``argument`` if no session
                with this ID is running.
        """
        return ViewfinderImage._from(self._connection.exchange(requests.viewfinder_image(session, format)))

    # The session log.

    def log(
        self,
        *,
        app: Optional[str] = None,
        extension: Optional[str] = None,
        outcomes: Optional[Sequence[LogOutcome]] = None,
        since: Optional[int] = None,
        until: Optional[int] = None,
        limit: Optional[int] = None,
    ) -> LogListing:
        """Returns the ended sessions in the session log, newest first.

        Args:
            app: The ID of the app. Default: all apps.
            extension: The ID of the extension. Default: all extensions.
            outcomes: The outcomes, such as ``violated``. Default: all outcomes.
            since: The earliest time of the entries, in milliseconds since 1970.
            until: The latest time of the entries, in milliseconds since 1970.
            limit: The maximum number of entries, at most 1000. Default: 100.
        """
        return self._connection.call(requests.log_list(app, extension, outcomes, since, until, limit))

    def log_record(self, session: str) -> Any:
        """Returns the log entry of a session with its record, or None if the log has no entry of the session."""
        return context_value(self._connection.call(requests.log_record(session)))

    def verify_log(self, head: Optional[str] = None) -> LogVerification:
        """Verifies that no entry of the session log was changed, removed or moved.

        Args:
            head: The ``head`` of an earlier result, which reveals a rewritten or truncated log.
        """
        return self._connection.call(requests.log_verify(head))

    def log_head(self) -> Optional[str]:
        """Returns the head of the session log for a later `verify_log`, or None if the log is empty."""
        return self._connection.call(requests.log_head())

    def device_uses(
        self, *, app: Optional[str] = None, resource: Optional[DeviceKind] = None, limit: Optional[int] = None
    ) -> DeviceUseListing:
        """Returns the uses of cameras and microphones by sessions, newest first.

        Running sessions, and sessions whose host was killed, are included.

        Args:
            app: The ID of the app. Default: all apps.
            resource: ``camera`` or ``microphone``. Default: both.
            limit: The maximum number of uses, at most 1000. Default: 100.
        """
        return self._connection.call(requests.log_device_uses(app, resource, limit))

    # Storage.

    def storage_limits(self, app: Optional[str] = None) -> StorageLimits:
        """Returns the storage limits of an app, or those of every app."""
        return self._connection.call(requests.storage_limits(app))

    def set_storage_limits(self, limits: StorageLimits, app: Optional[str] = None) -> None:
        """Replaces the storage limits of an app, or those of every app."""
        self._connection.call(requests.storage_set_limits(limits, app))

    def storage_usage(self, app: str) -> StorageUsage:
        """Returns the storage that the sessions of an app use."""
        return self._connection.call(requests.storage_usage(app))

    def empty_trash(self) -> int:
        """Deletes the items in the trash, and returns their number."""
        return self._connection.call(requests.host_empty_trash())

    # The photo library, and files that apps share with their extensions.

    def photos(
        self, *, app: Optional[str] = None, session: Optional[str] = None, limit: Optional[int] = None
    ) -> Tuple[Asset, ...]:
        """Returns the assets of the photo library, newest first.

        Args:
            app: The ID of the app that added the assets. Default: all apps.
            session: The ID of the session that added the assets. Default: all sessions and imports.
            limit: The maximum number of assets, at most 1000. Default: 100.
        """
        return self._connection.call(requests.photos_list(app, session, limit))

    def add_photos(self, app: str, files: Sequence[StrPath]) -> PhotoAdditions:
        """Adds copies of files to the photo library for an app."""
        return self._connection.call(requests.photos_add(app, [absolute(file) for file in files]))

    def export_photo(self, asset: str, directory: StrPath) -> str:
        """Copies an asset of the photo library into a directory, and returns the path of the copy."""
        return self._connection.call(requests.photos_export(asset, absolute(directory)))

    def delete_photo(self, asset: str) -> None:
        """Deletes an asset of the photo library and its file."""
        self._connection.call(requests.photos_delete(asset))

    def select_photos(self, app: str, assets: Sequence[str]) -> None:
        """Replaces the assets that an app sees if its permission for photos is limited."""
        self._connection.call(requests.photos_select(app, assets))

    def selected_photos(self, app: str) -> Tuple[str, ...]:
        """Returns the IDs of the assets that an app sees if its permission for photos is limited, oldest first."""
        return self._connection.call(requests.photos_selection(app))

    def verify_photos(self) -> PhotoVerification:
        """Compares the index of the photo library with its files. Nothing is changed."""
        return self._connection.call(requests.photos_verify())

    def recover_photos(self) -> int:
        """Finishes or undoes changes of the photo library that a crash interrupted. Returns their number."""
        return self._connection.call(requests.photos_recover())

    def publish_assets(self, app: str, directory: StrPath) -> AssetSet:
        """Shares a copy of a directory with the extensions of an app."""
        return self._connection.call(requests.assets_publish(app, absolute(directory)))

    def assets(self, app: str) -> Tuple[AssetSet, ...]:
        """Returns the sets of files that an app shares, newest first."""
        return self._connection.call(requests.assets_list(app))

    def clear_assets(self, app: str) -> bool:
        """Stops sharing files with the extensions of an app. Returns whether files were shared before."""
        return self._connection.call(requests.assets_clear(app))

    # The lock state.

    def lock_state(self) -> LockStatus:
        """Returns the lock state, and whether `set_lock_state` is permitted."""
        return self._connection.call(requests.lock_get())

    def set_lock_state(self, state: LockState) -> None:
        """Sets the lock state, ``locked`` or ``unlocked``. The server must run with ``--lock-state settable``."""
        self._connection.call(requests.lock_set(state))

    def lock_reports(self) -> LockReports:
        """Returns whether Darkroom is locked, with the reports of the sources of the lock state."""
        return self._connection.call(requests.lock_status())

    def lock(self) -> None:
        """Locks Darkroom until the user unlocks it, for example with ``darkroom unlock``.

        The server must run with ``--lock-state standard``, so that its sessions follow this lock.
        """
        self._connection.call(requests.lock_lock())

    # The passcode of Darkroom.

    def has_passcode(self) -> bool:
        """Returns whether a passcode is set."""
        return self._connection.call(requests.passcode_get())

    def set_passcode(self, passcode: str, current: Optional[str] = None) -> Authentication:
        """Sets or replaces the passcode.

        Args:
            passcode: The new passcode, of 4 to 1024 bytes.
            current: The current passcode, which is required if one is set.

        Returns:
            The result of the verification of the current passcode. Only ``succeeded`` means that the passcode is set.
        """
        return self._connection.call(requests.passcode_set(passcode, current))

    def clear_passcode(self, current: Optional[str] = None) -> Authentication:
        """Removes the passcode. Afterwards, only PAM or a program can authenticate the user.

        Args:
            current: The current passcode, which is required if one is set.
        """
        return self._connection.call(requests.passcode_clear(current))

    # Policies.

    def policies(self) -> Tuple[str, ...]:
        """Returns the names of the shipped policies."""
        return self._connection.call(requests.policy_list())

    def explain_policy(self, policy: StrPath, width: Optional[int] = None) -> PolicyExplanation:
        """Explains a policy as text.

        Args:
            policy: The name of a shipped policy, or the path of a policy.
            width: The maximum length of a line. Default: 100.
        """
        return self._connection.call(requests.policy_explain(name_or_path(policy), width))

    def explain_access(self, path: str, policy: StrPath = "capture", use: PathUse = "read") -> PathAccess:
        """Explains what an extension can access at a path. Nothing is launched.

        Args:
            path: The absolute path, as the extension sees it.
            policy: The name of a shipped policy, or the path of a policy.
            use: ``read``, ``write`` or ``execute``.
        """
        return self._connection.call(requests.policy_access(name_or_path(policy), path, use))

    def verify_policy(self, policy: StrPath) -> PolicyProof:
        """Proves the invariants of a policy for its compiled filters."""
        return self._connection.call(requests.policy_verify(name_or_path(policy)))

    def compare_policies(self, old: StrPath, new: StrPath) -> PolicyComparison:
        """Returns the differences between two policies."""
        return self._connection.call(requests.policy_difference(name_or_path(old), name_or_path(new)))

    # The server.

    def discover(self) -> Dict[str, Any]:
        """Returns the description of the server's interface, an OpenRPC document."""
        return self._connection.call(requests.rpc_discover())
