// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <turbojpeg.h>

/// What of libjpeg-turbo is used; every name begins with tj.
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

/// The functions of libjpeg-turbo, once it is loaded.
struct darkroom_turbojpeg {
#define DARKROOM_TURBOJPEG_MEMBER(name) __typeof__(&tj##name) _Nonnull name;
  DARKROOM_TURBOJPEG_FUNCTIONS(DARKROOM_TURBOJPEG_MEMBER)
#undef DARKROOM_TURBOJPEG_MEMBER
};

/// Loads libjpeg-turbo: 0, or -1. This function is provided because the host loads the library with the first picture: it
/// would otherwise be loaded by every command. An extension that writes JPEG is linked with it.
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
