// SPDX-License-Identifier: Apache-2.0
//
// Changing read-only files.
#include "probe.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[4096];

/// Returns the path of a name in a directory.
static const char *path_in(const char *directory, const char *name) {
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

static long write_file(const char *argument) { return open(argument, O_WRONLY); }

static long truncate_file(const char *argument) { return truncate(argument, 0); }

static long create_file(const char *directory) {
  return open(path_in(directory, "made"), O_WRONLY | O_CREAT | O_EXCL, 0600);
}

static long make_directory(const char *directory) { return mkdir(path_in(directory, "made"), 0700); }

static long remove_file(const char *argument) { return unlink(argument); }

static long rename_file(const char *argument) { return rename(argument, "/container/renamed"); }

static long change_mode(const char *argument) { return chmod(argument, 0777); }

static long change_time(const char *argument) { return utimensat(AT_FDCWD, argument, NULL, 0); }

/// Opens a file by its name in procfs for writing.
static long write_by_process(const char *argument) { return open(argument, O_RDWR); }

/// Replaces a file by renaming another file over it.
static long replace_file(const char *argument) {
  int file = open("/container/replacement", O_WRONLY | O_CREAT, 0700);
  if (file < 0) untried("no file could be made");
  return rename("/container/replacement", argument);
}

const struct attempt writing_attempts[] = {
    TRY("write", write_file, "{program}", "root,landlock,kernel", "writes to its own program"),
    TRY("write-by-process", write_by_process, "/proc/self/exe", "root,landlock,kernel",
        "writes to its own program through /proc/self/exe"),
    TRY("truncate", truncate_file, "{program}", "root,landlock,kernel", "empties its own program"),
    TRY("remove", remove_file, "{program}", "root,landlock,kernel", "removes its own program"),
    TRY("rename", rename_file, "{program}", "root,landlock,kernel", "renames its own program"),
    TRY("replace", replace_file, "{program}", "root,landlock,kernel", "replaces its own program"),
    TRY("change-mode", change_mode, "{program}", "root,identity", "changes the mode of its own program"),
    TRY("create", create_file, "/usr", "root,landlock,identity", "creates a file in a directory of host programs"),
    TRY("create-root", create_file, "/", "root,landlock,identity", "creates a file in the root directory"),
    TRY("create-device", create_file, "/dev", "root,landlock,identity", "creates a file in /dev"),
    TRY("create-configuration", create_file, "/etc", "root,landlock,identity", "creates a file in /etc"),
    TRY("make-directory", make_directory, "/usr", "root,landlock,identity",
        "creates a directory in a directory of host programs"),
    TRY("write-context", write_file, "/app-context.json", "root,landlock,identity", "changes the app context"),
    TRY("write-secret", write_file, "{secret}", "root,landlock", "writes to another app's secret"),
    TRY("change-time", change_time, "/usr/bin/env", "root,identity", "changes the times of a program of the host"),
    END,
};
