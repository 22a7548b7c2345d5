// SPDX-License-Identifier: Apache-2.0
//
// Namespaces of its own, in which a program would have every capability.
#include "probe.h"

#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct clone_args user_clone = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};

/// clone with one more flag; the child ends at once.
static long clone_with(unsigned long flag) {
  long child = syscall(SYS_clone, flag | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, 0);
  return child;
}

static long clone_user(const char *argument) { return (void)argument, clone_with(CLONE_NEWUSER); }
static long clone_pid(const char *argument) { return (void)argument, clone_with(CLONE_NEWPID); }
static long clone_network(const char *argument) { return (void)argument, clone_with(CLONE_NEWNET); }
static long clone_mount(const char *argument) { return (void)argument, clone_with(CLONE_NEWNS); }

#define UNSHARE(name, layers, flag) CALL("unshare-" name, layers, "makes a namespace of its own: " name, SYS_unshare, flag)

const struct attempt namespace_attempts[] = {
    UNSHARE("user", "seccomp", CLONE_NEWUSER),
    UNSHARE("mount", "seccomp,capabilities", CLONE_NEWNS),
    UNSHARE("cgroup", "seccomp,capabilities", CLONE_NEWCGROUP),
    UNSHARE("uts", "seccomp,capabilities", CLONE_NEWUTS),
    UNSHARE("ipc", "seccomp,capabilities", CLONE_NEWIPC),
    UNSHARE("pid", "seccomp,capabilities", CLONE_NEWPID),
    UNSHARE("network", "seccomp,capabilities", CLONE_NEWNET),
    UNSHARE("time", "seccomp,capabilities", CLONE_NEWTIME),
    UNSHARE("files", "seccomp", CLONE_FILES),
    TRY("clone-user", clone_user, NULL, "seccomp", "a child in a user namespace"),
    TRY("clone-pid", clone_pid, NULL, "seccomp,capabilities", "a child in a pid namespace"),
    TRY("clone-network", clone_network, NULL, "seccomp,capabilities", "a child in a network namespace"),
    TRY("clone-mount", clone_mount, NULL, "seccomp,capabilities", "a child in a mount namespace"),
    CALL("clone3-user", "seccomp", "a child in a user namespace, by a call whose flags no filter sees", SYS_clone3,
         P(&user_clone), sizeof user_clone),
    CALL("setns", "seccomp", "enters a namespace", SYS_setns, 0, CLONE_NEWNET),
    END,
};
