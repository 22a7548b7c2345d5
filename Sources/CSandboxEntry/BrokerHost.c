// SPDX-License-Identifier: Apache-2.0
//
// The host's side of a broker.

#include "Broker.h"
#include "Launching.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK = 32768, SIZE = STACK + 4096 };

struct darkroom_broker *darkroom_broker_make(darkroom_identity identity, uint32_t user, uint32_t group) {
  char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  struct darkroom_broker *broker = (struct darkroom_broker *)(void *)(memory + STACK);
  *broker = (struct darkroom_broker){
      .state = DARKROOM_BROKER_STARTING, .identity = identity, .user = user, .group = group, .stack = memory,
      .stack_size = STACK, .own_mounts = -1, .prepared_mounts = -1, .prepared_ruleset = -1, .proc = -1,
      .itself = -1, .report_write = -1};
  return broker;
}

void darkroom_broker_free(struct darkroom_broker *broker) {
  if (broker->own_mounts >= 0) close(broker->own_mounts);
  if (broker->prepared_mounts >= 0) close(broker->prepared_mounts);
  if (broker->prepared_ruleset >= 0) close(broker->prepared_ruleset);
  if (broker->identity == darkroom_identity_brokered && broker->proc >= 0) close(broker->proc);
  if (broker->itself >= 0) close(broker->itself);
  munmap(broker->stack, SIZE);
}

int darkroom_broker_run(struct darkroom_broker *broker) {
  const int is_root = broker->identity == darkroom_identity_other;
  broker->proc = is_root ? darkroom_own_proc() : open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
  broker->host = getpid();
  struct clone_arguments arguments = {
      .flags = CLONE_VM | CLONE_FILES | CLONE_PIDFD | CLONE_CHILD_CLEARTID | CLONE_CLEAR_SIGHAND |
               (is_root ? 0 : CLONE_NEWUSER | CLONE_NEWNS),
      .pidfd = (uint64_t)(uintptr_t)&broker->itself,
      .child_tid = (uint64_t)(uintptr_t)&broker->state,
      .exit_signal = SIGCHLD,
      .stack = (uint64_t)(uintptr_t)broker->stack,
      .stack_size = broker->stack_size,
  };
  // A handler of the host that ran there would run in the host's memory: none may.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  long process = direct_clone3(&arguments, darkroom_broker_main, broker);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (process < 0) {
    // The kernel may have left a number there.
    broker->itself = -1;
    darkroom_broker_advance(broker, DARKROOM_BROKER_ENDED);
    return (int)process;
  }
  siginfo_t ignored;
  while (waitid((idtype_t)3 /* P_PIDFD */, (id_t)broker->itself, &ignored, WEXITED) < 0 && errno == EINTR) {}
  return 0;
}

/// Says what is wanted, unless the broker is no more.
static int ask(struct darkroom_broker *broker, uint32_t wanted) {
  uint32_t state = __atomic_load_n(&broker->state, __ATOMIC_ACQUIRE);
  do {
    if (state == DARKROOM_BROKER_ENDED) return 0;
  } while (!__atomic_compare_exchange_n(&broker->state, &state, wanted, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
  darkroom_broker_wake(broker);
  return 1;
}

void darkroom_broker_prepare(struct darkroom_broker *broker, struct darkroom_plan *plan, int32_t delay_ms) {
  darkroom_broker_await(broker, DARKROOM_BROKER_STARTING);
  darkroom_broker_await(broker, DARKROOM_BROKER_PREPARE);
  broker->prepared = plan;
  broker->delay_ms = delay_ms;
  ask(broker, DARKROOM_BROKER_PREPARE);
}

void darkroom_broker_await_ready(struct darkroom_broker *broker) {
  darkroom_broker_await(broker, DARKROOM_BROKER_PREPARE);
}

int darkroom_broker_is_ready(const struct darkroom_broker *broker) {
  return __atomic_load_n(&broker->state, __ATOMIC_ACQUIRE) == DARKROOM_BROKER_READY;
}

int darkroom_broker_is_over(const struct darkroom_broker *broker) {
  return __atomic_load_n(&broker->state, __ATOMIC_ACQUIRE) == DARKROOM_BROKER_ENDED;
}

int darkroom_broker_is_busy(const struct darkroom_broker *broker) {
  uint32_t state = __atomic_load_n(&broker->state, __ATOMIC_ACQUIRE);
  return state == DARKROOM_BROKER_STARTING || state == DARKROOM_BROKER_PREPARE;
}

void darkroom_broker_stop(struct darkroom_broker *broker) {
  darkroom_broker_await(broker, DARKROOM_BROKER_STARTING);
  darkroom_broker_await(broker, DARKROOM_BROKER_PREPARE);
  ask(broker, DARKROOM_BROKER_STOP);
}

int darkroom_identify(const char *path, uint64_t *device, uint64_t *inode) {
  struct stat found;
  if (stat(path, &found) < 0) return -errno;
  *device = found.st_dev;
  *inode = found.st_ino;
  return 0;
}

/// Ends an init whose broker somebody has killed before it executed: its memory is this process's.
static void bury(int pidfd) {
  siginfo_t ignored;
  syscall(SYS_pidfd_send_signal, pidfd, SIGKILL, 0, 0);
  while (waitid((idtype_t)3 /* P_PIDFD */, (id_t)pidfd, &ignored, WEXITED) < 0 && errno == EINTR) {}
  close(pidfd);
}

static void begin(struct darkroom_start *start, void *context) {
  struct darkroom_broker *broker = context;
  start->child->helper = NULL;
  start->child->proc = broker->proc;
  broker->child = start->child;
  broker->init_stack = start->stack;
  broker->init_stack_size = DARKROOM_STACK;
  broker->process = -ESRCH;
  broker->pidfd = -1;
  broker->made = 0;
  broker->report_write = start->report_write;
  darkroom_stamp(start->child->plan, DARKROOM_STAMP_START);
  if (ask(broker, DARKROOM_BROKER_LAUNCH)) return;
  close(start->report_write);
  start->report_write = -1;
}

/// Whether a descriptor is the other end of a pipe. The number of one that is closed may be somebody else's.
static int is_write_end(int descriptor, int read_end) {
  struct stat one, other;
  return fstat(descriptor, &one) == 0 && fstat(read_end, &other) == 0 && one.st_ino == other.st_ino &&
         one.st_dev == other.st_dev && descriptor != read_end;
}

static void settle(struct darkroom_start *start, void *context) {
  struct darkroom_broker *broker = context;
  const int is_over = darkroom_broker_await(broker, DARKROOM_BROKER_LAUNCH) == DARKROOM_BROKER_ENDED;
  // One that was killed may have closed it, or may not.
  if (!is_over || !is_write_end(start->report_write, start->report_read)) start->report_write = -1;
  // The session has it now; one that was killed is freed with what it knows.
  if (!is_over) darkroom_broker_drop_prepared(broker);
  start->was_made = broker->made != 0;
  if (broker->process < 0 && broker->made) bury(broker->pidfd);
  start->process = broker->process;
  start->pidfd = broker->pidfd;
}

struct darkroom_launched darkroom_broker_launch(struct darkroom_broker *broker, struct darkroom_plan *plan,
                                                int32_t timeout_ms) {
  const struct darkroom_maker maker = {.begin = begin, .settle = settle, .context = broker, .guard = broker->itself};
  return darkroom_launch_by(plan, timeout_ms, &maker);
}
