# SPDX-License-Identifier: Apache-2.0
"""The generator of the Python client: the schemas as dataclasses, the requests as functions, the table of methods."""

import re
import textwrap
from typing import NamedTuple

PACKAGE = "Sources/SDK/Python/darkroom/host"
WIDTH = 120

#: The names of objects, enumerations and results that the description does not name.
NAMES = {
    "LaunchOptions.audit": "RequiredAudit",
    "LaunchOptions.place": "LaunchPlace",
    "Sandbox.layers": "SandboxLayer",
    "SandboxLayer.state": "LayerState",
    "Result.frames": "FrameCounts",
    "Decision.decision": "DecisionKind",
    "Outcome.by": "Dismisser",
    "ErrorData.kind": "ErrorKind",
    "ControlPress.effect": "PressEffect",
    "ControlPress.reason": "OpeningReason",
    "apps/uninstall.pendingContent": "PendingContent",
    "session/press.button": "Button",
    "session/press.phase": "PressPhase",
    "session/pointer.phase": "PointerPhase",
    "lock/get.state": "LockState",
    "lock/set.state": "LockState",
    "LockStatus.state": "LockState",
    "LockReports.state": "LockState",
    "LockReport.state": "LockState",
    "host/hello": "ServerInfo",
    "apps/list": "InstalledApps",
    "apps/install": "InstallResult",
    "viewfinder/open": "ViewfinderInfo",
    "viewfinder/next": "FrameInfo",
    "viewfinder/image": "ImageInfo",
    "viewfinder/image.format": "ImageFormat",
    "ImageInfo.format": "ImageFormat",
    "sound/open": "SoundInfo",
    "sound/next": "SoundProgress",
    "photos/verify": "PhotoVerification",
    "log/list": "LogListing",
    "log/deviceUses": "DeviceUseListing",
    "log/deviceUses.resource": "DeviceKind",
    "DeviceUse.resource": "DeviceKind",
    "photos/add": "PhotoAdditions",
    "lock/get": "LockStatus",
    "policy/access.use": "PathUse",
    "PathAccess.use": "PathUse",
    "policy/explain": "PolicyExplanation",
    "policy/verify": "PolicyProof",
    "policy/difference": "PolicyComparison",
    "host/recover": "Recovery",
    "MachineReport.status": "MachineStatus",
    "MachineProperty.state": "PropertyState",
    "PolicyTrial.status": "MachineStatus",
    "LayerReport.state": "LayerState",
}
#: The annotation and the reader of each simple type.
SIMPLE = {
    "string": ("str", "text"),
    "integer": ("int", "integer"),
    "number": ("float", "number"),
    "boolean": ("bool", "flag"),
}
READERS = "flag integer listed mapping member nothing number optional text word"


class Kind(NamedTuple):
    """The type of a value: its annotation, its reader, and the format of the expression that encodes a value."""

    annotation: str
    reader: str
    encoded: str = "{}"


class Types:
    """The types of the description, by their names in Python.

    Attributes:
        objects: The schema of each object.
        words: The values and the description of each enumeration.
        parameters: The names of the objects that requests contain.
    """

    def __init__(self, description):
        self.schemas = description["components"]["schemas"]
        self.objects, self.words, self.parameters = {}, {}, set()
        for name in self.schemas:
            self.kind({"$ref": f"#/components/schemas/{name}"}, name)

    def kind(self, schema, place, is_parameter=False):
        """Returns the type of a schema. `place` is the owner and the name of the value."""
        if "$ref" in schema:
            place = schema["$ref"].rpartition("/")[2]
            schema = self.schemas[place]
        if "enum" in schema:
            name = type_name(place)
            known = self.words.setdefault(name, (schema["enum"], schema["description"]))
            if known[0] != schema["enum"]:
                raise ValueError(f"{name} names two enumerations; add a name to NAMES")
            return Kind(name, "word")
        if schema["type"] in SIMPLE:
            return Kind(*SIMPLE[schema["type"]])
        if schema["type"] == "array":
            item = self.kind(schema["items"], place, is_parameter)
            if is_parameter:
                return Kind(f"Sequence[{item.annotation}]", "", "list({})")
            return Kind(f"Tuple[{item.annotation}, ...]", f"listed({item.reader})", "list({})")
        return self.object_kind(schema, place, is_parameter)

    def object_kind(self, schema, place, is_parameter):
        """Returns the type of an object, and adds the object to the types."""
        if "properties" not in schema:
            if "additionalProperties" in schema:
                if not is_parameter:
                    raise ValueError(f"{place}: the reader of objects with any members is missing; add it")
                value = self.kind(schema["additionalProperties"], place, is_parameter)
                return Kind(f"Mapping[str, {value.annotation}]", "", "dict({})")
            return Kind("Dict[str, Any]", "mapping")
        name = type_name(place)
        if name not in self.objects:
            self.objects[name] = schema
            for member, value in schema["properties"].items():
                self.kind(value, f"{name}.{member}")
        if is_parameter and name not in self.parameters:
            self.parameters.add(name)
            for member, value in schema["properties"].items():
                self.kind(value, f"{name}.{member}", is_parameter=True)
        return Kind(name, f"{name}._of", "{}._fields()")


