// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <dlfcn.h>
#include <stddef.h>
#include <systemd/sd-bus.h>

/// The functions of libsystemd that Darkroom uses, without their prefix `sd_`.
#define DARKROOM_SYSTEMD_FUNCTIONS(X)                                                                                 \
  X(bus_add_match_async)                                                                                              \
  X(bus_call_async)                                                                                                   \
  X(bus_close_unref)                                                                                                  \
  X(bus_get_events)                                                                                                   \
  X(bus_get_fd)                                                                                                       \
  X(bus_get_timeout)                                                                                                  \
  X(bus_message_append_basic)                                                                                         \
  X(bus_message_at_end)                                                                                               \
  X(bus_message_enter_container)                                                                                      \
  X(bus_message_exit_container)                                                                                       \
  X(bus_message_get_errno)                                                                                            \
  X(bus_message_get_error)                                                                                            \
  X(bus_message_get_member)                                                                                           \
  X(bus_message_get_path)                                                                                             \
  X(bus_message_get_sender)                                                                                           \
  X(bus_message_is_method_error)                                                                                      \
  X(bus_message_new_method_call)                                                                                      \
  X(bus_message_read_basic)                                                                                           \
  X(bus_message_set_expect_reply)                                                                                     \
  X(bus_message_skip)                                                                                                 \
  X(bus_message_unref)                                                                                                \
  X(bus_new)                                                                                                          \
  X(bus_process)                                                                                                      \
  X(bus_send)                                                                                                         \
  X(bus_set_address)                                                                                                  \
  X(bus_set_bus_client)                                                                                               \
  X(bus_set_method_call_timeout)                                                                                      \
  X(bus_start)

/// Pointers to the functions of libsystemd, which is loaded on first use.
struct darkroom_systemd {
#define DARKROOM_SYSTEMD_MEMBER(name) __typeof__(&sd_##name) _Nonnull name;
  DARKROOM_SYSTEMD_FUNCTIONS(DARKROOM_SYSTEMD_MEMBER)
#undef DARKROOM_SYSTEMD_MEMBER
};

/// Loads libsystemd. Returns 0, or -1 on failure. Called with the first connection to a bus, so that other commands do not load
/// the library and its four dependencies.
static inline int darkroom_systemd_load(struct darkroom_systemd *_Nonnull library) {
  void *handle = dlopen("libsystemd.so.0", RTLD_NOW | RTLD_LOCAL);
  if (!handle) return -1;
  void *found;
#define DARKROOM_SYSTEMD_LOAD(name)                                                                                   \
  if (!(found = dlsym(handle, "sd_" #name))) return -1;                                                               \
  library->name = (__typeof__(&sd_##name))found;
  DARKROOM_SYSTEMD_FUNCTIONS(DARKROOM_SYSTEMD_LOAD)
#undef DARKROOM_SYSTEMD_LOAD
  return 0;
}
