#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Validates the manifests of Kubernetes Jobs with the schemas of several Kubernetes versions.

  kubernetes.py --prepare DIRECTORY         downloads the schemas to DIRECTORY, unless they exist
  kubernetes.py DIRECTORY MANIFEST [...]    prints each error, and exits with 1 if there is one

The schemas come from kubernetes-validate, a package of PyPI, whose file is compared with its SHA-256 digest before it is
opened. The strict schemas are used: they reject members that Kubernetes does not know.
"""

import json
import os
import subprocess
import sys
import tempfile
import zipfile

import jsonschema
import yaml

PACKAGE = "kubernetes-validate==1.37.0"
DIGEST = "sha256:85136d018a27b50ec7fc049d902bfa5193f5976807e6c0f408e3ab6fe078cad9"
# The oldest and the newest version that are checked.
VERSIONS = ["1.30.0", "1.37.0"]
FILES = ["job-batch-v1.json", "_definitions.json"]


def prepare(directory):
    """Downloads the package, and keeps the schemas of Jobs and their definitions."""
    if os.path.isdir(directory):
        return
    with tempfile.TemporaryDirectory() as scratch:
        with open(f"{scratch}/requirements.txt", "w") as file:
            file.write(f"{PACKAGE} --hash={DIGEST}\n")
        pip = [sys.executable, "-m", "pip", "-q", "download", "--no-deps", "--require-hashes", "-d", scratch]
        subprocess.run([*pip, "-r", f"{scratch}/requirements.txt"], check=True, stdout=sys.stderr)
        (wheel,) = [name for name in os.listdir(scratch) if name.endswith(".whl")]
        # The directory is renamed when it is complete, so that an interrupted run leaves none.
        os.makedirs(os.path.dirname(directory), exist_ok=True)
        with tempfile.TemporaryDirectory(dir=os.path.dirname(directory)) as made:
            with zipfile.ZipFile(f"{scratch}/{wheel}") as archive:
                for version in VERSIONS:
                    os.makedirs(f"{made}/schemas/{version}")
                    for name in FILES:
                        member = f"kubernetes_validate/kubernetes-json-schema/v{version}-local-strict/{name}"
                        with open(f"{made}/schemas/{version}/{name}", "wb") as file:
                            file.write(archive.read(member))
            os.rename(f"{made}/schemas", directory)


def validator(directory, version):
    """Returns the validator of a Job in a version. The references of the schemas are resolved without the network."""
    schema, definitions = (json.loads(open(f"{directory}/{version}/{name}").read()) for name in FILES)
    resolver = jsonschema.RefResolver.from_schema(schema, store={definitions["$id"]: definitions})
    return jsonschema.Draft202012Validator(schema, resolver=resolver)


def errors(directory, path):
    """Yields a line for each place in a manifest that the schema of a version rejects."""
    with open(path) as file:
        manifest = yaml.safe_load(file)
    for version in VERSIONS:
        for error in validator(directory, version).iter_errors(manifest):
            place = ".".join(str(part) for part in error.absolute_path) or "the document"
            yield f"{path}: Kubernetes {version}: {place}: {error.message}"


def main(arguments):
    """Runs the command line."""
    match arguments:
        case ["--prepare", directory]:
            prepare(directory)
        case [directory, _, *_] if not directory.startswith("-"):
            if not os.path.isdir(directory):
                print(f"kubernetes.py: {directory}: no such directory; create it with --prepare", file=sys.stderr)
                return 66
            found = [line for path in arguments[1:] for line in errors(directory, path)]
            for line in found:
                print(line)
            return 1 if found else 0
        case _:
            print(__doc__, file=sys.stderr)
            return 64
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
