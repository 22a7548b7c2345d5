// SPDX-License-Identifier: Apache-2.0
//
// Attempts of a program that shares its user, processes and files with others, against a sandbox without
// namespaces. Each attempt succeeds if only the kernel's permission checks apply.
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

static char text[4096];

/// Returns the path of a name in the container.
static const char *scratch(const char *name) {
  const char *container = getenv("DARKROOM_CONTAINER_DIR");
  snprintf(text, sizeof text, "%s/%s", container ? container : "/container", name);
  return text;
}

static long change_owner(const char *path) { return chown(path, getuid(), (gid_t)-1); }
static long list_attributes(const char *path) { return listxattr(path, text, sizeof text); }
static long take(const char *path) { return rename(path, scratch("taken")); }
static long take_link(const char *path) { return link(path, scratch("linked")); }
static long replace(const char *path) {
  int file = open(scratch("mine"), O_WRONLY | O_CREAT, 0600);
  if (file < 0) untried("no file could be made");
  return rename(text, path);
}

/// Reads a file by its name after entering its directory.
static long read_from_inside(const char *path) {
  const char *name = strrchr(path, '/');
  if (!name) untried("usage: DIRECTORY/NAME");
  snprintf(text, sizeof text, "%.*s", (int)(name - path), path);
  if (chdir(text) < 0) return -1;
  return open(name + 1, O_RDONLY);
}

/// Reopens a file through an `O_PATH` descriptor for reading.
static long reopen(const char *path) {
  int named = open(path, O_PATH);
  if (named < 0) return -1;
  snprintf(text, sizeof text, "/proc/self/fd/%d", named);
  return open(text, O_RDONLY);
}

/// Changes the mode of a readable file through its descriptor.
static long change_mode_of_open(const char *path) {
  int file = open(path, O_RDONLY);
  if (file < 0) untried("%s cannot be read", path);
  struct stat status;
  if (fstat(file, &status) < 0) return -1;
  return fchmod(file, status.st_mode & 0777);
}

static long watch(const char *path) {
  int queue = inotify_init1(0);
  return queue < 0 ? -1 : inotify_add_watch(queue, path, IN_CREATE | IN_OPEN);
}

static long limit_process(const char *process) {
  struct rlimit limit;
  if (prlimit(atoi(process), RLIMIT_NOFILE, NULL, &limit) < 0) return -1;
  return prlimit(atoi(process), RLIMIT_NOFILE, &limit, NULL);
}

static long renice_process(const char *process) {
  errno = 0;
  int nice = getpriority(PRIO_PROCESS, (id_t)atoi(process));
  return errno ? -1 : setpriority(PRIO_PROCESS, (id_t)atoi(process), nice);
}

static long renice_user(const char *argument) {
  (void)argument;
  int result = -1;
  // Another process of the user may temporarily have capabilities in a new user namespace. The kernel then
  // refuses the call for that process regardless of the sandbox.
  for (int attempt = 0; attempt < 50; attempt++) {
    result = setpriority(PRIO_USER, 0, getpriority(PRIO_PROCESS, 0));
    if (result == 0 || errno != EPERM) break;
    usleep(10000);
  }
  // EACCES means that the kernel skipped a process with a higher nice value: the call itself was not refused.
  return result < 0 && errno == EACCES ? 0 : result;
}

static long pin_process(const char *process) {
  cpu_set_t set;
  if (sched_getaffinity(atoi(process), sizeof set, &set) < 0) return -1;
  return sched_setaffinity(atoi(process), sizeof set, &set);
}

static long schedule_process(const char *process) {
  return sched_setscheduler(atoi(process), SCHED_OTHER, &(struct sched_param){0});
}

static long open_process(const char *process) { return syscall(SYS_pidfd_open, atoi(process), 0); }

/// Attaches to a process as a tracer; the kernel detaches when this process exits.
static long attach_process(const char *process) {
  return syscall(SYS_ptrace, 0x4206 /* PTRACE_SEIZE */, atoi(process), 0, 0);
}

/// Stops a process and continues it.
static long stop_process(const char *process) {
  if (kill(atoi(process), SIGSTOP) < 0) return -1;
  return kill(atoi(process), SIGCONT);
}

