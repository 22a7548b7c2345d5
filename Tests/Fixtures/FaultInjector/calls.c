// SPDX-License-Identifier: Apache-2.0
#include "calls.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif

#define NONE {NOWHERE, -1}
/// A call that names a file by a descriptor.
#define FD(name, argument) {SYS_##name, #name, {argument, -1}, NONE, -1}
/// A call that names a file by a descriptor and has a length.
#define LONG(name, argument, length) {SYS_##name, #name, {argument, -1}, NONE, length}
/// A call that names a file by a directory and a path.
#define AT(name, directory, path) {SYS_##name, #name, {directory, path}, NONE, -1}
/// A call that names two files by directories and paths.
#define TWO(name, a, b, c, d) {SYS_##name, #name, {a, b}, {c, d}, -1}

const struct call calls[] = {
    AT(openat, 0, 1), AT(openat2, 0, 1), AT(mkdirat, 0, 1), AT(mknodat, 0, 1), AT(unlinkat, 0, 1),
    TWO(renameat2, 0, 1, 2, 3), TWO(renameat, 0, 1, 2, 3), TWO(linkat, 0, 1, 2, 3), AT(symlinkat, 1, 2),
    AT(readlinkat, 0, 1), AT(statx, 0, 1), AT(faccessat, 0, 1), AT(faccessat2, 0, 1), FD(fstat, 0),
    FD(fchmod, 0), AT(fchmodat, 0, 1), AT(fchmodat2, 0, 1), FD(fchown, 0), AT(fchownat, 0, 1),
    AT(utimensat, 0, 1), FD(fsetxattr, 0), FD(fremovexattr, 0), FD(flistxattr, 0), FD(fgetxattr, 0),
    AT(setxattr, CURRENT, 0), AT(removexattr, CURRENT, 0), AT(lremovexattr, CURRENT, 0),
    FD(fsync, 0), FD(fdatasync, 0), FD(syncfs, 0), FD(sync_file_range, 0),
    LONG(read, 0, 2), LONG(pread64, 0, 2), FD(readv, 0), LONG(write, 0, 2), LONG(pwrite64, 0, 2), FD(writev, 0),
    FD(ftruncate, 0), AT(truncate, CURRENT, 0), FD(fallocate, 0), LONG(getdents64, 0, 2),
    {SYS_copy_file_range, "copy_file_range", {0, -1}, {2, -1}, 4}, {SYS_sendfile, "sendfile", {0, -1}, {1, -1}, 3},
    FD(flock, 0), FD(fcntl, 0), FD(close, 0), AT(statfs, CURRENT, 0), FD(fstatfs, 0), FD(ioctl, 0),
#ifdef SYS_newfstatat
    AT(newfstatat, 0, 1),
#endif
#ifdef SYS_open
    AT(open, CURRENT, 0), AT(creat, CURRENT, 0), AT(mkdir, CURRENT, 0), AT(unlink, CURRENT, 0), AT(rmdir, CURRENT, 0),
    TWO(rename, CURRENT, 0, CURRENT, 1), TWO(link, CURRENT, 0, CURRENT, 1), AT(symlink, CURRENT, 1),
    AT(readlink, CURRENT, 0), AT(stat, CURRENT, 0), AT(lstat, CURRENT, 0), AT(access, CURRENT, 0),
    AT(chmod, CURRENT, 0), AT(chown, CURRENT, 0), AT(lchown, CURRENT, 0),
#endif
    {0, NULL, NONE, NONE, -1},
};

const struct call *call_with_number(uint64_t number) {
  for (const struct call *call = calls; call->name; call++) {
    if ((uint64_t)call->number == number) return call;
  }
  return NULL;
}

uint64_t shortened(const struct call *call, uint64_t length) {
  uint64_t half = length / 2 > 0 ? length / 2 : 1;
  switch (call->number) {
  case SYS_write:
  case SYS_pwrite64: return half;
  // The longest entry must fit; otherwise, the call fails.
  case SYS_getdents64: return length < 288 ? length : 288;
  // Callers pass buffers that are larger than the available data.
  default: return half < 7 ? half : 7;
  }
}

/// Reads a string from the memory of a stopped thread, page by page.
static int read_text(pid_t thread, uint64_t address, char *text, size_t room) {
  size_t have = 0;
  while (have + 1 < room) {
    size_t part = 4096 - ((address + have) & 4095);
    if (part > room - 1 - have) part = room - 1 - have;
    struct iovec local = {text + have, part};
    struct iovec remote = {(void *)(uintptr_t)(address + have), part};
    ssize_t count = process_vm_readv(thread, &local, 1, &remote, 1, 0);
    if (count <= 0) return -1;
    if (memchr(text + have, 0, (size_t)count)) return 0;
    have += (size_t)count;
  }
  text[have] = 0;
  return 0;
}

/// Reads a symbolic link in the /proc directory of a thread.
static int read_link(pid_t thread, const char *what, char *text, size_t room) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", thread, what);
  ssize_t count = readlink(path, text, room - 1);
  if (count < 0) return -1;
  text[count] = 0;
  return 0;
}

static int descriptor_path(pid_t thread, int descriptor, char *text, size_t room) {
  char what[32];
  if (descriptor == AT_FDCWD) return read_link(thread, "cwd", text, room);
  snprintf(what, sizeof what, "fd/%d", descriptor);
  return read_link(thread, what, text, room);
}

/// Writes the absolute path of an operand, or an empty string if it has none.
static void resolve(const struct place *place, pid_t thread, const uint64_t *arguments, char *text, size_t room) {
  char path[PATH_MAX] = "";
  int descriptor = place->directory == CURRENT ? AT_FDCWD : (int)arguments[(int)place->directory];
  text[0] = 0;
  if (place->path >= 0 && arguments[(int)place->path] != 0) {
    if (read_text(thread, arguments[(int)place->path], path, sizeof path) < 0) return;
  }
  if (strncmp(path, "/proc/self/fd/", 14) == 0) {
    if (read_link(thread, path + 11, text, room) < 0) text[0] = 0;
    return;
  }
  if (path[0] == '/') {
    snprintf(text, room, "%s", path);
    return;
  }
  if (descriptor_path(thread, descriptor, text, room) < 0) {
    text[0] = 0;
    return;
  }
  if (path[0] == 0) return;
  size_t length = strlen(text);
  snprintf(text + length, room - length, "/%s", path);
}

static int is_below(const char *path, const char *under) {
  size_t length = strlen(under);
  return strncmp(path, under, length) == 0 && (path[length] == 0 || path[length] == '/' || path[length] == ' ');
}

int call_is_below(
    const struct call *call, pid_t thread, const uint64_t *arguments, const char *under, char *text, size_t room) {
  // Only the locking commands of fcntl(2) affect a file.
  if (call->number == SYS_fcntl && arguments[1] != F_SETLK && arguments[1] != F_SETLKW
      && arguments[1] != F_OFD_SETLK && arguments[1] != F_OFD_SETLKW)
    return 0;
  char second[2 * PATH_MAX] = "";
  resolve(&call->first, thread, arguments, text, room);
  int found = is_below(text, under);
  if (call->second.directory == NOWHERE) return found;
  resolve(&call->second, thread, arguments, second, sizeof second);
  size_t length = strlen(text);
  snprintf(text + length, room - length, " -> %s", second);
  return found || is_below(second, under);
}
