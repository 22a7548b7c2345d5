// SPDX-License-Identifier: Apache-2.0
//
// Runs a program and makes one of its file system calls fail, or kills the program at that call:
//   darkroom-faults [--under DIR] [--report FILE] [--point N|--first 'NAME PATTERN' --do ACTION] [--grace SECONDS]
//     -- PROGRAM ARG...
// README.md in this directory describes the counted calls and the actions.
#include "calls.h"
#include "tracee.h"

#include <errno.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/// The action at the injection point.
enum action { NOTHING, FAIL, SHORT, SKIP, KILL_BEFORE, KILL_AFTER };

static struct {
  const char *under;
  FILE *report;
  unsigned long point;
  const char *first;
  enum action action;
  int error;
  unsigned grace;
} configuration = {"/", NULL, 0, NULL, NOTHING, 0, 10};

/// The number of counted calls.
static unsigned long counted;
/// The thread whose current call is changed when it returns, or 0.
static pid_t pending_thread;
/// The process ID of the program.
static pid_t program;
/// The wait status of the program (wait(2)).
static int program_status = -1;
/// Whether the grace period for remaining processes has expired.
static volatile sig_atomic_t grace_expired;

static void on_grace_expired(int signal) {
  (void)signal;
  grace_expired = 1;
}

/// Performs the configured action on a call. Returns the ptrace request that resumes the thread.
static int inject(const struct call *call, pid_t thread, const uint64_t *arguments) {
  switch (configuration.action) {
  case FAIL:
    // Linux releases the descriptor even if close(2) returns an error.
    if (strcmp(call->name, "close") == 0) {
      pending_thread = thread;
      return PTRACE_SYSCALL;
    }
    replace_call(thread, -configuration.error);
    return PTRACE_CONT;
  case SKIP: replace_call(thread, 0); return PTRACE_CONT;
  case SHORT:
    if (call->length >= 0) {
      set_argument(thread, call->length, shortened_length(call, arguments[(int)call->length]));
    }
    return PTRACE_CONT;
  case KILL_BEFORE: kill_process(thread); return PTRACE_CONT;
  case KILL_AFTER: pending_thread = thread; return PTRACE_SYSCALL;
  case NOTHING: break;
  }
  return PTRACE_CONT;
}

/// Whether a call matches the pattern of --first. The first match becomes the injection point.
static int is_first(const struct call *call, const char *text) {
  static char line[5 * PATH_MAX];
  if (configuration.point || !configuration.first) return 0;
  snprintf(line, sizeof line, "%s %s", call->name, text);
  return fnmatch(configuration.first, line, 0) == 0;
}

/// Counts the call at which a thread has stopped. Returns the ptrace request that resumes the thread.
static int count_call(pid_t thread) {
  static char text[4 * PATH_MAX];
  uint64_t number, arguments[6];
  if (configuration.point && !configuration.report && counted >= configuration.point) return PTRACE_CONT;
  if (read_call(thread, &number, arguments) < 0) return PTRACE_CONT;
  const struct call *call = call_with_number(number);
  if (!call || !call_names_path_below(call, thread, arguments, configuration.under, text, sizeof text)) return PTRACE_CONT;
  counted++;
  if (is_first(call, text)) configuration.point = counted;
  if (configuration.report) {
    for (char *at = text; *at; at++) {
      if (*at == '\n') *at = '?';
    }
    fprintf(configuration.report, "%lu %s %s\n", counted, call->name, text);
    fflush(configuration.report);
  }
  return counted == configuration.point ? inject(call, thread, arguments) : PTRACE_CONT;
}

/// Completes the action after the call has returned.
static void finish_call(pid_t thread) {
  pending_thread = 0;
  if (configuration.action == KILL_AFTER) kill_process(thread);
  if (configuration.action == FAIL) set_result(thread, -configuration.error);
}

