// SPDX-License-Identifier: Apache-2.0
//
// The host's side of a launch: one thread creates the session init and waits until the extension's program
// runs.

#include "Child.h"
#include "Launching.h"
#include "StoppedProgram.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <linux/sched.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/// A child that changes its UID clears the dumpable flag of the memory that it shares with the host and all
/// other launches. The child sets the flag again, because other launches must write their maps (Identity.c).
/// The original value is restored when no launch that changes the UID is left. These launches do not exclude
/// each other, because a launch takes a thousand times as long as the change.
static pthread_mutex_t counting_changes = PTHREAD_MUTEX_INITIALIZER;
static int changes, dumpable_before;

static void begin_change(void) {
  pthread_mutex_lock(&counting_changes);
  if (changes++ == 0) dumpable_before = prctl(PR_GET_DUMPABLE);
  pthread_mutex_unlock(&counting_changes);
}

static void end_change(void) {
  pthread_mutex_lock(&counting_changes);
  if (--changes == 0) prctl(PR_SET_DUMPABLE, dumpable_before == 1);
  pthread_mutex_unlock(&counting_changes);
}

/// A detached proc of the host, which no other process can have made partly read-only. It is created once and
/// stays open: closing one makes the kernel wait for all processors, which launches would do one after the
/// other. The mutex is locked while it is created.
static pthread_mutex_t making_proc = PTHREAD_MUTEX_INITIALIZER;
static int host_proc = -1;

int darkroom_host_proc(void) {
  pthread_mutex_lock(&making_proc);
  if (host_proc < 0) host_proc = (int)darkroom_detached_proc();
  int proc = host_proc;
  pthread_mutex_unlock(&making_proc);
  return proc;
}

/// Returns a pidfd of this process, created once and kept open, by which a session's init checks whether the
/// host is running. Returns -1 if there is none. The init then continues without it, and exits when the
/// control pipe has no writer.
static int host_pidfd(void) {
  static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
  static int pidfd = -1;
  static pid_t owner;
  pthread_mutex_lock(&making);
  // After a fork, the descriptor refers to the parent process.
  if (pidfd >= 0 && owner != getpid()) {
    close(pidfd);
    pidfd = -1;
  }
  if (pidfd < 0) {
    owner = getpid();
    pidfd = (int)syscall(SYS_pidfd_open, owner, 0);
  }
  const int result = pidfd;
  pthread_mutex_unlock(&making);
  return result;
}

static struct darkroom_launched failure(enum darkroom_step step, long error) {
  return (struct darkroom_launched){.process = -1, .pidfd = -1, .step = step, .error = (int32_t)error, .index = 0,
                                   .stopped = 0};
}

/// Returns the time of CLOCK_MONOTONIC after a number of milliseconds.
static struct timespec moment_in(int32_t milliseconds) {
  struct timespec moment;
  clock_gettime(CLOCK_MONOTONIC, &moment);
  moment.tv_sec += milliseconds / 1000;
  moment.tv_nsec += milliseconds % 1000 * 1000000L;
  if (moment.tv_nsec >= 1000000000L) moment.tv_sec++, moment.tv_nsec -= 1000000000L;
  return moment;
}

/// Kills the processes of the session and reaps the init.
static void kill_session(const struct darkroom_start *start, struct darkroom_launched *launched, int32_t traced) {
  // Without a PID namespace, the extension exits with the init, but not the processes that it may have just
  // started. The init has not reaped the extension, so the process group ID is still valid.
  const struct darkroom_plan *plan = start->child->plan;
  if (plan->extension > 0) kill(-plan->extension, SIGKILL);
  syscall(SYS_pidfd_send_signal, launched->pidfd, SIGKILL, 0, 0);
  darkroom_reap_traced(traced);
  siginfo_t ignored;
  while (waitid((idtype_t)3 /* P_PIDFD */, (id_t)launched->pidfd, &ignored, WEXITED) < 0 && errno == EINTR) {}
  // Without a PID namespace, the extension exits a little later, and uses this process's memory until then.
  darkroom_await_cleared(&start->child->outcome->extension, NULL);
  close(launched->pidfd);
  launched->pidfd = -1;
  launched->process = -1;
}

/// Waits until the extension's process has executed its program, and stores the report of a failed step.
static void take_outcome(const struct darkroom_start *start, struct darkroom_launched *launched, int32_t timeout_ms) {
  const struct darkroom_outcome *outcome = start->child->outcome;
  const struct timespec until = moment_in(timeout_ms);
  const int is_over = darkroom_await_cleared(&outcome->extension, &until);
  if (is_over && !__atomic_load_n(&outcome->has_failed, __ATOMIC_ACQUIRE)) return;
  if (is_over) {
    launched->step = (enum darkroom_step)outcome->report.step;
    launched->error = outcome->report.error;
    launched->index = outcome->report.index;
  } else {
    launched->step = darkroom_step_timeout;
    launched->error = ETIMEDOUT;
  }
  kill_session(start, launched, 0);
}

