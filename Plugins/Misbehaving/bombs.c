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

/// For how many seconds a bomb that ends keeps what it took.
static unsigned lingering = 2;

/// Waits for ever.
__attribute__((noreturn)) static void stay(void) {
  for (;;) pause();
}

/// Every process makes another, for ever.
static void bomb_fork(void) {
  for (;;) fork();
}

/// Takes so many megabytes and touches each page.
static char *take(size_t megabytes) {
  char *bytes = mmap(NULL, megabytes << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (bytes == MAP_FAILED) return NULL;
  for (size_t at = 0; at < megabytes << 20; at += 4096) bytes[at] = 1;
  return bytes;
}

/// One process takes memory for ever.
static void bomb_memory(void) {
  while (take(1) != NULL) continue;
  stay();
}

/// Many processes take a little memory each.
static void bomb_memory_tree(void) {
  for (;;) {
    pid_t child = fork();
    if (child == 0) {
      take(8);
      stay();
    }
    if (child < 0) stay();
  }
}

/// Writes to memory files that nobody maps.
static void bomb_memory_files(void) {
  char *block = take(1);
  for (;;) {
    int file = memfd_create("bomb", MFD_CLOEXEC);
    for (int piece = 0; piece < 8 && file >= 0; piece++) {
      if (write(file, block, 1 << 20) < 0) stay();
    }
    if (file < 0) stay();
  }
}

/// Hands its memory on to a new process again and again; each is gone before anybody can look at it.
static int hop(void *number) {
  // Each has a stack of its own, and is mostly gone long before its turn comes again.
  static char stacks[64][8192] __attribute__((aligned(16)));
  size_t next = ((size_t)number + 1) % 64;
  while (clone(hop, stacks[next] + sizeof stacks[next], CLONE_VM, (void *)next) < 0) continue;
  // One that is held up for long finds the address that it returns to written over by a later one with the same stack, which
  // may have come this far: so there must be something behind this call that ends it, and not the next function.
  for (;;) syscall(SYS_exit, 0);
}

/// Starts such a row of processes, and stays.
static void bomb_comets(void) {
  if (fork() == 0) {
    take(4);
    hop(0);
  }
  stay();
}

/// Stops itself, and so everything that it should answer.
static void bomb_stop(void) {
  kill(getpid(), SIGSTOP);
  stay();
}

/// Leaves a grandchild of another session that has nothing to do with this process, and waits.
static void bomb_daemon(void) {
  if (fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    for (int number = 1; number < NSIG; number++) signal(number, SIG_IGN);
    stay();
  }
  stay();
}

/// Is held by the kernel until a child that never does anything executes a program or ends.
static void bomb_vfork(void) {
  pid_t child = vfork();
  if (child == 0) {
    for (;;) pause();
  }
  stay();
}

/// Directories in directories with long names, deeper than any path reaches.
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
  stay();
}

/// Files that are long and hold nothing.
static void bomb_sparse(void) {
  if (chdir(session_directory()) != 0) return;
  for (int number = 0;; number++) {
    char name[32];
    snprintf(name, sizeof name, "sparse-%d", number);
    int file = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (file < 0 || ftruncate(file, 1 << 20) != 0) stay();
    close(file);
  }
}

/// Takes space without making a file longer, as no limit on the size of a file sees.
static void bomb_allocate(void) {
  if (chdir(session_directory()) != 0) return;
  int file = open("allocated", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  long result = fallocate(file, FALLOC_FL_KEEP_SIZE, 0, 1LL << 30);
  report("bomb", "allocate", "%s", outcome(result));
  exit(0);
}

/// Gives a file of the session directory that has no name any more.
static int nameless_file(void) {
  char name[32];
  snprintf(name, sizeof name, "nameless-%d", getpid());
  int file = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  unlink(name);
  return file;
}

/// Writes so many megabytes, or as many as can be.
static void put(int file, int megabytes) {
  static char block[1 << 20];
  while (megabytes-- > 0 && write(file, block, sizeof block) > 0) continue;
}

/// Writes to a file that is removed, stays a while and goes on.
static void bomb_unlinked(void) {
  if (chdir(session_directory()) != 0) return;
  put(nameless_file(), 24);
  sleep(lingering);
}

/// The same where the host may not look.
static void bomb_unlinked_hidden(void) {
  prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
  bomb_unlinked();
}

/// The same with a file that never had a name.
static void bomb_temporary(void) {
  int file = open(session_directory(), O_RDWR | O_TMPFILE | O_CLOEXEC, 0600);
  report("bomb", "temporary", "%s", outcome(file));
  put(file, 24);
  sleep(lingering);
}

/// Many processes with a few such files each.
static void bomb_unlinked_tree(void) {
  if (chdir(session_directory()) != 0) return;
  for (int number = 0; number < 16; number++) {
    if (fork() != 0) continue;
    for (int piece = 0; piece < 3; piece++) put(nameless_file(), 1);
    sleep(lingering);
    _exit(0);
  }
  sleep(lingering);
}

/// Keeps such a file by a page of memory only.
static void bomb_unlinked_mapped(void) {
  if (chdir(session_directory()) != 0) return;
  int file = nameless_file();
  put(file, 1);
  mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, file, 0);
  put(file, 23);
  close(file);
  sleep(lingering);
}

