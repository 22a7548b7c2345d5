// SPDX-License-Identifier: Apache-2.0
//
// Inspecting, changing and stopping other processes. The init of a session has PID 1.
#include "probe.h"

#include <dirent.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char room[16];
static struct iovec part = {room, 1};

/// Whether another process is visible.
static long other_processes(const char *argument) {
  (void)argument;
  DIR *directory = opendir("/proc");
  if (!directory) return -1;
  for (struct dirent *entry; (entry = readdir(directory));) {
    if (atoi(entry->d_name) == 0 || atoi(entry->d_name) == getpid()) continue;
    return note("%s", entry->d_name), 0;
  }
  return found_nothing();
}

/// Duplicates a descriptor of the session init through its pidfd.
static long take_descriptor(const char *argument) {
  (void)argument;
  int process = (int)syscall(SYS_pidfd_open, 1, 0);
  if (process < 0) return note("pidfd_open,"), -1;
  return syscall(438, process, 0, 0);
}

/// Applies memory advice to the session init.
static long advise_init(const char *argument) {
  (void)argument;
  int process = (int)syscall(SYS_pidfd_open, 1, 0);
  if (process < 0) return note("pidfd_open,"), -1;
  part.iov_base = (void *)(uintptr_t)0x400000;
  part.iov_len = 4096;
  return syscall(SYS_process_madvise, process, &part, 1, MADV_COLD, 0);
}

/// Tracing a child is also forbidden.
static long trace_child(const char *argument) {
  (void)argument;
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    pause();
    _exit(0);
  }
  long result = ptrace(PTRACE_SEIZE, child, 0, 0);
  int error = errno;
  kill(child, SIGKILL);
  errno = error;
  return result;
}

static struct rlimit64 no_files = {0, 0};
static unsigned long first_processor = 1;
static struct sched_param plain = {0};
/// The kernel's `struct sched_attr` for the idle scheduling policy.
static struct {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
} idle = {48, SCHED_IDLE, 0, 0, 0, 0, 0, 0};

const struct attempt process_attempts[] = {
    CALL("ptrace-traceme", "seccomp", "lets its parent trace it", SYS_ptrace, PTRACE_TRACEME),
    CALL("ptrace-attach-init", "seccomp,landlock,capabilities", "traces the session's init", SYS_ptrace,
         PTRACE_ATTACH, 1),
    CALL("ptrace-seize-init", "seccomp,landlock,capabilities",
         "traces the session's init without stopping it", SYS_ptrace,
         PTRACE_SEIZE, 1),
    TRY("ptrace-seize-child", trace_child, NULL, "seccomp", "traces a child of its own"),
    CALL("process_vm_readv", "seccomp,landlock,capabilities", "reads the session init's memory",
         SYS_process_vm_readv, 1, P(&part),
         1, P(&part), 1),
    CALL("process_vm_writev", "seccomp,landlock,capabilities", "writes the session init's memory",
         SYS_process_vm_writev, 1,
         P(&part), 1, P(&part), 1),
    CALL("process_madvise", "seccomp,kernel", "changes the memory of no process", SYS_process_madvise, 0, P(&part), 1,
         MADV_COLD),
    TRY("process_madvise-init", advise_init, NULL, "seccomp,landlock,capabilities",
        "changes the session init's memory"),
    CALL("pidfd_getfd", "seccomp,kernel", "takes a descriptor of no process", 438, 0, 0, 0),
    TRY("pidfd_getfd-init", take_descriptor, NULL, "seccomp,landlock,capabilities",
        "takes a descriptor of the session's init"),
    CALL("kcmp", "seccomp,landlock,capabilities", "compares two processes", SYS_kcmp, 1, 2, 0, 0, 0),
    TRY("other-processes", other_processes, NULL, "root", "lists other processes"),
    CALL("limit-init", "seccomp", "limits the session's init", SYS_prlimit64, 1, RLIMIT_NOFILE, P(&no_files), 0),
    CALL("affinity-init", "seccomp", "limits the session's init to one processor", SYS_sched_setaffinity, 1,
         sizeof first_processor, P(&first_processor)),
    CALL("idle-init", "seccomp", "makes the scheduling of the session's init idle", SYS_sched_setscheduler, 1,
         SCHED_IDLE, P(&plain)),
    CALL("idle-attributes-init", "seccomp", "makes the scheduling of the session's init idle", SYS_sched_setattr,
         1, P(&idle), 0),
    CALL("parameters-init", "seccomp",
         "changes the scheduling of the session's init", SYS_sched_setparam, 1, P(&plain)),
    CALL("nice-init", "seccomp", "lowers the priority of the session's init", SYS_setpriority, PRIO_PROCESS, 1, 19),
    CALL("nice-user", "seccomp", "lowers the priority of all processes of its user", SYS_setpriority, PRIO_USER, 0, 19),
    CALL("ioprio_set-init", "seccomp", "lowers the I/O priority of the session's init", SYS_ioprio_set, 1, 1, 3 << 13),
    CALL("ioprio_set-user", "seccomp",
         "lowers the I/O priority of all processes of its user", SYS_ioprio_set, 3, 1000, 3 << 13),
    END,
};