/// Stops the program before its first instruction, and stores the report of a failed step.
static void await_stop(const struct darkroom_start *start, struct darkroom_launched *launched, int socket,
                       int32_t timeout_ms) {
  int32_t traced = 0;
  long stopped = darkroom_stop_at_program(socket, timeout_ms, &traced);
  if (stopped < 0) {
    launched->step = darkroom_step_stop_program;
    launched->error = (int32_t)-stopped;
    kill_session(start, launched, traced);
    return;
  }
  launched->stopped = (int32_t)stopped;
  take_outcome(start, launched, timeout_ms);
  if (launched->step != darkroom_step_none || stopped > 0) return;
  // The process has exited without a report, so another process has killed it.
  launched->step = darkroom_step_stop_program;
  launched->error = ESRCH;
  kill_session(start, launched, 0);
}

long darkroom_make_init(struct darkroom_start *start, uint64_t flags) {
  struct darkroom_child *child = start->child;
  struct clone_arguments arguments = {
      // The network namespace is created later. The init uses this process's memory until it executes its
      // program.
      .flags = flags | CLONE_VM | CLONE_PIDFD | CLONE_CHILD_CLEARTID |
               (child->plan->namespaces & ~(uint64_t)CLONE_NEWNET) | (child->table_bound ? CLONE_FILES : 0),
      .pidfd = (uint64_t)(uintptr_t)&start->pidfd,
      .child_tid = (uint64_t)(uintptr_t)&child->outcome->init,
      // With CLONE_PARENT, the exit signal is that of the calling process.
      .exit_signal = flags & CLONE_PARENT ? 0 : SIGCHLD,
      .stack = (uint64_t)(uintptr_t)start->stack,
      .stack_size = DARKROOM_STACK,
  };
  int (*entry)(void *) = child->ahead ? darkroom_parallel_init_main : darkroom_init_main;
  if (child->plan->identity == darkroom_identity_restricted) entry = darkroom_restricted_main;
  const long result = direct_clone(&arguments, entry, child);
  if (result != -ENOSYS || !(arguments.flags & CLONE_NEWTIME)) return result;
  // Without clone3(2), the init creates its time namespace itself.
  child->unshares_time = 1;
  arguments.flags &= ~(uint64_t)CLONE_NEWTIME;
  return direct_clone(&arguments, entry, child);
}

void darkroom_start_init(struct darkroom_start *start, long (*make)(struct darkroom_start *start, void *context),
                         void *context) {
  struct darkroom_child *child = start->child;
  darkroom_lend_table(child, &start->loan);
  // A signal handler of the host must not run in the child, which uses the host's memory until it executes
  // its program.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  child->outcome->init = 1;
  start->process = make(start, context);
  if (start->process < 0) child->outcome->init = 0;
  darkroom_await_own_table(child, &start->loan, start->process > 0);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!child->plan->stop_at_program) darkroom_pin_host_thread(child->processors);
}

static long make_own(struct darkroom_start *start, void *context) {
  (void)context;
  return darkroom_make_init(start, 0);
}

static void begin(struct darkroom_start *start, void *context) { darkroom_start_init(start, make_own, context); }

/// Creates the init, and waits until it has executed its program and, if necessary, changed its UID.
static void run_init(struct darkroom_start *start, const struct darkroom_maker *maker) {
  const int changes_user = start->child->plan->identity == darkroom_identity_other;
  if (changes_user) begin_change();
  maker->begin(start, maker->context);
  darkroom_await_cleared(&start->child->outcome->init, NULL);
  if (changes_user) end_change();
  if (maker->meanwhile && start->process > 0) maker->meanwhile(maker->context);
}

/// Waits for the permission to execute the program. If it is granted, the extension's process continues.
/// Otherwise the failure is stored and the session is killed.
static int permit(const struct darkroom_start *start, struct darkroom_launched *launched) {
  struct darkroom_plan *plan = start->child->plan;
  if (!plan->await_permission) return 1;
  if (plan->await_permission(plan->permission_context)) {
    darkroom_set_futex(&plan->is_permitted);
    return 1;
  }
  launched->step = darkroom_step_permission;
  launched->error = ECANCELED;
  kill_session(start, launched, 0);
  return 0;
}

static struct darkroom_launched run(struct darkroom_start *start, int32_t timeout_ms, const int tracer[2],
                                    const struct darkroom_maker *maker) {
  struct darkroom_plan *plan = start->child->plan;
  run_init(start, maker);
  if (tracer[1] >= 0) close(tracer[1]);
  if (start->process < 0) return failure(darkroom_step_clone, -start->process);
  struct darkroom_launched launched = {
      .process = (int32_t)start->process, .pidfd = start->pidfd, .step = darkroom_step_none};
  // The extension's process uses the stacks and the plan until it has executed its program or exited.
  if (!permit(start, &launched)) {
    // The session has been killed.
  } else if (plan->stop_at_program) {
    await_stop(start, &launched, tracer[0], timeout_ms);
  } else {
    take_outcome(start, &launched, timeout_ms);
  }
  darkroom_stamp(plan, DARKROOM_STAMP_EXECUTED);
  return launched;
}

