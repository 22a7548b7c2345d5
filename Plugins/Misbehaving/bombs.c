// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "orders.h"

/// The time in seconds for which a terminating bomb holds its resources.
static unsigned hold_seconds = 2;

/// Waits forever.
__attribute__((noreturn)) static void wait_forever(void) {
  for (;;) pause();
}

/// Forks in every process, forever.
static void bomb_fork(void) {
  for (;;) fork();
}

/// Allocates `megabytes` MiB and touches each page.
static char *allocate(size_t megabytes) {
  char *bytes = mmap(NULL, megabytes << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bytes == MAP_FAILED) return NULL;
  for (size_t at = 0; at < megabytes << 20; at += 4096) bytes[at] = 1;
  return bytes;
}

/// Allocates memory in one process until allocation fails.
static void bomb_memory(void) {
  while (allocate(1) != NULL) continue;
  wait_forever();
}

/// Allocates a little memory in each of many processes.
static void bomb_memory_tree(void) {
  for (;;) {
    pid_t child = fork();
    if (child == 0) {
      allocate(8);
      wait_forever();
    }
    if (child < 0) wait_forever();
  }
}

/// Fills memory files that no process maps.
static void bomb_memory_files(void) {
  char *block = allocate(1);
  for (;;) {
    int file = memfd_create("bomb", MFD_CLOEXEC);
    for (int piece = 0; piece < 8 && file >= 0; piece++) {
      if (write(file, block, 1 << 20) < 0) wait_forever();
    }
    if (file < 0) wait_forever();
  }
}

/// Passes its memory to a new process again and again; each process exits before the host can inspect it.
static int spawn_successor(void *number) {
  // Each process has its own stack, and usually exits long before its stack is reused.
  static char stacks[64][8192] __attribute__((aligned(16)));
  size_t next = ((size_t)number + 1) % 64;
  while (clone(spawn_successor, stacks[next] + sizeof stacks[next], CLONE_VM, (void *)next) < 0) continue;
  // A later process with the same stack may overwrite the return address of a stalled one, and may have come
  // this far. The loop therefore ends any process that continues here; otherwise it would run into the next
  // function.
  for (;;) syscall(SYS_exit, 0);
}

/// Starts such a chain of processes, and waits.
static void bomb_comets(void) {
  if (fork() == 0) {
    allocate(4);
    spawn_successor(0);
  }
  wait_forever();
}

/// Stops itself with SIGSTOP, so that it answers no message.
static void bomb_stop(void) {
  kill(getpid(), SIGSTOP);
  wait_forever();
}

/// Leaves a detached grandchild in another session (setsid(2)), and waits.
static void bomb_daemon(void) {
  if (fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_IGN);
    wait_forever();
  }
  wait_forever();
}

/// Blocks in vfork(2): the kernel suspends the parent until the child, which only waits, executes a program
/// or exits.
static void bomb_vfork(void) {
  pid_t child = vfork();
  if (child == 0) {
    for (;;) pause();
  }
  wait_forever();
}

/// Nests directories with long names, beyond the maximum length of a path.
static void bomb_nest(void) {
  char name[251];
  memset(name, 'n', sizeof name - 1);
  name[sizeof name - 1] = 0;
  int at = open(session_directory(), O_PATH | O_DIRECTORY | O_CLOEXEC);
  while (at >= 0 && mkdirat(at, name, 0700) == 0) {
    int below = openat(at, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
    close(at);
    at = below;
  }
  wait_forever();
}

/// Creates long files without allocated blocks.
static void bomb_sparse(void) {
  if (chdir(session_directory()) != 0) return;
  for (int number = 0;; number++) {
    char name[32];
    snprintf(name, sizeof name, "sparse-%d", number);
    int file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, 1 << 20) != 0) wait_forever();
    close(file);
  }
}

/// Allocates space without increasing the file size, so that no file size limit applies.
static void bomb_allocate(void) {
  if (chdir(session_directory()) != 0) return;
  int file = open("allocated", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  long result = fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 1LL << 30);
  report("bomb", "allocate", "%s", outcome(result));
  exit(0);
}

/// Returns a descriptor of an unlinked file in the session content directory.
static int nameless_file(void) {
  char name[32];
  snprintf(name, sizeof name, "nameless-%d", getpid());
  int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  unlink(name);
  return file;
}

/// Writes up to `megabytes` MiB.
static void write_megabytes(int file, int megabytes) {
  static char block[1 << 20];
  while (megabytes-- > 0 && write(file, block, sizeof block) > 0) continue;
}

/// Writes to an unlinked file, waits and exits.
static void bomb_unlinked(void) {
  if (chdir(session_directory()) != 0) return;
  write_megabytes(nameless_file(), 24);
  sleep(hold_seconds);
}

/// Does the same as a process that is not dumpable, whose descriptors the host cannot inspect.
static void bomb_unlinked_hidden(void) {
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  bomb_unlinked();
}

