# SPDX-License-Identifier: Apache-2.0
"""Creates the reference page of the D-Bus service from the XML documents of its interfaces.

The prose of the page is in `dbus.md`, whose placeholders `{{name}}` are replaced.
"""

import pathlib
import re
import xml.etree.ElementTree

HERE = pathlib.Path(__file__).resolve().parent
DOCUMENTS = HERE.parent.parent / "Sources/Host/HostBus/Interfaces"
PAGE = "Sources/Darkroom.docc/Reference/DBus.md"
SUMMARY = "org.gtk.GDBus.DocString"
CHANGES = "org.freedesktop.DBus.Property.EmitsChangedSignal"
# The schemas of the host interface that summaries name.
SCHEMAS = (
    "ActiveSession|Asset|AssetSet|Authentication|CameraCapture|CameraDevice|Control|ControlPress|Decision|Delivery|"
    "DeviceUse|Diagnostic|Difference|Event|KeyBinding|LaunchOptions|LockReports|LogEntry|LogVerification|MachineProperty|MicrophoneDevice|PathAccess|"
    "PhotoDiscrepancy|PolicyTrial|QuarantinedContent|ReadinessCheck|Recovered|Result|StorageLimits|StorageUsage|Verdict"
)
# The sample values of properties in the output of `busctl introspect`. An ellipsis stands for any text.
VALUES = {
    "CanSetLockState": "false",
    "LockState": '"unlocked"',
    "Policies": '4 "base" "capture" "container" "strict"',
    "StateDirectory": '"…"',
    "Version": '"…"',
}


def files(description):
    """Returns the text of the page by its path in the repository. The JSON description is not used."""
    del description
    interfaces = {name: interface(name) for name in ("Manager", "App", "Extension", "Session")}
    replacements = {name: section(element) for name, element in interfaces.items()}
    replacements["busctl"] = busctl(interfaces["Manager"])
    template = (HERE / "dbus.md").read_text(encoding="utf-8")
    return {PAGE: re.sub(r"\{\{(\w+)\}\}", lambda found: replacements[found[1]], template)}


def interface(name):
    """Returns the element of an interface."""
    root = xml.etree.ElementTree.parse(DOCUMENTS / f"org.darkroom.Host1.{name}.xml").getroot()
    return root.find("interface")


def annotation(element, name):
    """Returns the value of an annotation, or an empty text."""
    found = element.find(f"annotation[@name='{name}']")
    return "" if found is None else found.get("value")


def summary(element):
    """Returns the summary of an element, with the names of schemas in code voice."""
    return re.sub(rf"(?<![`\w])({SCHEMAS})(?![`\w])(?=[.;, ]|$)", r"`\1`", annotation(element, SUMMARY))


def arguments(member, direction=None):
    """Returns the arguments of a member with a direction."""
    return [argument for argument in member.findall("arg") if argument.get("direction") == direction]


def signature(member, direction=None):
    """Returns the signature of a member's arguments with a direction."""
    return "".join(argument.get("type") for argument in arguments(member, direction))


def table(heading, rows):
    """Returns a table, or an empty text if there are no rows."""
    if not rows:
        return ""
    lines = [f"| {' | '.join(heading)} |", "|---" * len(heading) + "|"]
    lines += ["|" + "|".join(f" {cell} " if cell else " " for cell in row) + "|" for row in rows]
    return "\n".join(lines)


def member_rows(member, directions):
    """Returns the rows of a method or signal: one for the member, and one for each argument."""
    rows = [[f"`{member.get('name')}`", "", "", summary(member)]]
    for direction, mark in directions:
        for argument in arguments(member, direction):
            rows.append(["", f"{mark}`{argument.get('name')}`", argument.get("type"), summary(argument)])
    return rows


def section(element):
    """Returns the tables of an interface."""
    methods = [row for method in element.findall("method") for row in member_rows(method, [("in", ""), ("out", "→ ")])]
    signals = [row for signal in element.findall("signal") for row in member_rows(signal, [(None, "")])]
    properties = []
    for property_ in element.findall("property"):
        access = "read, write" if property_.get("access") == "readwrite" else "read"
        properties.append([f"`{property_.get('name')}`", property_.get("type"), access, summary(property_)])
    tables = [
        table(["method", "argument", "type", "meaning"], methods),
        table(["signal", "argument", "type", "meaning"], signals),
        table(["property", "type", "access", "meaning"], properties),
    ]
    return "\n\n".join(text for text in tables if text)


def busctl(element):
    """Returns the output of `busctl introspect` for an interface."""
    rows = [["NAME", "TYPE", "SIGNATURE", "RESULT/VALUE", "FLAGS"]]
    for method in sorted(element.findall("method"), key=lambda method: method.get("name")):
        name = f".{method.get('name')}"
        rows.append([name, "method", signature(method, "in") or "-", signature(method, "out") or "-", "-"])
    for property_ in sorted(element.findall("property"), key=lambda property_: property_.get("name")):
        name, is_writable = property_.get("name"), property_.get("access") == "readwrite"
        flags = "const" if annotation(property_, CHANGES) == "const" else "emits-change"
        row = [f".{name}", "property", property_.get("type"), VALUES[name], flags + " writable" * is_writable]
        rows.append(row)
    # busctl(1) reserves space for the names of the interfaces, too.
    sized = [*rows, [element.get("name"), "interface", "", "", ""]]
    widths = [max(len(row[column]) for row in sized) for column in range(5)]
    return "\n".join(" ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows)