/// Returns whether the extension's process is created first and runs in parallel to the init. This requires
/// that its user namespace is not the session's first one, and that no helper needs the other processor to
/// create a network namespace.
static int starts_extension_first(const struct darkroom_plan *plan) {
  const int is_last = plan->identity == darkroom_identity_other || plan->identity == darkroom_identity_brokered;
  return is_last && plan->network >= 0;
}

/// The number of launches of this process in progress.
static int launches_in_progress;

static struct darkroom_launched launch_on(struct darkroom_plan *plan, int32_t timeout_ms, char *stacks,
                                          const struct darkroom_maker *maker) {
  int proc = plan->identity == darkroom_identity_other ? darkroom_host_proc() : -1;
  if (proc < 0 && plan->identity == darkroom_identity_other) return failure(darkroom_step_proc, -proc);
  int tracer[2] = {-1, -1};
  int error = plan->stop_at_program ? darkroom_tracer_sockets(tracer) : 0;
  if (error) return failure(darkroom_step_stop_program, error);
  struct darkroom_helper helper = {.stack = stacks + 2 * DARKROOM_STACK, .stack_size = DARKROOM_STACK};
  struct darkroom_processors processors;
  darkroom_read_affinity(&processors);
  const int is_crowded = darkroom_skip_placement_if_busy(&processors, __atomic_load_n(&launches_in_progress, __ATOMIC_RELAXED));
  struct darkroom_outcome outcome = {.init = 0, .extension = 0, .has_failed = 0};
  struct darkroom_handshake ahead = {0};
  // Measured on two processors: with eight launches at once, a parallel start makes each of them take 4 to 8
  // % longer.
  const int is_beside = !is_crowded && starts_extension_first(plan);
  struct darkroom_child child = {
      .plan = plan,
      .outcome = &outcome,
      .proc = proc,
      .host = host_pidfd(),
      .gate = -1,
      .listener = -1,
      .listener_socket = plan->listener_socket,
      .tracer_socket = tracer[1],
      .children = -1,
      .extension_stack = stacks + DARKROOM_STACK,
      .extension_stack_size = DARKROOM_STACK,
      .helper = is_crowded || is_beside || plan->identity == darkroom_identity_restricted ? 0 : &helper,
      .ahead = is_beside ? &ahead : 0,
      .prepared = -1,
      .ruleset = -1,
      .extension_pidfd = -1,
      .held_mounts = {-1, -1},
      .held_network = -1,
      .processors = &processors,
  };
  struct darkroom_start start = {
      .child = &child, .stack = stacks, .maker_stack = stacks + 3 * DARKROOM_STACK, .process = -ESRCH, .pidfd = -1};
  struct darkroom_launched launched = run(&start, timeout_ms, tracer, maker);
  darkroom_return_table(&child, &start.loan);
  darkroom_restore_affinity(&processors, 0);
  if (tracer[0] >= 0) close(tracer[0]);
  return launched;
}

/// The stacks of the init, the extension's process, the helper, and the process that creates the init.
enum { STACKS = 4 };

/// The stacks of the last successful launch, for reuse: mapping and touching new stacks takes a considerable
/// part of the time of a launch. NULL while a launch uses them.
static char *spare_stacks;

struct darkroom_launched darkroom_launch_by(struct darkroom_plan *plan, int32_t timeout_ms,
                                            const struct darkroom_maker *maker) {
  darkroom_stamp(plan, DARKROOM_STAMP_START);
  char *stacks = __atomic_exchange_n(&spare_stacks, NULL, __ATOMIC_ACQ_REL);
  if (!stacks) {
    stacks = mmap(NULL, STACKS * DARKROOM_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stacks == MAP_FAILED) return failure(darkroom_step_stacks, errno);
  }
  __atomic_add_fetch(&launches_in_progress, 1, __ATOMIC_RELAXED);
  struct darkroom_launched launched = launch_on(plan, timeout_ms, stacks, maker);
  __atomic_sub_fetch(&launches_in_progress, 1, __ATOMIC_RELAXED);
  // Both processes have executed their programs and no longer use these stacks.
  if (launched.step == darkroom_step_none) stacks = __atomic_exchange_n(&spare_stacks, stacks, __ATOMIC_ACQ_REL);
  if (stacks) munmap(stacks, STACKS * DARKROOM_STACK);
  darkroom_stamp(plan, DARKROOM_STAMP_RETURNED);
  return launched;
}

struct darkroom_launched darkroom_launch(struct darkroom_plan *plan, int32_t timeout_ms) {
  const struct darkroom_maker maker = {.begin = begin, .meanwhile = NULL, .context = NULL};
  return darkroom_launch_by(plan, timeout_ms, &maker);
}
