// SPDX-License-Identifier: Apache-2.0
//
// Locks on files that are only shown: the host's own processes would wait for them. `{shown}` is such a file.
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <unistd.h>

static int open_shown(const char *path) {
  int file = open(path, O_RDONLY);
  if (file < 0) untried("%s cannot be opened", path);
  return file;
}

static long lock_whole(const char *path) { return flock(open_shown(path), LOCK_EX | LOCK_NB); }

static long lock_whole_shared(const char *path) { return flock(open_shown(path), LOCK_SH | LOCK_NB); }

/// A lock that reading processes hold keeps writing ones away.
static long lock_range(const char *path) {
  struct flock range = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  return fcntl(open_shown(path), F_SETLK, &range);
}

static long lock_range_open(const char *path) {
  struct flock range = {.l_type = F_RDLCK, .l_whence = SEEK_SET};
  return fcntl(open_shown(path), F_OFD_SETLK, &range);
}

static long lock_range_writing(const char *path) {
  struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(open_shown(path), F_SETLK, &range);
}

/// Whoever opens the file waits until the holder gives the lease up.
static long lease(const char *path) { return fcntl(open_shown(path), F_SETLEASE, F_RDLCK); }

/// Is told of every change in a directory of the host.
static long notify(const char *path) {
  (void)path;
  return fcntl(open_shown("/usr"), F_NOTIFY, DN_ACCESS | DN_MULTISHOT);
}

const struct attempt lock_attempts[] = {
    TRY("lock", lock_whole, "{shown}", "root", "locks a file of the host"),
    TRY("lock-shared", lock_whole_shared, "{shown}", "root", "locks a file of the host against writers"),
    TRY("lock-range", lock_range, "{shown}", "root", "locks a range of a file of the host"),
    TRY("lock-range-open", lock_range_open, "{shown}", "root", "locks a range by its open file"),
    TRY("lock-range-writing", lock_range_writing, "{shown}", "kernel", "locks a range as a writer"),
    TRY("lease", lease, "{shown}", "identity", "takes a lease of a file of the host"),
    TRY("notify", notify, NULL, "root", "is told of what happens in a directory of the host"),
    END,
};
