// SPDX-License-Identifier: Apache-2.0
//
// State that a session shares with its host through a shown file, `{shown}`: the host holds a shared lock on
// it, and opens and reads it repeatedly.
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

static int open_shown(const char *path) {
  int file = open(path, O_RDONLY);
  if (file < 0) untried("%s cannot be opened", path);
  return file;
}

/// Succeeds if the host's lock conflicts with the session's: then the session could also block the host.
static long lock_whole(const char *path) {
  if (flock(open_shown(path), LOCK_EX | LOCK_NB) == 0) return found_nothing();
  return errno == EWOULDBLOCK ? 0 : -1;
}

/// Queries the conflicting lock with one of the two kinds of record locks.
static long query_range_lock(const char *path, int command) {
  struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  if (fcntl(open_shown(path), command, &range) < 0) return -1;
  return range.l_type == F_UNLCK ? found_nothing() : (note("held by %d", range.l_pid), 0);
}

static long lock_range(const char *path) { return query_range_lock(path, F_GETLK); }
static long lock_range_open(const char *path) { return query_range_lock(path, F_OFD_GETLK); }

static long lock_range_writing(const char *path) {
  struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  return fcntl(open_shown(path), F_SETLK, &range);
}

/// A process that opens a leased file blocks until the holder gives the lease up.
static long lease(const char *path) { return fcntl(open_shown(path), F_SETLEASE, F_RDLCK); }

/// Watches the file with inotify(7) for accesses of the host.
static long watch(const char *path) {
  int queue = inotify_init1(IN_CLOEXEC);
  if (queue < 0 || inotify_add_watch(queue, path, IN_OPEN | IN_ACCESS) < 0) return -1;
  struct pollfd event = {.fd = queue, .events = POLLIN};
  return poll(&event, 1, 500) > 0 ? 0 : found_nothing();
}

/// Requests a signal when the host reads a file in the directory of the file (`F_NOTIFY`).
static long notify(const char *path) {
  char directory[4096];
  snprintf(directory, sizeof directory, "%.*s", (int)(strrchr(path, '/') - path), path);
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGIO);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  if (fcntl(open_shown(directory), F_NOTIFY, DN_ACCESS | DN_MULTISHOT) < 0) return -1;
  struct timespec half = {0, 500000000};
  return sigtimedwait(&signals, NULL, &half) == SIGIO ? 0 : found_nothing();
}

/// Checks which pages of the file are cached, which reveals the programs that have run.
static long residence(const char *path) {
  struct {
    unsigned long long offset, length;
  } range = {0, 4096};
  unsigned long long counts[5] = {0};
  if (syscall(451, open_shown(path), &range, counts, 0) < 0) return -1;
  return counts[0] ? 0 : found_nothing();
}

const struct attempt lock_attempts[] = {
    TRY("lock", lock_whole, "{shown}", "root", "detects an flock(2) lock of the host"),
    TRY("lock-range", lock_range, "{shown}", "root", "detects a record lock of the host"),
    TRY("lock-range-open", lock_range_open, "{shown}", "root",
        "detects a record lock of the host through an open file description"),
    TRY("lock-range-writing", lock_range_writing, "{shown}", "kernel", "sets a write lock on a range of a host file"),
    TRY("lease", lease, "{shown}", "seccomp,identity", "takes a lease of a file of the host"),
    TRY("watch", watch, "{shown}", "seccomp", "detects with inotify(7) when the host runs a program"),
    TRY("notify", notify, "{shown}", "seccomp", "detects with F_NOTIFY when the host runs a program"),
    TRY("residence", residence, "{shown}", "kernel", "detects which host files are in the page cache"),
    END,
};
