// SPDX-License-Identifier: Apache-2.0
//
// Definitions for the programs of PID 1, and of the init of a restricted session.
#pragma once

#include <stddef.h>
#include <stdint.h>

// Such a function must not refer to anything outside it: no string, table, library or instrumentation.
// Optimization is disabled, because an optimizer puts even the constants of two assignments into a table.
#if defined(__x86_64__)
#define DARKROOM_ALIGNED_ENTRY __attribute__((force_align_arg_pointer))
#else
#define DARKROOM_ALIGNED_ENTRY
#endif

/// Makes a function a complete program, in a section that contains nothing else.
#define DARKROOM_PROGRAM(name)                                                                                       \
  DARKROOM_ALIGNED_ENTRY                                                                                             \
  __attribute__((section(name), used, noinline, noreturn, optnone, no_stack_protector,                               \
                 no_sanitize("address", "thread", "undefined", "coverage"), no_profile_instrument_function))

/// Writes a section as an ELF file whose entry point is `entry`. Returns its size, or 0 if `capacity` is too
/// small.
size_t darkroom_section_image(uint8_t *buffer, size_t capacity, const uint8_t *start, const uint8_t *stop,
                              const void *entry);
