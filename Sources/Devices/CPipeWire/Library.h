// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <pipewire/pipewire.h>

/// The functions of libpipewire that are used, without the prefix pw_.
#define DARKROOM_PIPEWIRE_FUNCTIONS(X)                                                                                \
  X(context_connect)                                                                                                  \
  X(context_connect_fd)                                                                                               \
  X(context_destroy)                                                                                                  \
  X(context_new)                                                                                                      \
  X(core_disconnect)                                                                                                  \
  X(init)                                                                                                             \
  X(log_set_level)                                                                                                    \
  X(properties_new)                                                                                                   \
  X(proxy_destroy)                                                                                                    \
  X(proxy_get_id)                                                                                                     \
  X(stream_add_listener)                                                                                              \
  X(stream_connect)                                                                                                   \
  X(stream_dequeue_buffer)                                                                                            \
  X(stream_destroy)                                                                                                   \
  X(stream_new)                                                                                                       \
  X(stream_queue_buffer)                                                                                              \
  X(stream_set_active)                                                                                                \
  X(stream_update_params)                                                                                             \
  X(thread_loop_destroy)                                                                                              \
  X(thread_loop_get_loop)                                                                                             \
  X(thread_loop_lock)                                                                                                 \
  X(thread_loop_new)                                                                                                  \
  X(thread_loop_start)                                                                                                \
  X(thread_loop_stop)                                                                                                 \
  X(thread_loop_unlock)

/// The functions of libpipewire, valid after it is loaded.
struct darkroom_pipewire_library {
#define DARKROOM_PIPEWIRE_MEMBER(name) __typeof__(&pw_##name) name;
  DARKROOM_PIPEWIRE_FUNCTIONS(DARKROOM_PIPEWIRE_MEMBER)
#undef DARKROOM_PIPEWIRE_MEMBER
};

/// The library.
extern struct darkroom_pipewire_library darkroom_pipewire_library;
