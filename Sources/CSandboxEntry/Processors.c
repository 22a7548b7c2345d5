// SPDX-License-Identifier: Apache-2.0
//
// On which processors the processes of a launch run.
//
// The helper is there to work beside the init. A kernel that would rather leave a processor asleep, as those of small
// virtual machines do, begins a new process where the one that made it is running, and the two then take turns: what
// was to be done meanwhile is done afterwards. So the helper is told to begin on any processor but that one, until its
// maker waits for it. No other process of a session is told where to run.

#include "Child.h"

/// The processors in one word of the set.
enum { WORD = 64 };

void darkroom_note_processors(struct darkroom_processors *processors) {
  long size = direct(SYS_sched_getaffinity, 0, sizeof processors->set, processors->set);
  processors->size = size > 0 ? (uint64_t)size : 0;
}

/// The word of the set that the current processor is in, and its bit there; -1 where nobody knows.
static long find_current(const struct darkroom_processors *processors, uint64_t *bit) {
  uint32_t current;
  const uint64_t words = processors->size / sizeof processors->set[0];
  if (words == 0 || direct(SYS_getcpu, &current, 0, 0) < 0 || current / WORD >= words) return -1;
  *bit = 1ULL << current % WORD;
  return current / WORD;
}

void darkroom_run_beside(struct darkroom_processors *processors, int32_t process) {
  uint64_t bit;
  long word = find_current(processors, &bit);
  if (word < 0) return;
  processors->set[word] &= ~bit;
  uint64_t others = 0;
  for (uint64_t i = 0; i < processors->size / sizeof others; i++) others |= processors->set[i];
  // Where there is no other processor the kernel's choice is as good as where this is refused.
  if (others) direct(SYS_sched_setaffinity, process, processors->size, processors->set);
  processors->set[word] |= bit;
}

void darkroom_run_anywhere(const struct darkroom_processors *processors, int32_t process) {
  if (processors->size) direct(SYS_sched_setaffinity, process, processors->size, processors->set);
}

void darkroom_run_here(const struct darkroom_processors *processors, int32_t process) {
  uint64_t bit, here[sizeof processors->set / sizeof bit];
  long word = find_current(processors, &bit);
  if (word < 0) return;
  // The kernel takes what lies behind for zeros. The empty statement keeps a compiler from making a call of the loop.
  for (long i = 0; i < word; i++) {
    here[i] = 0;
    __asm__ volatile("");
  }
  here[word] = bit;
  direct(SYS_sched_setaffinity, process, ((uint64_t)word + 1) * sizeof bit, here);
}
