// SPDX-License-Identifier: Apache-2.0
//
// A camera node: its formats, and the stream of its frames.

#include "Connection.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/videodev2.h>
#include <spa/buffer/buffer.h>
#include <spa/buffer/meta.h>
#include <spa/param/buffers.h>
#include <spa/param/param.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

static void on_info(void *data, const struct pw_node_info *info) {
  struct darkroom_pipewire *connection = data;
  connection->is_running = info->state == PW_NODE_STATE_RUNNING;
}

static void on_param(void *data, int sequence, uint32_t id, uint32_t index, uint32_t next,
                     const struct spa_pod *param) {
  struct darkroom_pipewire *connection = data;
  (void)sequence;
  (void)index;
  (void)next;
  if (id == SPA_PARAM_EnumFormat)
    connection->format_count += darkroom_formats_read(param, connection->formats + connection->format_count,
                                                      darkroom_max_formats - connection->format_count);
  else if (id == SPA_PARAM_Format)
    connection->has_current = darkroom_formats_read(param, &connection->current, 1) == 1;
  else
    darkroom_pipewire_note_property(connection, id, param);
}

static const struct pw_node_events node_events = {
    .version = PW_VERSION_NODE_EVENTS,
    .info = on_info,
    .param = on_param,
};

int darkroom_pipewire_bind_node(struct darkroom_pipewire *connection, uint32_t id) {
  lock_loop(connection);
  int result = -ENODEV;
  if (!connection->node && !connection->is_disconnected)
    connection->node =
        pw_registry_bind(connection->registry, id, PW_TYPE_INTERFACE_Node, PW_VERSION_NODE, 0);
  if (connection->node) {
    connection->bound_id = id;
    pw_node_add_listener(connection->node, &connection->node_hook, &node_events, connection);
    pw_node_enum_params(connection->node, 0, SPA_PARAM_EnumFormat, 0, UINT32_MAX, NULL);
    pw_node_enum_params(connection->node, 0, SPA_PARAM_Format, 0, UINT32_MAX, NULL);
    result = 0;
  }
  unlock_loop(connection);
  return result;
}

size_t darkroom_pipewire_formats(struct darkroom_pipewire *connection, struct darkroom_pipewire_format *formats,
                                 size_t max_count) {
  lock_loop(connection);
  const bool is_fixed = connection->is_running && connection->has_current;
  size_t count = is_fixed ? 1 : connection->format_count;
  if (count > max_count) count = max_count;
  memcpy(formats, is_fixed ? &connection->current : connection->formats, count * sizeof *formats);
  unlock_loop(connection);
  return count;
}

static void on_state(void *data, enum pw_stream_state old, enum pw_stream_state state, const char *error) {
  struct darkroom_pipewire *connection = data;
  (void)old;
  if (state == PW_STREAM_STATE_ERROR || (state == PW_STREAM_STATE_UNCONNECTED && connection->is_ready)) {
    connection->has_stream_failed = true;
    darkroom_pipewire_copy(connection->message, sizeof connection->message, error);
  }
  connection->is_ready = connection->is_ready || state >= PW_STREAM_STATE_PAUSED;
  darkroom_pipewire_signal(connection);
}

/// Requests the buffers and the metadata of the stream, after its format was negotiated.
static void on_param_changed(void *data, uint32_t id, const struct spa_pod *param) {
  struct darkroom_pipewire *connection = data;
  if (id != SPA_PARAM_Format || !param) return;
  if (darkroom_formats_read(param, &connection->negotiated, 1) != 1) connection->negotiated.pixels = 0;
  connection->settlements++;
  uint8_t room[1024];
  struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(room, sizeof room);
  // Without DMA-BUF, which can require a GPU to read.
  const int kinds = 1 << SPA_DATA_MemPtr | 1 << SPA_DATA_MemFd;
  const struct spa_pod *params[] = {
      spa_pod_builder_add_object(&builder, SPA_TYPE_OBJECT_ParamBuffers, SPA_PARAM_Buffers, SPA_PARAM_BUFFERS_buffers,
                                 SPA_POD_CHOICE_RANGE_Int(4, 2, 16), SPA_PARAM_BUFFERS_dataType,
                                 SPA_POD_CHOICE_FLAGS_Int(kinds)),
      spa_pod_builder_add_object(&builder, SPA_TYPE_OBJECT_ParamMeta, SPA_PARAM_Meta, SPA_PARAM_META_type,
                                 SPA_POD_Id(SPA_META_Header), SPA_PARAM_META_size,
                                 SPA_POD_Int(sizeof(struct spa_meta_header))),
  };
  darkroom_pipewire_library.stream_update_params(connection->stream, params, 2);
  darkroom_pipewire_signal(connection);
}

static void on_process(void *data) { darkroom_pipewire_signal(data); }

static const struct pw_stream_events stream_events = {
    .version = PW_VERSION_STREAM_EVENTS,
    .state_changed = on_state,
    .param_changed = on_param_changed,
    .process = on_process,
};

