# SPDX-License-Identifier: Apache-2.0
"""Tests of the generated modules against the description of the interface."""

import subprocess
import unittest
from typing import get_args

from darkroom.host import _interface, _schemas
from fake_server import DESCRIPTION, METHODS, NOTIFICATIONS, ROOT, faults, parameters, sample


class InterfaceTests(unittest.TestCase):
    def test_the_generated_files_agree_with_the_description(self):
        result = subprocess.run([ROOT / ".ci/interface", "--check"], capture_output=True, text=True)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, "", ""))

    def test_an_unknown_argument_is_rejected(self):
        result = subprocess.run([ROOT / ".ci/interface", "--chek"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 64)
        self.assertIn("use --check or no argument", result.stderr)

    def test_the_table_has_each_method_with_its_parameters(self):
        self.assertEqual(list(_interface.METHODS), list(METHODS))
        for name, method in METHODS.items():
            found = _interface.METHODS[name]
            items = method["params"]
            self.assertEqual(list(found.required), [item["name"] for item in items if item["required"]], name)
            self.assertEqual(list(found.optional), [item["name"] for item in items if not item["required"]], name)
            self.assertEqual(found.descriptors, len(method.get("x-descriptors", [])), name)

    def test_the_table_has_each_notification_and_error_code(self):
        expected = {name: tuple(item["name"] for item in note["params"]) for name, note in NOTIFICATIONS.items()}
        self.assertEqual(_interface.NOTIFICATIONS, expected)
        self.assertEqual({str(code): text for code, text in _interface.ERROR_CODES.items()}, DESCRIPTION["x-errors"])
        self.assertEqual(_interface.VERSIONS, (int(DESCRIPTION["info"]["version"]),))

    def test_each_schema_is_a_class_or_a_list_of_words(self):
        for name, schema in DESCRIPTION["components"]["schemas"].items():
            if "enum" in schema:
                self.assertEqual(list(get_args(getattr(_schemas, name))), schema["enum"])
                continue
            for is_complete in (True, False):
                value = sample(schema, is_complete)
                self.assertEqual(faults(value, schema), [])
                decoded = getattr(_schemas, name)._of(value)
                missing = [member for member, found in vars(decoded).items() if found is None]
                self.assertEqual(len(schema["properties"]) - len(missing), len(value), name)

    def test_the_members_of_requests_agree_with_the_schema(self):
        for name in ("LaunchOptions", "Decision"):
            value = sample(DESCRIPTION["components"]["schemas"][name])
            self.assertEqual(getattr(_schemas, name)._of(value)._fields(), value)

    def test_the_checks_of_the_fake_server_find_faults(self):
        schema = parameters(METHODS["session/press"])
        session = "5b0f3b0e-6a0c-4f0b-9c53-0c0e8b2f7a11"
        self.assertEqual(faults({"session": session, "button": "primary"}, schema), [])
        for params in ({}, {"session": "short", "button": "primary"}, {"session": session, "button": "third"}):
            self.assertNotEqual(faults(params, schema), [])
        self.assertNotEqual(faults({"session": session, "button": "primary", "other": 1}, schema), [])


if __name__ == "__main__":
    unittest.main()
