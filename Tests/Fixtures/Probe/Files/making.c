// SPDX-License-Identifier: Apache-2.0
//
// Creating files other than regular files and directories.
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/xattr.h>
#include <unistd.h>

static char path[4096];

/// Returns the path of a name in a directory.
static const char *path_in(const char *directory, const char *name) {
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

static long symbolic_link(const char *directory) { return symlink("/etc/passwd", path_in(directory, "made")); }

static long fifo(const char *directory) { return mkfifo(path_in(directory, "made"), 0600); }

/// Creates a second name for a file.
static long hard_link(const char *directory) {
  int file = open(path_in(directory, "first"), O_WRONLY | O_CREAT, 0600);
  if (file < 0) untried("no file could be made");
  char first[4096];
  strcpy(first, path);
  return link(first, path_in(directory, "second"));
}

static long character_device(const char *directory) {
  return mknod(path_in(directory, "made"), S_IFCHR | 0600, 0x103);
}

/// Sets a mode bit with every call that can set it.
static long set_mode_bit(const char *directory, mode_t bit) {
  int file = open(path_in(directory, "made"), O_WRONLY | O_CREAT, 0600);
  if (file < 0) untried("no file could be made");
  if (chmod(path, 0700 | bit) == 0) return note("chmod"), 0;
  if (fchmod(file, 0700 | bit) == 0) return note("fchmod"), 0;
  if (syscall(SYS_fchmodat, AT_FDCWD, path, 0700 | bit) == 0) return note("fchmodat"), 0;
  if (syscall(452, AT_FDCWD, path, 0700 | bit, 0) == 0) return note("fchmodat2"), 0;
  int refusal = errno;
  if (open(path_in(directory, "opened"), O_WRONLY | O_CREAT, 0700 | bit) >= 0) return note("open"), 0;
  if (creat(path_in(directory, "created"), 0700 | bit) >= 0) return note("creat"), 0;
  errno = refusal;
  return -1;
}

static long set_user_id(const char *directory) { return set_mode_bit(directory, S_ISUID); }

static long set_group_id(const char *directory) { return set_mode_bit(directory, S_ISGID); }

/// Files created in a set-group-ID directory inherit its group.
static long set_group_id_directory(const char *directory) {
  return mkdir(path_in(directory, "made"), 02700) < 0 ? -1 : (stat(path, &(struct stat){0}));
}

static long set_attribute(const char *directory) {
  int file = open(path_in(directory, "made"), O_WRONLY | O_CREAT, 0600);
  if (file < 0) untried("no file could be made");
  return setxattr(path, "user.darkroom", "x", 1, 0);
}

/// Moves a file and leaves a whiteout device, like overlay file systems (`RENAME_WHITEOUT`).
static long whiteout(const char *directory) {
  char second[4096];
  int file = open(path_in(directory, "first"), O_WRONLY | O_CREAT, 0600);
  if (file < 0) untried("no file could be made");
  snprintf(second, sizeof second, "%s/second", directory);
  if (syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, second, 4) < 0) return -1;
  struct stat status;
  if (lstat(path, &status) < 0) return -1;
  return S_ISREG(status.st_mode) ? found_nothing() : (note("mode %o", status.st_mode), 0);
}

const struct attempt making_attempts[] = {
    TRY("whiteout", whiteout, "/session", "seccomp", "leaves a device for the app by moving a file"),
    TRY("whiteout-container", whiteout, "/container", "seccomp", "makes a device by moving a file"),
    TRY("symbolic-link", symbolic_link, "/session", "seccomp,landlock", "leaves a symbolic link for the app"),
    TRY("hard-link", hard_link, "/session", "seccomp", "leaves a hard link for the app"),
    TRY("fifo", fifo, "/session", "seccomp,landlock", "leaves a named pipe for the app"),
    TRY("character-device", character_device, "/container", "seccomp,landlock,capabilities", "makes a device"),
    TRY("set-user-id", set_user_id, "/session", "seccomp", "leaves a set-user-ID file for the app"),
    TRY("set-group-id", set_group_id, "/session", "seccomp", "leaves a set-group-ID file for the app"),
    TRY("set-group-id-directory", set_group_id_directory, "/session", "seccomp", "makes a set-group-ID directory"),
    TRY("set-attribute", set_attribute, "/session", "seccomp", "leaves an extended attribute for the app"),
#if defined(__x86_64__)
    CALL("mknod-character", "seccomp,landlock,capabilities", "creates a character device", SYS_mknod,
         P("/container/null"), S_IFCHR | 0600, 0x103),
    CALL("mknod-block", "seccomp,landlock,capabilities", "creates a block device", SYS_mknod, P("/container/disk"),
         S_IFBLK | 0600, 0x800),
#endif
    END,
};
