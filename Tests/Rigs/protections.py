#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests each layer of the sandbox alone, on machines without the Swift test framework.

  protections.py PROGRAMS [root|user]

PROGRAMS is the directory of darkroom-probe and darkroom-probe-host. The attacks are those of `darkroom-probe --list`, which
names the layers that refuse each attack. The tests are those of AttackBatteryTests: the complete sandbox refuses every attack;
the filter itself refuses each call that is assigned to it; each layer suffices without the others; and attacks succeed
without their layers. Some attacks are impossible on some machines, for example without /etc/hosts or with a newer kernel: they
are listed. The exit code is 1 if a test fails. Requires root; the argument names the user who launches.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

# The protections of darkroom-probe-host to remove for each layer that can be removed. Other layers belong to the kernel.
PROTECTIONS = {
    "seccomp": ["filter", "namespaceLimits", "mountTable", "layers"],
    "landlock": ["landlock"],
    "root": ["root"],
    "networkNamespace": ["network"],
    "ipcNamespace": ["ipc"],
    "cgroupNamespace": ["cgroup"],
    "limits": ["limits"],
    "descriptors": ["descriptors"],
    "timeNamespace": ["clocks"],
}
# The errors by which the filter tells programs that a call does not exist, so that they fall back.
MISSING = ("ENOSYS", "EOPNOTSUPP")
USERS = {"root": 0, "user": 65534}


class Attack:
    """An attack of the probe."""

    def __init__(self, line):
        self.name, self.kind, argument, self.summary, layers = line.split("\t")
        self.layers = layers.split(",")
        self.words = f"{self.name}={argument}" if argument else self.name
        self.removable = [layer for layer in self.layers if layer in PROTECTIONS]

    def protections(self, kept=None):
        """Returns the protections to remove so that only one layer, or none, is left."""
        return [name for layer in self.removable if layer != kept for name in PROTECTIONS[layer]]


class Sandbox:
    """A directory of a user with the programs, in which attacks are made."""

    def __init__(self, programs, directory, uid):
        self.directory, self.uid = directory, uid
        directory.chmod(0o755)
        for name in ("darkroom-probe", "darkroom-probe-host"):
            shutil.copy(programs / name, directory / name)
        root = directory / "root"
        root.mkdir()
        os.chown(root, uid, uid)

    def attacks(self):
        """Returns all attacks."""
        listed = subprocess.run([self.directory / "darkroom-probe", "--list"], check=True, capture_output=True, text=True)
        return [Attack(line) for line in listed.stdout.splitlines()]

    def make(self, attacks, without, policy="capture"):
        """Makes attacks. `without` returns the protections to remove for an attack. Yields attacks, verdicts and texts."""
        groups = {}
        for attack in attacks:
            groups.setdefault(tuple(without(attack)), []).append(attack)
        for protections, group in groups.items():
            words = [self.directory / "darkroom-probe-host", "--root", self.directory / "root"]
            words += ["--probe", self.directory / "darkroom-probe", "--policy", policy]
            words += [word for name in protections for word in ("--without", name)] + [attack.words for attack in group]
            drop = ["setpriv", f"--reuid={self.uid}", f"--regid={self.uid}", "--clear-groups"] if self.uid else []
            made = subprocess.run(drop + words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            lines = made.stdout.splitlines()
            if len(lines) < len(group):
                raise SystemExit(f"the host made {len(lines)} of {len(group)} attacks: {made.stdout[-500:]}")
            for attack, line in zip(group, lines):
                parts = line.split("\t")
                yield attack, parts[1] if len(parts) > 1 else "", parts[-1]


class Test:
    """A test, with its failures."""

    def __init__(self, name):
        self.name, self.count, self.failures = name, 0, []

    def check(self, condition, text):
        """Counts a check, and records its failure."""
        self.count += 1
        if not condition:
            self.failures.append(text)

    def report(self):
        """Prints the result. Returns whether all checks passed."""
        print(f"{self.name}: {self.count} checks, {len(self.failures)} failures", flush=True)
        for text in self.failures:
            print(f"  {text}")
        return not self.failures


def complete(sandbox, attacks):
    """The complete sandbox refuses every attack."""
    test = Test("no attack succeeds")
    for policy in ("capture", "strict"):
        for attack, verdict, text in sandbox.make(attacks, lambda _: [], policy):
            # A stricter policy may refuse the preparation of an attack.
            is_tried = verdict != "untried" or policy != "capture"
            test.check(verdict != "succeeded" and is_tried, f"{policy}, {attack.summary}: {verdict} {text}")
    return test.report()


def filtered(sandbox, attacks):
    """The filter refuses each call that is assigned to it, by an error that nothing else returns."""
    test = Test("the filter itself refuses each call assigned to it")
    assigned = [attack for attack in attacks if "seccomp" in attack.layers and attack.kind != "state"]
    for attack, verdict, text in sandbox.make(assigned, lambda attack: attack.protections("seccomp") + ["usualErrno"]):
        is_refused = verdict == "refused" and text.endswith(("EBADFD",) + MISSING)
        # Other calling conventions kill the program.
        is_ended = attack.kind == "conventions" and verdict.startswith("SIG")
        test.check(is_refused or is_ended, f"{attack.summary}: {verdict} {text}")
    return test.report()


def single(sandbox, attacks):
    """Each layer suffices without the others."""
    test = Test("each layer assigned to an attack suffices alone")
    for layer in PROTECTIONS:
        assigned = [attack for attack in attacks if len(attack.removable) > 1 and layer in attack.removable]
        for attack, verdict, text in sandbox.make(assigned, lambda attack: attack.protections(layer)):
            test.check(verdict != "succeeded", f"{layer} does not suffice: {attack.summary}: {text}")
    return test.report()


def removed(sandbox, attacks):
    """Attacks succeed without their layers. The filter has an error of its own, so that it is recognized if it is not removed."""
    test = Test("attacks succeed if their layers are removed")
    succeeded, impossible = 0, []

    def without(attack):
        names = attack.protections()
        return names if "filter" in names else names + ["usualErrno"]

    for attack, verdict, text in sandbox.make([attack for attack in attacks if attack.removable], without):
        succeeded += verdict == "succeeded"
        if len(attack.removable) == len(attack.layers) and verdict != "succeeded":
            impossible.append(f"{attack.summary}: {verdict} {text}")
        is_filtered = text.endswith("EBADFD") and "seccomp" in attack.layers
        test.check(not is_filtered, f"{attack.summary}: the filter was not removed")
    print(f"{succeeded} attacks succeeded without their layers; {len(impossible)} are impossible on this machine:")
    for text in impossible:
        print(f"  {text}")
    test.check(succeeded > 200, "too few attacks succeed to say that the tests can fail")
    return test.report()


def main():
    programs = pathlib.Path(sys.argv[1])
    # A session has its own /tmp, and cannot be shown files in that of the host.
    with tempfile.TemporaryDirectory(prefix="darkroom-protections-", dir="/var/lib") as directory:
        sandbox = Sandbox(programs, pathlib.Path(directory), USERS[sys.argv[2] if len(sys.argv) > 2 else "root"])
        attacks = sandbox.attacks()
        results = [test(sandbox, attacks) for test in (complete, filtered, single, removed)]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
