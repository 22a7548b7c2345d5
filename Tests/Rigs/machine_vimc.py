#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds the kernel module vimc, a simulated camera for libcamera, for the kernel that machine_boot.py has prepared.

  machine_vimc.py DIRECTORY    does nothing if the module exists; nothing is installed on this machine

Debian does not ship the module, so it is built from Debian's kernel sources (140 MB, downloaded once, and deleted after use).
The script requires apt-get, dpkg-deb, make and Debian's compiler, but no privileges.
"""

import hashlib
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCES = "drivers/media/test-drivers/vimc"


def contents(path):
    """Returns the contents of a file."""
    with open(path, "rb") as file:
        return file.read()


def fetch(directory, *packages):
    """Downloads packages to a directory."""
    # Only this user can enter the directory. apt must therefore not switch to its sandbox user (_apt).
    download = ["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "-o", "Acquire::Retries=3", "download", *packages]
    subprocess.run(download, check=True, cwd=directory)


def make(directory, release):
    """Builds the module and returns its path."""
    named = subprocess.run(
        ["apt-cache", "depends", f"linux-headers-{release}"], check=True, stdout=subprocess.PIPE, text=True
    ).stdout
    needed = re.findall(r"Depends: (linux-(?:headers|kbuild)-\S+)", named)
    (version,) = [name.removeprefix("linux-kbuild-") for name in needed if name.startswith("linux-kbuild-")]
    fetch(directory, f"linux-headers-{release}", *needed)
    for name in os.listdir(directory):
        subprocess.run(["dpkg-deb", "-x", name, "tree"], check=True, cwd=directory)
    headers = f"{directory}/tree/usr/src/linux-headers-{release}"
    with open(f"{headers}/Makefile", "r+") as file:
        text = file.read().replace("/usr/src/", f"{directory}/tree/usr/src/")
        file.seek(0)
        file.write(text)
    fetch(directory, f"linux-source-{version}")
    unpack = f"dpkg-deb --fsys-tarfile linux-source-*.deb | tar -xO ./usr/src/linux-source-{version}.tar.xz"
    unpack += f" | tar -xJ linux-source-{version}/{SOURCES}"
    subprocess.run(["bash", "-c", f"set -o pipefail; {unpack}"], check=True, cwd=directory)
    place = f"{directory}/linux-source-{version}/{SOURCES}"
    build = ["make", "-s", "-C", headers, f"M={place}", "CONFIG_VIDEO_VIMC=m", "modules"]
    subprocess.run(build, check=True, stdout=sys.stderr)
    subprocess.run(["strip", "--strip-debug", f"{place}/vimc.ko"], check=True)
    return f"{place}/vimc.ko"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    directory = os.path.abspath(sys.argv[1])
    found = re.search(rb"Linux version (\S+) ", contents(f"{directory}/vmlinux"))
    if not found:
        sys.exit(f"{sys.argv[0]}: the kernel in {directory} contains no version")
    release = found[1].decode()
    digest = hashlib.sha256(contents(__file__) + contents(f"{directory}/made-of")).hexdigest().encode()
    made = f"{directory}/vimc-made-of"
    if os.path.exists(made) and contents(made) == digest:
        return
    print(f"{sys.argv[0]}: building the module vimc for {release} in {directory}", file=sys.stderr)
    scratch = tempfile.mkdtemp()
    try:
        # A module of another kernel cannot be loaded. Without a module, the tests of this camera are skipped.
        if os.path.exists(f"{directory}/vimc.ko"):
            os.unlink(f"{directory}/vimc.ko")
        shutil.copy(make(scratch, release), f"{directory}/vimc.{os.getpid()}")
        os.rename(f"{directory}/vimc.{os.getpid()}", f"{directory}/vimc.ko")
        with open(made, "wb") as file:
            file.write(digest)
    except (OSError, subprocess.CalledProcessError, ValueError) as error:
        sys.exit(f"{sys.argv[0]}: {error}")
    finally:
        shutil.rmtree(scratch)


main()
