# SPDX-License-Identifier: Apache-2.0
"""A disk whose history of writes is known, and file systems on it.

Everything is mounted in a mount namespace of this process's own, images included, so that nothing of it outlives the
process, however that ends. It takes root, /dev/fuse and loop devices.
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
# What a rig ends with that cannot do its work here.
CANNOT = 77


class FileSystem:
    """How a file system is made and mounted."""

    def __init__(self, name, mebibytes, words, options=""):
        self.name, self.bytes, self.words, self.options = name, mebibytes << 20, words, options


# The smallest of each: what is rebuilt thousands of times should be small. Two XFS of the same number are mounted at once.
FILE_SYSTEMS = {
    "ext4": FileSystem(
        "ext4", 48, "mkfs.ext4 -q -b 4096 -J size=4 -E lazy_itable_init=0,lazy_journal_init=0"),
    "xfs": FileSystem("xfs", 320, "mkfs.xfs -q -f", "nouuid"),
    "btrfs": FileSystem("btrfs", 128, "mkfs.btrfs -q -f"),
}


def call(name, *arguments):
    """Makes a call of the C library; raises if it fails."""
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
    """A directory in memory, which goes with this process."""
    try:
        call("unshare", CLONE_NEWNS)
        mount("none", "/", None, flags=MS_REC | MS_PRIVATE)
        directory = tempfile.mkdtemp(prefix="darkroom-disk-")
        atexit.register(lambda: os.path.ismount(directory) or os.rmdir(directory))
        mount("none", directory, "tmpfs", "mode=0711")
        atexit.register(lambda: LIBC.umount2(directory.encode(), MNT_DETACH))
    except OSError as error:
        print(f"SKIP: no mount namespace for a disk of its own ({error}); root can make one")
        sys.exit(CANNOT)
    return directory


def attach(path, node):
    """Makes a loop device of a file, and gives its open descriptor; it is gone when nobody has it open or mounted."""
    control = os.open("/dev/loop-control", os.O_RDWR | os.O_CLOEXEC)
    file = os.open(path, os.O_RDWR | os.O_CLOEXEC)
    try:
        for _ in range(1000):
            number = fcntl.ioctl(control, LOOP_CTL_GET_FREE)
            # A node of our own: who makes those of /dev may not have come to it yet.
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
                # Somebody else was faster, or the device is still being given up.
                if error.errno not in (errno.EBUSY, errno.ENXIO):
                    raise
                time.sleep(0.002)
        raise OSError(errno.EBUSY, "no loop device is free")
    finally:
        os.close(file)
        os.close(control)


class Mounted:
    """The file system of an image, mounted as long as the block lasts."""

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
    """Copies a file without its holes."""
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
    """What has happened to the disk: a 'W'rite, a 'Z'eroing, a 'F'lush, or the 'M'ark of whoever uses it."""

    __slots__ = ("kind", "offset", "length", "bytes")

    def __init__(self, kind, offset, length, bytes_):
        self.kind, self.offset, self.length, self.bytes = kind, offset, length, bytes_

    def put(self, file):
        """Lets it happen to an image."""
        data, at = self.bytes if self.kind == "W" else bytes(self.length), self.offset
        while data:
            count = os.pwrite(file, data, at)
            data, at = data[count:], at + count

    def pieces(self, size):
        """It in pieces, as a disk may write them."""
        for at in range(0, self.length, size):
            length = min(size, self.length - at)
            yield Entry(self.kind, self.offset + at, length, self.bytes[at:at + length])


def entries(data):
    """The entries of a log; one that was cut is none."""
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
    """The entries of a log in a file."""
    with open(path, "rb") as file:
        return entries(file.read())


class Recording:
    """What became of a new file system while commands used it."""

    def __init__(self, directory):
        self.base, self.log = f"{directory}/base", f"{directory}/log"
        self.live = f"{directory}/live"

    def make(self, program, file_system, directory, prepare, workload, whole=False):
        """Makes the file system, and runs commands that see it as $DISK and their marks as $MARK.

        What the first did is as if it had always been there; the log is what the second did, and if the whole is wanted
        also what was written when it was unmounted.
        """
        mounted, fuse = f"{directory}/mounted", f"{directory}/fuse"
        for path in (mounted, fuse):
            os.makedirs(path, exist_ok=True)
        with open(f"{directory}/new", "wb") as file:
            file.truncate(file_system.bytes)
        subprocess.run(
            file_system.words.split() + [f"{directory}/new"], check=True, stdout=subprocess.DEVNULL)
        # What mkfs has written as zeros is left out, so that copies are quick.
        subprocess.run(["cp", "--sparse=always", f"{directory}/new", self.base], check=True)
        os.unlink(f"{directory}/new")
        copy_sparse(self.base, self.live)
        disk = subprocess.Popen([program, self.live, self.log, fuse])
        try:
            while not os.path.exists(f"{fuse}/disk"):
                if disk.poll() is not None:
                    print("SKIP: no disk can be recorded: /dev/fuse cannot be used here")
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
        """The first mount, which shows whether any can be made."""
        try:
            attached = attach(mounted.image, mounted.node)
        except OSError as error:
            print(f"SKIP: there is no loop device for a disk ({error})")
            sys.exit(CANNOT)
        os.close(attached)
        return mounted

    @staticmethod
    def synchronize(directory):
        """Makes everything of a file system durable."""
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
        call("syncfs", descriptor)
        os.close(descriptor)

    @staticmethod
    def stop(disk, fuse):
        """Ends the program when the loop device has let go of it."""
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
        """Makes what came before a part of the base, but for its marks, and forgets what came after."""
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
        """Keeps it as PATH and PATH.base."""
        shutil.copy(self.log, path)
        subprocess.run(["cp", "--sparse=always", self.base, f"{path}.base"], check=True)

    def load(self, path):
        """Takes one that was kept."""
        shutil.copy(path, self.log)
        copy_sparse(f"{path}.base", self.base)
