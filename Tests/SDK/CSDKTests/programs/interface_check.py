# SPDX-License-Identifier: Apache-2.0
"""Compares messages with the OpenRPC description of `darkroom-host`."""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[4]
DESCRIPTION = json.loads((ROOT / "Sources/Host/HostInterface/Schemas/host.openrpc.json").read_text())
METHODS = {method["name"]: method for method in DESCRIPTION["methods"]}
NOTIFICATIONS = {notification["name"]: notification for notification in DESCRIPTION["x-notifications"]}
TYPES = {"object": dict, "array": list, "string": str, "boolean": bool, "integer": int, "number": (int, float)}


def check_value(value, schema, path):
    """Fails unless a value matches a schema."""
    if "$ref" in schema:
        return check_value(value, DESCRIPTION["components"]["schemas"][schema["$ref"].split("/")[-1]], path)
    wanted = TYPES[schema["type"]]
    assert isinstance(value, wanted) and (
        wanted is bool or not isinstance(value, bool)
    ), f"{path}: {value!r} has a wrong type"
    assert value in schema.get("enum", [value]), f"{path}: {value!r} is not a value of the enumeration"
    if isinstance(value, str):
        assert (
            schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", len(value))
        ), f"{path}: length {len(value)}"
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        assert schema.get("minimum", value) <= value <= schema.get("maximum", value), f"{path}: {value} is out of range"
    if isinstance(value, list):
        assert len(value) >= schema.get("minItems", 0), f"{path}: too few elements"
        assert len(value) <= schema.get("maxItems", len(value)), f"{path}: too many elements"
        for index, element in enumerate(value):
            check_value(element, schema.get("items", {}), f"{path}[{index}]")
    if isinstance(value, dict) and "properties" in schema:
        missing = set(schema["required"]) - set(value)
        assert not missing, f"{path}: {missing} is missing"
    if isinstance(value, dict):
        for name, member in value.items():
            found = schema.get("properties", {}).get(name, schema.get("additionalProperties", True))
            assert found is not False, f"{path}.{name}: unknown member"
            if found is not True:
                check_value(member, found, f"{path}.{name}")


def check_params(entry, params):
    """Fails unless the parameters of a request or of a notification match the description."""
    known = {param["name"]: param for param in entry["params"]}
    assert set(params) <= set(known), f"{entry['name']}: {set(params) - set(known)} is unknown"
    for name, param in known.items():
        assert name in params or not param["required"], f"{entry['name']}: {name} is missing"
        if name in params:
            check_value(params[name], param["schema"], f"{entry['name']}.{name}")


def check_request(method, params):
    """Fails unless a request matches the description."""
    check_params(METHODS[method], params)


def check_result(method, result):
    """Fails unless a result matches the description."""
    check_value(result, METHODS[method]["result"]["schema"], method)


def check_notification(method, params):
    """Fails unless a notification matches the description."""
    check_params(NOTIFICATIONS[method], params)
