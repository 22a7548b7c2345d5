// SPDX-License-Identifier: Apache-2.0
//
// Taking more resources of the machine than the session's share.
#include "probe.h"

#include <sched.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct sched_param least = {1}, most = {99};
/// The kernel's `struct sched_attr` for deadline scheduling.
static struct {
  uint32_t size, policy;
  uint64_t flags;
  int32_t nice;
  uint32_t priority;
  uint64_t runtime, deadline, period;
} deadline = {48, 6, 0, 0, 0, 10000000, 20000000, 20000000};
static struct rlimit64 everything = {~0ull, ~0ull};

/// The owner of a process may raise the soft priority limit up to the hard limit.
static long raise_priority_limit(const char *argument) {
  (void)argument;
  struct rlimit64 limit = {40, 40};
  if (syscall(SYS_prlimit64, 0, RLIMIT_NICE, &limit, NULL) < 0) return -1;
  return setpriority(PRIO_PROCESS, 0, -5);
}

const struct attempt scheduling_attempts[] = {
    CALL("real-time", "limits,capabilities",
         "sets the scheduling policy SCHED_FIFO", SYS_sched_setscheduler, 0, SCHED_FIFO,
         P(&least)),
    CALL("real-time-round", "limits,capabilities", "sets the scheduling policy SCHED_RR", SYS_sched_setscheduler, 0,
         SCHED_RR, P(&most)),
    CALL("real-time-deadline", "capabilities",
         "reserves processor time (SCHED_DEADLINE)", SYS_sched_setattr, 0, P(&deadline), 0),
    CALL("nice-below-zero", "limits,capabilities", "lowers its nice value below zero", SYS_setpriority, 0, 0, -5),
    TRY("raise-priority-limit", raise_priority_limit, NULL, "limits,capabilities",
        "raises its limit, then its priority"),
    CALL("raise-limit", "limits,capabilities", "raises the limit on descriptors", SYS_prlimit64, 0, RLIMIT_NOFILE,
         P(&everything), 0),
    CALL("raise-core-limit", "limits,capabilities", "enables core dumps", SYS_prlimit64, 0, RLIMIT_CORE,
         P(&everything), 0),
    CALL("mlockall", "seccomp,limits", "keeps its memory from being swapped", SYS_mlockall, MCL_CURRENT | MCL_FUTURE),
    CALL("ioprio_set", "seccomp,capabilities",
         "raises its I/O priority (real-time class)", SYS_ioprio_set, 1, 0, 1 << 13 | 4),
    CALL("ioprio_set-best", "seccomp", "raises its I/O priority in the best-effort class", SYS_ioprio_set, 1, 0,
         2 << 13),
    END,
};
