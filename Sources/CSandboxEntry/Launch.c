// SPDX-License-Identifier: Apache-2.0
//
// The host's side: one thread makes the session init and waits until the extension's program runs.

#include "Child.h"
#include "Launching.h"
#include "StoppedProgram.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

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

static struct darkroom_launched failure(enum darkroom_step step, long error) {
  return (struct darkroom_launched){.process = -1, .pidfd = -1, .step = step, .error = (int32_t)error, .index = 0,
                                   .stopped = 0};
}

/// Kills what there is of the session and takes the init's status, so that nothing is left.
static void abandon(const struct darkroom_plan *plan, struct darkroom_launched *launched, int report, int32_t traced) {
  // Without a pid namespace the extension dies with the init, but not what it may have started in the last moment. The
  // init has not waited for it, so the number of the group is its own.
  if (plan->extension > 0) kill(-plan->extension, SIGKILL);
  syscall(SYS_pidfd_send_signal, launched->pidfd, SIGKILL, 0, 0);
  darkroom_bury_traced(traced);
  siginfo_t ignored;
  while (waitid((idtype_t)3 /* P_PIDFD */, (id_t)launched->pidfd, &ignored, WEXITED) < 0 && errno == EINTR) {}
  // Without a pid namespace the extension dies a little later, and until then its memory is this process's.
  struct darkroom_report late;
  long count;
  while ((count = read(report, &late, sizeof late)) > 0 || (count < 0 && errno == EINTR)) {}
  close(launched->pidfd);
  launched->pidfd = -1;
  launched->process = -1;
}

/// Waits until there is a report, or its end, or the guard's; 0: not in time. How long it takes to make the sandbox is not
/// bounded; how long the extension's process then takes is, to at least the given time and at most twice that.
static int await_report(const struct darkroom_plan *plan, int report, int guard, int32_t timeout_ms) {
  struct pollfd watched[2] = {{.fd = report, .events = POLLIN}, {.fd = guard, .events = POLLIN}};
  int ready, is_bounded;
  do {
    is_bounded = __atomic_load_n(&plan->stamps[DARKROOM_STAMP_EXTENSION_CLONED], __ATOMIC_ACQUIRE) != 0;
    while ((ready = poll(watched, 2, timeout_ms)) < 0 && errno == EINTR) {}
  } while (ready == 0 && !is_bounded);
  return ready;
}

/// Takes the report: its end means that both processes have executed their programs.
static void take_report(const struct darkroom_plan *plan, struct darkroom_launched *launched, int report,
                        int32_t timeout_ms) {
  int ready = await_report(plan, report, -1, timeout_ms);
  struct darkroom_report first;
  long count = ready > 0 ? read(report, &first, sizeof first) : -1;
  if (count == 0) return;
  if (count == (long)sizeof first) {
    launched->step = (enum darkroom_step)first.step;
    launched->error = first.error;
    launched->index = first.index;
  } else {
    launched->step = darkroom_step_timeout;
    launched->error = ready == 0 ? ETIMEDOUT : EIO;
  }
  abandon(plan, launched, report, 0);
}

/// Has the program stopped before its first instruction, and takes the report.
static void await_stop(const struct darkroom_plan *plan, struct darkroom_launched *launched, int socket, int report,
                       int32_t timeout_ms) {
  int32_t traced = 0;
  long stopped = darkroom_stop_at_program(socket, report, timeout_ms, &traced);
  if (stopped < 0) {
    launched->step = darkroom_step_stop_program;
    launched->error = (int32_t)-stopped;
    abandon(plan, launched, report, traced);
    return;
  }
  launched->stopped = (int32_t)stopped;
  take_report(plan, launched, report, timeout_ms);
  if (launched->step != darkroom_step_none || stopped > 0) return;
  // It has ended without a word: somebody has killed it.
  launched->step = darkroom_step_stop_program;
  launched->error = ESRCH;
  abandon(plan, launched, report, 0);
}

