#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a script as root in a virtual machine with read-only access to the files of this machine.

  machine.py --boot DIRECTORY [--timeout SECONDS] [--arm64 ROOT] WORK SCRIPT [NAME=VALUE ...]

DIRECTORY is the output of machine_boot.py. With --arm64, the processor is a 64-bit Arm processor, and the files are those
below ROOT instead of those of this machine. WORK is mounted read-write as /rig; the output of the script is in its file
`console`. The exit code is that of the script, 124 after a timeout, and 125 if the script did not complete. The
processor is emulated, so the machine needs no privileges and runs inside other virtual machines. Its timing is not
meaningful, and it is not an isolation boundary.
"""

import argparse
import os
import shlex
import shutil
import subprocess
import sys

PARSER = argparse.ArgumentParser()
PARSER.add_argument("--boot", required=True)
PARSER.add_argument("--timeout", type=float, default=120)
PARSER.add_argument("--arm64")
PARSER.add_argument("work")
PARSER.add_argument("script")
PARSER.add_argument("variables", nargs="*")


def share(path, tag, access):
    """Returns the options that share a directory with the virtual machine."""
    device = f"local,id={tag},path={path},security_model=none,multidevs=remap{access}"
    return ["-fsdev", device, "-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}"]


# One old processor: two processors are 50 % slower to emulate, and a newer model 20 %.
AMD64 = "qemu-system-x86_64 -machine q35 -cpu Nehalem,+rdrand -smp 1"
# All features that the emulator has, and two processors: the purpose is to find differences, not to be fast.
ARM64 = "qemu-system-aarch64 -machine virt -cpu max,pauth-impdef=on -smp 2"


def command(boot, work, arm64):
    """Returns the emulator command. KVM is not used: it may be unable to run this kernel, and a hang would have no fallback."""
    # The kernel kills the emulator when this program exits.
    words = ["setpriv", "--pdeathsig", "KILL", *(ARM64 if arm64 else AMD64).split(), "-accel", "tcg,tb-size=256"]
    words += ["-m", "1536" if arm64 else "768", "-nodefaults", "-no-user-config", "-nographic", "-no-reboot"]
    words += ["-serial", f"file:{work}/console", "-monitor", "none", "-device", "virtio-rng-pci"]
    words += ["-kernel", f"{boot}/vmlinux", "-initrd", f"{boot}/initrd"]
    words += share(arm64 or "/", "root", ",readonly=on") + share(work, "work", "")
    console = "ttyAMA0" if arm64 else "ttyS0"
    return words + ["-append", f"console={console} quiet panic=-1 reboot=t nokaslr mitigations=off"]


def main():
    chosen = PARSER.parse_args()
    boot, work = os.path.abspath(chosen.boot), os.path.abspath(chosen.work)
    if not os.path.exists(f"{boot}/made-of"):
        sys.exit(f"{boot} contains no virtual machine; run .ci/setup --tests, or machine_boot.py {boot}")
    shutil.copy(chosen.script, f"{work}/job")
    variables = [variable.split("=", 1) for variable in chosen.variables]
    with open(f"{work}/run", "w") as file:
        file.write("export HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb\n")
        file.write("".join(f"export {name}={shlex.quote(value)}\n" for name, value in variables))
        file.write("exec >/dev/console 2>&1 </dev/null; cd /rig; ip link set lo up 2>/dev/null\n")
        file.write("setsid bash /rig/job; echo $? >/rig/status.new; sync -f /rig/status.new\n")
        file.write("mv /rig/status.new /rig/status; echo o >/proc/sysrq-trigger; sleep 60\n")
    # The emulator has one thread and is the longest job of a test run, so it gets a higher priority if run as root.
    if os.geteuid() == 0:
        os.nice(-10)
    try:
        subprocess.run(
            command(boot, work, chosen.arm64), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, timeout=chosen.timeout
        )
    except subprocess.TimeoutExpired:
        sys.exit(124)
    try:
        sys.exit(int(open(f"{work}/status").read()))
    except (OSError, ValueError):
        sys.exit(125)


main()
