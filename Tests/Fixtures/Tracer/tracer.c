// SPDX-License-Identifier: Apache-2.0
//
// A minimal debugger for tests. Usage: darkroom-tracer PID ORDER…. The commands are executed one after
// another, and each prints a line when it is complete:
//   seize       attaches and stops the process
//   where       prints whether the process is at the entry point of its statically linked program
//   hold=FILE   keeps the process stopped until FILE exists
//   run=FILE    lets the process run and passes on signals until FILE exists or the process has exited
//   detach      stops the process and detaches
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t process;

/// Prints an error and exits.
static void fail(const char *subject) {
  perror(subject);
  exit(1);
}

/// Whether a file exists; otherwise waits 10 ms.
static int exists_or_wait(const char *file) {
  if (access(file, F_OK) == 0) return 1;
  usleep(10000);
  return 0;
}

/// Takes a stop of the process. Returns 1 if it has stopped, 0 if it runs, and -1 if it has exited.
static int take_stop(int flags, int *signal) {
  int status;
  pid_t found = waitpid(process, &status, __WALL | flags);
  if (found < 0) fail("waitpid");
  if (found == 0) return 0;
  if (!WIFSTOPPED(status)) return -1;
  // A ptrace event stop has no signal.
  *signal = status >> 16 ? 0 : WSTOPSIG(status);
  return 1;
}

static void seize(void) {
  int signal;
  if (ptrace(PTRACE_SEIZE, process, NULL, NULL) < 0) fail("PTRACE_SEIZE");
  if (ptrace(PTRACE_INTERRUPT, process, NULL, NULL) < 0) fail("PTRACE_INTERRUPT");
  if (take_stop(0, &signal) != 1) fail("it has ended");
}

/// Returns the value of an entry of the auxiliary vector, or 0.
static unsigned long auxiliary(unsigned long type) {
  char path[64];
  unsigned long pair[2];
  snprintf(path, sizeof path, "/proc/%d/auxv", process);
  FILE *file = fopen(path, "r");
  if (!file) fail(path);
  unsigned long found = 0;
  while (fread(pair, sizeof pair, 1, file) == 1) {
    if (pair[0] == type) found = pair[1];
  }
  fclose(file);
  return found;
}

static void report_position(void) {
  struct user_regs_struct registers;
  struct iovec vector = {&registers, sizeof registers};
  if (ptrace(PTRACE_GETREGSET, process, (void *)NT_PRSTATUS, &vector) < 0) fail("PTRACE_GETREGSET");
#if defined(__x86_64__)
  unsigned long at = registers.rip;
#else
  unsigned long at = registers.pc;
#endif
  puts(auxiliary(AT_BASE) == 0 && at == auxiliary(AT_ENTRY) ? "at its first instruction" : "somewhere else");
}

/// Lets the process run until a file exists and leaves it running. Returns 0 if the process has exited.
static int run(const char *file) {
  // A process that was killed meanwhile is not in a ptrace stop.
  if (ptrace(PTRACE_CONT, process, NULL, NULL) < 0 && errno != ESRCH) fail("PTRACE_CONT");
  while (!exists_or_wait(file)) {
    int signal = 0;
    int found = take_stop(WNOHANG, &signal);
    if (found < 0) return 0;
    if (found > 0) ptrace(PTRACE_CONT, process, NULL, (void *)(long)signal);
  }
  int signal;
  if (ptrace(PTRACE_INTERRUPT, process, NULL, NULL) < 0) fail("PTRACE_INTERRUPT");
  return take_stop(0, &signal) > 0;
}

int main(int count, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  process = atoi(count > 1 ? argv[1] : "0");
  if (process <= 0) fail("PID");
  for (int i = 2; i < count; i++) {
    if (strcmp(argv[i], "seize") == 0) {
      seize();
    } else if (strcmp(argv[i], "where") == 0) {
      report_position();
    } else if (strncmp(argv[i], "hold=", 5) == 0) {
      while (!exists_or_wait(argv[i] + 5)) {}
    } else if (strncmp(argv[i], "run=", 4) == 0) {
      if (!run(argv[i] + 4)) {
        puts("ended");
        return 0;
      }
    } else if (strcmp(argv[i], "detach") == 0) {
      if (ptrace(PTRACE_DETACH, process, NULL, NULL) < 0) fail("PTRACE_DETACH");
    } else {
      fprintf(stderr, "there is no order %s\n", argv[i]);
      return 2;
    }
    printf("%s: done\n", argv[i]);
  }
  return 0;
}
