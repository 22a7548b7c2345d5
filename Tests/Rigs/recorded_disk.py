# SPDX-License-Identifier: Apache-2.0
"""A disk that records its history of writes, and file systems on it.

All mounts, including those of the images, are in a private mount namespace, so that none outlives this process.
The module requires root, /dev/fuse and loop devices.
"""

import atexit
import ctypes
import errno
import fcntl
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import time

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNS = 0x20000
MNT_DETACH = 2
MS_REC, MS_PRIVATE = 0x4000, 0x40000
LOOP_CTL_GET_FREE, LOOP_CONFIGURE, LO_FLAGS_AUTOCLEAR = 0x4C82, 0x4C0A, 4
SEEK_DATA, SEEK_HOLE = 3, 4
# The exit code of a rig that cannot run on this machine.
CANNOT = 77


class FileSystem:
    """The parameters for creating and mounting a file system."""

    def __init__(self, name, mebibytes, words, options=""):
        self.name, self.bytes, self.words, self.options = name, mebibytes << 20, words, options


# The minimum sizes, because images are rebuilt thousands of times. nouuid: two XFS with the same UUID are mounted at once.
FILE_SYSTEMS = {
    "ext4": FileSystem(
        "ext4", 48, "mkfs.ext4 -q -b 4096 -J size=4 -E lazy_itable_init=0,lazy_journal_init=0"),
    "xfs": FileSystem("xfs", 320, "mkfs.xfs -q -f", "nouuid"),
    "btrfs": FileSystem("btrfs", 128, "mkfs.btrfs -q -f"),
}


def call(name, *arguments):
    """Calls a function of the C library; raises OSError if it fails."""
    if getattr(LIBC, name)(*arguments) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")


def encoded(text):
    return None if text is None else text.encode()


def mount(source, target, kind, options=None, flags=0):
    call("mount", encoded(source), encoded(target), encoded(kind), ctypes.c_ulong(flags), encoded(options))


def unmount(target):
    call("umount2", target.encode(), 0)


def scratch():
    """Creates a directory on a tmpfs that is removed when this process exits."""
    try:
        call("unshare", CLONE_NEWNS)
        mount("none", "/", None, flags=MS_REC | MS_PRIVATE)
        directory = tempfile.mkdtemp(prefix="darkroom-disk-")
        atexit.register(lambda: os.path.ismount(directory) or os.rmdir(directory))
        mount("none", directory, "tmpfs", "mode=0711")
        atexit.register(lambda: LIBC.umount2(directory.encode(), MNT_DETACH))
    except OSError as error:
        print(f"SKIP: a separate disk requires a mount namespace, which root can create ({error})")
        sys.exit(CANNOT)
    return directory


def attach(path, node):
    """Attaches a file to a loop device and returns its descriptor. The kernel detaches the device after its last use."""
    control = os.open("/dev/loop-control", os.O_RDWR | os.O_CLOEXEC)
    file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        for _ in range(1000):
            number = fcntl.ioctl(control, LOOP_CTL_GET_FREE)
            # A private node, because udev may not have created the node in /dev yet.
            if os.path.exists(node):
                os.unlink(node)
            os.mknod(node, 0o600 | 0o060000, os.makedev(7, number))
            device = os.open(node, os.O_RDWR | os.O_CLOEXEC)
            information = bytearray(304)
            struct.pack_into("=II", information, 0, file, 0)
            struct.pack_into("=I", information, 8 + 52, LO_FLAGS_AUTOCLEAR)
            try:
                fcntl.ioctl(device, LOOP_CONFIGURE, bytes(information))
                return device
            except OSError as error:
                os.close(device)
                # Another process took the device, or the device is still being released.
                if error.errno not in (errno.EBUSY, errno.ENXIO):
                    raise
                time.sleep(0.002)
        raise OSError(errno.EBUSY, "no loop device is free")
    finally:
        os.close(file)
        os.close(control)


class Mounted:
    """A context manager that mounts the file system of an image."""

    def __init__(self, image, directory, node, file_system):
        self.image, self.directory, self.node, self.file_system = image, directory, node, file_system

    def __enter__(self):
        device = attach(self.image, self.node)
        try:
            mount(self.node, self.directory, self.file_system.name, self.file_system.options or None)
        finally:
            os.close(device)
        return self.directory

    def __exit__(self, *_):
        for attempt in range(200):
            try:
                return unmount(self.directory)
            except OSError as error:
                if error.errno != errno.EBUSY or attempt == 199:
                    raise
                time.sleep(0.01)


def copy_sparse(source, target):
    """Copies a file and keeps its holes."""
    old = os.open(source, os.O_RDONLY | os.O_CLOEXEC)
    new = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
    try:
        size, at = os.fstat(old).st_size, 0
        os.ftruncate(new, size)
        while at < size:
            try:
                at = os.lseek(old, at, SEEK_DATA)
            except OSError:
                break
            end = os.lseek(old, at, SEEK_HOLE)
            os.lseek(new, at, os.SEEK_SET)
            while at < end:
                at += os.sendfile(new, old, at, end - at)
    finally:
        os.close(old)
        os.close(new)


