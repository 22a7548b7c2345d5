// SPDX-License-Identifier: Apache-2.0
//
// Reading what is nobody else's to read.
#include "probe.h"

#include <dirent.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static long read_file(const char *argument) {
  int file = open(argument, O_RDONLY);
  if (file < 0) return -1;
  char byte;
  return read(file, &byte, 1) < 0 ? -1 : 0;
}

static long read_by_openat2(const char *argument) {
  struct {
    unsigned long long flags, mode, resolve;
  } how = {O_RDONLY, 0, 0};
  return syscall(SYS_openat2, AT_FDCWD, argument, &how, sizeof how);
}

static long list_directory(const char *argument) {
  DIR *directory = opendir(argument);
  if (!directory) return -1;
  for (struct dirent *entry; (entry = readdir(directory));) {
    if (entry->d_name[0] == '.') continue;
    note("%s", entry->d_name);
    return 0;
  }
  return nothing();
}

static long look_at(const char *argument) { return stat(argument, &(struct stat){0}); }

const struct attempt reading_attempts[] = {
    TRY("read", read_file, "{secret}", "root,landlock", "reads another app's secret"),
    TRY("read-openat2", read_by_openat2, "/etc/passwd", "seccomp", "opens a file by a call whose flags no filter sees"),
    TRY("list", list_directory, "/home", "root,landlock", "lists the homes"),
    TRY("stat", look_at, "{root}", "root", "looks for the host's state"),
    END,
};
