// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "CPipeWire.h"
#include "Formats.h"
#include "Library.h"

#include <pipewire/extensions/metadata.h>

/// The most nodes, formats and properties that are kept: a server that has no end of them keeps nobody waiting.
enum { darkroom_most_nodes = 64, darkroom_most_formats = 512, darkroom_most_properties = 256 };

/// Everything but what is constant is touched only under the lock of the loop, which the library's thread holds while
/// it calls back.
struct darkroom_pipewire {
  /// Tell Swift that something was noted; each is for one thread.
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

  /// What was asked last, and whether that was answered.
  int asked;
  bool is_answered;
  /// What went wrong with the server, and with the stream.
  int fault, stream_fault;
  bool has_stream_failed;
  bool is_lost, is_gone, is_ready;
  char message[160];

  struct darkroom_pipewire_node nodes[darkroom_most_nodes];
  size_t node_count;
  char standard[256];

  /// The node that was chosen.
  uint32_t chosen;
  /// Whether it gives frames to somebody.
  bool is_running;
  struct darkroom_pipewire_format formats[darkroom_most_formats];
  size_t format_count;
  struct darkroom_pipewire_format current;
  bool has_current;

  /// What was asked last about properties, whether that was answered, and what was wrong with it.
  int properties_asked;
  bool has_properties_answered;
  int property_fault;
  /// Whether the node tells changes by itself.
  bool tells_changes;
  struct darkroom_pipewire_property properties[darkroom_most_properties];
  size_t property_count;

  /// The stream's format.
  struct darkroom_pipewire_format settled;
  unsigned settlements;
  bool is_flowing;
  /// How many frames have come.
  uint64_t frames;
};

/// Tells Swift that something was noted.
void darkroom_pipewire_signal(const struct darkroom_pipewire *connection);

/// Copies a text that may be missing.
void darkroom_pipewire_copy(char *to, size_t room, const char *from);

/// Notes what a node says of its properties.
void darkroom_pipewire_note_property(struct darkroom_pipewire *connection, uint32_t id, const struct spa_pod *param);

/// Holds the library's thread back.
static inline void hold(const struct darkroom_pipewire *connection) {
  darkroom_pipewire_library.thread_loop_lock(connection->loop);
}

/// Lets it go on.
static inline void release(const struct darkroom_pipewire *connection) {
  darkroom_pipewire_library.thread_loop_unlock(connection->loop);
}
