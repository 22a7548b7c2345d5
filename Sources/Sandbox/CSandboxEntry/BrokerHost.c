// SPDX-License-Identifier: Apache-2.0
//
// The host's side of a broker.

#include "Broker.h"
#include "Launching.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACK = 32768, SIZE = 3 * STACK + 4096 };

struct darkroom_broker *darkroom_broker_make(darkroom_identity identity, uint32_t user, uint32_t group) {
  char *memory = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  struct darkroom_broker *broker = (struct darkroom_broker *)(void *)(memory + 3 * STACK);
  *broker = (struct darkroom_broker){
      .state = DARKROOM_BROKER_STARTING, .identity = identity, .user = user, .group = group, .stack = memory,
      .stack_size = STACK, .own_mounts = -1, .own_user = -1, .prepared_mounts = -1, .prepared_ruleset = -1,
      .prepared_processes = -1, .gate = -1, .listener = -1, .proc = -1, .pidfd = -1, .ending = -1};
  return broker;
}

/// Reaps an init that was killed by `dismiss`.
static void reap_dismissed(struct darkroom_broker *broker) {
  if (broker->ending < 0) return;
  siginfo_t ignored;
  while (waitid((idtype_t)3 /* P_PIDFD */, (id_t)broker->ending, &ignored, WEXITED) < 0 && errno == EINTR) {}
  close(broker->ending);
  broker->ending = -1;
}

/// Kills the waiting init, if there is one, without waiting for it: the destruction of a PID namespace takes
/// long.
static void dismiss(struct darkroom_broker *broker) {
  if (!broker->process) return;
  reap_dismissed(broker);
  syscall(SYS_pidfd_send_signal, broker->pidfd, SIGKILL, 0, 0);
  broker->ending = broker->pidfd;
  broker->process = 0;
}

void darkroom_broker_free(struct darkroom_broker *broker) {
  dismiss(broker);
  reap_dismissed(broker);
  if (broker->own_mounts >= 0) close(broker->own_mounts);
  if (broker->own_user >= 0) close(broker->own_user);
  if (broker->prepared_mounts >= 0) close(broker->prepared_mounts);
  if (broker->prepared_ruleset >= 0) close(broker->prepared_ruleset);
  if (broker->prepared_processes >= 0) close(broker->prepared_processes);
  if (broker->gate >= 0) close(broker->gate);
  if (broker->listener >= 0) close(broker->listener);
  if (broker->identity == darkroom_identity_brokered && broker->proc >= 0) close(broker->proc);
  munmap(broker->stack, SIZE);
}

int darkroom_broker_run(struct darkroom_broker *broker) {
  const int is_root = broker->identity == darkroom_identity_other;
  broker->proc = is_root ? darkroom_host_proc() : open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
  broker->host = getpid();
  int pidfd = -1;
  struct clone_arguments arguments = {
      .flags = CLONE_VM | CLONE_FILES | CLONE_PIDFD | CLONE_CHILD_CLEARTID | CLONE_CLEAR_SIGHAND |
               (is_root ? 0 : CLONE_NEWUSER | CLONE_NEWNS),
      .pidfd = (uint64_t)(uintptr_t)&pidfd,
      .child_tid = (uint64_t)(uintptr_t)&broker->state,
      .exit_signal = SIGCHLD,
      .stack = (uint64_t)(uintptr_t)broker->stack,
      .stack_size = broker->stack_size,
  };
  // A signal handler of the host must not run in the child, which uses the host's memory.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  long process = direct_clone(&arguments, darkroom_broker_main, broker);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (process < 0) {
    darkroom_broker_advance(broker, DARKROOM_BROKER_ENDED);
    return (int)process;
  }
  siginfo_t ignored;
  while (waitid((idtype_t)3 /* P_PIDFD */, (id_t)pidfd, &ignored, WEXITED) < 0 && errno == EINTR) {}
  close(pidfd);
  return 0;
}

/// Sets the requested state, unless the broker has exited. Returns whether it was set.
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
  dismiss(broker);
  broker->prepared = plan;
  broker->delay_ms = delay_ms;
  ask(broker, DARKROOM_BROKER_PREPARE);
}

void darkroom_broker_await_ready(struct darkroom_broker *broker) {
  darkroom_broker_await(broker, DARKROOM_BROKER_PREPARE);
}

int darkroom_broker_is_ready(const struct darkroom_broker *broker) {
  return __atomic_load_n(&broker->state, __ATOMIC_ACQUIRE) == DARKROOM_BROKER_READY && broker->process != 0;
}

