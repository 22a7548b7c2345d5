// SPDX-License-Identifier: Apache-2.0
//
// Access to PipeWire cameras. This module is provided because the library's API consists of inline functions,
// macros and stack-allocated values, which Swift cannot use. No function waits for the server. The library's
// thread stores the server's events, and makes the eventfd of darkroom_pipewire_event() readable. The other
// functions return the stored state.
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A connection to a server, with at most one bound camera node.
struct darkroom_pipewire;

/// Loads libpipewire. Returns 0, or -1 if it is unavailable. The first PipeWire camera loads it, so that
/// other commands do not.
int darkroom_pipewire_load(void);

/// Connects to the server that the environment specifies, or by `descriptor` if it is not -1; the descriptor
/// is closed with the connection. Returns NULL and a negative errno in `error` if the connection fails. A
/// descriptor that is not a socket then stays open. The library must be loaded.
struct darkroom_pipewire *_Nullable darkroom_pipewire_connect(int descriptor, int *_Nonnull error);

/// Closes a connection.
void darkroom_pipewire_close(struct darkroom_pipewire *_Nonnull connection);

/// Returns an eventfd that becomes readable when an event was stored. The connection owns it.
int darkroom_pipewire_event(const struct darkroom_pipewire *_Nonnull connection);

/// The status of a connection.
struct darkroom_pipewire_status {
  /// The error of the connection or the last request as a negative errno, or 0.
  int error;
  /// The server closed the connection.
  bool is_disconnected;
  /// The camera was removed.
  bool is_removed;
  /// The stream of the camera can be started.
  bool is_ready;
  /// All requests before the last darkroom_pipewire_sync() were answered.
  bool is_synchronized;
  /// The number of times that the stream's format was negotiated.
  unsigned settlements;
  /// The server's message for the error.
  char message[160];
};

/// Returns the status of a connection.
void darkroom_pipewire_get_status(struct darkroom_pipewire *_Nonnull connection,
                            struct darkroom_pipewire_status *_Nonnull status);

/// Sends a sync request, which is answered after all earlier requests.
void darkroom_pipewire_sync(struct darkroom_pipewire *_Nonnull connection);

/// A node that provides video.
struct darkroom_pipewire_node {
  /// The object ID, which can be reused after the node is removed.
  uint32_t id;
  /// The object serial, which is never reused.
  uint64_t serial;
  /// The session priority: the node with the highest one is the default.
  int priority;
  /// The node name.
  char name[256];
  /// The description for users.
  char description[128];
  /// The media role, such as `Camera`, or empty.
  char role[32];
  /// The object path, such as `v4l2:/dev/video0`.
  char object[128];
};

/// Copies at most `max_count` nodes, and returns their number.
size_t darkroom_pipewire_nodes(struct darkroom_pipewire *_Nonnull connection,
                               struct darkroom_pipewire_node *_Nonnull nodes, size_t max_count);

/// Copies the name of the node that the user configured as the default, or an empty string.
void darkroom_pipewire_default_node(struct darkroom_pipewire *_Nonnull connection, char *_Nonnull name, size_t room);

/// Binds a node and requests its formats. Returns 0 or a negative errno. To be called once, followed by
/// darkroom_pipewire_sync().
int darkroom_pipewire_bind_node(struct darkroom_pipewire *_Nonnull connection, uint32_t id);

/// The maximum number of rates of a format.
enum { darkroom_pipewire_max_rates = 32 };

/// A format with a single size or a range of sizes.
struct darkroom_pipewire_format {
  /// The pixel format, as a V4L2 code.
  uint32_t pixels;
  /// The color range: 1 for full, 0 for limited, -1 for unknown.
  int is_full_range;
  /// The width in pixels: minimum, maximum and step. For a single size, the first two are equal.
  uint32_t width[3];
  /// The height in pixels, in the same form.
  uint32_t height[3];
  /// The number of rates.
  uint32_t rate_count;
  /// Whether the rates are the ends of a range.
  bool is_rate_range;
  /// The rates, each as numerator and denominator.
  uint32_t rates[darkroom_pipewire_max_rates][2];
};

