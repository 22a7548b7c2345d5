// SPDX-License-Identifier: Apache-2.0
//
// Creates a separate descriptor table for the init of a session.
//
// Usually the init gets a copy of the host's table and closes all other descriptors, and so does the
// extension's process. Closing takes the kernel 0.1 µs per descriptor. A host with hundreds of sessions has
// thousands of descriptors, and would wait a millisecond and more at each launch.
//
// In that case the init starts with the host's table instead, and copies only the descriptors below a bound
// (close_range(2), CLOSE_RANGE_UNSHARE). Meanwhile the host duplicates the session's descriptors to reserved
// numbers below the bound. Launches use these numbers one at a time.

#include "Child.h"
#include "Launching.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

/// A descriptor with at least this number shows that the host has many descriptors.
enum { MANY = 256 };

static pthread_mutex_t places_lock = PTHREAD_MUTEX_INITIALIZER;
/// The reserved descriptor numbers, and how many are reserved. They stay reserved, because a host that had
/// many descriptors will have them again.
static int places[DARKROOM_MOST_LENT], reserved;
/// The open file at the reserved numbers between two launches, or -1 if none are reserved.
static int placeholder = -1;
/// The lowest number above all reserved numbers.
static int bound;

/// Closes the reserved numbers except the first `count`.
static void close_places(int count) {
  while (reserved > count) close(places[--reserved]);
  if (reserved > 0 || placeholder < 0) return;
  close(placeholder);
  placeholder = -1;
}

/// Reserves `count` numbers. Returns 0 if too few descriptors are left for this. The launch then uses the
/// remaining ones.
static int reserve_places(int count) {
  const int before = reserved;
  if (placeholder < 0) placeholder = open("/", O_PATH | O_CLOEXEC);
  if (placeholder < 0) return 0;
  while (reserved < count) {
    const int place = fcntl(placeholder, F_DUPFD_CLOEXEC, 3);
    if (place < 0) {
      close_places(before);
      return 0;
    }
    places[reserved++] = place;
    if (place >= bound) bound = place + 1;
  }
  return 1;
}

/// Collects the variables with the launch's descriptors, first those of the extension, whose list is copied.
static int gather(struct darkroom_child *child, struct darkroom_loan *loan, int32_t **fields) {
  struct darkroom_plan *plan = child->plan;
  int32_t *const besides[DARKROOM_LENT_BESIDES] = {&plan->init_image,    &plan->status_write,    &plan->control_read,
                                                   &plan->control_group, &child->listener_socket, &child->tracer_socket,
                                                   &child->proc,         &child->host,            &plan->network};
  int count = 0;
  loan->list = plan->descriptors;
  for (uint64_t i = 0; i < plan->descriptor_count; i++) {
    loan->descriptors[i] = plan->descriptors[i];
    fields[count++] = &loan->descriptors[i];
  }
  plan->descriptors = loan->descriptors;
  for (int i = 0; i < DARKROOM_LENT_BESIDES; i++) fields[count++] = besides[i];
  return count;
}

/// Duplicates the descriptors above the bound to reserved numbers, and stores these numbers in the variables.
/// Returns 0 on failure.
static int lend(struct darkroom_loan *loan, int32_t *const *fields, int count) {
  for (int i = 0; i < count; i++) {
    const int32_t before = *fields[i];
    if (before < bound) continue;
    const int place = places[loan->lent];
    if (dup3(before, place, O_CLOEXEC) < 0) return 0;
    loan->moves[loan->lent++] = (struct darkroom_move){fields[i], before};
    *fields[i] = place;
  }
  return 1;
}

/// A process that waits for the end of a pipe must not wait for a duplicate that is left here.
static void empty_places(const struct darkroom_loan *loan) {
  for (int i = 0; i < loan->lent; i++) dup3(placeholder, places[i], O_CLOEXEC);
}

static void restore(struct darkroom_child *child, struct darkroom_loan *loan) {
  while (loan->lent > 0) {
    loan->lent--;
    *loan->moves[loan->lent].field = loan->moves[loan->lent].before;
  }
  child->plan->descriptors = loan->list;
}

void darkroom_lend_table(struct darkroom_child *child, struct darkroom_loan *loan) {
  struct darkroom_plan *plan = child->plan;
  const uint64_t needed = plan->descriptor_count + DARKROOM_LENT_BESIDES;
  if (plan->status_write < MANY || needed > DARKROOM_MOST_LENT) return;
  pthread_mutex_lock(&places_lock);
  if (reserve_places((int)needed)) {
    int32_t *fields[DARKROOM_MOST_LENT];
    if (lend(loan, fields, gather(child, loan, fields))) {
      child->table_bound = (uint32_t)bound;
      return;
    }
    empty_places(loan);
    restore(child, loan);
  }
  // The init gets a copy of the whole table.
  pthread_mutex_unlock(&places_lock);
}

void darkroom_await_own_table(const struct darkroom_child *child, const struct darkroom_loan *loan,
                              int has_started) {
  if (!child->table_bound) return;
  struct darkroom_outcome *outcome = child->outcome;
  // If another process kills the init, the kernel wakes waiters of another futex only.
  const struct timespec glance = {0, 1000000};
  while (has_started && !__atomic_load_n(&outcome->has_own_table, __ATOMIC_ACQUIRE) &&
         __atomic_load_n(&outcome->init, __ATOMIC_ACQUIRE)) {
    direct(SYS_futex, &outcome->has_own_table, FUTEX_WAIT, 0, &glance, 0);
  }
  empty_places(loan);
  pthread_mutex_unlock(&places_lock);
}

void darkroom_return_table(struct darkroom_child *child, struct darkroom_loan *loan) {
  if (child->table_bound) restore(child, loan);
}

void darkroom_take_own_table(const struct darkroom_child *child) {
  if (!child->table_bound) return;
  const long taken = direct(SYS_close_range, child->table_bound, ~0u, CLOSE_RANGE_UNSHARE);
  darkroom_must(child, darkroom_step_init_descriptors, taken, 9);
  darkroom_set_futex(&child->outcome->has_own_table);
}
