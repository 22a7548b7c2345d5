# SPDX-License-Identifier: Apache-2.0
"""Creates the reference page of the host interface from its OpenRPC description.

The prose of the page is in `reference.md`, whose placeholders `{{name}}` are replaced. The examples are in
`examples.json`; each example must match the description.
"""

import json
import pathlib
import re
import string

HERE = pathlib.Path(__file__).resolve().parent
PAGE = "Sources/Darkroom.docc/Reference/HostInterface.md"
NAME = pathlib.PurePath(PAGE).stem

# The meaning of each kind of error. The description lists the kinds.
KINDS = {
    "stateDirectory": "the state directory is unusable",
    "bundle": "the bundle has errors, which are in `diagnostics`; nothing was installed",
    "notInstalled": "no app or extension with this ID is installed",
    "installation": "the installation of the app is damaged or was changed",
    "contentPending": "the app has content that it has not taken, so the app was not uninstalled",
    "extensionRunning": "an extension of the app is running, so the app was not uninstalled",
    "policy": "the policy does not exist, is invalid, or its filter cannot be proved",
    "audit": "the required audit is missing, or does not match the installation",
    "program": "the program does not exist, or cannot run in the sandbox",
    "camera": "the camera provides no frames, or refuses a setting; nothing was launched",
    "microphone": "the microphone provides no sound; nothing was launched",
    "foregroundOccupied": "another session is in the foreground; nothing was launched",
    "insufficientSpace": "there is no space for captures; nothing was launched",
    "store": "content, the context or permissions of an app, the session log, or the photo library cannot be accessed",
    "argument": "a parameter has an invalid value",
    "cancelled": "the request was cancelled before it was complete",
    "closed": "the server is stopping",
    "system": "a system call of the server failed",
    "notFound": "the session or the subscription does not exist",
    "busy": "a limit of the server is reached",
    "refused": "the press of a control has no effect, for the reason in `refusal`",
    "viewfinder": "the session shows no viewfinder that can be read",
}
# The singular and the plural of each JSON type.
TYPES = {
    "string": ("string", "strings"),
    "integer": ("integer", "integers"),
    "number": ("number", "numbers"),
    "boolean": ("boolean", "booleans"),
    "object": ("object", "objects"),
    "array": ("array", "arrays"),
}
# The type of a value in Python.
CLASSES = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "object": dict, "array": list}


def files(description):
    """Returns the text of the page by its path in the repository."""
    examples = json.loads((HERE / "examples.json").read_text())
    check(description, examples)
    replacements = Page(description, examples).replacements()
    template = (HERE / "reference.md").read_text()
    return {PAGE: re.sub(r"\{\{(\w+)\}\}", lambda found: replacements[found[1]], template)}


def rows(cells):
    """Returns the rows of a table."""
    return "\n".join("| " + " | ".join(text.replace("|", "\\|") for text in row) + " |" for row in cells)


def table(heading, cells):
    """Returns a table."""
    return f"| {' | '.join(heading)} |\n|{'---|' * len(heading)}\n{rows(cells)}"


def link(title):
    """Returns a link to the section of the page with a title. DocC removes punctuation from the names of sections."""
    removed = string.punctuation.replace("-", "")
    return f"<doc:{NAME}#{title.translate(str.maketrans(' ', '-', removed))}>"


