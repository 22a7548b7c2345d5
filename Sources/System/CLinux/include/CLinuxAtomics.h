// SPDX-License-Identifier: Apache-2.0
//
// Atomic words that two processes share in a mapped file. Swift's own atomics own their storage and cannot
// refer to a mapping.
#pragma once

#include <stdint.h>

#pragma clang assume_nonnull begin

/// This function is provided because Swift has no atomic load from an address. Stores before the matching
/// release are visible after the load.
static inline uint64_t darkroom_load_acquire(const uint64_t *word) { return __atomic_load_n(word, __ATOMIC_ACQUIRE); }

/// This function is provided because Swift has no atomic store to an address. Earlier stores are visible to a
/// reader that loads the value with acquire order.
static inline void darkroom_store_release(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

/// This function is provided because a seqlock's reader checks the sequence again after the data: no load of the
/// data may move below this fence.
static inline uint64_t darkroom_load_after_data(const uint64_t *word) {
  __atomic_thread_fence(__ATOMIC_ACQUIRE);
  return __atomic_load_n(word, __ATOMIC_RELAXED);
}

/// This function is provided because a seqlock's writer marks the data as changing first: no store of the data may
/// move above this fence.
static inline void darkroom_store_before_data(uint64_t *word, uint64_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELAXED);
  __atomic_thread_fence(__ATOMIC_RELEASE);
}

#pragma clang assume_nonnull end