/// Creates the stream. The properties prevent a reconnection to another node.
static struct pw_stream *make_stream(const struct darkroom_pipewire *connection) {
  uint64_t serial = 0;
  for (size_t index = 0; index < connection->node_count; index++)
    if (connection->nodes[index].id == connection->bound_id) serial = connection->nodes[index].serial;
  char target[24];
  snprintf(target, sizeof target, "%" PRIu64, serial ? serial : connection->bound_id);
  struct pw_properties *properties = darkroom_pipewire_library.properties_new(
      PW_KEY_MEDIA_TYPE, "Video", PW_KEY_MEDIA_CATEGORY, "Capture", PW_KEY_MEDIA_ROLE, "Camera", PW_KEY_NODE_NAME,
      "darkroom", PW_KEY_NODE_DESCRIPTION, "Darkroom", serial ? PW_KEY_TARGET_OBJECT : "node.target", target,
      PW_KEY_NODE_DONT_RECONNECT, "true", "node.dont-fallback", "true", "node.dont-move", "true", NULL);
  return darkroom_pipewire_library.stream_new(connection->core, "Darkroom", properties);
}

int darkroom_pipewire_stream(struct darkroom_pipewire *connection, const struct darkroom_pipewire_format *wanted) {
  lock_loop(connection);
  int result = -ENODEV;
  if (!connection->stream && !connection->is_disconnected) connection->stream = make_stream(connection);
  if (connection->stream) {
    connection->stream_fault = 0;
    darkroom_pipewire_library.stream_add_listener(connection->stream, &connection->stream_hook, &stream_events,
                                                  connection);
    uint8_t room[4096];
    struct spa_pod_builder builder = SPA_POD_BUILDER_INIT(room, sizeof room);
    const struct spa_pod *params[darkroom_max_params];
    const uint32_t count = darkroom_formats_write(&builder, wanted, params);
    const enum pw_stream_flags flags = PW_STREAM_FLAG_AUTOCONNECT | PW_STREAM_FLAG_INACTIVE |
                                       PW_STREAM_FLAG_MAP_BUFFERS | PW_STREAM_FLAG_DONT_RECONNECT |
                                       PW_STREAM_FLAG_NO_CONVERT;
    result = darkroom_pipewire_library.stream_connect(connection->stream, PW_DIRECTION_INPUT, PW_ID_ANY, flags, params,
                                                      count);
  }
  unlock_loop(connection);
  return result < 0 ? result : 0;
}

/// Dequeues all available buffers and requeues all but the newest, which is returned.
static struct pw_buffer *dequeue_newest(const struct darkroom_pipewire *connection) {
  struct pw_buffer *found = NULL, *next;
  while ((next = darkroom_pipewire_library.stream_dequeue_buffer(connection->stream))) {
    if (found) darkroom_pipewire_library.stream_queue_buffer(connection->stream, found);
    found = next;
  }
  return found;
}

void darkroom_pipewire_set_active(struct darkroom_pipewire *connection, bool is_active) {
  lock_loop(connection);
  if (connection->stream && !connection->is_disconnected) {
    struct pw_buffer *old = dequeue_newest(connection);
    if (old) darkroom_pipewire_library.stream_queue_buffer(connection->stream, old);
    darkroom_pipewire_library.stream_set_active(connection->stream, is_active);
    connection->is_streaming = is_active;
  }
  unlock_loop(connection);
}

bool darkroom_pipewire_negotiated_format(struct darkroom_pipewire *connection, struct darkroom_pipewire_format *format) {
  lock_loop(connection);
  *format = connection->negotiated;
  const bool is_settled = connection->settlements > 0;
  unlock_loop(connection);
  return is_settled;
}

/// The start of a plane, the distance between its rows, and the number of bytes from its start on.
struct source {
  const uint8_t *bytes;
  size_t stride;
  size_t room;
};

/// Copies rows from the producer's memory. If the producer truncated its file, a direct access would raise
/// SIGBUS and terminate the host. process_vm_readv(2) returns an error instead. Returns whether everything
/// was copied.
static bool copy_rows(uint8_t *into, const uint8_t *bytes, size_t row, size_t rows, size_t stride) {
  // Rows without gaps are copied as one.
  if (stride == row) row = stride = row * rows, rows = 1;
  enum { max_count = 256 };
  struct iovec from[max_count];
  while (rows > 0) {
    const size_t count = rows < max_count ? rows : max_count;
    for (size_t index = 0; index < count; index++)
      from[index] = (struct iovec){.iov_base = (void *)(bytes + index * stride), .iov_len = row};
    struct iovec to = {.iov_base = into, .iov_len = count * row};
    if (process_vm_readv(getpid(), &to, 1, from, count, 0) != (ssize_t)(count * row)) return false;
    into += count * row;
    bytes += count * stride;
    rows -= count;
  }
  return true;
}

