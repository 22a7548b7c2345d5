// SPDX-License-Identifier: Apache-2.0
//
// One change of user at a time.
//
// An init that changes its user takes `dumpable` from its memory, which is the host's and that of all launches; another
// one that is about to write its maps would not be allowed to. So they take turns, from the making of an init until it
// executes its program. Nobody has to be awake to end a turn: the kernel does, also for an init that is killed.

#include "Launching.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/prctl.h>

/// Not zero: somebody's turn. A futex, which the kernel clears.
static uint32_t turn;

/// How many launches there are that change the user, and what the host's memory was like before the first of them.
static pthread_mutex_t counting = PTHREAD_MUTEX_INITIALIZER;
static uint32_t count;
static int dumpable;

uint32_t *darkroom_begin_user_change(void) {
  pthread_mutex_lock(&counting);
  if (count++ == 0) dumpable = prctl(PR_GET_DUMPABLE);
  pthread_mutex_unlock(&counting);
  for (;;) {
    uint32_t free = 0;
    if (__atomic_compare_exchange_n(&turn, &free, 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return &turn;
    direct(SYS_futex, &turn, FUTEX_WAIT, free, 0, 0, 0);
  }
}

void darkroom_cancel_user_change(void) {
  __atomic_store_n(&turn, 0, __ATOMIC_RELEASE);
  direct(SYS_futex, &turn, FUTEX_WAKE, 1);
}

void darkroom_end_user_change(void) {
  pthread_mutex_lock(&counting);
  if (--count == 0) prctl(PR_SET_DUMPABLE, dumpable == 1);
  pthread_mutex_unlock(&counting);
}
