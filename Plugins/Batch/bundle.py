#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Creates an OCI bundle that runs `darkroom batch` in a container of crun or runc.

  Plugins/Batch/bundle.py BUNDLE --darkroom PROGRAM --inputs DIR --state DIR [--user UID] -- ARG...

The bundle has the programs of this machine (/usr, read-only), `darkroom`, the inputs at /inputs (read-only) and the
state root at /state. ARG... are the arguments of `darkroom batch`. No image has to be built or downloaded. The user must
own the directory of the state root. A user other than root can create the namespaces of the sessions in such a container.
"""

import argparse
import json
import os
import pathlib
import resource

# The directories of the root. The sandbox creates its own root from these.
DIRECTORIES = ["dev", "etc", "inputs", "opt/darkroom", "proc", "state", "sys", "tmp", "usr"]
LINKS = {"bin": "usr/bin", "lib": "usr/lib", "lib64": "usr/lib64", "sbin": "usr/sbin"}
NAMESPACES = ["pid", "ipc", "uts", "mount", "network"]


def bind(source, destination, *options):
    """Returns a bind mount."""
    return {"type": "bind", "source": str(source), "destination": destination, "options": ["rbind", *options]}


def mounts(programs, inputs, state):
    """Returns the mounts of the container."""
    return [
        {"type": "proc", "source": "proc", "destination": "/proc"},
        {"type": "tmpfs", "source": "tmpfs", "destination": "/dev", "options": ["nosuid", "strictatime", "mode=755"]},
        {"type": "tmpfs", "source": "tmpfs", "destination": "/tmp", "options": ["nosuid", "nodev", "mode=1777"]},
        {"type": "sysfs", "source": "sysfs", "destination": "/sys", "options": ["nosuid", "noexec", "nodev", "ro"]},
        bind("/usr", "/usr", "ro"),
        bind(programs, "/opt/darkroom", "ro"),
        bind(inputs, "/inputs", "ro", "nosuid", "nodev", "noexec"),
        bind(state, "/state", "nosuid", "nodev"),
    ]


def configuration(arguments, user, bound):
    """Returns the configuration of the container."""
    # Only a privileged process can raise the hard limit. Each session needs about twelve descriptors.
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return {
        "ociVersion": "1.0.2",
        "process": {
            "user": {"uid": user, "gid": user},
            "args": ["/opt/darkroom/darkroom", "batch", "--root", "/state", *arguments],
            "cwd": "/inputs",
            "env": ["PATH=/opt/darkroom:/usr/bin", "HOME=/state"],
            "noNewPrivileges": True,
            "capabilities": {},
            "rlimits": [{"type": "RLIMIT_NOFILE", "soft": min(1024, hard), "hard": hard}],
        },
        "root": {"path": "rootfs", "readonly": True},
        "hostname": "batch",
        "mounts": bound,
        "linux": {
            "namespaces": [{"type": name} for name in NAMESPACES],
            # The kernel lets a user namespace mount /proc only if no part of the container's /proc is hidden. The
            # sessions of Darkroom see only their own processes there.
            "maskedPaths": [],
            "readonlyPaths": [],
        },
    }


def write_root(root):
    """Creates the directories and links of the root."""
    for name in DIRECTORIES:
        (root / name).mkdir(parents=True, exist_ok=True)
    for name, target in LINKS.items():
        if not os.path.lexists(root / name):
            (root / name).symlink_to(target)
    (root / "etc/passwd").write_text("root:x:0:0::/state:/usr/sbin/nologin\n")


def main():
    """Creates the bundle."""
    plain = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=plain)
    parser.add_argument("bundle", type=pathlib.Path, help="the directory of the new bundle")
    parser.add_argument("--darkroom", type=pathlib.Path, required=True, help="the program darkroom")
    parser.add_argument("--inputs", type=pathlib.Path, required=True, help="the directory of the inputs")
    parser.add_argument("--state", type=pathlib.Path, required=True, help="the directory of the state root")
    parser.add_argument("--user", type=int, default=os.getuid() or 65532, help="the UID and GID (for root: 65532)")
    parser.add_argument("arguments", nargs="+", metavar="ARG", help="the arguments of 'darkroom batch'")
    chosen = parser.parse_args()
    write_root(chosen.bundle / "rootfs")
    bound = mounts(chosen.darkroom.resolve().parent, chosen.inputs.resolve(), chosen.state.resolve())
    content = configuration(chosen.arguments, chosen.user, bound)
    (chosen.bundle / "config.json").write_text(json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    main()
