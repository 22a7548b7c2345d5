# SPDX-License-Identifier: Apache-2.0
"""Makes the tables of the C library from the OpenRPC description of `darkroom-host`.

`.ci/interface` calls files(), which returns the text of each file by its path in the repository.
"""

import re

HEADER = "Sources/SDK/CDarkroom/host_interface.h"
# The maximum length of a line.
WIDTH = 120


def identifier(*names):
    """Returns the C identifier for the names of a method or of nested members: `idleTimeout` becomes `IDLE_TIMEOUT`."""
    words = [re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name) for name in names]
    return re.sub(r"[^A-Za-z0-9]+", "_", "_".join(words)).upper()


def quoted(text):
    """Returns a C string."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def enumerations(schema, names):
    """Yields the names of the members that contain an enumeration, and its values."""
    if "enum" in schema:
        yield names, schema["enum"]
    for name, member in schema.get("properties", {}).items():
        yield from enumerations(member, [*names, name])
    if isinstance(schema.get("items"), dict):
        yield from enumerations(schema["items"], names)


def all_enumerations(description):
    """Returns the values of every enumeration by the identifier of its member."""
    found = {}
    for name, schema in description["components"]["schemas"].items():
        found |= {identifier(*names): values for names, values in enumerations(schema, [name])}
    for method in description["methods"]:
        for param in method["params"]:
            members = enumerations(param["schema"], [method["name"], param["name"]])
            found |= {identifier(*names): values for names, values in members}
        members = enumerations(method["result"]["schema"], [method["name"], "result"])
        found |= {identifier(*names): values for names, values in members}
    return found


def name_macros(kind, entries):
    """Returns the lines that define a macro with the name of each method or notification."""
    return [f"#define DK_{kind}_{identifier(entry['name'])} {quoted(entry['name'])}" for entry in entries]


def list_macro(name, values):
    """Returns the lines that define a macro with a list of strings, which ends with NULL."""
    lines, line = [], f"#define DK_NAMES_{name} {{"
    for value in [*map(quoted, values), "NULL}"]:
        part = value if value == "NULL}" else value + ", "
        if len(line) + len(part) + 1 > WIDTH:
            lines.append(line.rstrip() + " \\")
            line = "  "
        line += part
    return [*lines, line]


def enumeration_macros(name, values):
    """Returns the lines that define the values of an enumeration and their number."""
    return [*list_macro(name, values), f"#define DK_COUNT_{name} {len(values)}"]


def error_kinds(values):
    """Returns the lines that define the kinds of errors, whose numbers are positions in the list of their names."""
    constants = [f"  DK_ERROR_{identifier(value)} = {number}," for number, value in enumerate(values, 1)]
    return ["enum dk_error_kind {", *constants, "};"]


def header(description):
    """Returns the text of the header."""
    found = all_enumerations(description)
    lines = [
        "// SPDX-License-Identifier: Apache-2.0",
        "// Made by .ci/interface from host.openrpc.json. Change the description instead of this file.",
        "#ifndef DARKROOM_HOST_INTERFACE_H",
        "#define DARKROOM_HOST_INTERFACE_H",
        "",
        "/// The version of the interface.",
        f"#define DK_INTERFACE_VERSION {int(description['info']['version'])}",
        "",
        "// The methods.",
        *name_macros("METHOD", description["methods"]),
        "",
        "// The notifications of the server.",
        *name_macros("NOTIFICATION", description["x-notifications"]),
        "",
        "/// The positions of the kinds of errors in DK_NAMES_ERROR_DATA_KIND, from 1.",
        *error_kinds(found["ERROR_DATA_KIND"]),
        "",
        "// The values of the enumerations, as lists for dk_json_choice(), and their numbers.",
    ]
    for name, values in found.items():
        lines += enumeration_macros(name, values)
    return "\n".join([*lines, "", "#endif", ""])


def files(description):
    """Returns the text of each file by its path in the repository."""
    return {HEADER: header(description)}
