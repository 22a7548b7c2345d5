// SPDX-License-Identifier: Apache-2.0
//
// Calls by other calling conventions than the filter's, and with unassigned numbers.
#include "probe.h"

#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
/// A call by the i386 convention, which has different call numbers.
static long i386_call(int number, int first) {
  long result;
  __asm__ volatile("int $0x80"
                   : "=a"(result)
                   : "a"(number), "b"(first), "c"(0), "d"(0)
                   : "memory", "r8", "r9", "r10", "r11");
  return result < 0 ? (errno = (int)-result, -1) : result;
}
static long i386_getpid(const char *argument) { return (void)argument, i386_call(20, 0); }
static long i386_socketcall(const char *argument) { return (void)argument, i386_call(102, 1); }
static long i386_open(const char *argument) { return (void)argument, i386_call(5, 0); }

/// getpid(2) from a 32-bit code segment: the processor itself runs in i386 mode.
static long call_in_segment(uint8_t first, uint8_t second) {
  const size_t size = 3 * 4096;
  uint8_t *low = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
  if (low == MAP_FAILED) return -1;
  // mov $20, %eax; the call instruction; retf
  const uint8_t code[] = {0xB8, 20, 0, 0, 0, first, second, 0xCB};
  // mov %r12, %rsp; jmp *%r13
  const uint8_t back[] = {0x4C, 0x89, 0xE4, 0x41, 0xFF, 0xE5};
  memcpy(low, code, sizeof code);
  memcpy(low + 256, back, sizeof back);
  uint32_t *top = (uint32_t *)(low + 2 * 4096);
  top[0] = (uint32_t)(uintptr_t)(low + 256);
  top[1] = 0x33;  // the 64-bit code segment
  long result;
  __asm__ volatile(
      "movq %%rsp, %%r12\n\t"
      "leaq 1f(%%rip), %%r13\n\t"
      "movq %[stack], %%rsp\n\t"
      "pushq $0x23\n\t"  // the segment of 32-bit code
      "pushq %[code]\n\t"
      "lretq\n\t"
      "1:"
      : "=a"(result)
      : [stack] "r"(top), [code] "r"(low)
      : "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "memory", "cc");
  return (int)result < 0 ? (errno = -(int)result, -1) : result;
}
static long segment_interrupt(const char *argument) { return (void)argument, call_in_segment(0xCD, 0x80); }
static long segment_sysenter(const char *argument) { return (void)argument, call_in_segment(0x0F, 0x34); }
static long segment_syscall(const char *argument) { return (void)argument, call_in_segment(0x0F, 0x05); }
#endif

#define NUMBER(name, number) CALL("call-" name, "seccomp,kernel", "makes a call with an unknown number", number, 0)

const struct attempt convention_attempts[] = {
    CALL("call-minus-one", "seccomp,kernel", "makes a call with the number -1", -1, 0),
    CALL("call-least", "seccomp,kernel", "makes a call with the lowest number", 1L << 31, 0),
    NUMBER("600", 600),
    NUMBER("1000", 1000),
    NUMBER("9999", 9999),
    NUMBER("greatest", 0x7FFFFFFF),
    CALL("call-number-high", "seccomp",
         "calls socket(2) with a bit set above the lower 32 bits of the number", SYS_socket | HIGH, 1, 1, 0),
#if defined(__x86_64__)
    NUMBER("512", 512),
    NUMBER("547", 547),
    CALL("x32-getpid", "seccomp,kernel", "getpid by the x32 convention", 0x40000000 | SYS_getpid, 0),
    CALL("x32-socket", "seccomp,kernel", "socket by the x32 convention", 0x40000000 | SYS_socket, 1, 1, 0),
    CALL("x32-ioctl", "seccomp,kernel", "ioctl by its own number of x32", 0x40000000 | 514, 0, 0x5412, 0),
    CALL("x32-ptrace", "seccomp,kernel", "ptrace by its own number of x32", 0x40000000 | 521, 0, 0, 0),
    TRY("i386-getpid", i386_getpid, NULL, "seccomp", "getpid by the i386 convention (int 0x80)"),
    TRY("i386-socketcall", i386_socketcall, NULL, "seccomp,kernel", "socketcall by the i386 convention (int 0x80)"),
    TRY("i386-open", i386_open, NULL, "seccomp,kernel", "open by the i386 convention (int 0x80)"),
    TRY("segment-interrupt", segment_interrupt, NULL, "seccomp", "executes int 0x80 in a 32-bit code segment"),
    TRY("segment-sysenter", segment_sysenter, NULL, "seccomp,kernel", "executes sysenter in a 32-bit code segment"),
    TRY("segment-syscall", segment_syscall, NULL, "seccomp,kernel", "executes syscall in a 32-bit code segment"),
#endif
    END,
};
