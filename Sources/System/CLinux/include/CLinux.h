// SPDX-License-Identifier: Apache-2.0
//
// Linux interfaces that Swift cannot use directly. Swift's own C library module is built without _GNU_SOURCE,
// and Swift imports neither variadic functions nor function-like macros.
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

// FoundationEssentials and the modules of other libraries import the C library without _GNU_SOURCE. The
// compiler refuses two definitions of one type, so the three types that differ are included in the common
// form. These are fd_set and utsname, with reserved names for two members, and the choices of getrusage(2),
// without RUSAGE_THREAD. For the same reason no other module map may define _GNU_SOURCE.
#include <features.h>
#pragma push_macro("__USE_XOPEN")
#pragma push_macro("__USE_GNU")
#undef __USE_XOPEN
#undef __USE_GNU
#include <sys/resource.h>
#include <sys/select.h>
#include <sys/utsname.h>
#pragma pop_macro("__USE_GNU")
#pragma pop_macro("__USE_XOPEN")

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/kcmp.h>
#include <linux/landlock.h>
#include <linux/memfd.h>
#include <linux/openat2.h>
#include <poll.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/vfs.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include "CLinuxAtomics.h"
#include "CLinuxDecoys.h"
#include "CLinuxCalls.h"
#include "CLinuxFiles.h"
#include "CLinuxPackets.h"
#include "CLinuxRunLoop.h"

#pragma clang assume_nonnull begin

/// This function is provided because `errno` is a macro.
static inline int darkroom_errno(void) { return errno; }

/// This function is provided because `MAP_FAILED` is a macro with a cast. Returns NULL with errno set on
/// failure.
static inline void *_Nullable darkroom_map_shared(size_t length, int protection, int descriptor) {
  void *address = mmap(NULL, length, protection, MAP_SHARED, descriptor, 0);
  return address == MAP_FAILED ? NULL : address;
}

/// This function is provided because `open` is variadic.
static inline int darkroom_openat(int directory, const char *path, int flags, mode_t mode) {
  return openat(directory, path, flags, mode);
}

/// This function is provided because glibc has no wrapper for `openat2`, and `syscall` is variadic.
static inline int darkroom_openat2(int directory, const char *path, uint64_t flags, uint64_t mode,
                                   uint64_t resolve) {
  struct open_how how = {.flags = flags, .mode = mode, .resolve = resolve};
  return (int)syscall(SYS_openat2, directory, path, &how, sizeof how);
}

/// This function is provided because `fcntl` is variadic.
static inline int darkroom_fcntl(int descriptor, int command, long argument) {
  return fcntl(descriptor, command, argument);
}

/// This function is provided because `prctl` is variadic.
static inline int darkroom_prctl(int option, unsigned long a, unsigned long b, unsigned long c, unsigned long d) {
  return prctl(option, a, b, c, d);
}

/// This function is provided because `ioctl` is variadic.
static inline int darkroom_ioctl_pointer(int descriptor, unsigned long request, void *argument) {
  return ioctl(descriptor, request, argument);
}

/// This function is provided because glibc 2.36 has no wrapper for Landlock, and `syscall` is variadic.
///
/// Returns the version of the Landlock ABI, or -1 with errno set.
static inline int darkroom_landlock_abi(void) {
  return (int)syscall(SYS_landlock_create_ruleset, (void *)0, (size_t)0, LANDLOCK_CREATE_RULESET_VERSION);
}

/// This function is provided because the wait status macros cannot be imported.
static inline int darkroom_exit_code(int status) { return WIFEXITED(status) ? WEXITSTATUS(status) : -1; }

/// This function is provided because the wait status macros cannot be imported. Returns 0 if no signal
/// terminated the process.
static inline int darkroom_exit_signal(int status) { return WIFSIGNALED(status) ? WTERMSIG(status) : 0; }

/// This function is provided because `CommandLine.arguments` reads all mappings of the process (proc_pid_maps(5)) to find
/// the arguments on the stack.
///
/// Returns the arguments of the process, with the name of the program first, and stores their number in `count`.
char *_Nonnull const *_Nonnull darkroom_arguments(int *count);

/// This function is provided because the socket headers declare other types with `_GNU_SOURCE` than without.
///
/// Creates a connected pair of close-on-exec sockets that preserve message boundaries. Returns 0, or -1 with
/// errno set.
int darkroom_socket_pair(int *ends);

/// This function is provided because glibc has no wrapper for `kcmp`, and `syscall` is variadic.
///
/// Returns 0 if the two processes share their memory. The corresponding type is `KCMP_VM`.
static inline int darkroom_compare_memory(pid_t one, pid_t other) {
  return (int)syscall(SYS_kcmp, one, other, KCMP_VM, 0, 0);
}

/// This function is provided because the C library declares ptrace(2) as variadic.
///
/// Returns the result of the call, or -1 with errno set.
static inline long darkroom_ptrace(long request, pid_t process, unsigned long address, void *_Nullable data) {
  return syscall(SYS_ptrace, request, process, address, data);
}

/// This function is provided because the C library has no wrapper for kcmp(2).
///
/// Returns 0 if two threads share their descriptor table, or another number otherwise.
static inline int darkroom_compare_descriptors(pid_t one, pid_t other) {
  return (int)syscall(SYS_kcmp, one, other, KCMP_FILES, 0, 0);
}

