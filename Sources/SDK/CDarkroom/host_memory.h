// SPDX-License-Identifier: Apache-2.0
#ifndef DARKROOM_HOST_MEMORY_H
#define DARKROOM_HOST_MEMORY_H

#include "json.h"

#include <stddef.h>

/// A block of memory, and a list of the blocks that are freed together with it.
struct dk_memory {
  struct dk_memory *next;
  max_align_t bytes[];
};

/// Adds zeroed bytes to a list of blocks. The first block remains the first. Returns NULL without memory.
void *dk_allocate(struct dk_memory **memory, size_t size);
/// Adds a string. Zero bytes and halves of characters are replaced with U+FFFD. Returns NULL without memory, or if the
/// value is not a string.
const char *dk_keep_string(struct dk_memory **memory, struct dk_json value);
/// Adds the JSON text of a value. Returns NULL without memory.
const char *dk_keep_json(struct dk_memory **memory, struct dk_json value);
/// Frees all blocks.
void dk_release(struct dk_memory **memory);

#endif
