#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A store with correct and incorrect synchronization, to prove that powerfail.py distinguishes them.

  demo_store.py put safe|nofile|nofolder|inplace    stores 30 items in $DISK, and acknowledges each to $MARK
  demo_store.py check                               checks that $DISK contains all items of $ACKS and no damaged item

`safe` synchronizes the file, renames it, and synchronizes the directory. `nofile` and `nofolder` omit one of the two
synchronizations; `inplace` overwrites the same file repeatedly.
"""

import hashlib
import os
import sys

ITEMS = 30


def put(disk, how):
    """Stores the items."""
    mark, folder = os.open(os.environ["MARK"], os.O_WRONLY), os.open(disk, os.O_RDONLY)
    for number in range(ITEMS):
        data = os.urandom(20000)
        data = hashlib.sha256(data).digest() + data
        path = f"{disk}/thing" if how == "inplace" else f"{disk}/thing{number}"
        new = path if how == "inplace" else f"{path}.new"
        file = os.open(new, os.O_WRONLY | os.O_CREAT, 0o600)
        os.write(file, data)
        if how != "nofile":
            os.fsync(file)
        os.close(file)
        if how != "inplace":
            os.rename(new, path)
        if how != "nofolder":
            os.fsync(folder)
        os.write(mark, f"{number}\n".encode())


def check(disk):
    """Returns the faults."""
    names = {name for name in os.listdir(disk) if name.startswith("thing") and not name.endswith(".new")}
    for name in sorted(names):
        with open(f"{disk}/{name}", "rb") as file:
            data = file.read()
        if hashlib.sha256(data[32:]).digest() != data[:32]:
            yield f"{name} is broken ({len(data)} bytes)"
    with open(os.environ["ACKS"]) as file:
        acknowledged = [f"thing{number}" for number in file.read().split()]
    if "thing" in names:
        return
    for name in acknowledged:
        if name not in names:
            yield f"{name} was acknowledged and is missing"


if __name__ == "__main__":
    if sys.argv[1] == "put":
        put(os.environ["DISK"], sys.argv[2])
    else:
        faults = list(check(os.environ["DISK"]))
        print("; ".join(faults[:3]))
        sys.exit(1 if faults else 0)