/// This function is provided because Swift confuses the name of the function `sysinfo` with that of its
/// structure.
///
/// Returns the bytes of shared memory on the machine.
static inline uint64_t darkroom_shared_memory(void) {
  struct sysinfo facts;
  return sysinfo(&facts) < 0 ? 0 : (uint64_t)facts.sharedram * facts.mem_unit;
}

/// This function is provided because the header of `prlimit` is included without `_GNU_SOURCE` here.
static inline int darkroom_prlimit(pid_t process, int resource, const struct rlimit *_Nullable wanted,
                                   struct rlimit *_Nullable found) {
  return (int)syscall(SYS_prlimit64, process, resource, wanted, found);
}

/// This function is provided because a process that changes its user must do nothing else before it exits.
///
/// Changes the soft file size limits of `count` processes that have the value `expected`, with the UID of
/// these processes. This does not require `CAP_SYS_RESOURCE`, which root lacks in many containers. Returns
/// the number of changed limits, at most 100, or -1 with errno set.
int darkroom_move_file_size_limits_as(uint32_t user, uint32_t group, const pid_t *processes, size_t count,
                                      uint64_t expected, uint64_t wanted);

/// This function is provided because glibc has no wrapper for `ioprio_set`.
///
/// Lowers the I/O priority (`IOPRIO_CLASS_IDLE`) and the nice value of the calling thread, so that it runs
/// only when the machine is idle.
static inline int darkroom_use_idle_priority(void) {
  const int idle = 3, class_shift = 13, whose_process = 1;
  long first = syscall(SYS_ioprio_set, whose_process, 0, idle << class_shift);
  return setpriority(PRIO_PROCESS, 0, 19) < 0 || first < 0 ? -1 : 0;
}

/// This function is provided because Swift confuses the name of the function `statfs` with that of its
/// structure.
///
/// Returns the type of the file system, or -1 with errno set.
static inline long darkroom_file_system_type(const char *path) {
  struct statfs facts;
  return statfs(path, &facts) < 0 ? -1 : (long)facts.f_type;
}

/// This function is provided because the socket headers declare other types with `_GNU_SOURCE` than without.
///
/// Connects a stream socket to a path. No call on the socket waits longer than `seconds`. Returns a
/// descriptor, or -1 with errno set.
int darkroom_connect_unix(const char *path, int seconds);

/// This function is provided for the reason of ``darkroom_connect_unix``.
///
/// Returns 1 if the socket is a connected stream, 0 if it is another socket, or -1 with errno set.
int darkroom_is_connected_stream(int socket);

/// This function is provided for the reason of ``darkroom_connect_unix``.
///
/// Reads once without waiting, as recv(2). Returns -1 with errno set on failure.
ssize_t darkroom_receive_stream(int socket, void *buffer, size_t count);

/// This function is provided for the reason of ``darkroom_connect_unix``.
///
/// Writes once without waiting and without SIGPIPE, as send(2). Returns -1 with errno set on failure.
ssize_t darkroom_send_stream(int socket, const void *bytes, size_t count);

/// This function is provided for the reason of ``darkroom_connect_unix``.
///
/// Sends one datagram without waiting to a socket with a path, or with an abstract name if `path` begins with
/// `@`. Returns 0, or -1 with errno set.
int darkroom_send_unix(const char *path, const void *bytes, size_t count);

/// This function is provided because `prctl` is variadic, and Swift code needs the seccomp headers for
/// nothing else.
///
/// Sets no_new_privs and installs a seccomp filter: an array of `count` instructions (`struct sock_filter`).
/// Returns 0, or -1 with errno set.
int darkroom_install_filter(const void *instructions, unsigned short count);

/// This function is provided because `S_ISDIR` and similar macros cannot be imported. The corresponding mask
/// is `S_IFMT`.
static inline int darkroom_file_type(mode_t mode) { return (int)(mode & S_IFMT); }

/// This function is provided because Swift 6 rejects the global variable `environ`.
static inline char *_Nullable *_Nullable darkroom_environment(void) { return environ; }

/// This function is provided because Swift 6 rejects the global variable `stdout`.
///
/// Makes standard output line buffered (setvbuf(3)).
static inline void darkroom_buffer_output_by_line(void) { setvbuf(stdout, NULL, _IOLBF, 0); }

/// This function is provided because `SIG_IGN` is a macro with a cast.
static inline void darkroom_ignore_signal(int number) { signal(number, SIG_IGN); }

/// This function is provided because `sa_handler` is a macro and `SIG_IGN` is a macro with a cast.
///
/// Returns whether the disposition of a signal is to ignore it.
static inline int darkroom_is_signal_ignored(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// This function is provided because the name of an errno is a GNU extension that may be absent.
static inline const char *_Nullable darkroom_errno_name(int number) { return strerrorname_np(number); }

/// This function is provided because the name of a signal is a GNU extension that may be absent.
static inline const char *_Nullable darkroom_signal_name(int number) { return sigabbrev_np(number); }

/// This function is provided because an inotify event ends in a flexible array, which Swift does not import.
static inline const char *darkroom_inotify_name(const struct inotify_event *event) { return event->name; }

/// This function is provided because `getdents64` is declared only with `_GNU_SOURCE`.
static inline long darkroom_directory_entries(int directory, void *entries, size_t size) {
  return getdents64(directory, entries, size);
}

#pragma clang assume_nonnull end
