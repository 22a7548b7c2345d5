// SPDX-License-Identifier: Apache-2.0
//
// The host's side: one thread makes the session init and waits until the extension's program runs.

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

/// A child that changes its user takes `dumpable` from the memory that it shares with the host and all of its launches. It
/// sets it again, for the others have to write their maps (Identity.c); what it was comes back when no launch is left that
/// changes a user. They do not exclude each other: a launch takes a thousand times as long as the change in it.
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

/// A proc of the host's that is mounted nowhere, so that nobody has made a part of it read-only. It is made once and stays
/// open: to close one makes the kernel wait for all processors, which every launch would have to wait for in turn. Held
/// while it is made.
static pthread_mutex_t making_proc = PTHREAD_MUTEX_INITIALIZER;
static int host_proc = -1;

int darkroom_own_proc(void) {
  pthread_mutex_lock(&making_proc);
  if (host_proc < 0) host_proc = (int)darkroom_detached_proc();
  int proc = host_proc;
  pthread_mutex_unlock(&making_proc);
  return proc;
}

/// For a session's init to see whether this process is there: its pidfd, made once and open from then on; -1: there is
/// none, and the init goes on without, and ends when it finds nobody to listen to.
static int own_pidfd(void) {
  static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
  static int pidfd = -1;
  static pid_t owner;
  pthread_mutex_lock(&making);
  // What a fork has copied is its parent's.
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

/// The time that a wait may take, and the moment at which it is over.
static struct timespec moment_in(int32_t milliseconds) {
  struct timespec moment;
  clock_gettime(CLOCK_MONOTONIC, &moment);
  moment.tv_sec += milliseconds / 1000;
  moment.tv_nsec += milliseconds % 1000 * 1000000L;
  if (moment.tv_nsec >= 1000000000L) moment.tv_sec++, moment.tv_nsec -= 1000000000L;
  return moment;
}

/// Kills what there is of the session and takes the init's status, so that nothing is left.
static void abandon(const struct darkroom_start *start, struct darkroom_launched *launched, int32_t traced) {
  // Without a pid namespace the extension dies with the init, but not what it may have started in the last moment. The
  // init has not waited for it, so the number of the group is its own.
  const struct darkroom_plan *plan = start->child->plan;
  if (plan->extension > 0) kill(-plan->extension, SIGKILL);
  syscall(SYS_pidfd_send_signal, launched->pidfd, SIGKILL, 0, 0);
  darkroom_bury_traced(traced);
  siginfo_t ignored;
  while (waitid((idtype_t)3 /* P_PIDFD */, (id_t)launched->pidfd, &ignored, WEXITED) < 0 && errno == EINTR) {}
  // Without a pid namespace the extension dies a little later, and until then its memory is this process's.
  darkroom_await_cleared(&start->child->outcome->extension, NULL);
  close(launched->pidfd);
  launched->pidfd = -1;
  launched->process = -1;
}

/// Waits until the extension's process has executed its program, and takes what has failed before.
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
  abandon(start, launched, 0);
}

/// Has the program stopped before its first instruction, and takes what has failed before.
static void await_stop(const struct darkroom_start *start, struct darkroom_launched *launched, int socket,
                       int32_t timeout_ms) {
  int32_t traced = 0;
  long stopped = darkroom_stop_at_program(socket, timeout_ms, &traced);
  if (stopped < 0) {
    launched->step = darkroom_step_stop_program;
    launched->error = (int32_t)-stopped;
    abandon(start, launched, traced);
    return;
  }
  launched->stopped = (int32_t)stopped;
  take_outcome(start, launched, timeout_ms);
  if (launched->step != darkroom_step_none || stopped > 0) return;
  // It has ended without a word: somebody has killed it.
  launched->step = darkroom_step_stop_program;
  launched->error = ESRCH;
  abandon(start, launched, 0);
}

long darkroom_make_init(struct darkroom_start *start, uint64_t flags) {
  struct darkroom_child *child = start->child;
  struct clone_arguments arguments = {
      // The network is made later. Its memory is this process's until it executes.
      .flags = flags | CLONE_VM | CLONE_PIDFD | CLONE_CHILD_CLEARTID |
               (child->plan->namespaces & ~(uint64_t)CLONE_NEWNET) | (child->table_bound ? CLONE_FILES : 0),
      .pidfd = (uint64_t)(uintptr_t)&start->pidfd,
      .child_tid = (uint64_t)(uintptr_t)&child->outcome->init,
      // With CLONE_PARENT it is that of the calling process.
      .exit_signal = flags & CLONE_PARENT ? 0 : SIGCHLD,
      .stack = (uint64_t)(uintptr_t)start->stack,
      .stack_size = DARKROOM_STACK,
  };
  int (*entry)(void *) = child->ahead ? darkroom_init_beside : darkroom_init_main;
  if (child->plan->identity == darkroom_identity_restricted) entry = darkroom_restricted_main;
  return direct_clone3(&arguments, entry, child);
}

void darkroom_begin_init(struct darkroom_start *start, long (*make)(struct darkroom_start *start, void *context),
                         void *context) {
  struct darkroom_child *child = start->child;
  darkroom_lend_table(child, &start->loan);
  // A handler of the host that ran in the child would run in the host's memory: none may, until it executes.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  child->outcome->init = 1;
  start->process = make(start, context);
  if (start->process < 0) child->outcome->init = 0;
  darkroom_await_own_table(child, &start->loan, start->process > 0);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (!child->plan->stop_at_program) darkroom_stay_here(child->processors);
}

static long make_own(struct darkroom_start *start, void *context) {
  (void)context;
  return darkroom_make_init(start, 0);
}

