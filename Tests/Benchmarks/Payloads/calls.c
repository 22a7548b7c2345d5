// SPDX-License-Identifier: Apache-2.0
//
// Measures system calls inside a sandbox. Prints for each call the median of many batches in hundredths of a
// nanosecond, on one line. The argument is a writable directory.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { BATCHES = 41, BATCH = 400 };

static int file;
static char block[4096];

static void call_getppid(void) { syscall(SYS_getppid); }

static void open_and_close(void) { close(openat(AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC)); }

static void write_block(void) {
  if (pwrite(file, block, sizeof block, 0) != sizeof block) exit(3);
}

static long long now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int compare(const void *left, const void *right) {
  long long a = *(const long long *)left, b = *(const long long *)right;
  return (a > b) - (a < b);
}

static void measure(void (*call)(void)) {
  long long times[BATCHES];
  for (int batch = 0; batch < BATCHES; batch++) {
    long long start = now();
    for (int i = 0; i < BATCH; i++) call();
    times[batch] = (now() - start) * 100 / BATCH;
  }
  qsort(times, BATCHES, sizeof times[0], compare);
  printf("%lld ", times[BATCHES / 2]);
}

int main(int count, char **arguments) {
  char path[4096];
  snprintf(path, sizeof path, "%s/block", count > 1 ? arguments[1] : ".");
  file = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
  int null = openat(AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC);
  if (file < 0 || null < 0) return 2;
  close(null);
  measure(call_getppid);
  measure(open_and_close);
  measure(write_block);
  printf("\n");
  unlink(path);
  return 0;
}
