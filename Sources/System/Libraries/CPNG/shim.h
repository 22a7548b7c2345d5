// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <png.h>

/// What of libpng is used; every name begins with png_.
#define DARKROOM_PNG_FUNCTIONS(X)                                                                                     \
  X(image_begin_read_from_memory)                                                                                     \
  X(image_finish_read)                                                                                                \
  X(image_free)                                                                                                       \
  X(image_write_to_memory)

/// The functions of libpng, once it is loaded.
struct darkroom_png {
#define DARKROOM_PNG_MEMBER(name) __typeof__(&png_##name) _Nonnull name;
  DARKROOM_PNG_FUNCTIONS(DARKROOM_PNG_MEMBER)
#undef DARKROOM_PNG_MEMBER
};

/// Loads libpng: 0, or -1. This function is provided because the library is loaded with the first picture that is PNG: it
/// would otherwise be loaded by every command.
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
