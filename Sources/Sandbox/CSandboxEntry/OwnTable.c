// SPDX-License-Identifier: Apache-2.0
//
// How a session's init comes to descriptors of its own.
//
// It gets a copy of what the host has open, and closes all but its own; so does the extension's process. To close one takes
// the kernel 0.1 µs, so that a host of some hundred sessions, with thousands of descriptors, waits a millisecond and more for
// that at each launch. There the init begins with the host's own table instead, and takes from it only what lies below a
// bound (close_range(2), CLOSE_RANGE_UNSHARE). For that moment the host has the session's descriptors once more, at numbers
// below the bound that it keeps for this. Launches take turns with them.

#include "Child.h"
#include "Launching.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/futex.h>
#include <pthread.h>
#include <time.h>
#include <unistd.h>

/// A descriptor with such a number says that there are many.
enum { MANY = 256 };

static pthread_mutex_t taking_turns = PTHREAD_MUTEX_INITIALIZER;
/// Where a launch's descriptors are for a moment, and how many of these numbers are kept. They stay kept: a host that had many
/// descriptors will have them again.
static int places[DARKROOM_MOST_LENT], kept;
/// What stands there between two launches; -1: nothing is kept yet.
static int nothing = -1;
/// The first number above all places.
static int bound;

/// Gives up what is kept beyond so many places.
static void give_up_places(int count) {
  while (kept > count) close(places[--kept]);
  if (kept > 0 || nothing < 0) return;
  close(nothing);
  nothing = -1;
}

/// Keeps so many places; 0: there are not as many descriptors left, and the launch has those that there are.
static int keep_places(int count) {
  const int before = kept;
  if (nothing < 0) nothing = open("/", O_PATH | O_CLOEXEC);
  if (nothing < 0) return 0;
  while (kept < count) {
    const int place = fcntl(nothing, F_DUPFD_CLOEXEC, 3);
    if (place < 0) {
      give_up_places(before);
      return 0;
    }
    places[kept++] = place;
    if (place >= bound) bound = place + 1;
  }
  return 1;
}

/// Where a launch has its descriptors: first those that the plan lists for the extension, of which there is a copy.
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

/// Puts the descriptors that are not below the bound into places, and the places into the fields; 0: one could not be put.
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

/// Nobody who waits for the end of a pipe waits for one that is kept here.
static void empty_places(const struct darkroom_loan *loan) {
  for (int i = 0; i < loan->lent; i++) dup3(nothing, places[i], O_CLOEXEC);
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
  pthread_mutex_lock(&taking_turns);
  if (keep_places((int)needed)) {
    int32_t *fields[DARKROOM_MOST_LENT];
    if (lend(loan, fields, gather(child, loan, fields))) {
      child->table_bound = (uint32_t)bound;
      return;
    }
    empty_places(loan);
    restore(child, loan);
  }
  // The init gets a copy of all of them.
  pthread_mutex_unlock(&taking_turns);
}

void darkroom_await_own_table(const struct darkroom_child *child, const struct darkroom_loan *loan,
                              int has_begun) {
  if (!child->table_bound) return;
  struct darkroom_outcome *outcome = child->outcome;
  // Of an init that somebody has killed the kernel tells by another word.
  const struct timespec glance = {0, 1000000};
  while (has_begun && !__atomic_load_n(&outcome->has_own_table, __ATOMIC_ACQUIRE) &&
         __atomic_load_n(&outcome->init, __ATOMIC_ACQUIRE)) {
    direct(SYS_futex, &outcome->has_own_table, FUTEX_WAIT, 0, &glance, 0);
  }
  empty_places(loan);
  pthread_mutex_unlock(&taking_turns);
}

void darkroom_return_table(struct darkroom_child *child, struct darkroom_loan *loan) {
  if (child->table_bound) restore(child, loan);
}

void darkroom_take_own_table(const struct darkroom_child *child) {
  if (!child->table_bound) return;
  const long taken = direct(SYS_close_range, child->table_bound, ~0u, CLOSE_RANGE_UNSHARE);
  darkroom_must(child, darkroom_step_init_descriptors, taken, 9);
  darkroom_tell(&child->outcome->has_own_table);
}
