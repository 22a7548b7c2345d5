// SPDX-License-Identifier: Apache-2.0
//
// System calls without the C library. The C library would write errno, which belongs to a thread of the host,
// and its wrappers may do more than the call. Each function returns the kernel's value, with errors as
// negative numbers.
#pragma once

#include "CSandboxEntry.h"

#include <errno.h>
#include <linux/sched.h>
#include <stdint.h>
#include <sys/syscall.h>

// The checks of the C library print and abort, in memory that belongs to the host; see Package.swift.
#ifdef _FORTIFY_SOURCE
#error "the code between clone3 and execve is built without _FORTIFY_SOURCE"
#endif

/// The arguments of clone3(2) that Linux 5.5 supports. The kernel's structure is `struct clone_args`.
struct clone_arguments {
  uint64_t flags, pidfd, child_tid, parent_tid, exit_signal, stack, stack_size, tls, set_tid, set_tid_size;
};

#if defined(__x86_64__)

__attribute__((always_inline)) static inline long direct6(long number, long a, long b, long c, long d, long e,
                                                          long f) {
  long result;
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  register long r9 __asm__("r9") = f;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

/// Calls clone3(2), or clone(2) with four arguments, without tls. The child calls `entry(argument)` and exits.
__attribute__((always_inline)) static inline long direct_fork(long number, long a, long b, long parent_tid,
                                                              long child_tid, int (*entry)(void *), void *argument) {
  long result;
  register long r10 __asm__("r10") = child_tid;
  register int (*r8)(void *) __asm__("r8") = entry;
  register void *r9 __asm__("r9") = argument;
  __asm__ volatile("syscall\n\t"
                   "testq %%rax, %%rax\n\t"
                   "jnz 1f\n\t"
                   "xorl %%ebp, %%ebp\n\t"
                   "movq %%r9, %%rdi\n\t"
                   "callq *%%r8\n\t"
                   "movl %%eax, %%edi\n\t"
                   "movl $231, %%eax\n\t"  // exit_group
                   "syscall\n\t"
                   "hlt\n\t"
                   "1:"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(parent_tid), "r"(r10), "r"(r8), "r"(r9)
                   : "rcx", "r11", "memory");
  return result;
}

#elif defined(__aarch64__)

__attribute__((always_inline)) static inline long direct6(long number, long a, long b, long c, long d, long e,
                                                          long f) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  register long x5 __asm__("x5") = f;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
  return x0;
}

/// Calls clone3(2), or clone(2) with four arguments, without tls. The child calls `entry(argument)` and exits.
__attribute__((always_inline)) static inline long direct_fork(long number, long a, long b, long parent_tid,
                                                              long child_tid, int (*entry)(void *), void *argument) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = parent_tid;
  register long x3 __asm__("x3") = 0;
  register long x4 __asm__("x4") = child_tid;
  register long x5 __asm__("x5") = (long)entry;
  register long x6 __asm__("x6") = (long)argument;
  __asm__ volatile("svc #0\n\t"
                   "cbnz x0, 1f\n\t"
                   "mov x29, xzr\n\t"
                   "mov x0, x6\n\t"
                   "blr x5\n\t"
                   "mov x8, #94\n\t"  // exit_group
                   "svc #0\n\t"
                   "1:"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5), "r"(x6)
                   : "memory");
  return x0;
}

#else
#error "Darkroom starts processes on x86_64 and aarch64 only"
#endif

/// The flags of clone3(2) that clone(2) lacks: CLONE_NEWTIME, because its bit belongs to the exit signal, and
/// all flags above 32 bits, such as CLONE_CLEAR_SIGHAND.
#define DARKROOM_CLONE3_ONLY (~(uint64_t)0xffffffff | 0xff)

/// Returns whether clone(2) can create the same process as clone3(2). clone(2) has a single address for the
/// pidfd and the process ID in the parent, and cannot choose the process ID.
__attribute__((always_inline)) static inline int has_clone2(const struct clone_arguments *arguments) {
  const uint64_t both = CLONE_PIDFD | CLONE_PARENT_SETTID;
  return !(arguments->flags & DARKROOM_CLONE3_ONLY) && (arguments->flags & both) != both && !arguments->set_tid_size;
}

/// Creates a process with a new stack. The child calls `entry(argument)` and exits.
///
/// Container runtimes make clone3(2) fail with ENOSYS, because filters cannot read its flags. clone(2) then
/// receives all of the flags, so that the process has the same isolation or is not created. If clone(2) has no
/// equivalent, the result is -ENOSYS.
__attribute__((always_inline)) static inline long direct_clone(const struct clone_arguments *arguments,
                                                               int (*entry)(void *), void *argument) {
  const long result = direct_fork(SYS_clone3, (long)arguments, sizeof *arguments, 0, 0, entry, argument);
  if (result != -ENOSYS || !has_clone2(arguments)) return result;
  const uint64_t flags = arguments->flags | arguments->exit_signal;
  const uint64_t parent = arguments->flags & CLONE_PIDFD ? arguments->pidfd : arguments->parent_tid;
  return direct_fork(SYS_clone, (long)flags, (long)(arguments->stack + arguments->stack_size), (long)parent,
                     (long)arguments->child_tid, entry, argument);
}

/// Calls with fewer than six arguments carry the launcher's mark as the sixth, which the kernel ignores.
#define direct(number, ...) DIRECT_PICK(__VA_ARGS__, 6, 5, 4, 3, 2, 1)(number, __VA_ARGS__)
#define DIRECT_PICK(_1, _2, _3, _4, _5, _6, count, ...) DIRECT_##count
#define DIRECT_1(n, a) DIRECT_5(n, a, 0, 0, 0, 0)
#define DIRECT_2(n, a, b) DIRECT_5(n, a, b, 0, 0, 0)
#define DIRECT_3(n, a, b, c) DIRECT_5(n, a, b, c, 0, 0)
#define DIRECT_4(n, a, b, c, d) DIRECT_5(n, a, b, c, d, 0)
#define DIRECT_5(n, a, b, c, d, e) DIRECT_6(n, a, b, c, d, e, DARKROOM_LAUNCHERS_MARK)
#define DIRECT_6(n, a, b, c, d, e, f) direct6(n, (long)(a), (long)(b), (long)(c), (long)(d), (long)(e), (long)(f))
