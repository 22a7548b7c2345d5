// SPDX-License-Identifier: Apache-2.0
//
// Arguments of 32 bits with an upper bit set: the kernel ignores bits that a filter may compare.
#include "probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct sock_filter allow_all[] = {{BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW}};
static struct sock_fprog program = {1, allow_all};
static int ends[2];

/// clone(2) with an upper bit in the flags; the child exits at once.
static long clone_high(const char *argument) {
  (void)argument;
  long child = syscall(SYS_clone, HIGH | CLONE_NEWUSER | SIGCHLD, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, __WALL);
  return child;
}

/// In the flags of clone(2), `CLONE_NEWTIME` overlaps the termination signal.
static long clone_time(const char *argument) {
  (void)argument;
  long child = syscall(SYS_clone, CLONE_NEWTIME, 0, 0, 0, 0);
  if (child == 0) _exit(0);
  if (child > 0) waitpid((pid_t)child, NULL, __WALL);
  return child;
}

/// Whether a file has a forbidden mode bit.
static long has_bits(long file) {
  struct stat status;
  if (file < 0 || fstat((int)file, &status) < 0) return -1;
  return status.st_mode & (S_ISUID | S_ISGID | S_ISVTX) ? 0 : (errno = EPERM, -1);
}

static long open_mode_high(const char *argument) {
  (void)argument;
  return has_bits(syscall(SYS_openat, AT_FDCWD, "/container/high", O_CREAT | O_RDWR, HIGH | 04755));
}

static long open_flags_high(const char *argument) {
  (void)argument;
  return has_bits(syscall(SYS_openat, AT_FDCWD, "/container/high", HIGH | O_CREAT | O_RDWR, 04755));
}

static long open_temporary_high(const char *argument) {
  (void)argument;
  return has_bits(syscall(SYS_openat, AT_FDCWD, "/container", HIGH | O_TMPFILE | O_RDWR, HIGH | 02755));
}

static long mode_high(const char *argument) {
  (void)argument;
  long file = open("/container/high", O_CREAT | O_RDWR, 0600);
  if (syscall(SYS_fchmod, file, HIGH | 04755) < 0) return -1;
  return has_bits(file);
}

const struct attempt high_bit_attempts[] = {
    CALL("ioctl-TIOCSTI-high", "seccomp,kernel", "types into a terminal, with a high bit in the request", SYS_ioctl, 0,
         TIOCSTI | HIGH, P("x")),
    CALL("ioctl-TIOCSTI-minus", "seccomp,kernel", "types into a terminal, with every high bit in the request",
         SYS_ioctl, 0, TIOCSTI | (long)(~0ul << 32), P("x")),
    CALL("ioctl-TIOCLINUX-high", "seccomp,kernel", "pastes into a console, with a high bit in the request", SYS_ioctl,
         0, TIOCLINUX | HIGH, P("\2")),
    CALL("ioctl-TIOCSCTTY-high", "seccomp", "makes a terminal its own, with a high bit in the request", SYS_ioctl, 0,
         TIOCSCTTY | HIGH, 0),
    CALL("socket-family-high", "seccomp", "a socket, with a high bit in the family", SYS_socket, AF_UNIX | HIGH,
         SOCK_STREAM, 0),
    CALL("socket-type-high", "seccomp", "a socket, with a high bit in the type", SYS_socket, AF_UNIX,
         SOCK_STREAM | HIGH, 0),
    CALL("socketpair-high", "seccomp", "a pair of sockets, with a high bit in the family", SYS_socketpair,
         AF_UNIX | HIGH, SOCK_DGRAM, 0, P(ends)),
    CALL("prctl-seccomp-high", "seccomp", "adds a filter by prctl, with a high bit in the option", SYS_prctl,
         PR_SET_SECCOMP | HIGH, SECCOMP_MODE_FILTER, P(&program)),
    CALL("listener-high", "seccomp", "answers its own notifications, with a high bit in the operation", SYS_seccomp,
         SECCOMP_SET_MODE_FILTER | HIGH, SECCOMP_FILTER_FLAG_NEW_LISTENER, P(&program)),
    CALL("personality-high", "seccomp", "disables address space randomization, with a high bit", SYS_personality,
         ADDR_NO_RANDOMIZE | HIGH),
    CALL("unshare-high", "seccomp,kernel", "a user namespace, with a high bit in the flags", SYS_unshare,
         CLONE_NEWUSER | HIGH),
    TRY("clone-high", clone_high, NULL, "seccomp", "a child in a user namespace, with a high bit in the flags"),
    TRY("clone-time", clone_time, NULL, "seccomp", "creates a child with the flag of a time namespace"),
    TRY("open-mode-high", open_mode_high, NULL, "seccomp", "a set-user-ID file, with a high bit in the mode"),
    TRY("open-flags-high", open_flags_high, NULL, "seccomp", "a set-user-ID file, with a high bit in the flags"),
    TRY("open-temporary-high", open_temporary_high, NULL, "seccomp", "a set-group-ID file without a name"),
    TRY("mode-high", mode_high, NULL, "seccomp", "sets the set-user-ID bit, with a high bit in the mode"),
    END,
};