/// Does the same with a file that never had a name (O_TMPFILE).
static void bomb_temporary(void) {
  int file = open(session_directory(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  report("bomb", "temporary", "%s", outcome(file));
  write_megabytes(file, 24);
  sleep(hold_seconds);
}

/// Holds a few unlinked files in each of many processes.
static void bomb_unlinked_tree(void) {
  if (chdir(session_directory()) != 0) return;
  for (int number = 0; number < 16; number++) {
    if (fork() != 0) continue;
    for (int piece = 0; piece < 3; piece++) write_megabytes(nameless_file(), 1);
    sleep(hold_seconds);
    _exit(0);
  }
  sleep(hold_seconds);
}

/// Holds an unlinked file only by one mapped page.
static void bomb_unlinked_mapped(void) {
  if (chdir(session_directory()) != 0) return;
  int file = nameless_file();
  write_megabytes(file, 1);
  mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
  write_megabytes(file, 23);
  close(file);
  sleep(hold_seconds);
}

/// The body of a thread that holds an unlinked file in its own descriptor table.
static int hold_in_thread(void *unused) {
  (void)unused;
  bomb_unlinked();
  // exit(3) ends the process, not only this thread.
  exit(0);
}

/// Exits the main thread and leaves only a thread with its own descriptor table.
static void bomb_unlinked_thread(void) {
  static char stack[1 << 16] __attribute__((aligned(16)));
  int flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  int result = clone(hold_in_thread, stack + sizeof stack, flags, NULL);
  report("bomb", "unlinked-thread", "%s", outcome(result));
  if (result > 0) syscall(SYS_exit, 0);
}

/// Writes to a file in a directory without permissions, below a session content directory without
/// permissions.
static void bomb_behind_lock(void) {
  if (chdir(session_directory()) != 0 || mkdir("locked", 0700) != 0) return;
  int file = open("locked/file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (chmod("locked", 0) != 0 || chmod(".", 0) != 0) return;
  write_megabytes(file, 24);
  sleep(hold_seconds);
}

/// The body of a thread that allocates memory and holds it.
static int take_memory(void *unused) {
  (void)unused;
  const size_t size = 96 << 20;
  char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) memset(memory, 1, size);
  sleep(hold_seconds);
  exit(0);
}

/// Exits the main thread and leaves only a thread that allocates memory, so that /proc/PID of the process
/// shows none.
static void bomb_memory_thread(void) {
  static char stack[1 << 16] __attribute__((aligned(16)));
  int flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  int result = clone(take_memory, stack + sizeof stack, flags, NULL);
  report("bomb", "memory-thread", "%s", outcome(result));
  if (result > 0) syscall(SYS_exit, 0);
}

/// Sends a descriptor to a socket, where it is queued until it is received, and closes it.
static bool queue_descriptor(int socket_, int file) {
  union {
    struct cmsghdr head;
    char room[CMSG_SPACE(sizeof file)];
  } control = {.room = {0}};
  struct iovec part = {"x", 1};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control};
  struct cmsghdr *head = CMSG_FIRSTHDR(&message);
  head->cmsg_level = SOL_SOCKET;
  head->cmsg_type = SCM_RIGHTS;
  head->cmsg_len = CMSG_LEN(sizeof file);
  memcpy(CMSG_DATA(head), &file, sizeof file);
  bool is_sent = sendmsg(socket_, &message, MSG_DONTWAIT | MSG_NOSIGNAL) == 1;
  close(file);
  return is_sent;
}

/// Holds unlinked files in the queue of a socket, where the descriptors of a process do not show them.
static void bomb_unlinked_queued(void) {
  int ends[2];
  if (chdir(session_directory()) != 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  // An empty file is queued first, so that the host suspects the queue while this process still writes.
  if (!queue_descriptor(ends[0], nameless_file())) return;
  // A file that is being written is visible in the descriptor table. Each file is below the limit of 8 MiB.
  for (int count = 0; count < 4; count++) {
    int file = nameless_file();
    write_megabytes(file, 6);
    if (!queue_descriptor(ends[0], file)) return;
  }
  sleep(hold_seconds);
}

/// Holds memory files in the queue of a socket.
static void bomb_memory_queued(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  for (;;) {
    int file = memfd_create("bomb", MFD_CLOEXEC);
    if (file < 0) break;
    write_megabytes(file, 8);
    if (!queue_descriptor(ends[0], file)) break;
  }
  wait_forever();
}

/// Fills as many sockets as each process may have, in an endless chain of processes.
static void bomb_sockets(void) {
  static char block[1 << 16];
  for (;;) {
    int ends[2];
    while (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0) {
      for (int end = 0; end < 2; end++) {
        while (write(ends[end], block, sizeof block) > 0) continue;
      }
    }
    // A child inherits the sockets, which use up its limit of descriptors; it closes them before it
    // continues.
    if (fork() != 0) wait_forever();
    syscall(SYS_close_range, 3, ~0u, 0);
  }
}

/// The bombs by name.
static const struct {
  const char *name;
  void (*explode)(void);
} bombs[] = {
    {"fork", bomb_fork},     {"memory", bomb_memory}, {"memory-tree", bomb_memory_tree},
    {"memory-files", bomb_memory_files}, {"comets", bomb_comets}, {"stop", bomb_stop},
    {"daemon", bomb_daemon}, {"vfork", bomb_vfork},   {"nest", bomb_nest},
    {"sparse", bomb_sparse}, {"allocate", bomb_allocate}, {"unlinked", bomb_unlinked},
    {"unlinked-hidden", bomb_unlinked_hidden}, {"unlinked-tree", bomb_unlinked_tree},
    {"unlinked-mapped", bomb_unlinked_mapped}, {"unlinked-thread", bomb_unlinked_thread},
    {"temporary", bomb_temporary}, {"behind-lock", bomb_behind_lock}, {"memory-thread", bomb_memory_thread},
    {"unlinked-queued", bomb_unlinked_queued}, {"memory-queued", bomb_memory_queued}, {"sockets", bomb_sockets},
};

/// Raises the soft limit of the file size to the hard limit, to undo a lower soft limit by the host.
static void raise_file_size_limit(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_FSIZE, &limit);
}

bool order_linger(const char *seconds) {
  hold_seconds = (unsigned)strtoul(seconds, NULL, 10);
  return true;
}

bool order_bomb(const char *name) {
  raise_file_size_limit();
  for (size_t index = 0; index < sizeof bombs / sizeof bombs[0]; index++) {
    if (strcmp(name, bombs[index].name) != 0) continue;
    bombs[index].explode();
    return true;
  }
  return false;
}
