// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <turbojpeg.h>

/// The functions of libjpeg-turbo that Darkroom uses, without their prefix `tj`.
#define DARKROOM_TURBOJPEG_FUNCTIONS(X)                                                                               \
  X(CompressFromYUVPlanes)                                                                                            \
  X(DecodeYUVPlanes)                                                                                                  \
  X(Decompress2)                                                                                                      \
  X(DecompressHeader3)                                                                                                \
  X(DecompressToYUVPlanes)                                                                                            \
  X(Destroy)                                                                                                          \
  X(EncodeYUVPlanes)                                                                                                  \
  X(Free)                                                                                                             \
  X(GetErrorCode)                                                                                                     \
  X(GetErrorStr2)                                                                                                     \
  X(InitCompress)                                                                                                     \
  X(InitDecompress)

/// Pointers to the functions of libjpeg-turbo, which is loaded on first use.
struct darkroom_turbojpeg {
#define DARKROOM_TURBOJPEG_MEMBER(name) __typeof__(&tj##name) _Nonnull name;
  DARKROOM_TURBOJPEG_FUNCTIONS(DARKROOM_TURBOJPEG_MEMBER)
#undef DARKROOM_TURBOJPEG_MEMBER
};

/// Loads libjpeg-turbo. Returns 0, or -1 on failure. The host calls it with the first image, so that other commands do not
/// load the library. Extensions that write JPEG link with the library instead.
static inline int darkroom_turbojpeg_load(struct darkroom_turbojpeg *_Nonnull library) {
  void *handle = dlopen("libturbojpeg.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return -1;
  void *found;
#define DARKROOM_TURBOJPEG_LOAD(name)                                                                                 \
  if (!(found = dlsym(handle, "tj" #name))) return -1;                                                                \
  library->name = (__typeof__(&tj##name))found;
  DARKROOM_TURBOJPEG_FUNCTIONS(DARKROOM_TURBOJPEG_LOAD)
#undef DARKROOM_TURBOJPEG_LOAD
  return 0;
}
