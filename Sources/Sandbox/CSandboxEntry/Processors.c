// SPDX-License-Identifier: Apache-2.0
//
// The processors on which the processes of a launch run.
//
// Some kernels, such as those of small virtual machines, prefer to leave a processor idle. They start a new
// process on the processor of its creator, and wake a process on the processor of its waker. Work that should
// run in parallel is then serialized. Therefore three processes are placed while this can happen:
//
// - The helper, which works in parallel to the init, starts on any processor but the init's, until the init
//   waits for it.
// - The extension's process starts on any processor but that of the waiting host thread, until the init is
//   prepared, because the init runs on the host's processor. An init that has waited for its session is
//   placed on the host's processor, where it starts when the host's thread sleeps.
// - The host's thread stays on its processor. When the extension executes its program, the thread therefore
//   resumes on an idle processor, and not after the extension.
//
// If at least as many launches are in progress as there are processors, no process is placed and the init has
// no helper. A parallel process would take its processor from another launch.
//
// Placement is temporary. If the intended processor is busy, the process starts on its creator's. Afterwards
// all processes may use the processors that the host's thread could use at the launch.

#include "Child.h"

/// The number of processors in one word of the set.
enum { WORD = 64 };

void darkroom_read_affinity(struct darkroom_processors *processors) {
  long size = direct(SYS_sched_getaffinity, 0, sizeof processors->set, processors->set);
  processors->size = size > 0 ? (uint64_t)size : 0;
  processors->host = -1;
  processors->extension_has_started = 0;
}

int darkroom_skip_placement_if_busy(struct darkroom_processors *processors, int launches) {
  int count = 0;
  for (uint64_t i = 0; i < processors->size / sizeof processors->set[0]; i++) {
    count += __builtin_popcountll(processors->set[i]);
  }
  // Measured on two processors: a helper makes each of two concurrent launches take 5 % longer, and each of
  // eight 3 %.
  if (launches < count || count == 0) return 0;
  processors->size = 0;
  return 1;
}

/// Returns the index of the word of the set that contains the current processor, and stores its bit. Returns
/// -1 if the processor is unknown.
static long find_current(const struct darkroom_processors *processors, uint64_t *bit) {
  uint32_t current;
  const uint64_t words = processors->size / sizeof processors->set[0];
  if (words == 0 || direct(SYS_getcpu, &current, 0, 0) < 0 || current / WORD >= words) return -1;
  *bit = 1ULL << current % WORD;
  return current / WORD;
}

/// Makes a process run on any processor except one.
static void run_elsewhere(struct darkroom_processors *processors, int32_t process, long word, uint64_t bit) {
  if (word < 0) return;
  const uint64_t before = processors->set[word];
  processors->set[word] = before & ~bit;
  uint64_t others = 0;
  for (uint64_t i = 0; i < processors->size / sizeof others; i++) others |= processors->set[i];
  // If there is no other processor or the call is refused, the kernel's choice is used.
  if (others) direct(SYS_sched_setaffinity, process, processors->size, processors->set);
  processors->set[word] = before;
}

void darkroom_run_on_other_processor(struct darkroom_processors *processors, int32_t process) {
  uint64_t bit = 0;
  const long word = find_current(processors, &bit);
  run_elsewhere(processors, process, word, bit);
}

void darkroom_restore_affinity(const struct darkroom_processors *processors, int32_t process) {
  if (processors->size) direct(SYS_sched_setaffinity, process, processors->size, processors->set);
}

void darkroom_run_on_current_processor(const struct darkroom_processors *processors, int32_t process) {
  uint64_t bit, here[sizeof processors->set / sizeof bit];
  long word = find_current(processors, &bit);
  if (word < 0) return;
  // The kernel treats the missing rest as zeros. The empty statement prevents a compiler from replacing the
  // loop by a call.
  for (long i = 0; i < word; i++) {
    here[i] = 0;
    __asm__ volatile("");
  }
  here[word] = bit;
  direct(SYS_sched_setaffinity, process, ((uint64_t)word + 1) * sizeof bit, here);
}

void darkroom_pin_host_thread(struct darkroom_processors *processors) {
  uint64_t bit;
  const long word = find_current(processors, &bit);
  if (word < 0) return;
  darkroom_run_on_current_processor(processors, 0);
  processors->host_bit = bit;
  __atomic_store_n(&processors->host, word, __ATOMIC_RELEASE);
}

void darkroom_run_off_host_processor(struct darkroom_processors *processors, int32_t extension) {
  const long word = (long)__atomic_load_n(&processors->host, __ATOMIC_ACQUIRE);
  run_elsewhere(processors, extension, word, word < 0 ? 0 : processors->host_bit);
}

void darkroom_restore_extension_affinity(struct darkroom_processors *processors, int32_t extension) {
  if (__atomic_load_n(&processors->host, __ATOMIC_ACQUIRE) < 0) return;
  // The other processors are busy, and this process is about to finish its work here.
  if (!__atomic_load_n(&processors->extension_has_started, __ATOMIC_ACQUIRE)) darkroom_run_on_current_processor(processors, extension);
  darkroom_restore_affinity(processors, extension);
}
