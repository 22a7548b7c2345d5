// SPDX-License-Identifier: Apache-2.0
//
// Changing what can only be read.
#include "probe.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char path[4096];

/// A name in a directory.
static const char *in(const char *directory, const char *name) {
  snprintf(path, sizeof path, "%s/%s", directory, name);
  return path;
}

static long write_file(const char *argument) { return open(argument, O_WRONLY); }

static long truncate_file(const char *argument) { return truncate(argument, 0); }

static long create_file(const char *directory) {
  return open(in(directory, "made"), O_WRONLY | O_CREAT | O_EXCL, 0600);
}

static long make_directory(const char *directory) { return mkdir(in(directory, "made"), 0700); }

static long remove_file(const char *argument) { return unlink(argument); }

static long rename_file(const char *argument) { return rename(argument, "/container/renamed"); }

static long change_mode(const char *argument) { return chmod(argument, 0777); }

static long change_time(const char *argument) { return utimensat(AT_FDCWD, argument, NULL, 0); }

const struct attempt writing_attempts[] = {
    TRY("write", write_file, "{program}", "root,landlock", "writes to its own program"),
    TRY("truncate", truncate_file, "{program}", "root,landlock", "empties its own program"),
    TRY("create", create_file, "/usr", "root,landlock", "makes a file among the host's programs"),
    TRY("make-directory", make_directory, "/usr", "root,landlock", "makes a directory among the host's programs"),
    TRY("remove", remove_file, "{program}", "root,landlock", "removes its own program"),
    TRY("rename", rename_file, "{program}", "root,landlock", "moves its own program away"),
    TRY("change-mode", change_mode, "{program}", "root", "changes the mode of its own program"),
    TRY("change-time", change_time, "/usr/bin/env", "root", "changes the times of a program of the host"),
    END,
};
