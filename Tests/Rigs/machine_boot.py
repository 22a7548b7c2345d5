#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Creates the files that machine.py boots: a Debian kernel, and an initial RAM file system with the required modules.

  machine_boot.py DIRECTORY         does nothing if the files exist; nothing is installed on this machine
  machine_boot.py DIRECTORY ROOT    uses the kernel and the busybox that are unpacked in ROOT, for any processor

The script requires apt-get, dpkg-deb, busybox-static and kmod, but no privileges. The kernel package (70 MB) is downloaded
once, and deleted after use.
"""

import gzip
import hashlib
import lzma
import os
import shutil
import stat
import struct
import subprocess
import sys
import tempfile

# The modules that the init loads, with their parameters: shared directories (9p), an overlay in memory, simulated
# input devices (uinput), and two simulated webcams (vivid). The second webcam supports only multi-planar formats.
MODULES = [
    ("virtio_pci", ""),
    ("virtio_rng", ""),
    ("9pnet_virtio", ""),
    ("9p", ""),
    ("overlay", ""),
    ("evdev", ""),
    ("uinput", ""),
    ("vivid", "n_devs=2 node_types=0x1,0x1 input_types=0x0,0x0 multiplanar=1,2"),
]


def output(*command):
    """Returns the output of a command."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def contents(path):
    """Returns the contents of a file."""
    with open(path, "rb") as file:
        return file.read()


def kernel(path):
    """Returns the kernel in an image. Booting an ELF kernel skips the decompression, which is slow in an emulator."""
    image = contents(path)
    if image[0x38:0x3C] == b"ARMd":
        return image  # not compressed
    if image[0x202:0x206] != b"HdrS":
        sys.exit(f"{path}: not a bzImage")
    offset, length = struct.unpack_from("<II", image, 0x248)
    start = image[0x1F1] * 512 + 512 + offset
    payload = image[start : start + length]
    if payload[:6] == b"\xfd7zXZ\0":
        return lzma.LZMADecompressor().decompress(payload)
    if payload[:2] == b"\x1f\x8b":
        return gzip.decompress(payload)
    # Unknown compression: the bzImage decompresses itself.
    return image


def archive(entries):
    """Returns a cpio archive in the format newc. Entries are tuples of name, mode and contents."""
    parts = []
    for number, (name, mode, data) in enumerate(entries + [("TRAILER!!!", 0, b"")]):
        fields = [number, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
        head = b"070701" + b"".join(b"%08X" % field for field in fields) + name.encode() + b"\0"
        parts += [head, b"\0" * (-len(head) % 4), data, b"\0" * (-len(data) % 4)]
    return b"".join(parts)


def modules(tree, release):
    """Yields the modules and their dependencies in the order of loading, as tuples of name, contents and parameters."""
    found = {}
    for name, words in MODULES:
        lines = output("/sbin/modprobe", "-d", tree, "-S", release, "--show-depends", name).splitlines()
        for line in lines:
            path = line.split()[1] if line.startswith("insmod ") else None
            if path and path not in found:
                found[path] = words if line is lines[-1] else ""
    for path, words in found.items():
        data, name = contents(path), os.path.basename(path)
        yield name.removesuffix(".xz"), lzma.decompress(data) if name.endswith(".xz") else data, words


def first_file_system(tree, release, init, busybox):
    """Returns the initial RAM file system. It is not compressed, because decompression is slow in an emulator."""
    entries = [(name, stat.S_IFDIR | 0o755, b"") for name in "bin dev proc sys m lower up new".split()]
    entries.append(("bin/busybox", stat.S_IFREG | 0o755, contents(busybox)))
    entries.append(("bin/sh", stat.S_IFLNK | 0o777, b"busybox"))
    order = ""
    for name, data, words in modules(tree, release):
        entries.append((f"m/{name}", stat.S_IFREG | 0o644, data))
        order += f"{name} {words}\n"
    entries.append(("m/order", stat.S_IFREG | 0o644, order.encode()))
    entries.append(("init", stat.S_IFREG | 0o755, contents(init)))
    return archive(entries)


def depends(package):
    """Returns the names of the packages that a package depends on."""
    return output("apt-cache", "depends", package).split()[1:]


def fetch(directory):
    """Downloads and unpacks the kernel packages. Returns the kernel image and the kernel release."""
    package = next(word for word in depends("linux-image-amd64") if word.startswith("linux-image-"))
    release = package.removeprefix("linux-image-").removesuffix("-unsigned")
    # Debian unstable has the kernel, its modules and the list of built-in modules in packages of their own.
    parts = [word for word in depends(package) if word.startswith("linux-") and word.endswith(f"-{release}")]
    # Only this user can enter the directory. apt must therefore not switch to its sandbox user (_apt).
    download = ["apt-get", "-qq", "-o", "APT::Sandbox::User=root", "-o", "Acquire::Retries=3", "download", package]
    subprocess.run(download + parts, check=True, cwd=directory)
    tree = f"{directory}/tree"
    for name in os.listdir(directory):
        if name.endswith(".deb"):
            subprocess.run(["dpkg-deb", "-x", f"{directory}/{name}", tree], check=True)
    if not os.path.exists(f"{tree}/lib"):
        os.symlink("usr/lib", f"{tree}/lib")
    subprocess.run(["/sbin/depmod", "-b", tree, release], check=True)
    images = [f"{tree}/boot/vmlinuz-{release}", f"{tree}/usr/lib/modules/{release}/vmlinuz"]
    return next(filter(os.path.exists, images)), tree, release


def unpacked(root):
    """Returns the kernel image and the release of the kernel that is unpacked in a root."""
    (release,) = os.listdir(f"{root}/usr/lib/modules")
    subprocess.run(["/sbin/depmod", "-b", root, release], check=True)
    return f"{root}/usr/lib/modules/{release}/vmlinuz", release


def replace(path, data):
    """Writes a file atomically."""
    with open(f"{path}.{os.getpid()}", "wb") as file:
        file.write(data)
    os.rename(file.name, path)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    directory = os.path.abspath(sys.argv[1])
    root = os.path.abspath(sys.argv[2]) if len(sys.argv) == 3 else None
    init = f"{os.path.dirname(os.path.abspath(__file__))}/machine_init.sh"
    digest = hashlib.sha256(contents(__file__) + contents(init)).hexdigest().encode()
    made = f"{directory}/made-of"
    if os.path.exists(made) and contents(made) == digest:
        return
    print(f"{sys.argv[0]}: preparing the kernel of the virtual machine in {directory}", file=sys.stderr)
    os.makedirs(directory, exist_ok=True)
    scratch = tempfile.mkdtemp()
    try:
        if root:
            tree, busybox = root, f"{root}/bin/busybox"
            image, release = unpacked(root)
        else:
            image, tree, release = fetch(scratch)
            busybox = "/bin/busybox"
        replace(f"{directory}/vmlinux", kernel(image))
        replace(f"{directory}/initrd", first_file_system(tree, release, init, busybox))
        replace(made, digest)
    except (OSError, subprocess.CalledProcessError, StopIteration) as error:
        sys.exit(f"{sys.argv[0]}: {error}")
    finally:
        shutil.rmtree(scratch)


main()