class Entry:
    """An event of the disk: a 'W'rite, a 'Z'eroing, a 'F'lush, or a 'M'ark of the workload."""

    __slots__ = ("kind", "offset", "length", "bytes")

    def __init__(self, kind, offset, length, bytes_):
        self.kind, self.offset, self.length, self.bytes = kind, offset, length, bytes_

    def put(self, file):
        """Applies the event to an image."""
        data, at = self.bytes if self.kind == "W" else bytes(self.length), self.offset
        while data:
            count = os.pwrite(file, data, at)
            data, at = data[count:], at + count

    def pieces(self, size):
        """Yields the event in pieces that a disk writes atomically."""
        for at in range(0, self.length, size):
            length = min(size, self.length - at)
            yield Entry(self.kind, self.offset + at, length, self.bytes[at:at + length])


def entries(data):
    """Returns the entries of a log, without a truncated last entry."""
    found, at = [], 0
    while at + 17 <= len(data):
        kind, offset, length = struct.unpack_from("=cQQ", data, at)
        at += 17
        kind, content = kind.decode(), b""
        if kind in "WM":
            content = data[at:at + length]
            at += length
        found.append(Entry(kind, offset, length, content))
    return found


def read_log(path):
    """Returns the entries of a log file."""
    with open(path, "rb") as file:
        return entries(file.read())


class Recording:
    """A recording of a new file system while commands use it."""

    def __init__(self, directory):
        self.base, self.log = f"{directory}/base", f"{directory}/log"
        self.live = f"{directory}/live"

    def make(self, program, file_system, directory, prepare, workload, whole=False):
        """Creates the file system and runs commands that access it as $DISK and write marks to $MARK.

        The writes of `prepare` become part of the base. The log contains the writes of `workload`, and with `whole` also
        those of unmounting.
        """
        mounted, fuse = f"{directory}/mounted", f"{directory}/fuse"
        for path in (mounted, fuse):
            os.makedirs(path, exist_ok=True)
        with open(f"{directory}/new", "wb") as file:
            file.truncate(file_system.bytes)
        subprocess.run(
            file_system.words.split() + [f"{directory}/new"], check=True, stdout=subprocess.DEVNULL)
        # Zeros written by mkfs become holes, so that copies are fast.
        subprocess.run(["cp", "--sparse=always", f"{directory}/new", self.base], check=True)
        os.unlink(f"{directory}/new")
        copy_sparse(self.base, self.live)
        disk = subprocess.Popen([program, self.live, self.log, fuse])
        try:
            while not os.path.exists(f"{fuse}/disk"):
                if disk.poll() is not None:
                    print("SKIP: a recorded disk requires /dev/fuse, which is unavailable")
                    sys.exit(CANNOT)
                time.sleep(0.005)
            environment = {**os.environ, "DISK": mounted, "MARK": f"{fuse}/mark"}
            with self.first(Mounted(f"{fuse}/disk", mounted, f"{directory}/node", file_system)):
                if prepare:
                    subprocess.run(["sh", "-c", prepare], env=environment, check=True)
                    self.synchronize(mounted)
                begin = os.path.getsize(self.log)
                status = subprocess.run(["sh", "-c", workload], env=environment).returncode
                if whole:
                    self.synchronize(mounted)
                end = os.path.getsize(self.log)
            if whole:
                end = os.path.getsize(self.log)
        finally:
            self.stop(disk, fuse)
        self.cut(begin, end)
        return status

    @staticmethod
    def first(mounted):
        """Attaches a loop device once to test whether this is possible."""
        try:
            attached = attach(mounted.image, mounted.node)
        except OSError as error:
            print(f"SKIP: a recorded disk requires a loop device ({error})")
            sys.exit(CANNOT)
        os.close(attached)
        return mounted

    @staticmethod
    def synchronize(directory):
        """Synchronizes a file system."""
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        call("syncfs", descriptor)
        os.close(descriptor)

    @staticmethod
    def stop(disk, fuse):
        """Waits for darkroom-recorded-disk to exit after the loop device has been released."""
        for _ in range(500):
            try:
                unmount(fuse)
                break
            except OSError:
                if disk.poll() is not None:
                    break
                time.sleep(0.01)
        disk.wait()

    def cut(self, begin, end):
        """Applies the entries before `begin` to the base, keeps only their marks, and drops the entries after `end`."""
        with open(self.log, "rb") as log:
            data = log.read()
        base = os.open(self.base, os.O_RDWR)
        with open(self.log, "wb") as log:
            for entry in entries(data[:begin]):
                if entry.kind == "M":
                    log.write(struct.pack("=cQQ", b"M", 0, entry.length) + entry.bytes)
                elif entry.kind != "F":
                    entry.put(base)
            log.write(data[begin:end])
        os.close(base)

    def save(self, path):
        """Saves the recording as PATH and PATH.base."""
        shutil.copy(self.log, path)
        subprocess.run(["cp", "--sparse=always", self.base, f"{path}.base"], check=True)

    def load(self, path):
        """Loads a saved recording."""
        shutil.copy(path, self.log)
        copy_sparse(f"{path}.base", self.base)