/// Copies at most `max_count` formats of the node, and returns their number. A node that is delivering frames to a
/// client has only its current format.
size_t darkroom_pipewire_formats(struct darkroom_pipewire *_Nonnull connection,
                                 struct darkroom_pipewire_format *_Nonnull formats, size_t max_count);

/// The kind of a property's values.
enum darkroom_pipewire_kind {
  /// Integers.
  darkroom_pipewire_integer __attribute__((swift_name("integer"))),
  /// 0 or 1.
  darkroom_pipewire_boolean __attribute__((swift_name("boolean"))),
  /// The index of a menu entry.
  darkroom_pipewire_menu __attribute__((swift_name("menu"))),
  /// Fractional numbers.
  darkroom_pipewire_fraction __attribute__((swift_name("fraction"))),
} __attribute__((enum_extensibility(closed)));

/// An adjustable property of a node.
struct darkroom_pipewire_property {
  /// The V4L2 control ID.
  uint32_t control;
  /// The property ID of the node.
  uint32_t id;
  enum darkroom_pipewire_kind kind;
  /// The minimum and the maximum value.
  double minimum, maximum;
  /// The difference between two adjacent values, or 0 if it is unknown.
  double step;
  /// The default value.
  double standard;
  /// The current value, if the node reports it.
  double value;
  bool has_value;
  /// The node's name for the property.
  char title[64];
};

/// Returns an eventfd that becomes readable when an event was stored, for the thread that uses properties.
/// That can be another thread than that of the frames. The connection owns the eventfd.
int darkroom_pipewire_property_event(const struct darkroom_pipewire *_Nonnull connection);

/// Requests the properties of the bound node with their values. darkroom_pipewire_property_result() returns
/// whether they have arrived.
void darkroom_pipewire_request_properties(struct darkroom_pipewire *_Nonnull connection);

/// Sets one of the requested properties. darkroom_pipewire_property_result() returns the result. A node of
/// another program can apply the value later.
void darkroom_pipewire_set_property(struct darkroom_pipewire *_Nonnull connection, uint32_t control, double value);

/// Returns the result of the last property request: 1 while there is no answer, 0 on success, or a negative
/// errno.
int darkroom_pipewire_property_result(struct darkroom_pipewire *_Nonnull connection);

/// Copies at most `max_count` properties, and returns their number. Properties without a V4L2 control ID are
/// omitted.
size_t darkroom_pipewire_properties(struct darkroom_pipewire *_Nonnull connection,
                                    struct darkroom_pipewire_property *_Nonnull properties, size_t max_count);

/// Creates an inactive stream of the node. Returns 0 or a negative errno. The requested format is the minimum
/// size and the first rate of `wanted`; if it is unavailable, any other format is accepted.
int darkroom_pipewire_stream(struct darkroom_pipewire *_Nonnull connection,
                             const struct darkroom_pipewire_format *_Nonnull wanted);

/// Starts or stops the stream.
void darkroom_pipewire_set_active(struct darkroom_pipewire *_Nonnull connection, bool is_active);

/// Stores the format that was negotiated last. Returns false if there is none.
bool darkroom_pipewire_negotiated_format(struct darkroom_pipewire *_Nonnull connection,
                               struct darkroom_pipewire_format *_Nonnull format);

/// A frame.
struct darkroom_pipewire_frame {
  /// The size in bytes.
  size_t bytes;
  /// The frame counter of the camera.
  uint64_t sequence;
  /// The capture time in nanoseconds of the monotonic clock, if the camera uses that clock; 0 or less if it
  /// is unknown.
  int64_t time;
  /// Whether the frame is corrupt.
  bool is_damaged;
};

/// Copies the newest available frame without gaps between rows and planes. Returns false if there is none.
bool darkroom_pipewire_dequeue_frame(struct darkroom_pipewire *_Nonnull connection, void *_Nonnull into, size_t room,
                            struct darkroom_pipewire_frame *_Nonnull frame);