/// A thread that has such a file in descriptors of its own.
static int keep(void *unused) {
  (void)unused;
  bomb_unlinked();
  // The process, not only this thread.
  exit(0);
}

/// Leaves only a thread that has descriptors of its own.
static void bomb_unlinked_thread(void) {
  static char stack[1 << 16] __attribute__((aligned(16)));
  int flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  int result = clone(keep, stack + sizeof stack, flags, NULL);
  report("bomb", "unlinked-thread", "%s", outcome(result));
  if (result > 0) syscall(SYS_exit, 0);
}

/// Writes to a file in a directory that it has locked, and to which the session directory leads no more, either.
static void bomb_behind_lock(void) {
  if (chdir(session_directory()) != 0 || mkdir("locked", 0700) != 0) return;
  int file = open("locked/file", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
  if (chmod("locked", 0) != 0 || chmod(".", 0) != 0) return;
  put(file, 24);
  sleep(lingering);
}

/// A thread that takes memory and keeps it.
static int take_memory(void *unused) {
  (void)unused;
  const size_t size = 96 << 20;
  char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory != MAP_FAILED) memset(memory, 1, size);
  sleep(lingering);
  exit(0);
}

/// Leaves only a thread, which takes memory: the process itself then shows none.
static void bomb_memory_thread(void) {
  static char stack[1 << 16] __attribute__((aligned(16)));
  int flags = CLONE_VM | CLONE_FS | CLONE_SIGHAND | CLONE_THREAD | CLONE_SYSVSEM;
  int result = clone(take_memory, stack + sizeof stack, flags, NULL);
  report("bomb", "memory-thread", "%s", outcome(result));
  if (result > 0) syscall(SYS_exit, 0);
}

/// Sends a descriptor to a socket, where it stays until somebody reads it, and closes it.
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

/// Keeps files without a name in the queue of a socket, where no descriptor of a process shows them.
static void bomb_unlinked_queued(void) {
  int ends[2];
  if (chdir(session_directory()) != 0 || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  // An empty file is queued first, so that the host suspects the queue while this process still writes.
  if (!queue_descriptor(ends[0], nameless_file())) return;
  // A file that is being written can be seen. None of them alone exceeds a limit of 8 MiB.
  for (int count = 0; count < 4; count++) {
    int file = nameless_file();
    put(file, 6);
    if (!queue_descriptor(ends[0], file)) return;
  }
  sleep(lingering);
}

/// Keeps memory files there.
static void bomb_memory_queued(void) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return;
  for (;;) {
    int file = memfd_create("bomb", MFD_CLOEXEC);
    if (file < 0) break;
    put(file, 8);
    if (!queue_descriptor(ends[0], file)) break;
  }
  stay();
}

/// Every process fills as many sockets as it may have, for ever.
static void bomb_sockets(void) {
  static char block[1 << 16];
  for (;;) {
    int ends[2];
    while (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) == 0) {
      for (int end = 0; end < 2; end++) {
        while (write(ends[end], block, sizeof block) > 0) continue;
      }
    }
    // A child has them as well, and room for no more.
    if (fork() != 0) stay();
    syscall(SYS_close_range, 3, ~0u, 0);
  }
}

/// All bombs by name.
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

/// Lets files grow as far as the policy lets one, also where the host would have it otherwise.
static void decline_mercy(void) {
  struct rlimit limit;
  if (getrlimit(RLIMIT_FSIZE, &limit) != 0) return;
  limit.rlim_cur = limit.rlim_max;
  setrlimit(RLIMIT_FSIZE, &limit);
}

bool order_linger(const char *seconds) {
  lingering = (unsigned)strtoul(seconds, NULL, 10);
  return true;
}

bool order_bomb(const char *name) {
  decline_mercy();
  for (size_t index = 0; index < sizeof bombs / sizeof bombs[0]; index++) {
    if (strcmp(name, bombs[index].name) != 0) continue;
    bombs[index].explode();
    return true;
  }
  return false;
}