/// Resumes a stopped thread.
static void resume_thread(pid_t thread, int status) {
  int signal = WSTOPSIG(status), event = status >> 16, how = PTRACE_CONT;
  if (event == PTRACE_EVENT_SECCOMP) {
    how = count_call(thread);
    signal = 0;
  } else if (event == PTRACE_EVENT_STOP) {
    // The thread is in a group-stop and stays stopped, or it is new.
    if (signal != SIGTRAP) how = PTRACE_LISTEN;
    signal = 0;
  } else if (event != 0) {
    signal = 0;
  } else if (signal == (SIGTRAP | 0x80)) {
    if (thread == pending_thread) finish_call(thread);
    signal = 0;
  }
  ptrace(how, thread, NULL, (void *)(long)signal);
}

/// Traces the program and all of its descendants until they exit. Returns the exit code of the injector.
static int trace_all(void) {
  while (1) {
    int status;
    pid_t thread = waitpid(-1, &status, __WALL);
    if (thread < 0) {
      if (errno == ECHILD) break;
      if (!grace_expired) continue;
      fprintf(stderr, "darkroom-faults: processes are left %u seconds after the program's end\n", configuration.grace);
      return 125;
    }
    if (WIFSTOPPED(status)) {
      resume_thread(thread, status);
      continue;
    }
    if (thread == program) {
      program_status = status;
      alarm(configuration.grace);
    }
  }
  if (configuration.report) fclose(configuration.report);
  if (configuration.point > counted) {
    fprintf(stderr, "darkroom-faults: there were only %lu calls\n", counted);
  }
  if (configuration.first && !configuration.point) {
    fprintf(stderr, "darkroom-faults: there was no call %s\n", configuration.first);
    return 125;
  }
  return WIFSIGNALED(program_status) ? 128 + WTERMSIG(program_status) : WEXITSTATUS(program_status);
}

static void usage_error(const char *message) {
  fprintf(stderr, "darkroom-faults: %s\n", message);
  exit(125);
}

/// Parses the name of an action.
static void read_action(const char *text) {
  if (strncmp(text, "fail=", 5) == 0) {
    configuration.action = FAIL;
    configuration.error = error_number(text + 5);
    if (configuration.error <= 0) usage_error("fail= takes the name or number of an error");
  } else if (strcmp(text, "short") == 0) {
    configuration.action = SHORT;
  } else if (strcmp(text, "skip") == 0) {
    configuration.action = SKIP;
  } else if (strcmp(text, "kill-before") == 0) {
    configuration.action = KILL_BEFORE;
  } else if (strcmp(text, "kill-after") == 0) {
    configuration.action = KILL_AFTER;
  } else {
    usage_error("an action is fail=ERROR, short, skip, kill-before or kill-after");
  }
}

/// Parses the arguments. Returns the index of the program.
static int read_arguments(int count, char **argv) {
  static char under[PATH_MAX];
  int at = 1;
  for (; at + 1 < count && strcmp(argv[at], "--") != 0; at += 2) {
    const char *value = argv[at + 1];
    if (strcmp(argv[at], "--under") == 0) {
      if (!realpath(value, under)) usage_error("there is no such directory for --under");
      configuration.under = strcmp(under, "/") == 0 ? "" : under;
    } else if (strcmp(argv[at], "--report") == 0) {
      // "e" sets close-on-exec, so that the program does not inherit the file.
      configuration.report = fopen(value, "we");
      if (!configuration.report) usage_error("the report cannot be written");
    } else if (strcmp(argv[at], "--point") == 0) {
      configuration.point = strtoul(value, NULL, 10);
    } else if (strcmp(argv[at], "--first") == 0) {
      configuration.first = value;
    } else if (strcmp(argv[at], "--do") == 0) {
      read_action(value);
    } else if (strcmp(argv[at], "--grace") == 0) {
      configuration.grace = (unsigned)strtoul(value, NULL, 10);
    } else {
      usage_error("unknown option; there are --under --report --point --first --do --grace");
    }
  }
  if (at + 1 >= count) usage_error("no program: ... -- PROGRAM ARG...");
  return at + 1;
}

int main(int count, char **argv) {
  int first = read_arguments(count, argv);
  struct sigaction expired = {.sa_handler = on_grace_expired};
  sigaction(SIGALRM, &expired, NULL);
  program = start_traced(argv + first);
  if (program < 0) {
    perror("darkroom-faults");
    return 125;
  }
  return trace_all();
}
