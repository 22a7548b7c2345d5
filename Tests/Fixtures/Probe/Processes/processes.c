// SPDX-License-Identifier: Apache-2.0
//
// Other processes: looking into them, changing them, stopping them.
#include "probe.h"

#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static char room[16];
static struct iovec part = {room, 1};
static struct sched_param real_time = {1};

/// Signals a process of the host.
static long kill_process(const char *process) { return kill(atoi(process), 0); }

/// Another process than this one is visible.
static long other_processes(const char *argument) {
  (void)argument;
  DIR *directory = opendir("/proc");
  if (!directory) return -1;
  for (struct dirent *entry; (entry = readdir(directory));) {
    if (atoi(entry->d_name) == 0 || atoi(entry->d_name) == getpid()) continue;
    return note("%s", entry->d_name), 0;
  }
  return nothing();
}

const struct attempt process_attempts[] = {
    CALL("ptrace-traceme", "seccomp", "lets its parent trace it", SYS_ptrace, PTRACE_TRACEME),
    CALL("ptrace-attach-init", "seccomp,landlock", "traces the session's first process", SYS_ptrace, PTRACE_ATTACH, 1),
    CALL("ptrace-seize-init", "seccomp,landlock", "traces the session's first process without stopping it", SYS_ptrace,
         0x4206, 1),
    CALL("process_vm_readv", "seccomp,landlock", "reads the first process's memory", SYS_process_vm_readv, 1, P(&part),
         1, P(&part), 1),
    CALL("process_vm_writev", "seccomp,landlock", "writes the first process's memory", SYS_process_vm_writev, 1,
         P(&part), 1, P(&part), 1),
    CALL("process_madvise", "seccomp", "changes another process's memory", SYS_process_madvise, 0, P(&part), 1,
         MADV_COLD),
    CALL("pidfd_getfd", "seccomp", "takes another process's descriptor", 438, 0, 0, 0),
    CALL("kcmp", "seccomp,landlock", "compares two processes", SYS_kcmp, 1, 2, 0, 0, 0),
    CALL("kill-init", "landlock", "signals the session's first process", SYS_kill, 1, 0),
    CALL("stop-init", "landlock", "stops the session's first process", SYS_kill, 1, SIGSTOP),
    TRY("kill-process", kill_process, "{process}", "pidNamespace,landlock", "signals a process of the host"),
    TRY("other-processes", other_processes, NULL, "root", "lists other processes"),
    CALL("real-time", "limits,capabilities", "runs before all others", SYS_sched_setscheduler, 0, SCHED_FIFO,
         P(&real_time)),
    CALL("nice-below-zero", "limits,capabilities", "runs more than its share", SYS_setpriority, 0, 0, -5),
    CALL("mlockall", "seccomp", "keeps its memory from being swapped", SYS_mlockall, MCL_CURRENT | MCL_FUTURE),
    CALL("ioprio_set", "seccomp", "has its files served first", SYS_ioprio_set, 1, 0, 1 << 13 | 4),
    END,
};
