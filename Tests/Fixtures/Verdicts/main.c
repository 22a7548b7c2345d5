// SPDX-License-Identifier: Apache-2.0
//
// Queries the kernel's verdicts on calls under filters without making the calls.
//
//   darkroom-verdicts CALLS VERDICTS
//
// An additional filter below the tested ones lets a supervisor answer every call whose last argument has a
// certain upper half. A call that the tested filters allow is answered with an error that no filter returns,
// and is never made.
//
// CALLS has 32-bit little-endian numbers: the number of groups; for each group, the number of filters; for
// each filter, the number of instructions and the instructions; then the number of calls, each with seven
// 64-bit numbers: call number and arguments. VERDICTS receives a 32-bit number for each call: an errno,
// ALLOWED, or KILLED.

#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  // The supervisor's answer, and the verdict for an allowed call.
  ALLOWED = 3333,
  // The verdict for a call that kills the process.
  KILLED = 100000,
};

// The upper half of the last argument of the tested calls.
static const uint32_t mark = 0x6461726B;

// Prints an error and exits.
static _Noreturn void fail(const char *subject) {
  fprintf(stderr, "darkroom-verdicts: %s: %s\n", subject, strerror(errno));
  _exit(1);
}

// The read position in CALLS.
static const unsigned char *cursor;

// Reads a 32-bit number.
static uint32_t read_uint32(void) {
  uint32_t value;
  memcpy(&value, cursor, sizeof value);
  cursor += sizeof value;
  return value;
}

// Installs a filter. Returns its listener if requested by the flags.
static int install(unsigned short count, const void *instructions, unsigned int flags) {
  struct sock_fprog program = {.len = count, .filter = (struct sock_filter *)instructions};
  // All six arguments must be 64 bits wide: stale register contents could contain the mark.
  return (int)syscall(SYS_seccomp, (long)SECCOMP_SET_MODE_FILTER, (long)flags, &program, 0L, 0L, 0L);
}

// Installs the filter whose calls the supervisor answers.
static int install_supervised(void) {
  const struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args) + 5 * 8 + 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, mark, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  return install(sizeof filter / sizeof *filter, filter, SECCOMP_FILTER_FLAG_NEW_LISTENER);
}

// Answers calls until no process under the filter is left.
static void supervise(int listener) {
  for (;;) {
    struct pollfd waiting = {.fd = listener, .events = POLLIN};
    if (poll(&waiting, 1, -1) < 0) fail("poll");
    if (!(waiting.revents & POLLIN)) return;
    struct seccomp_notif request = {0};
    // The calling process may have exited.
    if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &request) < 0) continue;
    struct seccomp_notif_resp answer = {.id = request.id, .error = -ALLOWED};
    ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
  }
}

// The calls of a group, their verdicts, and the number of calls tried.
struct group {
  const unsigned char *filters;
  uint32_t filter_count;
  const uint64_t *calls;
  uint32_t call_count;
  int32_t *verdicts;
  volatile uint32_t *tried;
};

// Tries the remaining calls and exits.
static _Noreturn void try_calls(const struct group *group, int report) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0) fail("prctl");
  int listener = install_supervised();
  if (listener < 0) fail("the supervised filter");
  if (write(report, &listener, sizeof listener) != sizeof listener) fail("write");
  cursor = group->filters;
  for (uint32_t index = 0; index < group->filter_count; index++) {
    uint32_t count = read_uint32();
    if (install((unsigned short)count, cursor, 0) < 0) fail("a filter in question");
    cursor += count * sizeof(struct sock_filter);
  }
  while (*group->tried < group->call_count) {
    uint32_t index = *group->tried;
    const uint64_t *call = group->calls + 7 * index;
    // The verdict is stored before the call, so that a call that kills the process is not tried again.
    group->verdicts[index] = KILLED;
    *group->tried = index + 1;
    errno = 0;
    long result = syscall((long)call[0], call[1], call[2], call[3], call[4], call[5], call[6]);
    group->verdicts[index] = result == -1 ? errno : 0;
  }
  syscall(SYS_exit_group, 0L, 0L, 0L, 0L, 0L, 0L);
  __builtin_unreachable();
}

// Tries all calls of a group, in a new process after each call that kills one.
static void try_group(const struct group *group) {
  *group->tried = 0;
  while (*group->tried < group->call_count) {
    int report[2];
    if (pipe(report) < 0) fail("pipe");
    // The processes share descriptors, so that the parent can use the listener.
    pid_t child = (pid_t)syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
    if (child < 0) fail("clone");
    if (child == 0) try_calls(group, report[1]);
    int listener;
    struct pollfd waiting = {.fd = report[0], .events = POLLIN};
    int status;
    while (poll(&waiting, 1, 100) == 0) {
      if (waitpid(child, &status, WNOHANG) == child) fail("the child ended early");
    }
    if (read(report[0], &listener, sizeof listener) != sizeof listener) fail("read");
    supervise(listener);
    if (waitpid(child, &status, 0) != child) fail("waitpid");
    if (WIFSIGNALED(status) ? WTERMSIG(status) != SIGSYS : WEXITSTATUS(status) != 0) {
      fprintf(stderr, "darkroom-verdicts: the child ended with status %d after %u calls\n", status, *group->tried);
      _exit(1);
    }
    close(listener);
    close(report[0]);
    close(report[1]);
  }
}

// Maps a file into memory.
static void *map(const char *path, int flags, size_t size) {
  int file = open(path, flags | O_CLOEXEC, 0600);
  if (file < 0) fail(path);
  if (size > 0 && ftruncate(file, (off_t)size) < 0) fail(path);
  struct stat status;
  if (fstat(file, &status) < 0) fail(path);
  int protection = size > 0 ? PROT_READ | PROT_WRITE : PROT_READ;
  void *memory = mmap(NULL, (size_t)status.st_size, protection, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) fail(path);
  close(file);
  return memory;
}

// Iterates over the groups. Without memory for verdicts, only counts the calls.
static uint32_t for_each_group(const unsigned char *calls, int32_t *verdicts, volatile uint32_t *tried) {
  const unsigned char *position = calls;
  uint32_t total = 0;
  cursor = position;
  uint32_t groups = read_uint32();
  position = cursor;
  for (uint32_t index = 0; index < groups; index++) {
    cursor = position;
    struct group group = {.filter_count = read_uint32(), .verdicts = verdicts + total, .tried = tried};
    group.filters = cursor;
    for (uint32_t filter = 0; filter < group.filter_count; filter++) {
      uint32_t count = read_uint32();
      cursor += count * sizeof(struct sock_filter);
    }
    group.call_count = read_uint32();
    group.calls = (const uint64_t *)cursor;
    position = cursor + group.call_count * 7 * sizeof(uint64_t);
    if (verdicts) try_group(&group);
    total += group.call_count;
  }
  return total;
}

int main(int count, char **arguments) {
  if (count != 3) {
    fprintf(stderr, "usage: darkroom-verdicts CALLS VERDICTS\n");
    return 64;
  }
  // A process that a filter kills must not dump core.
  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_CORE, &none);
  const unsigned char *calls = map(arguments[1], O_RDONLY, 0);
  uint32_t total = for_each_group(calls, NULL, NULL);
  volatile uint32_t *tried =
      mmap(NULL, sizeof *tried, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (tried == MAP_FAILED) fail("mmap");
  for_each_group(calls, map(arguments[2], O_RDWR | O_CREAT | O_TRUNC, (total + 1) * sizeof(int32_t)), tried);
  return 0;
}
