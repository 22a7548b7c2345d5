// SPDX-License-Identifier: Apache-2.0

#include "Library.h"

#include "CPipeWire.h"

#include <dlfcn.h>
#include <stdlib.h>

struct darkroom_pipewire_library darkroom_pipewire_library;

int darkroom_pipewire_load(void) {
  void *handle = dlopen("libpipewire-0.3.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return -1;
  void *found;
#define DARKROOM_PIPEWIRE_LOAD(name)                                                                                  \
  if (!(found = dlsym(handle, "pw_" #name))) return -1;                                                               \
  darkroom_pipewire_library.name = (__typeof__(&pw_##name))found;
  DARKROOM_PIPEWIRE_FUNCTIONS(DARKROOM_PIPEWIRE_LOAD)
#undef DARKROOM_PIPEWIRE_LOAD
  darkroom_pipewire_library.init(NULL, NULL);
  // Errors are reported by return values. The library would also log them to standard error, unless the user
  // sets PIPEWIRE_DEBUG.
  if (!getenv("PIPEWIRE_DEBUG")) darkroom_pipewire_library.log_set_level(SPA_LOG_LEVEL_NONE);
  return 0;
}