def compact(value):
    """Returns JSON text on one line."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def call_line(number, name, params):
    """Returns the line of a request, or of a notification if the number is None."""
    identity = {} if number is None else {"id": number}
    return compact({"jsonrpc": "2.0", **identity, "method": name, "params": params})


def result_line(number, result):
    """Returns the line of a response."""
    return compact({"jsonrpc": "2.0", "id": number, "result": result})


def choices(values):
    """Returns texts in code voice, separated by commas."""
    return ", ".join(f"`{value}`" for value in values)


def referenced(value):
    """Returns the name of the schema that a schema refers to, or None."""
    return value["$ref"].rsplit("/", 1)[-1] if "$ref" in value else None


def type_text(value, plural=False):
    """Returns a type as text, with its limits."""
    if name := referenced(value):
        return link(name)
    if "enum" in value:
        return choices(value["enum"])
    text = TYPES[value["type"]][plural]
    if value.get("minLength") == 1 or value.get("minItems") == 1:
        text = f"nonempty {text}"
    if value["type"] == "array" and "maxItems" in value:
        return f"{text} of at most {value['maxItems']} {type_text(value['items'], plural=True)}"
    if value["type"] == "array":
        return f"{text} of {type_text(value['items'], plural=True)}"
    if isinstance(value.get("additionalProperties"), dict):
        return f"{text} with {type_text(value['additionalProperties'])} values"
    return text if plural else text + length(value) + interval(value)


def length(value):
    """Returns the maximum length of a text, or its only length. The server counts the bytes of UTF-8."""
    least, most = value.get("minLength"), value.get("maxLength")
    if most is None:
        return ""
    return f" of {most} bytes" if least == most else f" of at most {most} bytes"


def interval(value):
    """Returns the range of a number."""
    least, most = value.get("minimum"), value.get("maximum")
    if least is None or most is None:
        return "" if least is None else f", at least {least}"
    return f", {least} to {most}"


def members(value, prefix=""):
    """Yields each member of an object as (path, schema, whether the member is required), including nested members."""
    for name, member in value.get("properties", {}).items():
        yield prefix + name, member, name in value["required"]
        inner = member.get("items", member)
        if inner.get("properties"):
            yield from members(inner, f"{prefix}{name}.")


class Page:
    """The generated parts of the page.

    Args:
        description: The OpenRPC description.
        examples: The examples by the name of their method or notification.
    """

    def __init__(self, description, examples):
        self.description, self.examples = description, examples
        self.schemas = description["components"]["schemas"]

    def replacements(self):
        """Returns the text for each placeholder."""
        methods, errors = self.description["methods"], self.description["x-errors"]
        passing = [call for call in methods if "x-descriptors" in call]
        return {
            "version": self.description["info"]["version"],
            "conversation": self.conversation(),
            "limits": rows(self.limits()),
            "descriptors": rows((link(call["name"]), " ".join(call["x-descriptors"])) for call in passing),
            "errors": rows(errors.items()),
            "kinds": rows((f"`{kind}`", meaning) for kind, meaning in KINDS.items()),
            "error": compact(error_example()),
            "overview": rows((link(call["name"]), call["summary"]) for call in methods),
            "methods": "\n\n".join(self.section(call) for call in methods),
            "notifications": "\n\n".join(self.section(call) for call in self.description["x-notifications"]),
            "schemas": "\n\n".join(self.schema(*item) for item in self.schemas.items()),
        }

    def section(self, call):
        """Returns the section of a method or of a notification."""
        parts = [f"### `{call['name']}`", " ".join(filter(None, (call["summary"], call.get("description"))))]
        parts.append(self.parameters(call))
        if "result" in call:
            parts.append(self.result(call["result"]["schema"]))
        if "x-descriptors" in call:
            parts.append("Descriptors of the response: " + " ".join(call["x-descriptors"]))
        return "\n\n".join(parts + self.example(call["name"]))

    def parameters(self, call):
        """Returns the table of the parameters of a method or of a notification."""
        if not call["params"]:
            return "The method has no parameters."
        fields = ((param["name"], param["schema"], param["required"]) for param in call["params"])
        return self.fields("parameter", "required", fields)

    def result(self, value):
        """Returns the description of a result."""
        if name := referenced(value):
            return f"Result: {link(name)}."
        if "properties" not in value:
            return f"Result: an object. {value['description']}"
        if not value["properties"]:
            return "Result: an empty object."
        return "Result:\n\n" + self.fields("member", "always present", members(value))

    def schema(self, name, value):
        """Returns the section of a schema."""
        if "enum" in value:
            content = f"One of {choices(value['enum'])}."
        else:
            content = self.fields("member", "always present", members(value))
        return "\n\n".join([f"### {name}", value["description"], content])

    def fields(self, name, presence, cells):
        """Returns a table of fields. `name` and `presence` are the headings of the first and the third column."""
        return table(
            (name, "type", presence, "meaning"),
            ((f"`{path}`", type_text(value), "yes" if is_required else "no", self.meaning(value))
             for path, value, is_required in cells),
        )  # fmt: skip

    def meaning(self, value):
        """Returns the description of a field."""
        return self.schemas.get(referenced(value), value).get("description", "")

    def example(self, name):
        """Returns a list with the example lines of a method or of a notification as a code block."""
        if name not in self.examples:
            return []
        found = self.examples[name]
        number = 2 if "result" in found else None
        lines = [call_line(number, name, found["params"])]
        if "result" in found:
            lines.append(result_line(number, found["result"]))
        return ["\n".join(["```json", *lines, "```"])]

    def limits(self):
        """Yields the rows about the length of texts for which clients usually need the limit."""
        for call in self.description["methods"]:
            for param in call["params"]:
                if (call["name"], param["name"]) in (("host/hello", "client"), ("context/set", "context")):
                    yield f"bytes of `{param['name']}`", str(param["schema"]["maxLength"]), link(call["name"])

    def conversation(self):
        """Returns the lines of a short session."""
        session = self.examples["session/launch"]["result"]
        press = {"kind": "acceptsPresses", "accepts": True}
        lines = []
        for number, (name, params, result, event) in enumerate((
            ("host/hello", {"versions": [1]}, self.examples["host/hello"]["result"], None),
            ("session/launch", self.examples["session/launch"]["params"], session, press),
            ("session/press", session | {"button": "primary"}, {}, None),
            ("session/dismiss", session, {}, {"kind": "dismissing"}),
        ), 1):  # fmt: skip
            lines += ["> " + call_line(number, name, params), "< " + result_line(number, result)]
            if event:
                lines.append("< " + call_line(None, "session/event", session | {"event": event}))
        return "\n".join(lines)


def error_example():
    """Returns the response to a request about an app that is not installed."""
    message = "org.example.camera: no app has this ID; list the installed apps with 'darkroom list'"
    error = {"code": -32000, "message": message, "data": {"kind": "notInstalled", "id": "org.example.camera"}}
    return {"jsonrpc": "2.0", "id": 2, "error": error}


def check(description, examples):
    """Raises ValueError if an example or KINDS does not match the description."""
    schemas = description["components"]["schemas"]
    kinds = schemas["ErrorData"]["properties"]["kind"]["enum"]
    if list(KINDS) != kinds:
        raise ValueError(f"reference.py: KINDS and the description differ in {sorted(set(KINDS) ^ set(kinds))}")
    calls = {call["name"]: call for call in description["methods"] + description["x-notifications"]}
    faults = [f"{name}: not in the description" for name in examples if name not in calls]
    for name, value in examples.items():
        call = calls.get(name, {"params": []})
        faults += mismatches(value["params"], parameter_schema(call), schemas, f"{name}: params")
        if "result" in call:
            faults += mismatches(value["result"], call["result"]["schema"], schemas, f"{name}: result")
    faults += mismatches(error_example()["error"]["data"], schemas["ErrorData"], schemas, "error: data")
    if faults:
        raise ValueError("examples.json: " + "; ".join(faults))


def parameter_schema(call):
    """Returns the schema of the object with all parameters."""
    return {
        "type": "object",
        "properties": {param["name"]: param["schema"] for param in call["params"]},
        "required": [param["name"] for param in call["params"] if param["required"]],
        "additionalProperties": False,
    }


def mismatches(value, expected, schemas, path):
    """Returns a text for each part of a value that does not match its schema."""
    expected = schemas.get(referenced(expected), expected)
    kind = CLASSES[expected["type"]]
    if not isinstance(value, kind) or (isinstance(value, bool) and kind is not bool):
        return [f"{path}: not of type {expected['type']}"]
    found = []
    if "enum" in expected and value not in expected["enum"]:
        found.append(f"{path}: '{value}' is not permitted")
    if isinstance(value, list):
        for index, item in enumerate(value):
            found += mismatches(item, expected["items"], schemas, f"{path}[{index}]")
    if isinstance(value, dict):
        properties, others = expected.get("properties", {}), expected.get("additionalProperties", True)
        found += [f"{path}.{name}: missing" for name in expected.get("required", []) if name not in value]
        found += [f"{path}.{name}: unknown" for name in value if name not in properties and others is False]
        for name, item in value.items():
            member = properties.get(name, others)
            found += mismatches(item, member, schemas, f"{path}.{name}") if isinstance(member, dict) else []
    return found
