// SPDX-License-Identifier: Apache-2.0
//
// Calls by other conventions than the one that the filter is written for.
#include "probe.h"

#include <stddef.h>

#include <sys/syscall.h>

#if defined(__x86_64__)
/// A call by the i386 convention, whose numbers mean other calls.
static long i386_call(int number, int first) {
  long result;
  __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(first), "c"(0), "d"(0) : "memory", "r8", "r9", "r10", "r11");
  return result;
}
static long i386_getpid(const char *argument) { return (void)argument, i386_call(20, 0); }
static long i386_socketcall(const char *argument) { return (void)argument, i386_call(102, 1); }
#endif

const struct attempt convention_attempts[] = {
    CALL("call-minus-one", "seccomp", "call number -1", -1, 0),
    CALL("call-9999", "seccomp", "a call number that no kernel knows", 9999, 0),
#if defined(__x86_64__)
    CALL("x32-getpid", "seccomp", "getpid by the x32 convention", 0x40000000 | SYS_getpid, 0),
    CALL("x32-socket", "seccomp", "socket by the x32 convention", 0x40000000 | SYS_socket, 1, 1, 0),
    TRY("i386-getpid", i386_getpid, NULL, "seccomp", "getpid by the i386 convention (int 0x80)"),
    TRY("i386-socketcall", i386_socketcall, NULL, "seccomp", "socketcall by the i386 convention (int 0x80)"),
#endif
    END,
};
