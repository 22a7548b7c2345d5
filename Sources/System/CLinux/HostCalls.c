// SPDX-License-Identifier: Apache-2.0
#include "CLinux.h"

#include "CLinuxCalls.h"

#include <linux/fs.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/socket.h>

// A filter sees a call before the kernel reads its arguments. A call that can do nothing, because its
// descriptor is -1, therefore shows whether the call is available. The C library makes the call where it
// alone decides which system call a function uses, and is bypassed where it would answer itself.

static long try_openat2(void) {
  struct open_how how = {0};
  return syscall(SYS_openat2, -1, "x", &how, sizeof how);
}
static long try_renameat2(void) { return syscall(SYS_renameat2, -1, "x", -1, "x", RENAME_NOREPLACE); }
static long try_faccessat2(void) { return syscall(SYS_faccessat2, -1, "x", R_OK, AT_EACCESS); }
static long try_copy_file_range(void) { return syscall(SYS_copy_file_range, -1, NULL, -1, NULL, 1, 0); }
static long try_openat(void) { return openat(-1, "x", O_PATH | O_CLOEXEC); }
static long try_fstatat(void) {
  struct stat status;
  return fstatat(-1, "x", &status, AT_SYMLINK_NOFOLLOW);
}
static long try_statfs(void) {
  struct statfs facts;
  return statfs("", &facts);
}
static long try_getdents64(void) {
  char entries[64];
  return getdents64(-1, entries, sizeof entries);
}
static long try_lseek(void) { return lseek(-1, 0, SEEK_CUR); }
static long try_fcntl(void) { return fcntl(-1, F_GETFL); }
static long try_flock(void) { return flock(-1, LOCK_UN); }
static long try_mkdirat(void) { return mkdirat(-1, "x", 0700); }
static long try_symlinkat(void) { return symlinkat("x", -1, "x"); }
static long try_readlinkat(void) {
  char target[1];
  return readlinkat(-1, "x", target, sizeof target);
}
static long try_unlinkat(void) { return unlinkat(-1, "x", 0); }
static long try_renameat(void) { return renameat(-1, "x", -1, "x"); }
static long try_ftruncate(void) { return ftruncate(-1, 0); }
static long try_fallocate(void) { return fallocate(-1, FALLOC_FL_KEEP_SIZE, 0, 1); }
static long try_fsync(void) { return fsync(-1); }
static long try_syncfs(void) { return syncfs(-1); }
static long try_fchown(void) { return fchown(-1, (uid_t)-1, (gid_t)-1); }
static long try_fchmod(void) { return fchmod(-1, 0600); }
static long try_chmod(void) { return chmod("", 0600); }
static long try_fchmodat(void) { return fchmodat(-1, "x", 0700, 0); }
static long try_utimensat(void) { return syscall(SYS_utimensat, -1, NULL, NULL, 0); }
static long try_flistxattr(void) { return flistxattr(-1, NULL, 0); }
static long try_fremovexattr(void) { return fremovexattr(-1, "user.x"); }
static long try_ioctl(void) {
  int flags;
  return ioctl(-1, FS_IOC_GETFLAGS, &flags);
}
static long try_futex(void) {
  uint32_t word = 0;
  return syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 0, NULL, NULL, 0);
}
static long try_eventfd2(void) { return eventfd(0, -1); }
static long try_ppoll(void) {
  const struct timespec none = {0};
  return ppoll(NULL, 0, &none, NULL);
}
static long try_recvmsg(void) {
  struct msghdr message = {0};
  return recvmsg(-1, &message, 0);
}
static long try_waitid(void) {
  siginfo_t end;
  return waitid(P_PID, (id_t)getpid(), &end, WEXITED | WNOHANG | WNOWAIT);
}
static long try_pidfd_send_signal(void) { return syscall(SYS_pidfd_send_signal, -1, 0, NULL, 0); }

