#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Simulates thousands of power failures on a recorded disk.

  powerfail.py --disk PROGRAM --file-system ext4|xfs|btrfs --workload COMMAND --check COMMAND [OPTION…]

PROGRAM is darkroom-recorded-disk. sh runs the workload once with a new file system mounted at $DISK. Each line that the
workload writes to $MARK with one write(2) is an acknowledgement: it promises that the acknowledged data survives a power
failure. The disk records all writes and flushes. From the recording, the script rebuilds possible states of the disk after a
power failure. Writes before the last completed flush survive. Of the later writes, none, all, or some survive, in any order, and
possibly torn at 4096 bytes. The script mounts each of these disks, which replays the journal of the file system, and runs the
check without a shell: $DISK is the file system; $ACKS and $MARK name a file with the lines acknowledged before the failure.
An exit code of the check other than 0 is a finding.

  --prepare COMMAND    run COMMAND before the workload, without simulated failures
  --failures N         the number of failures (200)
  --seed N             the seed for the times and kinds of the failures (1)
  --only I:KIND:SEED   simulate only the failure with the name that a finding prints
  --keep FILE          save the recording as FILE and FILE.base
  --log FILE           use a saved recording instead of running a workload
  --stop N             stop after N findings (10)

The exit code is 0 without findings, 1 with findings, and 77 if the requirements are missing. The last line of the output is
JSON. Disks that report a flush as completed too early are not simulated.
"""

import argparse
import json
import os
import random
import shlex
import shutil
import subprocess
import sys
import time

from recorded_disk import CANNOT, FILE_SYSTEMS, Mounted, Recording, copy_sparse, read_log, scratch

KINDS = ("none", "all", "some", "torn")
SECTOR = 4096


def surviving(pending, kind, seed):
    """Returns the writes after the last flush that survive a failure, in the order in which they reached the disk."""
    choice = random.Random(seed)
    if kind == "none":
        return []
    if kind == "all":
        return pending
    if kind == "torn":
        return [piece for entry in pending for piece in entry.pieces(SECTOR) if choice.random() < 0.5]
    kept = [entry for entry in pending if choice.random() < 0.5]
    if choice.random() < 0.5:
        choice.shuffle(kept)
    return kept


def plan(options, entries):
    """Returns the failures to simulate: lists of (kind, seed), keyed by the number of preceding entries.

    The marks at the beginning belong to the preparation.
    """
    first = next((index for index, entry in enumerate(entries) if entry.kind != "M"), len(entries))
    length = len(entries) - first
    if options.only:
        index, kind, seed = options.only.split(":")
        return {int(index): [(kind, int(seed))]}
    choice, chosen = random.Random(options.seed), {}
    for number in range(options.failures):
        # Distributed evenly over the recording; the seed determines the position in each part.
        part = choice.random() + number // len(KINDS)
        index = first + 1 + int(part * length / -(-options.failures // len(KINDS)))
        failure = (KINDS[number % len(KINDS)], choice.randrange(1 << 30))
        chosen.setdefault(min(index, len(entries)), []).append(failure)
    return chosen


class Trial:
    """The simulation of failures: rebuilds and checks the possible disks one after the other."""

    def __init__(self, options, directory, recording):
        self.options, self.directory = options, directory
        self.file_system = FILE_SYSTEMS[options.file_system]
        self.check = shlex.split(options.check)
        self.entries = read_log(recording.log)
        self.base = recording.base
        self.tried, self.findings, self.acknowledged = 0, 0, []
        os.makedirs(f"{directory}/mounted", exist_ok=True)

    def run(self):
        """Replays the history and simulates the planned failures."""
        chosen = plan(self.options, self.entries)
        durable, pending = os.open(self.base, os.O_RDWR), []
        for index, entry in enumerate(self.entries, 1):
            if entry.kind == "F":
                for earlier in pending:
                    earlier.put(durable)
                pending = []
            elif entry.kind == "M":
                self.acknowledged.append(entry.bytes)
            else:
                pending.append(entry)
            for kind, seed in chosen.get(index, ()):
                fault = self.fail(surviving(pending, kind, seed))
                self.tried += 1
                if fault is None:
                    continue
                self.findings += 1
                print(f"FINDING {index}:{kind}:{seed} after {len(self.acknowledged)} acknowledgements: {fault[:600]}")
                if self.findings >= self.options.stop:
                    return

    def fail(self, survivors):
        """Rebuilds and checks a disk. Returns the fault, or None."""
        # A new file each time, because a loop device that is being released can still cache the old contents.
        image = f"{self.directory}/image{self.tried}"
        copy_sparse(self.base, image)
        file = os.open(image, os.O_RDWR)
        for entry in survivors:
            entry.put(file)
        os.close(file)
        acknowledgements = f"{self.directory}/acknowledgements"
        # The check reads the acknowledgements under the name to which the workload wrote them.
        with open(acknowledgements, "wb") as lines:
            lines.write(b"".join(self.acknowledged))
        try:
            mounted = Mounted(image, f"{self.directory}/mounted", f"{self.directory}/node", self.file_system)
            with mounted as disk:
                environment = {**os.environ, "DISK": disk, "ACKS": acknowledgements, "MARK": acknowledgements}
                words = [os.path.expandvars(word.replace("$DISK", disk).replace("$ACKS", acknowledgements))
                         for word in self.check]
                ended = subprocess.run(
                    words, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                    stderr=subprocess.STDOUT, timeout=120)
        except (OSError, subprocess.TimeoutExpired) as error:
            return str(error)
        finally:
            os.unlink(image)
        if ended.returncode == 0:
            return None
        return ended.stdout.decode(errors="replace").strip() or f"status {ended.returncode}"


def arguments():
    """Parses the command line."""
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("--disk", "--workload", "--prepare", "--only", "--keep", "--log"):
        parser.add_argument(name)
    parser.add_argument("--check", required=True)
    parser.add_argument("--file-system", choices=FILE_SYSTEMS, default="ext4")
    for name, number in (("--failures", 200), ("--seed", 1), ("--stop", 10)):
        parser.add_argument(name, type=int, default=number)
    options = parser.parse_args()
    if not options.log and not (options.disk and options.workload):
        parser.error("give a saved recording (--log), or a disk and a workload (--disk, --workload)")
    return options


def main():
    options = arguments()
    if not shutil.which(FILE_SYSTEMS[options.file_system].words.split()[0]):
        print(f"SKIP: mkfs.{options.file_system}: command not found; .ci/setup --tests installs it")
        return CANNOT
    directory = scratch()
    recording, began = Recording(directory), time.monotonic()
    if options.log:
        recording.load(options.log)
    else:
        status = recording.make(
            options.disk, FILE_SYSTEMS[options.file_system], directory, options.prepare, options.workload)
        if status != 0:
            print(f"the workload exited with {status}")
            return 2
    if options.keep:
        recording.save(options.keep)
    recorded, trial = time.monotonic(), Trial(options, directory, recording)
    counts = {kind: sum(entry.kind == kind for entry in trial.entries) for kind in "WZFM"}
    trial.run()
    seconds = time.monotonic() - recorded
    print(json.dumps({
        "fileSystem": options.file_system, "writes": counts["W"] + counts["Z"], "flushes": counts["F"],
        "acknowledgements": counts["M"], "kibibytes": sum(len(entry.bytes) for entry in trial.entries) >> 10,
        "recordingSeconds": round(recorded - began, 2), "failures": trial.tried, "findings": trial.findings,
        "millisecondsEach": round(seconds * 1000 / max(trial.tried, 1), 1),
    }))
    return 1 if trial.findings else 0


if __name__ == "__main__":
    sys.exit(main())