static void begin(struct darkroom_start *start, void *context) { darkroom_begin_init(start, make_own, context); }

/// From the making of the init until it has executed its program, and changed its user where it does.
static void run_init(struct darkroom_start *start, const struct darkroom_maker *maker) {
  const int changes_user = start->child->plan->identity == darkroom_identity_other;
  if (changes_user) begin_change();
  maker->begin(start, maker->context);
  darkroom_await_cleared(&start->child->outcome->init, NULL);
  if (changes_user) end_change();
  if (maker->meanwhile && start->process > 0) maker->meanwhile(maker->context);
}

/// Waits for what has to have happened before the program is executed, and lets the extension's process go on; or, where it may
/// not, notes why and leaves nothing of the session.
static int permit(const struct darkroom_start *start, struct darkroom_launched *launched) {
  struct darkroom_plan *plan = start->child->plan;
  if (!plan->await_permission) return 1;
  if (plan->await_permission(plan->permission_context)) {
    darkroom_tell(&plan->is_permitted);
    return 1;
  }
  launched->step = darkroom_step_permission;
  launched->error = ECANCELED;
  abandon(start, launched, 0);
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
  // The stacks and the plan are the extension's process's too: they must stay until it has executed or is gone.
  if (!permit(start, &launched)) {
    // Nothing is left.
  } else if (plan->stop_at_program) {
    await_stop(start, &launched, tracer[0], timeout_ms);
  } else {
    take_outcome(start, &launched, timeout_ms);
  }
  darkroom_stamp(plan, DARKROOM_STAMP_EXECUTED);
  return launched;
}

/// Whether the extension's process is made first and works beside the init. It can where its user namespace is not the session's
/// first one, and where no helper makes a network meanwhile, which needs the other processor more.
static int works_beside(const struct darkroom_plan *plan) {
  const int is_last = plan->identity == darkroom_identity_other || plan->identity == darkroom_identity_brokered;
  return is_last && plan->network >= 0;
}

/// How many launches of this process are under way.
static int under_way;

static struct darkroom_launched launch_on(struct darkroom_plan *plan, int32_t timeout_ms, char *stacks,
                                          const struct darkroom_maker *maker) {
  int proc = plan->identity == darkroom_identity_other ? darkroom_own_proc() : -1;
  if (proc < 0 && plan->identity == darkroom_identity_other) return failure(darkroom_step_proc, -proc);
  int tracer[2] = {-1, -1};
  int error = plan->stop_at_program ? darkroom_tracer_sockets(tracer) : 0;
  if (error) return failure(darkroom_step_stop_program, error);
  struct darkroom_helper helper = {.stack = stacks + 2 * DARKROOM_STACK, .stack_size = DARKROOM_STACK};
  struct darkroom_processors processors;
  darkroom_note_processors(&processors);
  const int is_crowded = darkroom_leave_crowded(&processors, __atomic_load_n(&under_way, __ATOMIC_RELAXED));
  struct darkroom_outcome outcome = {.init = 0, .extension = 0, .has_failed = 0};
  struct darkroom_ahead ahead = {0};
  // Measured on two processors: with eight launches at once it makes each of them take 4 to 8 % longer.
  const int is_beside = !is_crowded && works_beside(plan);
  struct darkroom_child child = {
      .plan = plan,
      .outcome = &outcome,
      .proc = proc,
      .host = own_pidfd(),
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
      .itself = -1,
      .held_mounts = {-1, -1},
      .held_network = -1,
      .processors = &processors,
  };
  struct darkroom_start start = {
      .child = &child, .stack = stacks, .maker_stack = stacks + 3 * DARKROOM_STACK, .process = -ESRCH, .pidfd = -1};
  struct darkroom_launched launched = run(&start, timeout_ms, tracer, maker);
  darkroom_return_table(&child, &start.loan);
  darkroom_run_anywhere(&processors, 0);
  if (tracer[0] >= 0) close(tracer[0]);
  return launched;
}

/// Those of the init, of the extension's process, of the helper, and of a process that makes the init.
enum { STACKS = 4 };

/// The stacks of the last launch that succeeded, for the next one: to map and to touch new ones is a good part of what a
/// launch does besides its steps. Null while a launch has them.
static char *spare_stacks;

struct darkroom_launched darkroom_launch_by(struct darkroom_plan *plan, int32_t timeout_ms,
                                            const struct darkroom_maker *maker) {
  darkroom_stamp(plan, DARKROOM_STAMP_START);
  char *stacks = __atomic_exchange_n(&spare_stacks, NULL, __ATOMIC_ACQ_REL);
  if (!stacks) {
    stacks = mmap(NULL, STACKS * DARKROOM_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stacks == MAP_FAILED) return failure(darkroom_step_stacks, errno);
  }
  __atomic_add_fetch(&under_way, 1, __ATOMIC_RELAXED);
  struct darkroom_launched launched = launch_on(plan, timeout_ms, stacks, maker);
  __atomic_sub_fetch(&under_way, 1, __ATOMIC_RELAXED);
  // Both processes have executed their programs, and nobody has these stacks any more.
  if (launched.step == darkroom_step_none) stacks = __atomic_exchange_n(&spare_stacks, stacks, __ATOMIC_ACQ_REL);
  if (stacks) munmap(stacks, STACKS * DARKROOM_STACK);
  darkroom_stamp(plan, DARKROOM_STAMP_RETURNED);
  return launched;
}

struct darkroom_launched darkroom_launch(struct darkroom_plan *plan, int32_t timeout_ms) {
  const struct darkroom_maker maker = {.begin = begin, .meanwhile = NULL, .context = NULL};
  return darkroom_launch_by(plan, timeout_ms, &maker);
}
