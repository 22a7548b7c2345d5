// SPDX-License-Identifier: Apache-2.0
//
// Signals to processes outside the session, and calls that address them by PID.
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <sys/uio.h>
#include <unistd.h>

static long kill_process(const char *process) { return kill(atoi(process), 0); }
static long stop_process(const char *process) { return kill(atoi(process), SIGSTOP); }
static long kill_group(const char *process) { return kill(-atoi(process), 0); }
static long kill_thread(const char *process) { return syscall(SYS_tgkill, atoi(process), atoi(process), 0); }
static long kill_thread_with_tkill(const char *process) { return syscall(SYS_tkill, atoi(process), 0); }
static long limit_process(const char *process) {
  struct rlimit64 limit;
  return syscall(SYS_prlimit64, atoi(process), RLIMIT_NOFILE, NULL, &limit);
}
static long affinity_process(const char *process) {
  cpu_set_t all;
  CPU_ZERO(&all);
  CPU_SET(0, &all);
  return sched_setaffinity(atoi(process), sizeof all, &all);
}
static long priority_process(const char *process) { return setpriority(PRIO_PROCESS, (id_t)atoi(process), 19); }
static long pidfd_process(const char *process) { return syscall(SYS_pidfd_open, atoi(process), 0); }

/// Sends a signal with data, like a timer.
static long queue_process(const char *process) {
  siginfo_t info = {.si_code = SI_QUEUE};
  return syscall(SYS_rt_sigqueueinfo, atoi(process), SIGSTOP, &info);
}

/// Signals every process except the sender.
static long kill_everybody(const char *argument) {
  (void)argument;
  return kill(-1, SIGSTOP);
}

/// Signals the session init through a pidfd.
static long signal_descriptor(const char *argument) {
  (void)argument;
  int process = (int)syscall(SYS_pidfd_open, 1, 0);
  return process < 0 ? -1 : syscall(SYS_pidfd_send_signal, process, SIGSTOP, NULL, 0);
}

/// Requests a signal from the kernel when a pipe becomes readable.
static long set_owner(const char *process) {
  int ends[2];
  if (pipe(ends) < 0) return -1;
  return fcntl(ends[0], F_SETOWN, atoi(process));
}

static long set_owner_ex(const char *process) {
  int ends[2];
  struct f_owner_ex owner = {F_OWNER_PID, atoi(process)};
  if (pipe(ends) < 0) return -1;
  return fcntl(ends[0], F_SETOWN_EX, &owner);
}

/// Requests a signal from a timer.
static long timer_process(const char *process) {
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGSTOP};
  event._sigev_un._tid = atoi(process);
  int timer;
  return syscall(SYS_timer_create, CLOCK_REALTIME, &event, &timer);
}

#define INIT(name, signal, words) CALL(name, "landlock", words, SYS_kill, 1, signal)
#define OUTSIDE(name, function, words) TRY(name, function, "{process}", "pidNamespace", words)

const struct attempt signal_attempts[] = {
    INIT("kill-init", 0, "signals the session's init"),
    INIT("stop-init", SIGSTOP, "stops the session's init"),
    CALL("interrupt-init", "landlock", "sends SIGINT to the session's init with tgkill(2)", SYS_tgkill, 1, 1, SIGINT),
    TRY("stop-init-descriptor", signal_descriptor, NULL, "landlock", "stops the session's init through a pidfd"),
    TRY("kill-everybody", kill_everybody, NULL, "pidNamespace", "stops all processes with kill(2) and the PID -1"),
    OUTSIDE("kill-process", kill_process, "signals a process of the host"),
    OUTSIDE("stop-process", stop_process, "stops a process of the host"),
    OUTSIDE("kill-group", kill_group, "signals a process group of the host"),
    OUTSIDE("kill-thread", kill_thread, "signals a thread of the host"),
    OUTSIDE("kill-thread-plainly", kill_thread_with_tkill, "signals a thread of the host with tkill(2)"),
    OUTSIDE("queue-process", queue_process, "sends a process of the host a signal with data"),
    OUTSIDE("own-process", set_owner, "makes the kernel signal a process of the host (F_SETOWN)"),
    OUTSIDE("own-process-wholly", set_owner_ex, "makes the kernel signal a process of the host (F_SETOWN_EX)"),
    OUTSIDE("timer-process", timer_process, "makes a timer signal a process of the host"),
    OUTSIDE("limit-process", limit_process, "reads the limits of a process of the host"),
    OUTSIDE("affinity-process", affinity_process, "changes the processor affinity of a host process"),
    OUTSIDE("priority-process", priority_process, "lowers the priority of a process of the host"),
    OUTSIDE("pidfd-process", pidfd_process, "opens a pidfd of a process of the host"),
    END,
};
