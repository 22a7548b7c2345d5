// SPDX-License-Identifier: Apache-2.0
//
// Exceeding resource limits. Each attempt succeeds if it exceeds the given number.
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/// Creates children until no more can be created.
static long processes(const char *limit) {
  int count = 0;
  while (count <= atoi(limit)) {
    pid_t child = fork();
    if (child < 0) return note("%d", count), -1;
    if (child == 0) {
      pause();
      _exit(0);
    }
    count++;
  }
  return note("%d", count), 0;
}

/// Creates as many children as possible, prints their number and keeps them.
static long hold_processes(const char *argument) {
  (void)argument;
  int count = 0;
  for (pid_t child; (child = fork()) >= 0; count++) {
    if (child == 0) {
      for (;;) pause();
    }
  }
  dprintf(1, "%d\n", count);
  for (;;) pause();
}

static long memory(const char *limit) {
  const size_t piece = 16 << 20;
  size_t total = 0;
  while (total <= strtoul(limit, NULL, 10)) {
    if (mmap(NULL, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) == MAP_FAILED) {
      return note("%zu MiB", total >> 20), -1;
    }
    total += piece;
  }
  return 0;
}

static long locked_memory(const char *limit) {
  size_t size = strtoul(limit, NULL, 10) + 4096;
  char *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return mlock(room, size);
}

static long many_descriptors(const char *limit) {
  int last = -1;
  for (int next; (next = dup(0)) >= 0; last = next) {
    if (next > atoi(limit)) return note("%d", next), 0;
  }
  return note("%d", last), -1;
}

/// Creates a file above the size limit without writing data.
static long file_size(const char *limit) {
  signal(SIGXFSZ, SIG_IGN);
  int file = open("/session/large", O_RDWR | O_CREAT, 0600);
  if (file < 0) untried("no file could be made");
  long result = ftruncate(file, strtol(limit, NULL, 10) + 1);
  if (result == 0) result = lseek(file, 0, SEEK_END) > strtol(limit, NULL, 10) ? 0 : -1;
  return result;
}

static long file_size_memory(const char *limit) {
  signal(SIGXFSZ, SIG_IGN);
  int file = memfd_create("large", 0);
  return file < 0 ? -1 : ftruncate(file, strtol(limit, NULL, 10) + 1);
}

/// Fills the container with data.
static long scratch(const char *limit) {
  int file = open("/container/large", O_RDWR | O_CREAT, 0600);
  if (file < 0) untried("no file could be made");
  return posix_fallocate(file, 0, strtol(limit, NULL, 10) + 4096) == 0 ? 0 : (errno = ENOSPC, -1);
}

/// Fills the container with empty files.
static long scratch_names(const char *limit) {
  char path[64];
  for (int count = 0; count <= atoi(limit); count++) {
    snprintf(path, sizeof path, "/container/%d", count);
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    if (file < 0) return note("%d", count), -1;
    close(file);
  }
  return 0;
}

/// Creates inotify instances, which the kernel counts per user outside the session.
static long inotify_instances(const char *limit) {
  for (int count = 0; count <= atoi(limit); count++) {
    if (inotify_init1(0) < 0) return note("%d", count), -1;
  }
  return 0;
}

/// Creates all available inotify instances, prints their number and keeps them.
static long hold_inotify(const char *argument) {
  (void)argument;
  int count = 0;
  while (inotify_init1(0) >= 0) count++;
  dprintf(1, "%d\n", count);
  for (;;) pause();
}

/// Adds inotify watches to new files.
static long inotify_watches(const char *limit) {
  int instance = inotify_init1(0);
  if (instance < 0) return -1;
  char path[64];
  for (int count = 0; count <= atoi(limit); count++) {
    snprintf(path, sizeof path, "/container/%d", count);
    int file = open(path, O_WRONLY | O_CREAT, 0600);
    if (file < 0) untried("no file could be made");
    close(file);
    if (inotify_add_watch(instance, path, IN_ATTRIB) < 0) return note("%d", count), -1;
  }
  return 0;
}

/// Queues pending signals for several processes.
static long pending_signals(const char *limit) {
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGRTMIN);
  sigprocmask(SIG_BLOCK, &one, NULL);
  for (int count = 0; count <= atoi(limit); count++) {
    // Half of the signals are queued for another process.
    static pid_t child;
    if (count == atoi(limit) / 2 && (child = fork()) == 0) {
      for (;;) pause();
    }
    if (sigqueue(child ? child : getpid(), SIGRTMIN, (union sigval){0}) < 0) return note("%d", count), -1;
  }
  return 0;
}

/// Pipe memory is counted per user, possibly the host's user.
static long larger_pipe(const char *argument) {
  (void)argument;
  int ends[2];
  if (pipe(ends) < 0) untried("no pipe could be made");
  return fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
}

/// inotify instances are also counted per user, who has few.
static long watch_instances(const char *argument) {
  (void)argument;
  return inotify_init1(IN_CLOEXEC);
}

const struct attempt resource_attempts[] = {
    TRY("processes", processes, "{limit processes}", "limits", "creates more processes than its limit"),
    TRY("memory", memory, "{limit addressSpace}", "limits", "maps more memory than its limit"),
    TRY("locked-memory", locked_memory, "{limit lockedMemory}", "limits", "locks more memory than its limit"),
    TRY("many-descriptors", many_descriptors, "{limit descriptors}", "limits", "opens more descriptors than its limit"),
    TRY("file-size", file_size, "{limit fileSize}", "limits", "creates a file that is larger than its limit"),
    TRY("file-size-memory", file_size_memory, "{limit fileSize}", "limits",
        "creates a file in memory that is larger than its limit"),
    TRY("scratch", scratch, "268435456", "root", "writes more data to the container than its size"),
    TRY("scratch-names", scratch_names, "65536", "root", "creates many files in the container"),
    TRY("inotify-instances", inotify_instances, "16", "seccomp", "creates more inotify instances than its limit"),
    TRY("inotify-watches", inotify_watches, "4096", "seccomp", "creates more inotify watches than its limit"),
    TRY("pending-signals", pending_signals, "{limit pendingSignals}", "limits", "queues more signals than its limit"),
    TOOL("hold-processes", hold_processes),
    TOOL("hold-inotify", hold_inotify),
    TRY("larger-pipe", larger_pipe, NULL, "seccomp", "enlarges a pipe, which counts against the host's user"),
    TRY("watch-instances", watch_instances, NULL, "seccomp",
        "creates an inotify instance, which counts against the host's user"),
    END,
};
