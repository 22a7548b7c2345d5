// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "CPipeWire.h"
#include "Formats.h"
#include "Library.h"

#include <pipewire/extensions/metadata.h>

/// The maximum numbers of nodes, formats and properties that are stored, because a server can list any number
/// of them.
enum { darkroom_max_nodes = 64, darkroom_max_formats = 512, darkroom_max_properties = 256 };

/// A connection. All members that change are accessed only under the lock of the loop, which the library's
/// thread holds during callbacks.
struct darkroom_pipewire {
  /// The eventfds that notify Swift: one per thread.
  int event, property_event;
  struct pw_thread_loop *loop;
  struct pw_context *context;
  struct pw_core *core;
  struct spa_hook core_hook;
  struct pw_registry *registry;
  struct spa_hook registry_hook;
  struct pw_metadata *metadata;
  struct spa_hook metadata_hook;
  struct pw_node *node;
  struct spa_hook node_hook;
  struct pw_stream *stream;
  struct spa_hook stream_hook;

  /// The sequence number of the last sync request, and whether it was answered.
  int pending_sync;
  bool is_synchronized;
  /// The error of the server, and that of the stream, as a negative errno.
  int fault, stream_fault;
  bool has_stream_failed;
  bool is_disconnected, is_removed, is_ready;
  char message[160];

  struct darkroom_pipewire_node nodes[darkroom_max_nodes];
  size_t node_count;
  char standard[256];

  /// The bound node.
  uint32_t bound_id;
  /// Whether the node currently delivers frames to a client.
  bool is_running;
  struct darkroom_pipewire_format formats[darkroom_max_formats];
  size_t format_count;
  struct darkroom_pipewire_format current;
  bool has_current;

  /// The sequence number of the last sync request for properties, whether it was answered, and its error.
  int pending_property_sync;
  bool is_properties_synchronized;
  int property_fault;
  /// Whether the node reports changes of its properties without a request.
  bool is_subscribed;
  struct darkroom_pipewire_property properties[darkroom_max_properties];
  size_t property_count;

  /// The negotiated format of the stream.
  struct darkroom_pipewire_format negotiated;
  unsigned settlements;
  bool is_streaming;
  /// The number of frames so far.
  uint64_t frames;
};

/// Notifies Swift of an event.
void darkroom_pipewire_signal(const struct darkroom_pipewire *connection);

/// Copies a string that can be NULL, and truncates it to `room` bytes.
void darkroom_pipewire_copy(char *to, size_t room, const char *from);

/// Stores a property, or the values of properties, that a node reported.
void darkroom_pipewire_note_property(struct darkroom_pipewire *connection, uint32_t id, const struct spa_pod *param);

/// Locks the loop, which blocks the library's thread.
static inline void lock_loop(const struct darkroom_pipewire *connection) {
  darkroom_pipewire_library.thread_loop_lock(connection->loop);
}

/// Unlocks the loop.
static inline void unlock_loop(const struct darkroom_pipewire *connection) {
  darkroom_pipewire_library.thread_loop_unlock(connection->loop);
}
