// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <libevdev-1.0/libevdev/libevdev.h>

/// The functions of libevdev that Darkroom uses, without their prefix `libevdev_`.
#define DARKROOM_EVDEV_FUNCTIONS(X)                                                                                   \
  X(event_code_from_name)                                                                                             \
  X(event_code_get_name)                                                                                              \
  X(free)                                                                                                             \
  X(get_event_value)                                                                                                  \
  X(get_name)                                                                                                         \
  X(grab)                                                                                                             \
  X(has_event_code)                                                                                                   \
  X(new_from_fd)                                                                                                      \
  X(next_event)                                                                                                       \
  X(set_clock_id)

/// Pointers to the functions of libevdev, which is loaded on first use.
struct darkroom_evdev {
#define DARKROOM_EVDEV_MEMBER(name) __typeof__(&libevdev_##name) _Nonnull name;
  DARKROOM_EVDEV_FUNCTIONS(DARKROOM_EVDEV_MEMBER)
#undef DARKROOM_EVDEV_MEMBER
};

/// Loads libevdev. Returns 0, or -1 on failure. Called when the first key listener starts, so that other commands do not load
/// the library.
static inline int darkroom_evdev_load(struct darkroom_evdev *_Nonnull library) {
  void *handle = dlopen("libevdev.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return -1;
  void *found;
#define DARKROOM_EVDEV_LOAD(name)                                                                                     \
  if (!(found = dlsym(handle, "libevdev_" #name))) return -1;                                                         \
  library->name = (__typeof__(&libevdev_##name))found;
  DARKROOM_EVDEV_FUNCTIONS(DARKROOM_EVDEV_LOAD)
#undef DARKROOM_EVDEV_LOAD
  return 0;
}
