// SPDX-License-Identifier: Apache-2.0
#include "tracee.h"

#include "calls.h"

#include <elf.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#error "the registers of this machine are not known here"
#endif

/// Installs a filter that stops the thread at counted calls; all other calls run at full speed.
static int install_filter(void) {
  static struct sock_filter program[2 * 128 + 8];
  unsigned short length = 0;
  program[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
  program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0);
  program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  program[length++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
  for (const struct call *call = calls; call->name; call++) {
    program[length++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call->number, 0, 1);
    program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE);
  }
  program[length++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  struct sock_fprog filter = {length, program};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0) return 0;
  // Without privileges, the kernel requires no_new_privs for a filter.
  if (errno != EACCES || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) return -1;
  return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter);
}

/// Runs in the child: waits until the child is traced and executes the program.
static void exec_traced(char **argv, int ready) {
  char byte;
  if (read(ready, &byte, 1) != 1) _exit(125);
  close(ready);
  if (install_filter() < 0) {
    perror("darkroom-faults: seccomp");
    _exit(125);
  }
  execvp(argv[0], argv);
  perror(argv[0]);
  _exit(125);
}

pid_t start_traced(char **argv) {
  int ends[2];
  if (pipe(ends) < 0) return -1;
  pid_t child = fork();
  if (child < 0) return -1;
  if (child == 0) {
    close(ends[1]);
    exec_traced(argv, ends[0]);
  }
  long options = PTRACE_O_EXITKILL | PTRACE_O_TRACESECCOMP | PTRACE_O_TRACESYSGOOD | PTRACE_O_TRACECLONE
      | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;
  close(ends[0]);
  if (ptrace(PTRACE_SEIZE, child, NULL, (void *)options) < 0 || write(ends[1], "", 1) != 1) {
    kill(child, SIGKILL);
    return -1;
  }
  close(ends[1]);
  return child;
}

int read_call(pid_t thread, uint64_t *number, uint64_t *arguments) {
  struct __ptrace_syscall_info info;
  memset(&info, 0, sizeof info);
  if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, (void *)sizeof info, &info) <= 0) return -1;
  if (info.op != PTRACE_SYSCALL_INFO_SECCOMP) return -1;
  *number = info.seccomp.nr;
  for (int index = 0; index < 6; index++) arguments[index] = info.seccomp.args[index];
  return 0;
}

/// Reads or writes the registers of a thread.
static void registers(int request, pid_t thread, struct user_regs_struct *values) {
  struct iovec vector = {values, sizeof *values};
  ptrace(request, thread, (void *)NT_PRSTATUS, &vector);
}

void replace_call(pid_t thread, long result) {
#if defined(__x86_64__)
  struct user_regs_struct values;
  registers(PTRACE_GETREGSET, thread, &values);
  values.orig_rax = (unsigned long long)-1;
  values.rax = (unsigned long long)result;
  registers(PTRACE_SETREGSET, thread, &values);
#else
  int none = -1;
  struct iovec vector = {&none, sizeof none};
  ptrace(PTRACE_SETREGSET, thread, (void *)NT_ARM_SYSTEM_CALL, &vector);
  set_result(thread, result);
#endif
}

void set_argument(pid_t thread, int argument, uint64_t value) {
  struct user_regs_struct values;
  registers(PTRACE_GETREGSET, thread, &values);
#if defined(__x86_64__)
  switch (argument) {
  case 2: values.rdx = value; break;
  case 3: values.r10 = value; break;
  case 4: values.r8 = value; break;
  }
#else
  values.regs[argument] = value;
#endif
  registers(PTRACE_SETREGSET, thread, &values);
}

void set_result(pid_t thread, long result) {
  struct user_regs_struct values;
  registers(PTRACE_GETREGSET, thread, &values);
#if defined(__x86_64__)
  values.rax = (unsigned long long)result;
#else
  values.regs[0] = (unsigned long long)result;
#endif
  registers(PTRACE_SETREGSET, thread, &values);
}

void kill_process(pid_t thread) {
  char path[64], line[256];
  int process = thread;
  snprintf(path, sizeof path, "/proc/%d/status", thread);
  FILE *file = fopen(path, "re");
  while (file && fgets(line, sizeof line, file)) {
    if (sscanf(line, "Tgid: %d", &process) == 1) break;
  }
  if (file) fclose(file);
  kill(process, SIGKILL);
}

int error_number(const char *text) {
  for (int number = 1; number < 134; number++) {
    const char *name = strerrorname_np(number);
    if (name && strcmp(name, text) == 0) return number;
  }
  return atoi(text);
}