static long queue_signal(const char *process) { return sigqueue(atoi(process), 0, (union sigval){0}); }
static long signal_thread(const char *process) {
  return syscall(SYS_tgkill, atoi(process), atoi(process), 0);
}

/// Requests a signal to a process when a pipe becomes readable.
static long signal_by_pipe(const char *process) {
  int ends[2];
  if (pipe(ends) < 0) untried("no pipe");
  if (fcntl(ends[0], F_SETOWN, atoi(process)) < 0) return -1;
  return fcntl(ends[0], F_GETOWN) == atoi(process) ? 0 : found_nothing();
}

/// Makes a call in a child, because a process group leader cannot make it, and returns its result.
static long in_child(long (*call)(void)) {
  pid_t child = fork();
  if (child == 0) _exit(call() < 0 ? errno : 0);
  int status;
  if (child < 0 || waitpid(child, &status, 0) < 0) return -1;
  errno = WEXITSTATUS(status);
  return errno ? -1 : 0;
}

static long call_setsid(void) { return setsid(); }
static long call_setpgid(void) { return setpgid(0, 0); }
static long new_session(const char *argument) { return (void)argument, in_child(call_setsid); }
static long new_group(const char *argument) { return (void)argument, in_child(call_setpgid); }
static long survive_init(const char *argument) { return (void)argument, prctl(PR_SET_PDEATHSIG, 0); }

/// Checks no_new_privs, the filter and capabilities without /proc.
static long unconfined_process(const char *argument) {
  (void)argument;
  if (prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) != 1) return note("new privileges"), 0;
  if (prctl(PR_GET_SECCOMP) != 2) return note("no filter"), 0;
  struct __user_cap_header_struct head = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct sets[2];
  if (syscall(SYS_capget, &head, sets) < 0) return note("capget"), 0;
  for (int i = 0; i < 2; i++) {
    if (sets[i].effective | sets[i].permitted | sets[i].inheritable) return note("capabilities"), 0;
  }
  return found_nothing();
}

static void ignore_signals(void) {
  for (int number = 1; number < 32; number++) signal(number, SIG_IGN);
}

/// Forks endlessly in every process; the first process exits after half a second.
static long bomb(const char *marker) {
  (void)marker;
  pid_t first = getpid();
  ignore_signals();
  struct timespec now, end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  for (;;) {
    fork();
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (getpid() == first && (now.tv_sec - end.tv_sec) * 1000 + (now.tv_nsec - end.tv_nsec) / 1000000 > 500) _exit(7);
  }
}

/// Creates processes that exit after forking the next one, in new sessions if possible.
static long chain(const char *marker) {
  (void)marker;
  for (int i = 0; i < 8; i++) {
    if (fork() != 0) continue;
    ignore_signals();
    for (;;) {
      setsid();
      pid_t next = fork();
      if (next > 0) _exit(0);
    }
  }
  usleep(200000);
  _exit(7);
}

/// Ignores termination signals and reports that it is ready.
static long ignore_end(const char *marker) {
  (void)marker;
  ignore_signals();
  if (write(1, "ready\n", 6) < 0) return -1;
  for (;;) pause();
}

const struct attempt shared_attempts[] = {
    TOOL("change-owner", change_owner),
    TOOL("list-attributes", list_attributes),
    TOOL("take", take),
    TOOL("take-link", take_link),
    TOOL("replace-over", replace),
    TOOL("read-from-inside", read_from_inside),
    TOOL("reopen", reopen),
    TOOL("change-mode-of-open", change_mode_of_open),
    TOOL("watch-file", watch),
    TOOL("limit-process", limit_process),
    TOOL("renice-process", renice_process),
    TOOL("renice-user", renice_user),
    TOOL("pin-process", pin_process),
    TOOL("schedule-process", schedule_process),
    TOOL("open-process", open_process),
    TOOL("attach-process", attach_process),
    TOOL("stop-briefly", stop_process),
    TOOL("queue-signal", queue_signal),
    TOOL("signal-thread", signal_thread),
    TOOL("signal-by-pipe", signal_by_pipe),
    TOOL("new-session", new_session),
    TOOL("new-group", new_group),
    TOOL("survive-init", survive_init),
    TOOL("loose-process", unconfined_process),
    TOOL("bomb", bomb),
    TOOL("chain", chain),
    TOOL("ignore-end", ignore_end),
    END,
};
