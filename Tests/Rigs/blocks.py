#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks which texts a command has written to a disk, and which not.

  blocks.py --disk PROGRAM --file-system ext4|xfs|btrfs --workload COMMAND --absent TEXT --present TEXT

PROGRAM is darkroom-recorded-disk. sh runs the workload once with a new file system mounted at $DISK, which is then
synchronized and unmounted. The script searches every write to the disk, and the final contents of the disk. It must not find
the text of --absent. It must find the text of --present, which proves that the search works. The exit code is 0 in this case,
and otherwise 1. The last line of the output is JSON.
"""

import argparse
import json
import sys

from recorded_disk import FILE_SYSTEMS, Recording, read_log, scratch


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("--disk", "--workload", "--absent", "--present"):
        parser.add_argument(name, required=True)
    parser.add_argument("--file-system", choices=FILE_SYSTEMS, default="ext4")
    options = parser.parse_args()
    directory = scratch()
    recording = Recording(directory)
    # Including the writes of unmounting, so that no data is still in memory.
    status = recording.make(
        options.disk, FILE_SYSTEMS[options.file_system], directory, None, options.workload, whole=True)
    with open(recording.live, "rb") as file:
        image = file.read()
    writes = [entry.bytes for entry in read_log(recording.log) if entry.kind == "W"]
    found = {
        text: sum(write.count(text.encode()) for write in writes) + image.count(text.encode())
        for text in (options.absent, options.present)
    }
    findings = (status != 0) + (found[options.absent] != 0) + (found[options.present] == 0)
    print(json.dumps({
        "status": status, "writes": len(writes), "kibibytes": sum(map(len, writes)) >> 10, "absent": found[options.absent],
        "present": found[options.present], "findings": findings,
    }))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