def type_name(place):
    """Returns the name of the type of a value."""
    if place in NAMES:
        return NAMES[place]
    owner, _, member = place.partition(".")
    return owner + member[:1].upper() + member[1:]


def snake(name):
    """Returns a name of the description as a name of Python."""
    return re.sub(r"(?<=[a-z0-9])[A-Z]", lambda found: "_" + found[0].lower(), name).replace("/", "_").replace(".", "_")


def wrapped(text, first, rest):
    """Returns the lines of a paragraph."""
    return textwrap.wrap(
        text, WIDTH, initial_indent=first, subsequent_indent=rest, break_long_words=False, break_on_hyphens=False
    )


def sequence(begin, items, end, indent=""):
    """Returns the lines of an expression with a list of items, which may be broken between items."""
    line = f"{indent}{begin}{', '.join(items)}{end}"
    if len(line) <= WIDTH:
        return [line]
    broken = [f"{indent}   "]
    for item in items:
        if len(broken[-1]) + len(item) + 2 > WIDTH:
            broken.append(f"{indent}   ")
        broken[-1] += f" {item},"
    return [f"{indent}{begin}", *broken, f"{indent}{end}"]


def imports(module, names):
    """Returns the lines of an import."""
    line = f"from {module} import {', '.join(sorted(names))}"
    return [line] if len(line) <= WIDTH else sequence(f"from {module} import (", sorted(names), ")")


def header(text, *lines_of_imports):
    """Returns the lines at the start of a generated file."""
    lines = ["# SPDX-License-Identifier: Apache-2.0", f'"""{text}', ""]
    lines += ["Generated by .ci/interface: change host.openrpc.json and run .ci/interface instead of editing this file."]
    return [*lines, '"""', "", "from __future__ import annotations", "", *lines_of_imports]


# The schemas.


def word_lines(name, values, description):
    """Returns the lines of an enumeration."""
    lines = ["", *(f"#: {line}" for line in textwrap.wrap(description, WIDTH - 3))]
    return lines + sequence(f"{name} = Literal[", [f'"{value}"' for value in values], "]")


def object_lines(types, name):
    """Returns the lines of a dataclass."""
    schema = types.objects[name]
    required = schema.get("required", [])
    members = sorted(schema["properties"].items(), key=lambda member: member[0] not in required)
    lines = ["", "", "@dataclass(frozen=True)", f"class {name}:"]
    lines += [*wrapped(schema["description"], '    """', "    "), "", "    Attributes:"]
    fields, readers, writers = [], [], []
    for member, value in members:
        kind = types.kind(value, f"{name}.{member}")
        description = value.get("description") or types.schemas[kind.annotation]["description"]
        lines += wrapped(f"{snake(member)}: {description}", " " * 8, " " * 12)
        if member in required:
            fields.append(f"    {snake(member)}: {kind.annotation}")
            readers.append(f'{snake(member)}=member(fields, "{member}", {kind.reader}),')
        else:
            fields.append(f"    {snake(member)}: Optional[{kind.annotation}] = None")
            readers.append(f'{snake(member)}=optional(fields, "{member}", {kind.reader}),')
        writers.append((member, kind.encoded.format(f"self.{snake(member)}"), member in required))
    lines += ['    """', "", *fields, "", "    @classmethod", f"    def _of(cls, value: Any) -> {name}:"]
    lines += ['        """Returns the value of an object of a message."""', "        fields = mapping(value)"]
    lines += ["        return cls(", *(f"            {reader}" for reader in readers), "        )"]
    return lines + (writer_lines(writers) if name in types.parameters else [])


def writer_lines(writers):
    """Returns the lines of the method that encodes a dataclass."""
    lines = ["", "    def _fields(self) -> Dict[str, Any]:", '        """Returns the object of a message."""']
    required = [f'"{member}": {value}' for member, value, is_required in writers if is_required]
    lines += sequence("fields: Dict[str, Any] = {", required, "}", "        ")
    for member, value, is_required in writers:
        if not is_required:
            attribute = f"self.{snake(member)}"
            lines += [f"        if {attribute} is not None:", f'            fields["{member}"] = {value}']
    return [*lines, "        return fields"]


def schema_file(types):
    """Returns the module with the schemas."""
    lines = header(
        "The values of messages between darkroom-host and its clients.",
        "from dataclasses import dataclass",
        "from typing import Any, Dict, Literal, Optional, Tuple",
        "",
        *imports(".decoding", [name for name in READERS.split() if name != "nothing"]),
    )
    for name, (values, description) in types.words.items():
        lines += word_lines(name, values, description)
    for name in types.objects:
        lines += object_lines(types, name)
    return "\n".join(lines) + "\n"


