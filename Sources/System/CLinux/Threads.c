// SPDX-License-Identifier: Apache-2.0
#include "CLinuxPackets.h"

#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { WORD = 8 * sizeof(unsigned long) };

/// Removes the current processor from the set of processors that the calling thread may use. Returns the size
/// of the set, or 0 if the set is unknown or has no other processor.
static size_t other_processors(unsigned long *set, size_t capacity) {
  unsigned current;
  const long bytes = syscall(SYS_sched_getaffinity, 0, capacity, set);
  if (bytes <= 0 || syscall(SYS_getcpu, &current, NULL, NULL) < 0) return 0;
  const size_t words = (size_t)bytes / sizeof *set;
  if (current / WORD >= words) return 0;
  set[current / WORD] &= ~(1UL << current % WORD);
  for (size_t word = 0; word < words; word++) {
    if (set[word]) return (size_t)bytes;
  }
  return 0;
}

int darkroom_create_thread_on_other_processor(pthread_t *thread, void *(*run)(void *), void *argument) {
  // More processors than current machines have.
  unsigned long set[1024] = {0};
  pthread_attr_t attributes;
  const size_t size = other_processors(set, sizeof set);
  if (size == 0 || pthread_attr_init(&attributes) != 0) return pthread_create(thread, NULL, run, argument);
  int result = pthread_attr_setaffinity_np(&attributes, size, (const cpu_set_t *)set);
  if (result == 0) result = pthread_create(thread, &attributes, run, argument);
  pthread_attr_destroy(&attributes);
  // The processors may have become unavailable in the meantime.
  return result == 0 ? 0 : pthread_create(thread, NULL, run, argument);
}
