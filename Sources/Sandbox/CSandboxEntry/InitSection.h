// SPDX-License-Identifier: Apache-2.0
//
// What the programs that are process 1 of a session, or stand for it, are made of.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Nothing in such a function may refer to anything outside it: no string, no table, no library, no instrumentation. An
// optimizer puts even the constants of two assignments into a table, so it must leave this function alone.
#if defined(__x86_64__)
#define DARKROOM_ALIGNED_ENTRY __attribute__((force_align_arg_pointer))
#else
#define DARKROOM_ALIGNED_ENTRY
#endif

/// Makes a function a whole program of its own, in a section that holds nothing else.
#define DARKROOM_PROGRAM(name)                                                                                       \
  DARKROOM_ALIGNED_ENTRY                                                                                             \
  __attribute__((section(name), used, noinline, noreturn, optnone, no_stack_protector,                               \
                 no_sanitize("address", "thread", "undefined", "coverage"), no_profile_instrument_function))

/// Writes a section as an ELF file that begins at `entry`; returns its size, or 0 if `capacity` is too small.
size_t darkroom_section_image(uint8_t *buffer, size_t capacity, const uint8_t *start, const uint8_t *stop,
                              const void *entry);
