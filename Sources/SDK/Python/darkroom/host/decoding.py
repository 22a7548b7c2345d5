# SPDX-License-Identifier: Apache-2.0
"""Readers of JSON values. An error names the member that has no valid value."""

from __future__ import annotations

from typing import Any, Callable, Dict, Optional, Tuple, TypeVar

from .errors import HostProtocolError

T = TypeVar("T")


def text(value: Any) -> str:
    """Returns a string."""
    return str(_checked(value, str))


def word(value: Any) -> Any:
    """Returns a string of an enumeration. A newer server may send strings that this version does not know."""
    return _checked(value, str)


def integer(value: Any) -> int:
    """Returns an integer."""
    return int(_checked(value, int))


def number(value: Any) -> float:
    """Returns a number."""
    return float(_checked(value, (int, float)))


def flag(value: Any) -> bool:
    """Returns a Boolean."""
    return bool(_checked(value, bool))


def mapping(value: Any) -> Dict[str, Any]:
    """Returns an object."""
    fields: Dict[str, Any] = _checked(value, dict)
    return fields


def listed(read: Callable[[Any], T]) -> Callable[[Any], Tuple[T, ...]]:
    """Returns the reader of an array whose items `read` reads."""
    return lambda value: tuple([read(item) for item in _checked(value, list)])


def nothing(value: Any) -> None:
    """Reads a result without members."""


def member(fields: Dict[str, Any], name: str, read: Callable[[Any], T]) -> T:
    """Returns a member of an object.

    Raises:
        HostProtocolError: The member is missing, or has another type.
    """
    try:
        return read(fields[name])
    except (KeyError, _Mismatch):
        raise HostProtocolError(f"the message of the server has no valid '{name}'") from None


def optional(fields: Dict[str, Any], name: str, read: Callable[[Any], T]) -> Optional[T]:
    """Returns a member of an object, or None if the member is missing."""
    return member(fields, name, read) if fields.get(name) is not None else None


class _Mismatch(Exception):
    """A value has another type."""


def _checked(value: Any, kind: Any) -> Any:
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        raise _Mismatch
    return value