/// Makes the session init.
static void begin(struct darkroom_start *start, void *context) {
  (void)context;
  struct darkroom_child *child = start->child;
  struct clone_arguments arguments = {
      // The helper makes the network.
      .flags = CLONE_VM | CLONE_PIDFD | (child->plan->namespaces & ~(uint64_t)CLONE_NEWNET) |
               (child->changing_user ? CLONE_CHILD_CLEARTID : 0),
      .pidfd = (uint64_t)(uintptr_t)&start->pidfd,
      .child_tid = (uint64_t)(uintptr_t)child->changing_user,
      .exit_signal = SIGCHLD,
      .stack = (uint64_t)(uintptr_t)start->stack,
      .stack_size = DARKROOM_STACK,
  };
  int (*entry)(void *) =
      child->plan->identity == darkroom_identity_restricted ? darkroom_restricted_main : darkroom_init_main;
  // A handler of the host that ran in the child would run in the host's memory: none may, until it executes.
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  darkroom_stamp(child->plan, DARKROOM_STAMP_START);
  start->process = direct_clone3(&arguments, entry, child);
  start->was_made = start->process > 0;
  close(start->report_write);
  start->report_write = -1;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/// There is nothing to wait for.
static void settle(struct darkroom_start *start, void *context) { (void)start, (void)context; }

/// From the making of the init until the extension's program runs.
static struct darkroom_launched run(struct darkroom_start *start, int32_t timeout_ms, int tracer,
                                    const struct darkroom_maker *maker) {
  struct darkroom_plan *plan = start->child->plan;
  const int changes_user = plan->identity == darkroom_identity_other;
  if (changes_user) start->child->changing_user = darkroom_begin_user_change();
  maker->begin(start, maker->context);
  if (!plan->stop_at_program) darkroom_stay_here(start->child->processors);
  // A program that is stopped goes on only when the host has done its part.
  if (!plan->stop_at_program) await_report(plan, start->report_read, maker->guard, timeout_ms);
  if (!plan->stop_at_program) darkroom_run_anywhere(start->child->processors, 0);
  maker->settle(start, maker->context);
  if (start->report_write >= 0) close(start->report_write);
  if (start->child->tracer_socket >= 0) close(start->child->tracer_socket);
  if (changes_user && !start->was_made) darkroom_cancel_user_change();

  struct darkroom_launched launched = {
      .process = (int32_t)start->process, .pidfd = start->pidfd, .step = darkroom_step_none};
  if (start->process < 0) {
    launched = failure(darkroom_step_clone, -start->process);
  } else {
    // The stacks and the plan are the extension's process's too: they must stay until it has executed or is gone.
    if (plan->stop_at_program) {
      await_stop(plan, &launched, tracer, start->report_read, timeout_ms);
    } else {
      take_report(plan, &launched, start->report_read, timeout_ms);
    }
    darkroom_stamp(plan, DARKROOM_STAMP_EXECUTED);
  }
  if (changes_user) darkroom_end_user_change();
  return launched;
}

static struct darkroom_launched launch_on(struct darkroom_plan *plan, int32_t timeout_ms, char *stacks,
                                          const struct darkroom_maker *maker) {
  int proc = plan->identity == darkroom_identity_other ? darkroom_own_proc() : -1;
  if (proc < 0 && plan->identity == darkroom_identity_other) return failure(darkroom_step_proc, -proc);
  int report[2];
  if (pipe2(report, O_CLOEXEC) < 0) return failure(darkroom_step_clone, errno);
  int tracer[2] = {-1, -1};
  int error = plan->stop_at_program ? darkroom_tracer_sockets(tracer) : 0;
  if (error) {
    close(report[0]);
    close(report[1]);
    return failure(darkroom_step_stop_program, error);
  }
  struct darkroom_helper helper = {.stack = stacks + 2 * DARKROOM_STACK, .stack_size = DARKROOM_STACK};
  struct darkroom_processors processors;
  darkroom_note_processors(&processors);
  struct darkroom_child child = {
      .plan = plan,
      .report = report[1],
      .proc = proc,
      .gate_read = -1,
      .gate_write = -1,
      .listener_socket = plan->listener_socket,
      .tracer_socket = tracer[1],
      .children = -1,
      .extension_stack = stacks + DARKROOM_STACK,
      .extension_stack_size = DARKROOM_STACK,
      .helper = plan->identity == darkroom_identity_restricted ? 0 : &helper,
      .prepared = -1,
      .ruleset = -1,
      .itself = -1,
      .held_mounts = {-1, -1},
      .processors = &processors,
  };
  struct darkroom_start start = {.child = &child, .stack = stacks, .report_read = report[0],
                                 .report_write = report[1], .process = -ESRCH, .pidfd = -1};
  plan->stamps[DARKROOM_STAMP_EXTENSION_CLONED] = 0;
  struct darkroom_launched launched = run(&start, timeout_ms, tracer[0], maker);
  close(report[0]);
  if (tracer[0] >= 0) close(tracer[0]);
  return launched;
}

/// The stacks of the last launch that succeeded, for the next one: to map and to touch new ones is a good part of what a
/// launch does besides its steps. Null while a launch has them.
static char *spare_stacks;

struct darkroom_launched darkroom_launch_by(struct darkroom_plan *plan, int32_t timeout_ms,
                                            const struct darkroom_maker *maker) {
  char *stacks = __atomic_exchange_n(&spare_stacks, NULL, __ATOMIC_ACQ_REL);
  if (!stacks) {
    stacks = mmap(NULL, 3 * DARKROOM_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (stacks == MAP_FAILED) return failure(darkroom_step_stacks, errno);
  }
  struct darkroom_launched launched = launch_on(plan, timeout_ms, stacks, maker);
  // Both processes have executed their programs, and nobody has these stacks any more.
  if (launched.step == darkroom_step_none) stacks = __atomic_exchange_n(&spare_stacks, stacks, __ATOMIC_ACQ_REL);
  if (stacks) munmap(stacks, 3 * DARKROOM_STACK);
  return launched;
}

struct darkroom_launched darkroom_launch(struct darkroom_plan *plan, int32_t timeout_ms) {
  const struct darkroom_maker maker = {.begin = begin, .settle = settle, .context = NULL, .guard = -1};
  return darkroom_launch_by(plan, timeout_ms, &maker);
}
