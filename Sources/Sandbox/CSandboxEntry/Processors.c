// SPDX-License-Identifier: Apache-2.0
//
// On which processors the processes of a launch run.
//
// A kernel that would rather leave a processor asleep, as those of small virtual machines do, begins a new process where
// the one that made it is running, and wakes a process where the one that wakes it is. Whatever was to be done meanwhile is
// then done afterwards. Three processes are told where to run, for as long as that can happen:
//
// - the helper, which works beside the init, begins on any processor but the init's, until that waits for it;
// - the extension's process begins on any processor but the one where the host's thread waits, until the init has
//   prepared itself, because the host's is where the init is; an init that has waited for its session is put there, where
//   it begins when the host's thread has gone to sleep;
// - the host's thread waits where it is, and so comes back where nothing runs any more when the extension executes, and
//   not behind it.
//
// Where as many launches are under way as there are processors, none is told anything, and the init has no helper: whatever
// runs beside another process then takes its processor from another launch.
//
// None is left there, and where a processor that was meant turns out to be busy, the process begins on its maker's. What all
// of them may use afterwards is what the host's thread could use at the launch.

#include "Child.h"

/// The processors in one word of the set.
enum { WORD = 64 };

void darkroom_note_processors(struct darkroom_processors *processors) {
  long size = direct(SYS_sched_getaffinity, 0, sizeof processors->set, processors->set);
  processors->size = size > 0 ? (uint64_t)size : 0;
  processors->host = -1;
  processors->extension_has_begun = 0;
}

int darkroom_leave_crowded(struct darkroom_processors *processors, int launches) {
  int count = 0;
  for (uint64_t i = 0; i < processors->size / sizeof processors->set[0]; i++) {
    count += __builtin_popcountll(processors->set[i]);
  }
  // Measured on two processors: with two launches at once a helper makes each of them take 5 % longer, with eight 3 %.
  if (launches < count || count == 0) return 0;
  processors->size = 0;
  return 1;
}

/// The word of the set that the current processor is in, and its bit there; -1 where nobody knows.
static long find_current(const struct darkroom_processors *processors, uint64_t *bit) {
  uint32_t current;
  const uint64_t words = processors->size / sizeof processors->set[0];
  if (words == 0 || direct(SYS_getcpu, &current, 0, 0) < 0 || current / WORD >= words) return -1;
  *bit = 1ULL << current % WORD;
  return current / WORD;
}

/// Has a process run on any processor but one.
static void run_elsewhere(struct darkroom_processors *processors, int32_t process, long word, uint64_t bit) {
  if (word < 0) return;
  const uint64_t before = processors->set[word];
  processors->set[word] = before & ~bit;
  uint64_t others = 0;
  for (uint64_t i = 0; i < processors->size / sizeof others; i++) others |= processors->set[i];
  // Where there is no other processor the kernel's choice is as good as where this is refused.
  if (others) direct(SYS_sched_setaffinity, process, processors->size, processors->set);
  processors->set[word] = before;
}

void darkroom_run_beside(struct darkroom_processors *processors, int32_t process) {
  uint64_t bit = 0;
  const long word = find_current(processors, &bit);
  run_elsewhere(processors, process, word, bit);
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

void darkroom_stay_here(struct darkroom_processors *processors) {
  uint64_t bit;
  const long word = find_current(processors, &bit);
  if (word < 0) return;
  darkroom_run_here(processors, 0);
  processors->host_bit = bit;
  __atomic_store_n(&processors->host, word, __ATOMIC_RELEASE);
}

void darkroom_begin_beside_host(struct darkroom_processors *processors, int32_t extension) {
  const long word = (long)__atomic_load_n(&processors->host, __ATOMIC_ACQUIRE);
  run_elsewhere(processors, extension, word, word < 0 ? 0 : processors->host_bit);
}

void darkroom_let_extension_run(struct darkroom_processors *processors, int32_t extension) {
  if (__atomic_load_n(&processors->host, __ATOMIC_ACQUIRE) < 0) return;
  // Somewhere else something is running; here this process is about to be done.
  if (!__atomic_load_n(&processors->extension_has_begun, __ATOMIC_ACQUIRE)) darkroom_run_here(processors, extension);
  darkroom_run_anywhere(processors, extension);
}
