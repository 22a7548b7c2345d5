// SPDX-License-Identifier: Apache-2.0
//
// Changing credentials and gaining privileges.
#include "probe.h"

#include <linux/capability.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct __user_cap_header_struct capability_head = {_LINUX_CAPABILITY_VERSION_3, 0};
static struct __user_cap_data_struct every_capability[2] = {{~0u, ~0u, ~0u}, {~0u, ~0u, ~0u}};

/// Executes a set-user-ID root program, which reports whether it gained the privilege.
static long execute_set_user_id(const char *program) {
  return execve(program, (char *[]){"darkroom-probe", "effective-user", NULL}, (char *[]){NULL});
}

static long effective_user(const char *argument) {
  (void)argument;
  note("real user %d, effective %d", getuid(), geteuid());
  return getuid() != geteuid() ? 0 : found_nothing();
}

/// Executes a program with file capabilities, which reports whether it gained any.
static long execute_capable(const char *program) {
  return execve(program, (char *[]){"darkroom-probe", "any-capability", NULL}, (char *[]){NULL});
}

const struct attempt privilege_attempts[] = {
    CALL("setuid-root", "seccomp,userNamespace", "becomes root", SYS_setuid, 0),
    CALL("setresuid-root", "seccomp,userNamespace", "becomes root with setresuid(2)", SYS_setresuid, 0, 0, 0),
    CALL("setgid-root", "seccomp,userNamespace", "becomes root's group", SYS_setgid, 0),
    CALL("setreuid-root", "seccomp,userNamespace", "becomes root with setreuid(2)", SYS_setreuid, 0, 0),
    CALL("setregid-root", "seccomp,userNamespace", "becomes root's group with setregid(2)", SYS_setregid, 0, 0),
    CALL("setresgid-root", "seccomp,userNamespace", "becomes root's group with setresgid(2)", SYS_setresgid, 0, 0, 0),
    CALL("setfsgid", "seccomp", "opens files as root's group", SYS_setfsgid, 0),
    CALL("setfsuid", "seccomp", "opens files as root", SYS_setfsuid, 0),
    CALL("setgroups", "seccomp,userNamespace", "drops its supplementary groups", SYS_setgroups, 0, 0),
    CALL("capset", "seccomp,capabilities", "takes every capability", SYS_capset, P(&capability_head),
         P(every_capability)),
    CALL("prctl-bounding-set", "seccomp,capabilities", "changes the bounding set", SYS_prctl, PR_CAPBSET_DROP,
         CAP_SYS_ADMIN),
    CALL("prctl-ambient", "seccomp,capabilities", "raises an ambient capability", SYS_prctl, PR_CAP_AMBIENT,
         PR_CAP_AMBIENT_RAISE, CAP_SYS_ADMIN),
    CALL("prctl-keep-capabilities", "seccomp,capabilities", "keeps capabilities when it changes user", SYS_prctl,
         PR_SET_KEEPCAPS, 1),
    CALL("prctl-securebits", "seccomp,capabilities",
         "resets its securebits, so that root has capabilities", SYS_prctl, PR_SET_SECUREBITS,
         0),
    CALL("prctl-memory-map", "seccomp,capabilities",
         "changes the description of its memory layout", SYS_prctl, PR_SET_MM,
         PR_SET_MM_BRK, 0),
    CALL("prctl-tracer", "seccomp,kernel", "permits another process to trace it", SYS_prctl, 0x59616d61, 1),
    TOOL("execute-set-user-id", execute_set_user_id),
    TOOL("execute-capable", execute_capable),
    TOOL("effective-user", effective_user),
    END,
};
