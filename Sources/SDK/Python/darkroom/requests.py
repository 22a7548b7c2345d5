# SPDX-License-Identifier: Apache-2.0
"""The requests of an extension: the method, the parameters, and the value of the reply. Both kinds of sessions send them."""

from __future__ import annotations

from typing import Any, Callable, Dict, Generic, List, Optional, Sequence, TypeVar, Union

from .values import Asset, AssetPage, CameraSetting, Picker, Slider, UserActivity, required

T = TypeVar("T")
Fields = Dict[str, Any]

#: The default of parameters for which None is a value.
UNSET: Any = object()


class Request(Generic[T]):
    """A request.

    Attributes:
        method: The method of the protocol.
        params: The parameters.
        decode: A function that returns the value of the reply's result.
    """

    def __init__(self, method: str, params: Fields, decode: Callable[[Fields], T]) -> None:
        self.method, self.params, self.decode = method, params, decode


def _without_none(**params: Any) -> Fields:
    """Returns the parameters that are not None."""
    return {name: value for name, value in params.items() if value is not None}


def _command(method: str, **params: Any) -> Request[None]:
    """Returns a request without a value."""
    return Request(method, _without_none(**params), lambda result: None)


def camera_start(delivery: str) -> Request[None]:
    return _command("camera/start", delivery=delivery)


def camera_stop() -> Request[None]:
    return _command("camera/stop")


def camera_settings() -> Request[List[CameraSetting]]:
    return Request("camera/settings", {}, lambda r: [CameraSetting._of(item) for item in required(r, "settings", list)])


def camera_set(name: str, value: int) -> Request[int]:
    return Request("camera/set", {"name": name, "value": value}, lambda r: int(required(r, "value", int)))


def microphone_start(delivery: str) -> Request[None]:
    return _command("microphone/start", delivery=delivery)


def microphone_stop() -> Request[None]:
    return _command("microphone/stop")


def capture_subscribe(default_sound_disabled: bool) -> Request[None]:
    return _command("capture/subscribe", defaultSoundDisabled=default_sound_disabled)


def capture_unsubscribe() -> Request[None]:
    return _command("capture/unsubscribe")


def pointer_subscribe() -> Request[None]:
    return _command("pointer/subscribe")


def capture_play_sound(event: int, sound: Optional[str], path: Optional[str]) -> Request[bool]:
    params = _without_none(event=event, sound=sound, path=path)
    return Request("capture/playSound", params, lambda r: bool(required(r, "played", bool)))


def context_get() -> Request[Any]:
    return Request("context/get", {}, lambda r: r.get("context"))


def context_update(context: Any, expected: Any) -> Request[int]:
    params = {"context": context} if expected is UNSET else {"context": context, "ifContext": expected}
    return Request("context/update", params, lambda r: int(required(r, "bytes", int)))


def session_dismiss() -> Request[None]:
    return _command("session/dismiss")


def session_open_application(activity: UserActivity) -> Request[None]:
    return _command("session/openApplication", activity=activity._fields())


def session_invalidate_content() -> Request[int]:
    return Request("session/invalidateContent", {}, lambda r: int(required(r, "files", int)))


def session_begin_activity(reason: str) -> Request[str]:
    return Request("session/beginActivity", {"reason": reason}, lambda r: str(required(r, "activity", str)))


def session_end_activity(activity: str) -> Request[None]:
    return _command("session/endActivity", activity=activity)


def photos_authorization(level: str) -> Request[str]:
    return Request("photos/authorization", {"level": level}, lambda r: str(required(r, "status", str)))


def photos_add(
    path: str, title: Optional[str], media_type: Optional[str], move: bool, created_at: Optional[int]
) -> Request[Asset]:
    params = _without_none(path=path, title=title, mediaType=media_type, move=move, createdAt=created_at)
    return Request("photos/add", params, lambda r: Asset._of(required(r, "asset", dict)))


def photos_list(after: Optional[str], limit: int) -> Request[AssetPage]:
    def page(result: Fields) -> AssetPage:
        return AssetPage([Asset._of(item) for item in required(result, "assets", list)], result.get("next"))

    return Request("photos/list", _without_none(after=after, limit=limit), page)


def photos_open(asset: str) -> Request[str]:
    return Request("photos/open", {"asset": asset}, lambda r: str(required(r, "path", str)))


def photos_delete(asset: str) -> Request[None]:
    return _command("photos/delete", asset=asset)


def controls_declare(revision: int, controls: Sequence[Union[Slider, Picker]]) -> Request[None]:
    return _command("controls/declare", revision=revision, controls=[control._fields() for control in controls])