# The requests.


def result_kind(types, method):
    """Returns the annotation of a method's result, and the expression of the function that reads the result."""
    schema = method["result"]["schema"]
    members = schema.get("properties")
    if members is None or len(members) > 1:
        kind = types.kind(schema, method["name"])
        return kind.annotation, kind.reader
    if not members:
        return "None", "nothing"
    ((name, value),) = members.items()
    kind = types.kind(value, f"{method['name']}.{name}")
    if name in schema.get("required", []):
        return kind.annotation, f'lambda result: member(result, "{name}", {kind.reader})'
    return f"Optional[{kind.annotation}]", f'lambda result: optional(result, "{name}", {kind.reader})'


def request_lines(types, method):
    """Returns the lines of the function that creates a request."""
    name, signature, required, optional = method["name"], [], [], []
    for parameter in sorted(method["params"], key=lambda parameter: not parameter["required"]):
        kind = types.kind(parameter["schema"], f"{name}.{parameter['name']}", is_parameter=True)
        variable = snake(parameter["name"])
        if parameter["required"]:
            signature.append(f"{variable}: {kind.annotation}")
            required.append(f'"{parameter["name"]}": {kind.encoded.format(variable)}')
        else:
            signature.append(f"{variable}: Optional[{kind.annotation}] = None")
            optional += [f"    if {variable} is not None:"]
            optional += [f'        params["{parameter["name"]}"] = {kind.encoded.format(variable)}']
    annotation, reader = result_kind(types, method)
    lines = ["", "", *sequence(f"def {snake(name)}(", signature, f") -> Request[{annotation}]:")]
    # The last quotes belong to the last word, so that no line becomes too long.
    summary = method["summary"][0].lower() + method["summary"][1:]
    lines += wrapped(f'Returns the request ``{name}``: {summary}"""', '    """', "    ")
    if optional:
        lines += [*sequence("params: Dict[str, Any] = {", required, "}", "    "), *optional]
        return [*lines, f'    return Request("{name}", params, {reader})']
    return lines + sequence("return Request(", [f'"{name}"', f"{{{', '.join(required)}}}", reader], ")", "    ")


def table_lines(description):
    """Returns the lines of the tables of methods, notifications and error codes."""
    lines = ["", "", "class Method(NamedTuple):", '    """A method of the interface.', "", "    Attributes:"]
    lines += ["        required: The names of the parameters that every request has."]
    lines += ["        optional: The names of the other parameters."]
    lines += ["        descriptors: The number of descriptors that the response carries.", '    """', ""]
    lines += ["    required: Tuple[str, ...]", "    optional: Tuple[str, ...] = ()", "    descriptors: int = 0", ""]
    lines += ["", "#: All methods.", "METHODS: Dict[str, Method] = {"]
    for method in description["methods"]:
        parts = [names(method, True)]
        optional, descriptors = names(method, False), len(method.get("x-descriptors", []))
        if optional != "()":
            parts.append(optional)
        if descriptors:
            parts.append(f"descriptors={descriptors}")
        lines += sequence(f'"{method["name"]}": Method(', parts, "),", "    ")
    lines += ["}", "#: The parameters of each notification.", "NOTIFICATIONS: Dict[str, Tuple[str, ...]] = {"]
    lines += [f'    "{message["name"]}": {names(message, True)},' for message in description["x-notifications"]]
    lines += ["}", "#: The meaning of each error code.", "ERROR_CODES: Dict[int, str] = {"]
    lines += [f'    {code}: "{text}",' for code, text in description["x-errors"].items()]
    return [*lines, "}", "#: The versions of the interface that this package supports.", "VERSIONS: Tuple[int, ...] = ("
            f"{description['info']['version']},)"]


def names(message, is_required):
    """Returns the names of the parameters of a method or notification as a tuple."""
    found = [f'"{item["name"]}"' for item in message["params"] if item["required"] == is_required]
    return f"({', '.join(found)}{',' * (len(found) == 1)})"


def request_file(types, description):
    """Returns the module with the requests and the tables."""
    requests = [line for method in description["methods"] for line in request_lines(types, method)]
    code = "\n".join(requests)
    used = [name for name in types.words | types.objects if re.search(rf"\b{name}\b", code)]
    readers = [name for name in READERS.split() if re.search(rf"[ (]{name}[()]", code)]
    lines = header(
        "The requests of a client of darkroom-host, and the table of methods.",
        "from typing import Any, Dict, Mapping, NamedTuple, Optional, Sequence, Tuple",
        "",
        "from ..requests import Request",
        *imports("._schemas", used),
        *imports(".decoding", readers),
    )
    return "\n".join([*lines, *table_lines(description), *requests]) + "\n"


def files(description):
    """Returns the texts of the generated modules by path."""
    types = Types(description)
    requests = request_file(types, description)
    # The requests add the types of results.
    return {f"{PACKAGE}/_schemas.py": schema_file(types), f"{PACKAGE}/_interface.py": requests}
