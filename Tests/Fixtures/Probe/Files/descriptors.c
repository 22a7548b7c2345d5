// SPDX-License-Identifier: Apache-2.0
//
// Files and directories that a careless host has left open, at any descriptor number.
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NUMBERS = 1 << 17 };

/// Returns the first inherited descriptor of a kind, starting at 3 because 0 to 2 belong to the extension.
static int find(mode_t kind, int after) {
  for (int number = after < 3 ? 3 : after; number < NUMBERS; number++) {
    struct stat status;
    if (fstat(number, &status) == 0 && (status.st_mode & S_IFMT) == kind) return number;
  }
  return (int)found_nothing();
}

static long read_inherited(const char *argument) {
  (void)argument;
  char byte;
  int file = find(S_IFREG, 0);
  return file < 0 ? -1 : pread(file, &byte, 1, 0);
}

static long reopen_inherited(const char *argument) {
  (void)argument;
  char path[64];
  int file = find(S_IFREG, 0);
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return file < 0 ? -1 : open(path, O_RDWR);
}

static long map_inherited(const char *argument) {
  (void)argument;
  int file = find(S_IFREG, 0);
  if (file < 0) return -1;
  return mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0) == MAP_FAILED ? -1 : 0;
}

/// Reads a secret by path traversal from every inherited directory.
static long open_below(const char *secret) {
  char path[8192];
  int error = 0;
  for (int directory = 2; (directory = find(S_IFDIR, directory + 1)) >= 0;) {
    snprintf(path, sizeof path, "../../../../../../..%s", secret);
    int file = openat(directory, path, O_RDONLY);
    if (file >= 0) return file;
    error = errno;
  }
  errno = error;
  return -1;
}

static long enter_inherited(const char *secret) {
  int directory = find(S_IFDIR, 0);
  if (directory < 0 || fchdir(directory) < 0) return -1;
  return open(secret + 1, O_RDONLY);
}

static long root_inherited(const char *secret) {
  int directory = find(S_IFDIR, 0);
  if (directory < 0 || fchdir(directory) < 0 || chroot(".") < 0) return -1;
  return open(secret, O_RDONLY);
}

static long execute_below(const char *argument) {
  (void)argument;
  int directory = find(S_IFDIR, 0);
  if (directory < 0) return -1;
  // /usr/bin/true exits with 0 at once.
  return syscall(SYS_execveat, directory, "usr/bin/true", (char *[]){"true", NULL}, (char *[]){NULL}, 0);
}

const struct attempt descriptor_attempts[] = {
    TRY("inherited-file", read_inherited, NULL, "descriptors", "reads a file that the host left open"),
    TRY("inherited-file-again", reopen_inherited, NULL, "descriptors,landlock",
        "reopens a file that the host left open"),
    TRY("inherited-file-mapped", map_inherited, NULL, "descriptors", "maps a file that the host left open"),
    TRY("inherited-directory", open_below, "{secret}", "descriptors,landlock",
        "reads a secret through a directory that the host left open"),
    TRY("inherited-directory-entered", enter_inherited, "{secret}", "descriptors,landlock",
        "enters a directory that the host left open"),
    TRY("inherited-directory-root", root_inherited, "{secret}", "descriptors,seccomp,landlock,capabilities",
        "changes its root to a directory that the host left open"),
    TRY("inherited-directory-program", execute_below, NULL, "descriptors,landlock",
        "runs a program in a directory that the host left open"),
    END,
};
