// SPDX-License-Identifier: Apache-2.0
//
// Creating namespaces, in which a program would have every capability, and entering namespaces of other
// processes.
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/nsfs.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct clone_args user_clone = {.flags = CLONE_NEWUSER, .exit_signal = SIGCHLD};

/// clone(2) with an additional flag; the child exits at once.
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
static long clone_everything(const char *argument) {
  (void)argument;
  return clone_with(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC | CLONE_NEWUTS |
                    CLONE_NEWCGROUP);
}

/// Mounts a file system with every capability of a new user namespace.
static long mount_in_own(const char *argument) {
  (void)argument;
  if (syscall(SYS_unshare, CLONE_NEWUSER | CLONE_NEWNS) < 0) return -1;
  return mount("none", "/container", "tmpfs", 0, NULL);
}

/// Makes the root writable with every capability of a new user namespace.
static long remount_in_own(const char *argument) {
  (void)argument;
  if (syscall(SYS_unshare, CLONE_NEWUSER | CLONE_NEWNS) < 0) return -1;
  return mount("", "/usr", "", MS_REMOUNT | MS_BIND, NULL);
}

/// Enters the current namespace again, which changes nothing.
static long enter(const char *kind) {
  char path[64];
  snprintf(path, sizeof path, "/proc/self/ns/%s", kind);
  int file = open(path, O_RDONLY);
  return file < 0 ? -1 : syscall(SYS_setns, file, 0);
}

/// Enters the namespaces of the session init through a pidfd.
static long enter_init(const char *argument) {
  (void)argument;
  int process = (int)syscall(SYS_pidfd_open, 1, 0);
  return process < 0 ? -1 : syscall(SYS_setns, process, CLONE_NEWNS | CLONE_NEWNET | CLONE_NEWUTS);
}

/// Opens the parent user namespace.
static long owner(const char *argument) {
  (void)argument;
  int file = open("/proc/self/ns/user", O_RDONLY);
  return file < 0 ? -1 : ioctl(file, NS_GET_PARENT);
}

/// Opens the user namespace that owns the mount namespace.
static long owner_of_mounts(const char *argument) {
  (void)argument;
  int file = open("/proc/self/ns/mnt", O_RDONLY);
  return file < 0 ? -1 : ioctl(file, NS_GET_USERNS);
}

#define UNSHARE(name, layers, flag)                                                                                   \
  CALL("unshare-" name, layers, "makes a namespace of its own: " name, SYS_unshare, flag)
#define ENTER(name, kind) TRY("enter-" name, enter, kind, "seccomp,capabilities", "enters a namespace: " name)

const struct attempt namespace_attempts[] = {
    UNSHARE("user", "seccomp", CLONE_NEWUSER),
    UNSHARE("mount", "seccomp,capabilities", CLONE_NEWNS),
    UNSHARE("cgroup", "seccomp,capabilities", CLONE_NEWCGROUP),
    UNSHARE("uts", "seccomp,capabilities", CLONE_NEWUTS),
    UNSHARE("ipc", "seccomp,capabilities", CLONE_NEWIPC),
    UNSHARE("pid", "seccomp,capabilities", CLONE_NEWPID),
    UNSHARE("network", "seccomp,capabilities", CLONE_NEWNET),
    UNSHARE("time", "seccomp,capabilities,kernel", CLONE_NEWTIME),
    UNSHARE("files", "seccomp", CLONE_FILES),
    CALL("unshare-directories", "seccomp", "stops sharing its working directory", SYS_unshare, CLONE_FS),
    CALL("unshare-semaphores", "seccomp", "stops sharing semaphore adjustments", SYS_unshare, CLONE_SYSVSEM),
    TRY("clone-user", clone_user, NULL, "seccomp", "a child in a user namespace"),
    TRY("clone-pid", clone_pid, NULL, "seccomp,capabilities", "a child in a pid namespace"),
    TRY("clone-network", clone_network, NULL, "seccomp,capabilities", "a child in a network namespace"),
    TRY("clone-mount", clone_mount, NULL, "seccomp,capabilities", "a child in a mount namespace"),
    TRY("clone-everything", clone_everything, NULL, "seccomp", "a child in every namespace"),
    TRY("mount-in-own", mount_in_own, NULL, "seccomp,landlock", "mounts in a user namespace of its own"),
    TRY("remount-in-own", remount_in_own, NULL, "seccomp,landlock,kernel",
        "remounts shown paths writable in its own user namespace"),
    CALL("clone3-user", "seccomp", "creates a child in a user namespace with clone3(2)", SYS_clone3,
         P(&user_clone), sizeof user_clone),
    CALL("setns", "seccomp,kernel", "calls setns(2) with a descriptor of no namespace", SYS_setns, 0, CLONE_NEWNET),
    ENTER("network", "net"),
    ENTER("mount", "mnt"),
    ENTER("uts", "uts"),
    ENTER("ipc", "ipc"),
    ENTER("cgroup", "cgroup"),
    ENTER("pid", "pid"),
    ENTER("user", "user"),
    TRY("enter-init", enter_init, NULL, "seccomp,capabilities", "enters the session init's namespaces"),
    TRY("user-namespace-above", owner, NULL, "seccomp,userNamespace", "opens the parent user namespace"),
    TRY("user-namespace-of-mounts", owner_of_mounts, NULL, "seccomp,userNamespace",
        "opens the user namespace of its mount namespace"),
    END,
};
