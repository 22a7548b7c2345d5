// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "orders.h"

/// The signals of the crash command.
static const struct {
  const char *name;
  int number;
} crashes[] = {
    {"abort", SIGABRT}, {"segv", SIGSEGV}, {"ill", SIGILL},   {"fpe", SIGFPE},
    {"term", SIGTERM},  {"kill", SIGKILL}, {"pipe", SIGPIPE},
};

/// Terminates the process by a signal with its default action.
static bool crash(const char *name) {
  // The crash is intentional, so a core file would only waste disk space.
  setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
  for (size_t index = 0; index < sizeof crashes / sizeof crashes[0]; index++) {
    if (strcmp(name, crashes[index].name) != 0) continue;
    signal(crashes[index].number, SIG_DFL);
    raise(crashes[index].number);
    report("crash", name, "survived");
    return true;
  }
  return false;
}

/// Ignores every signal that can be ignored.
static void ignore_all(void) {
  for (int number = 1; number < NSIG; number++) signal(number, SIG_IGN);
}

/// Starts a detached child in another session (setsid(2)).
static void outlive(void) {
  pid_t child = fork();
  if (child == 0) {
    setsid();
    ignore_all();
    for (;;) pause();
  }
  report("fork-outlive", "", "%s", outcome(child));
}

/// Starts children up to the given number or until fork(2) fails.
static void fork_many(const char *value) {
  long started = 0, wanted = atol(value);
  while (started < wanted) {
    pid_t child = fork();
    if (child == 0) {
      for (;;) pause();
    }
    if (child < 0) break;
    started++;
  }
  report("fork", value, "%ld", started);
}

/// Allocates memory in steps of 1 MiB.
static void take_memory(const char *value) {
  const size_t piece = 1 << 20;
  long taken = 0, wanted = atol(value);
  for (; taken < wanted; taken++) {
    void *bytes = mmap(NULL, piece, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (bytes == MAP_FAILED) break;
    memset(bytes, 1, piece);
  }
  report("memory", value, "%ld MB", taken);
}

/// Opens descriptors until open(2) fails.
static void take_descriptors(void) {
  long opened = 0;
  while (open("/dev/null", O_RDONLY) >= 0) opened++;
  report("descriptors", "", "%ld %s", opened, outcome(-1));
}

/// Waits for the given number of milliseconds.
static void wait_milliseconds(long time) {
  struct timespec rest = {.tv_sec = time / 1000, .tv_nsec = time % 1000 * 1000000};
  while (nanosleep(&rest, &rest) != 0) continue;
}

bool order_process(struct host *host, const char *order, const char *value) {
  if (strcmp(order, "crash") == 0) return crash(value);
  if (strcmp(order, "exit") == 0) exit(atoi(value));
  if (strcmp(order, "sleep") == 0) {
    wait_milliseconds(atol(value));
  } else if (strcmp(order, "hang") == 0) {
    for (;;) pause();
  } else if (strcmp(order, "spin") == 0) {
    for (volatile unsigned long turns = 0;; turns++) continue;
  } else if (strcmp(order, "ignore-sigterm") == 0) {
    signal(SIGTERM, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGHUP, SIG_IGN);
    host->obeys = false;
  } else if (strcmp(order, "fork-outlive") == 0) {
    outlive();
  } else if (strcmp(order, "fork") == 0) {
    fork_many(value);
  } else if (strcmp(order, "memory") == 0) {
    take_memory(value);
  } else if (strcmp(order, "descriptors") == 0) {
    take_descriptors();
  } else {
    return false;
  }
  return true;
}