/// Returns a copy of a block's chunk, or zeros if it cannot be read. The producer can change the chunk at any
/// time, so that the checked values must be those that are used.
static struct spa_chunk chunk_of(const struct spa_data *data) {
  struct spa_chunk chunk = {0};
  if (!data->chunk || !copy_rows((uint8_t *)&chunk, (const uint8_t *)data->chunk, sizeof chunk, 1, sizeof chunk))
    return (struct spa_chunk){0};
  return chunk;
}

/// Returns the location of a block's bytes, or zeros if they cannot be read.
static struct source source_of(const struct spa_data *data) {
  const struct spa_chunk chunk = chunk_of(data);
  if (!data->data || chunk.offset > data->maxsize) return (struct source){0};
  const size_t room = data->maxsize - chunk.offset;
  return (struct source){
      .bytes = (const uint8_t *)data->data + chunk.offset,
      .stride = chunk.stride > 0 ? (size_t)chunk.stride : 0,
      .room = chunk.size < room ? chunk.size : room,
  };
}

/// Computes the planes of a frame that is in a single block.
static void split_planes(struct source *sources, const struct darkroom_plane *planes, size_t count) {
  struct source *first = &sources[0];
  size_t tight = 0;
  for (size_t index = 0; index < count; index++) tight += planes[index].row * planes[index].rows;
  // A producer that reports no stride but more bytes than needed uses evenly spaced rows.
  if (first->stride == 0 && count == 1 && first->room > tight && first->room % planes[0].rows == 0)
    first->stride = first->room / planes[0].rows;
  if (first->stride < planes[0].row) first->stride = planes[0].row;
  size_t offset = first->stride * planes[0].rows;
  for (size_t index = 1; index < count; index++) {
    size_t stride = count == 3 ? first->stride / 2 : first->stride;
    // GStreamer aligns rows of chroma to four bytes.
    const size_t rounded = (stride + 3) / 4 * 4;
    if (count == 3 && first->room == offset + 2 * rounded * planes[1].rows && index == 1) stride = rounded;
    if (index == 2) stride = sources[1].stride;
    sources[index] = (struct source){
        .bytes = first->bytes ? first->bytes + offset : NULL,
        .stride = stride,
        .room = offset < first->room ? first->room - offset : 0,
    };
    offset += stride * planes[index].rows;
  }
}

/// Copies a frame. Returns its size in bytes, or 0 if it is incomplete.
static size_t copy(const struct darkroom_pipewire *connection, const struct spa_buffer *buffer, uint8_t *into,
                   size_t room) {
  struct source sources[darkroom_max_planes] = {0};
  struct darkroom_plane planes[darkroom_max_planes];
  const size_t count = darkroom_formats_planes(&connection->negotiated, planes);
  if (buffer->n_datas == 0) return 0;
  for (size_t index = 0; index < buffer->n_datas && index < darkroom_max_planes; index++)
    sources[index] = source_of(&buffer->datas[index]);
  if (count == 0) {
    if (!sources[0].bytes || sources[0].room > room) return 0;
    return copy_rows(into, sources[0].bytes, sources[0].room, 1, sources[0].room) ? sources[0].room : 0;
  }
  if (planes[0].rows == 0) return 0;
  if (buffer->n_datas < count) split_planes(sources, planes, count);
  size_t total = 0;
  for (size_t index = 0; index < count; index++) {
    const size_t row = planes[index].row, rows = planes[index].rows;
    const size_t stride = sources[index].stride < row ? row : sources[index].stride;
    if (row == 0 || rows == 0) continue;
    if (!sources[index].bytes || sources[index].room < stride * (rows - 1) + row || total + row * rows > room) return 0;
    if (!copy_rows(into + total, sources[index].bytes, row, rows, stride)) return 0;
    total += row * rows;
  }
  return total;
}

bool darkroom_pipewire_dequeue_frame(struct darkroom_pipewire *connection, void *into, size_t room,
                            struct darkroom_pipewire_frame *frame) {
  lock_loop(connection);
  struct pw_buffer *taken = connection->stream && connection->is_streaming ? dequeue_newest(connection) : NULL;
  if (taken) {
    const struct spa_buffer *buffer = taken->buffer;
    struct spa_meta_header header = {0};
    const void *given = spa_buffer_find_meta_data(buffer, SPA_META_Header, sizeof header);
    if (given && !copy_rows((uint8_t *)&header, given, sizeof header, 1, sizeof header))
      header = (struct spa_meta_header){.flags = SPA_META_HEADER_FLAG_CORRUPTED};
    connection->frames++;
    *frame = (struct darkroom_pipewire_frame){
        .bytes = copy(connection, buffer, into, room),
        .sequence = header.seq > 0 ? header.seq : connection->frames,
        .time = header.pts,
        .is_damaged = header.flags & SPA_META_HEADER_FLAG_CORRUPTED,
    };
    if (buffer->n_datas > 0 && (chunk_of(&buffer->datas[0]).flags & SPA_CHUNK_FLAG_CORRUPTED))
      frame->is_damaged = true;
    darkroom_pipewire_library.stream_queue_buffer(connection->stream, taken);
  }
  unlock_loop(connection);
  return taken != NULL;
}
