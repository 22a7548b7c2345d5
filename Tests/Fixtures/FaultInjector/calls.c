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

#define NONE {NO_OPERAND, -1}
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
    AT(setxattr, WORKING_DIRECTORY, 0), AT(removexattr, WORKING_DIRECTORY, 0), AT(lremovexattr, WORKING_DIRECTORY, 0),
    FD(fsync, 0), FD(fdatasync, 0), FD(syncfs, 0), FD(sync_file_range, 0),
    LONG(read, 0, 2), LONG(pread64, 0, 2), FD(readv, 0), LONG(write, 0, 2), LONG(pwrite64, 0, 2), FD(writev, 0),
    FD(ftruncate, 0), AT(truncate, WORKING_DIRECTORY, 0), FD(fallocate, 0), LONG(getdents64, 0, 2),
    {SYS_copy_file_range, "copy_file_range", {0, -1}, {2, -1}, 4}, {SYS_sendfile, "sendfile", {0, -1}, {1, -1}, 3},
    FD(flock, 0), FD(fcntl, 0), FD(close, 0), AT(statfs, WORKING_DIRECTORY, 0), FD(fstatfs, 0), FD(ioctl, 0),
#ifdef SYS_newfstatat
    AT(newfstatat, 0, 1),
#endif
#ifdef SYS_open
    AT(open, WORKING_DIRECTORY, 0), AT(creat, WORKING_DIRECTORY, 0), AT(mkdir, WORKING_DIRECTORY, 0), AT(unlink, WORKING_DIRECTORY, 0), AT(rmdir, WORKING_DIRECTORY, 0),
    TWO(rename, WORKING_DIRECTORY, 0, WORKING_DIRECTORY, 1), TWO(link, WORKING_DIRECTORY, 0, WORKING_DIRECTORY, 1), AT(symlink, WORKING_DIRECTORY, 1),
    AT(readlink, WORKING_DIRECTORY, 0), AT(stat, WORKING_DIRECTORY, 0), AT(lstat, WORKING_DIRECTORY, 0), AT(access, WORKING_DIRECTORY, 0),
    AT(chmod, WORKING_DIRECTORY, 0), AT(chown, WORKING_DIRECTORY, 0), AT(lchown, WORKING_DIRECTORY, 0),
#endif
    {0, NULL, NONE, NONE, -1},
};

const struct call *call_with_number(uint64_t number) {
  for (const struct call *call = calls; call->name; call++) {
    if ((uint64_t)call->number == number) return call;
  }
  return NULL;
}

uint64_t shortened_length(const struct call *call, uint64_t length) {
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
static int read_text(pid_t thread, uint64_t address, char *text, size_t capacity) {
  size_t length_read = 0;
  while (length_read + 1 < capacity) {
    size_t part = 4096 - ((address + length_read) & 4095);
    if (part > capacity - 1 - length_read) part = capacity - 1 - length_read;
    struct iovec local = {text + length_read, part};
    struct iovec remote = {(void *)(uintptr_t)(address + length_read), part};
    ssize_t count = process_vm_readv(thread, &local, 1, &remote, 1, 0);
    if (count <= 0) return -1;
    if (memchr(text + length_read, 0, (size_t)count)) return 0;
    length_read += (size_t)count;
  }
  text[length_read] = 0;
  return 0;
}

/// Reads a symbolic link in the /proc directory of a thread.
static int read_link(pid_t thread, const char *entry, char *text, size_t capacity) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%d/%s", thread, entry);
  ssize_t count = readlink(path, text, capacity - 1);
  if (count < 0) return -1;
  text[count] = 0;
  return 0;
}

static int descriptor_path(pid_t thread, int descriptor, char *text, size_t capacity) {
  char entry[32];
  if (descriptor == AT_FDCWD) return read_link(thread, "cwd", text, capacity);
  snprintf(entry, sizeof entry, "fd/%d", descriptor);
  return read_link(thread, entry, text, capacity);
}

/// Writes the absolute path of an operand, or an empty string if it has none.
static void resolve(const struct operand *operand, pid_t thread, const uint64_t *arguments, char *text, size_t capacity) {
  char path[PATH_MAX] = "";
  int descriptor = operand->directory == WORKING_DIRECTORY ? AT_FDCWD : (int)arguments[(int)operand->directory];
  text[0] = 0;
  if (operand->path >= 0 && arguments[(int)operand->path] != 0) {
    if (read_text(thread, arguments[(int)operand->path], path, sizeof path) < 0) return;
  }
  if (strncmp(path, "/proc/self/fd/", 14) == 0) {
    if (read_link(thread, path + 11, text, capacity) < 0) text[0] = 0;
    return;
  }
  if (path[0] == '/') {
    snprintf(text, capacity, "%s", path);
    return;
  }
  if (descriptor_path(thread, descriptor, text, capacity) < 0) {
    text[0] = 0;
    return;
  }
  if (path[0] == 0) return;
  size_t length = strlen(text);
  snprintf(text + length, capacity - length, "/%s", path);
}

static int is_below(const char *path, const char *under) {
  size_t length = strlen(under);
  return strncmp(path, under, length) == 0 && (path[length] == 0 || path[length] == '/' || path[length] == ' ');
}

int call_names_path_below(
    const struct call *call, pid_t thread, const uint64_t *arguments, const char *under, char *text, size_t capacity) {
  // Only the locking commands of fcntl(2) affect a file.
  if (call->number == SYS_fcntl && arguments[1] != F_SETLK && arguments[1] != F_SETLKW
      && arguments[1] != F_OFD_SETLK && arguments[1] != F_OFD_SETLKW)
    return 0;
  char second[2 * PATH_MAX] = "";
  resolve(&call->first, thread, arguments, text, capacity);
  int found = is_below(text, under);
  if (call->second.directory == NO_OPERAND) return found;
  resolve(&call->second, thread, arguments, second, sizeof second);
  size_t length = strlen(text);
  snprintf(text + length, capacity - length, " -> %s", second);
  return found || is_below(second, under);
}
