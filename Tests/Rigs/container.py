#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a command in a container with this machine's programs and the defaults of Docker, Podman or Kubernetes.

  container.py [OPTION]... -- COMMAND [ARGUMENT]...    run as root; requires crun

  --profile FILE     the seccomp profile, in the format of Docker and Podman
  --user UID         the UID and GID of the command: 0 if not given
  --read-only        make the root file system read-only, as readOnlyRootFilesystem does
  --no-privileges    drop every capability and set no_new_privs, as Kubernetes' restricted Pod Security Standard does
  --add CAPABILITY   add a capability to Docker's default list, such as CAP_SYS_ADMIN; can be repeated
  --unconfined       ignore the profile, as seccomp=unconfined does
  --unmasked         do not hide parts of /proc and /sys, as procMount: Unmasked does
  --share DIRECTORY  show a directory of this machine, writable; can be repeated

The root file system is an empty directory with read-only bind mounts of this machine's directories, and /tmp and /run in
memory. The command has the environment of this script. The exit code is that of the command, or 125 if the container could
not be created.
"""

import argparse
import errno
import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile

# The default capabilities of Docker 28 (oci/caps/defaults.go).
CAPABILITIES = [
    "CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FSETID", "CAP_FOWNER", "CAP_MKNOD", "CAP_NET_RAW", "CAP_SETGID", "CAP_SETUID",
    "CAP_SETFCAP", "CAP_SETPCAP", "CAP_NET_BIND_SERVICE", "CAP_SYS_CHROOT", "CAP_KILL", "CAP_AUDIT_WRITE",
]
# The default paths of Docker 28 (oci/defaults.go), which Kubernetes names procMount: Default.
MASKED = [
    "/proc/acpi", "/proc/asound", "/proc/interrupts", "/proc/kcore", "/proc/keys", "/proc/latency_stats", "/proc/sched_debug",
    "/proc/scsi", "/proc/timer_list", "/proc/timer_stats", "/sys/devices/virtual/powercap", "/sys/firmware",
]
READ_ONLY = ["/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger"]


def arguments():
    """Returns the parsed command line."""
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--profile", required=True)
    parser.add_argument("--user", type=int, default=0)
    parser.add_argument("--read-only", action="store_true")
    parser.add_argument("--no-privileges", action="store_true")
    parser.add_argument("--add", action="append", default=[])
    parser.add_argument("--unconfined", action="store_true")
    parser.add_argument("--unmasked", action="store_true")
    parser.add_argument("--share", action="append", default=[])
    parser.add_argument("command", nargs=argparse.REMAINDER)
    return parser.parse_args()


def applies(rule, capabilities):
    """Returns whether a rule of a profile applies to this machine and these capabilities."""
    machine = {"x86_64": "amd64", "aarch64": "arm64"}.get(platform.machine(), platform.machine())
    present = {"caps": set(capabilities), "arches": {machine}}
    wanted, unwanted = rule.get("includes") or {}, rule.get("excludes") or {}
    # Every supported kernel is newer than the minKernel of these profiles.
    included = all(set(wanted[kind]) & names for kind, names in present.items() if wanted.get(kind))
    return included and not any(set(unwanted[kind]) & names for kind, names in present.items() if unwanted.get(kind))


def filter_of(profile, capabilities):
    """Returns the seccomp member of a runtime configuration, with the rules of a profile that apply."""
    with open(profile, encoding="utf-8") as file:
        profile = json.load(file)
    machine = {"x86_64": "SCMP_ARCH_X86_64", "aarch64": "SCMP_ARCH_AARCH64"}[platform.machine()]
    sub = [entry for entry in profile["archMap"] if entry["architecture"] == machine]
    members = ("names", "action", "args", "errnoRet")
    calls = [{name: rule[name] for name in members if rule.get(name) is not None}
             for rule in profile["syscalls"] if applies(rule, capabilities)]
    return {
        "defaultAction": profile["defaultAction"],
        "defaultErrnoRet": profile.get("defaultErrnoRet", errno.EPERM),
        "architectures": [machine] + sub[0].get("subArchitectures", []),
        "syscalls": calls,
    }


def mounts(root, options):
    """Returns the mounts of a container, and creates the links of the root file system."""
    result = [
        {"destination": "/proc", "type": "proc", "source": "proc", "options": ["nosuid", "noexec", "nodev"]},
        {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "strictatime", "mode=755"]},
        {"destination": "/dev/pts", "type": "devpts", "source": "devpts", "options": ["nosuid", "noexec", "newinstance", "ptmxmode=0666"]},
        {"destination": "/dev/shm", "type": "tmpfs", "source": "shm", "options": ["nosuid", "noexec", "nodev", "mode=1777"]},
        {"destination": "/sys", "type": "sysfs", "source": "sysfs", "options": ["nosuid", "noexec", "nodev", "ro"]},
    ]
    for name in ("/run", "/tmp", "/var/tmp"):
        result.append({"destination": name, "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "nodev", "mode=1777"]})
    for name in ("bin", "sbin", "lib", "lib32", "lib64", "libx32", "usr", "etc", "opt"):
        path = f"/{name}"
        if os.path.islink(path):
            os.symlink(os.readlink(path), f"{root}/{name}")
        elif os.path.isdir(path):
            result.append({"destination": path, "type": "bind", "source": path, "options": ["rbind", "ro"]})
    for path in options.share:
        result.append({"destination": path, "type": "bind", "source": path, "options": ["rbind", "rw"]})
    return result


def configuration(root, options):
    """Returns the runtime configuration of a container (OCI runtime specification, config.md)."""
    capabilities = [] if options.no_privileges else CAPABILITIES + options.add
    effective = capabilities if options.user == 0 else []
    # Container runtimes set the variable `container`.
    variables = [f"{name}={value}" for name, value in {**os.environ, "container": "oci"}.items()]
    command = options.command[1:] if options.command[:1] == ["--"] else options.command
    return {
        "ociVersion": "1.0.2",
        "root": {"path": root, "readonly": options.read_only},
        "hostname": "container",
        "process": {
            "terminal": False, "cwd": "/", "args": command, "env": variables,
            "user": {"uid": options.user, "gid": options.user},
            "noNewPrivileges": options.no_privileges,
            "capabilities": {"bounding": capabilities, "effective": effective, "permitted": effective},
        },
        "mounts": mounts(root, options),
        "linux": {
            "namespaces": [{"type": name} for name in ("pid", "mount", "ipc", "uts", "network", "cgroup")],
            "maskedPaths": [] if options.unmasked else MASKED,
            "readonlyPaths": [] if options.unmasked else READ_ONLY,
            **({} if options.unconfined else {"seccomp": filter_of(options.profile, capabilities)}),
        },
    }


def main():
    """Runs the command, and returns its exit code."""
    options = arguments()
    runtime = shutil.which("crun")
    if runtime is None or os.geteuid() != 0:
        print("container.py: crun is not installed, or the user is not root", file=sys.stderr)
        return 125
    with tempfile.TemporaryDirectory(prefix="darkroom-container-") as bundle:
        os.chmod(bundle, 0o755)
        root = f"{bundle}/root"
        os.mkdir(root)
        with open(f"{bundle}/config.json", "w", encoding="utf-8") as file:
            json.dump(configuration(root, options), file)
        state = ["--root", f"{bundle}/state", "--cgroup-manager=disabled"]
        run = [runtime] + state + ["run", "--bundle", bundle, os.path.basename(bundle)]
        # crun rejects machines that mount control groups of both versions, although the container has none.
        private = ["unshare", "--mount", "--", "sh", "-c", 'mount -t cgroup2 none /sys/fs/cgroup && exec "$@"', "sh"]
        return subprocess.run(private + run, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