int32_t darkroom_broker_waiting_init(const struct darkroom_broker *broker) {
  return darkroom_broker_is_ready(broker) ? broker->process : 0;
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

/// The launch by a broker, and the plan that the broker prepares next.
struct launching {
  struct darkroom_broker *broker;
  struct darkroom_plan *next;
  int32_t delay_ms;
};

static void begin(struct darkroom_start *start, void *context) {
  struct darkroom_broker *broker = ((struct launching *)context)->broker;
  struct darkroom_child *child = start->child;
  child->helper = NULL;
  child->proc = broker->proc;
  child->prepared = broker->prepared_mounts;
  child->ruleset = broker->prepared_ruleset;
  child->outcome = &broker->outcome;
  child->ahead = &broker->ahead;
  child->gate = broker->gate;
  broker->child = child;
  if (!__atomic_load_n(&broker->outcome.init, __ATOMIC_ACQUIRE) ||
      !__atomic_load_n(&broker->outcome.extension, __ATOMIC_ACQUIRE)) {
    // Another process has killed one of them, so the broker is stopped as well.
    dismiss(broker);
    reap_dismissed(broker);
    darkroom_broker_stop(broker);
    darkroom_broker_await(broker, DARKROOM_BROKER_STOP);
    return;
  }
  start->process = broker->process;
  start->pidfd = broker->pidfd;
  broker->process = 0;
  // The init starts on this processor, where this thread is about to wait, and makes the extension's process
  // start on another processor. So pin this thread before the init starts.
  darkroom_pin_host_thread(child->processors);
  if (child->processors->host >= 0) darkroom_run_on_current_processor(child->processors, start->process);
  __atomic_store_n(&broker->init_state, DARKROOM_INIT_GO, __ATOMIC_RELEASE);
  direct(SYS_futex, &broker->init_state, FUTEX_WAKE, 1);
}

/// The session owns the prepared resources now: its processes took them before the init executed its program.
/// The broker closes its descriptors before the next preparation.
static void meanwhile(void *context) {
  const struct launching *launching = context;
  darkroom_broker_prepare(launching->broker, launching->next, launching->delay_ms);
}

struct darkroom_launched darkroom_broker_launch(struct darkroom_broker *broker, struct darkroom_plan *plan,
                                                int32_t timeout_ms, struct darkroom_plan *next, int32_t delay_ms) {
  struct launching launching = {broker, next, delay_ms};
  const struct darkroom_maker maker = {.begin = begin, .meanwhile = meanwhile, .context = &launching};
  darkroom_broker_engage(broker);
  struct darkroom_launched launched = darkroom_launch_by(plan, timeout_ms, &maker);
  darkroom_broker_disengage(broker);
  return launched;
}

/// A launch in the broker's user namespace.
struct namespace_launch {
  const struct darkroom_broker *broker;
  struct darkroom_start *start;
  /// Nonzero while the process that creates the init exists; a futex, which the kernel clears.
  uint32_t is_running;
  /// The process ID of the init, or a negative error number.
  long made;
};

/// Enters the broker's user namespace, in which the process gains all capabilities, and creates the init
/// there.
static int make_there(void *argument) {
  struct namespace_launch *namespace_launch = argument;
  namespace_launch->made = direct(SYS_setns, namespace_launch->broker->own_user, CLONE_NEWUSER);
  if (namespace_launch->made >= 0) namespace_launch->made = darkroom_make_init(namespace_launch->start, CLONE_PARENT);
  return 0;
}

/// Creates the init through a temporary process, because a process with several threads cannot enter a user
/// namespace.
static long make_in(struct darkroom_start *start, void *context) {
  struct namespace_launch *namespace_launch = context;
  namespace_launch->start = start;
  namespace_launch->is_running = 1;
  namespace_launch->made = -ESRCH;
  struct clone_arguments arguments = {
      .flags = CLONE_VM | CLONE_FILES | CLONE_CHILD_CLEARTID,
      .child_tid = (uint64_t)(uintptr_t)&namespace_launch->is_running,
      // The init inherits this signal.
      .exit_signal = SIGCHLD,
      .stack = (uint64_t)(uintptr_t)start->maker_stack,
      .stack_size = DARKROOM_STACK,
  };
  const long maker = direct_clone(&arguments, make_there, namespace_launch);
  if (maker < 0) return maker;
  darkroom_await_cleared(&namespace_launch->is_running, NULL);
  siginfo_t ignored;
  while (waitid(P_PID, (id_t)maker, &ignored, WEXITED) < 0 && errno == EINTR) {}
  return namespace_launch->made;
}

static void begin_in(struct darkroom_start *start, void *context) {
  start->child->proc = ((struct namespace_launch *)context)->broker->proc;
  darkroom_start_init(start, make_in, context);
}

int darkroom_broker_has_user(const struct darkroom_broker *broker) {
  return __atomic_load_n(&broker->own_user, __ATOMIC_ACQUIRE) >= 0;
}

struct darkroom_launched darkroom_launch_in(const struct darkroom_broker *broker, struct darkroom_plan *plan,
                                            int32_t timeout_ms) {
  struct namespace_launch namespace_launch = {.broker = broker};
  const struct darkroom_maker maker = {.begin = begin_in, .meanwhile = NULL, .context = &namespace_launch};
  return darkroom_launch_by(plan, timeout_ms, &maker);
}
