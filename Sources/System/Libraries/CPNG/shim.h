// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <png.h>

/// The functions of libpng that Darkroom uses, without their prefix `png_`.
#define DARKROOM_PNG_FUNCTIONS(X)                                                                                     \
  X(image_begin_read_from_memory)                                                                                     \
  X(image_finish_read)                                                                                                \
  X(image_free)                                                                                                       \
  X(image_write_to_memory)

/// Pointers to the functions of libpng, which is loaded on first use.
struct darkroom_png {
#define DARKROOM_PNG_MEMBER(name) __typeof__(&png_##name) _Nonnull name;
  DARKROOM_PNG_FUNCTIONS(DARKROOM_PNG_MEMBER)
#undef DARKROOM_PNG_MEMBER
};

/// Loads libpng. Returns 0, or -1 on failure. Called with the first PNG image, so that other commands do not load the
/// library.
static inline int darkroom_png_load(struct darkroom_png *_Nonnull library) {
  void *handle = dlopen("libpng16.so.16", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return -1;
  void *found;
#define DARKROOM_PNG_LOAD(name)                                                                                       \
  if (!(found = dlsym(handle, "png_" #name))) return -1;                                                              \
  library->name = (__typeof__(&png_##name))found;
  DARKROOM_PNG_FUNCTIONS(DARKROOM_PNG_LOAD)
#undef DARKROOM_PNG_LOAD
  return 0;
}
