// SPDX-License-Identifier: Apache-2.0
//
// Ways past the filter of system calls: queues of calls, and filters of one's own.
#include "probe.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

static char room[4096];
static struct sock_filter allow_all[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
static struct sock_fprog program = {1, allow_all};

const struct attempt filter_attempts[] = {
    CALL("io_uring_setup", "seccomp", "makes a queue of calls", SYS_io_uring_setup, 1, P(room)),
    CALL("io_uring_enter", "seccomp", "has a queue of calls worked off", SYS_io_uring_enter, 0, 0, 0, 0),
    CALL("io_uring_register", "seccomp", "registers with a queue of calls", SYS_io_uring_register, 0, 0, 0, 0),
    CALL("seccomp-filter-listener", "seccomp", "adds a filter and answers its own calls", SYS_seccomp,
         SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, P(&program)),
    CALL("prctl-seccomp", "seccomp", "adds a filter by prctl", SYS_prctl, PR_SET_SECCOMP, SECCOMP_MODE_FILTER,
         P(&program)),
    END,
};
