// SPDX-License-Identifier: Apache-2.0
#include "host.h"

#include <stdlib.h>
#include <string.h>

void *dk_allocate(struct dk_memory **memory, size_t size) {
  struct dk_memory *block = calloc(1, sizeof *block + size);
  if (block == NULL) return NULL;
  if (*memory == NULL) {
    *memory = block;
  } else {
    block->next = (*memory)->next;
    (*memory)->next = block;
  }
  return block->bytes;
}

const char *dk_keep_string(struct dk_memory **memory, struct dk_json value) {
  if (value.text == NULL || value.text[0] != '"') return NULL;
  // The longest replacement, U+FFFD, is shorter than its escape sequence.
  char *copy = dk_allocate(memory, value.length);
  if (copy != NULL) dk_json_text(value, copy, value.length);
  return copy;
}

const char *dk_keep_json(struct dk_memory **memory, struct dk_json value) {
  char *copy = dk_allocate(memory, value.length + 1);
  if (copy != NULL) memcpy(copy, value.text, value.length);
  return copy;
}

void dk_release(struct dk_memory **memory) {
  while (*memory != NULL) {
    struct dk_memory *block = *memory;
    *memory = block->next;
    free(block);
  }
}

void darkroom_host_free(const void *memory) {
  if (memory == NULL) return;
  struct dk_memory *block = (struct dk_memory *)((uintptr_t)memory - offsetof(struct dk_memory, bytes));
  dk_release(&block);
}