static const struct darkroom_host_call calls[] = {
    [darkroom_replaced_openat2] = {"openat2", darkroom_call_replaced, EBADF, try_openat2},
    [darkroom_replaced_renameat2] = {"renameat2", darkroom_call_replaced, EBADF, try_renameat2},
    [darkroom_replaced_faccessat2] = {"faccessat2", darkroom_call_replaced, EBADF, try_faccessat2},
    {"copy_file_range", darkroom_call_replaced, EBADF, try_copy_file_range},
    {"openat", darkroom_call_required, EBADF, try_openat},
    {"newfstatat", darkroom_call_required, EBADF, try_fstatat},
    {"statfs", darkroom_call_required, ENOENT, try_statfs},
    {"getdents64", darkroom_call_required, EBADF, try_getdents64},
    {"lseek", darkroom_call_required, EBADF, try_lseek},
    {"fcntl", darkroom_call_required, EBADF, try_fcntl},
    {"flock", darkroom_call_required, EBADF, try_flock},
    {"mkdirat", darkroom_call_required, EBADF, try_mkdirat},
    {"symlinkat", darkroom_call_required, EBADF, try_symlinkat},
    {"readlinkat", darkroom_call_required, EBADF, try_readlinkat},
    {"unlinkat", darkroom_call_required, EBADF, try_unlinkat},
    {"renameat", darkroom_call_required, EBADF, try_renameat},
    {"ftruncate", darkroom_call_required, EBADF, try_ftruncate},
    {"fallocate", darkroom_call_required, EBADF, try_fallocate},
    {"fsync", darkroom_call_required, EBADF, try_fsync},
    {"syncfs", darkroom_call_required, EBADF, try_syncfs},
    {"fchown", darkroom_call_required, EBADF, try_fchown},
    {"fchmod", darkroom_call_required, EBADF, try_fchmod},
    {"chmod", darkroom_call_required, ENOENT, try_chmod},
    {"fchmodat", darkroom_call_required, EBADF, try_fchmodat},
    {"utimensat", darkroom_call_required, EBADF, try_utimensat},
    {"flistxattr", darkroom_call_required, EBADF, try_flistxattr},
    {"fremovexattr", darkroom_call_required, EBADF, try_fremovexattr},
    {"ioctl", darkroom_call_required, EBADF, try_ioctl},
    {"futex", darkroom_call_required, 0, try_futex},
    {"eventfd2", darkroom_call_required, EINVAL, try_eventfd2},
    {"ppoll", darkroom_call_required, 0, try_ppoll},
    {"recvmsg", darkroom_call_required, EBADF, try_recvmsg},
    {"waitid", darkroom_call_required, ECHILD, try_waitid},
    {"pidfd_send_signal", darkroom_call_required, EBADF, try_pidfd_send_signal},
};

const struct darkroom_host_call *darkroom_host_calls(size_t *count) {
  *count = sizeof calls / sizeof *calls;
  return calls;
}

int32_t darkroom_refusal(const struct darkroom_host_call *call) {
  const int32_t error = call->attempt() < 0 ? errno : 0;
  if (error == call->answer) return 0;
  return error == 0 ? DARKROOM_REFUSAL_PRETENDED : error;
}

int darkroom_is_refused(enum darkroom_replaced_call call) { return darkroom_refusal(&calls[call]) != 0; }

/// The results of child processes, and the number of calls that they have started to make.
struct findings {
  size_t begun;
  int32_t refusals[];
};

/// Makes the calls from `first` on in a child process. Returns how many calls were started, or -1.
static long try_apart(const struct darkroom_host_call *tried, size_t first, size_t count, struct findings *findings) {
  // Stored before the call, in case the child is terminated before it can store the index itself.
  findings->begun = first + 1;
  const pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    // A call that terminates the process leaves no core file.
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
    for (size_t i = first; i < count; i++) {
      findings->begun = i + 1;
      findings->refusals[i] = darkroom_refusal(&tried[i]);
    }
    _exit(0);
  }
  int status;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -1;
  }
  if (WIFSIGNALED(status)) findings->refusals[findings->begun - 1] = DARKROOM_REFUSAL_KILLED;
  return (long)findings->begun;
}

/// Makes the calls in child processes. Returns 0, or -1 if no child process can be created.
static int refusals_apart(const struct darkroom_host_call *tried, size_t count, int32_t *refusals) {
  const size_t size = sizeof(struct findings) + count * sizeof *refusals;
  struct findings *findings = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (findings == MAP_FAILED) return -1;
  long begun = 0;
  // Each child ends at the first call that terminates it, and the next child continues with the call after it.
  while (begun >= 0 && (size_t)begun < count) begun = try_apart(tried, (size_t)begun, count, findings);
  if (begun >= 0) memcpy(refusals, findings->refusals, count * sizeof *refusals);
  munmap(findings, size);
  return begun < 0 ? -1 : 0;
}

void darkroom_host_refusals(const struct darkroom_host_call *tried, size_t count, int32_t *refusals) {
  // Without a filter, no call terminates this process. A filter may refuse prctl(2) itself, and the calls for
  // a child process.
  const int has_filter = prctl(PR_GET_SECCOMP, 0, 0, 0, 0) != 0;
  if (has_filter && refusals_apart(tried, count, refusals) == 0) return;
  for (size_t i = 0; i < count; i++) refusals[i] = darkroom_refusal(&tried[i]);
}
