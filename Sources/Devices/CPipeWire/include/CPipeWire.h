// SPDX-License-Identifier: Apache-2.0
//
// Cameras of PipeWire, as far as Swift cannot have them by itself: what the library gives is inline functions, macros
// and values that are built in place. Nothing here waits for the server: what it says is noted by the library's thread, the
// counter of darkroom_pipewire_event() then becomes readable, and the other functions tell what was noted.
#pragma once

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// A connection with a server, and the one camera of it that is looked at.
struct darkroom_pipewire;

/// Loads libpipewire: 0, or -1. It is loaded by the first camera of this kind, and not with every command.
int darkroom_pipewire_load(void);

/// Connects with the server that the environment names, or by `descriptor` if it is not -1, which is closed with the
/// connection. NULL: it cannot be done, and `error` says why, as a negative number; what is no socket stays open. The
/// library has to be loaded.
struct darkroom_pipewire *_Nullable darkroom_pipewire_connect(int descriptor, int *_Nonnull error);

/// Ends a connection.
void darkroom_pipewire_close(struct darkroom_pipewire *_Nonnull connection);

/// A counter (eventfd) that becomes readable when something was noted. It belongs to the connection.
int darkroom_pipewire_event(const struct darkroom_pipewire *_Nonnull connection);

/// How things stand.
struct darkroom_pipewire_standing {
  /// Why the server can't be asked any more, or what it has refused, as a negative errno; 0: nothing is wrong.
  int error;
  /// The server is gone.
  bool is_lost;
  /// The camera is gone.
  bool is_gone;
  /// The camera has a stream that can be begun.
  bool is_ready;
  /// All that was asked before the last darkroom_pipewire_ask() has been answered.
  bool is_answered;
  /// How often the stream's format was settled.
  unsigned settlements;
  /// The server's words for the error.
  char message[160];
};

/// Tells how things stand.
void darkroom_pipewire_look(struct darkroom_pipewire *_Nonnull connection,
                            struct darkroom_pipewire_standing *_Nonnull standing);

/// Asks the server for a sign that all before has been answered.
void darkroom_pipewire_ask(struct darkroom_pipewire *_Nonnull connection);

/// A node that gives video.
struct darkroom_pipewire_node {
  /// Its number, which may be used again when it is gone.
  uint32_t id;
  /// Its number that never is.
  uint64_t serial;
  /// Of several the one with the highest is the standard one.
  int priority;
  /// What programs call it.
  char name[256];
  /// What people call it.
  char description[128];
  /// `Camera`, or what else it is; empty: nobody says.
  char role[32];
  /// What it is made of, such as `v4l2:/dev/video0`.
  char object[128];
};

/// Copies at most `most` nodes; returns how many.
size_t darkroom_pipewire_nodes(struct darkroom_pipewire *_Nonnull connection,
                               struct darkroom_pipewire_node *_Nonnull nodes, size_t most);

/// Copies the name of the node that the person has chosen as the standard one; empty: none was.
void darkroom_pipewire_standard(struct darkroom_pipewire *_Nonnull connection, char *_Nonnull name, size_t room);

/// Asks a node for its formats: 0, or a negative errno. To be done once, and followed by darkroom_pipewire_ask().
int darkroom_pipewire_choose(struct darkroom_pipewire *_Nonnull connection, uint32_t id);

/// The most rates of a format.
enum { darkroom_pipewire_most_rates = 32 };

/// A format in one size, or in sizes from one to another.
struct darkroom_pipewire_format {
  /// How the pixels are laid out, as Video4Linux has it.
  uint32_t pixels;
  /// Whether all numbers are used for black to white: 1, or 0: part of them, or -1: nobody says.
  int is_full_range;
  /// Pixels in a row: the least, the most and the step. Of one size the first two are the same.
  uint32_t width[3];
  /// Rows, in the same way.
  uint32_t height[3];
  /// How many rates there are.
  uint32_t rate_count;
  /// Whether they are the ends of a range.
  bool is_rate_range;
  /// The rates, each a numerator and a denominator.
  uint32_t rates[darkroom_pipewire_most_rates][2];
};

/// Copies at most `most` formats of the node; returns how many. If the node gives frames to somebody, it has only the
/// format that they have.
size_t darkroom_pipewire_formats(struct darkroom_pipewire *_Nonnull connection,
                                 struct darkroom_pipewire_format *_Nonnull formats, size_t most);

/// What the values of a property are.
enum darkroom_pipewire_kind {
  /// Numbers without fractions.
  darkroom_pipewire_integer __attribute__((swift_name("integer"))),
  /// 0 or 1.
  darkroom_pipewire_boolean __attribute__((swift_name("boolean"))),
  /// The number of an entry of a list.
  darkroom_pipewire_menu __attribute__((swift_name("menu"))),
  /// Numbers with fractions.
  darkroom_pipewire_fraction __attribute__((swift_name("fraction"))),
} __attribute__((enum_extensibility(closed)));

/// Something of the node that can be set.
struct darkroom_pipewire_property {
  /// What it is, as Video4Linux has it.
  uint32_t control;
  /// What it is, as the node has it.
  uint32_t id;
  enum darkroom_pipewire_kind kind;
  /// The least value and the greatest.
  double minimum, maximum;
  /// From one value to the next; 0: nobody says.
  double step;
  /// The value that nobody has set.
  double standard;
  /// The value now, if the node tells it.
  double value;
  bool is_told;
  /// The node's words for it.
  char title[64];
};

/// A counter (eventfd) that becomes readable when something was noted, for whoever asks for properties: that may be another
/// thread. It belongs to the connection.
int darkroom_pipewire_property_event(const struct darkroom_pipewire *_Nonnull connection);

/// Asks the chosen node for its properties and their values; darkroom_pipewire_property_answer() tells when they are there.
void darkroom_pipewire_ask_properties(struct darkroom_pipewire *_Nonnull connection);

/// Has the node set a property of those that were asked for; darkroom_pipewire_property_answer() tells what came of it. A
/// node that is another program's may do so later.
void darkroom_pipewire_set_property(struct darkroom_pipewire *_Nonnull connection, uint32_t control, double value);

/// What came of the newest of these requests: 1: there is no answer yet, 0: it was done, or a negative errno.
int darkroom_pipewire_property_answer(struct darkroom_pipewire *_Nonnull connection);

/// Copies at most `most` properties; returns how many. What Video4Linux has no number for is not among them.
size_t darkroom_pipewire_properties(struct darkroom_pipewire *_Nonnull connection,
                                    struct darkroom_pipewire_property *_Nonnull properties, size_t most);

/// Makes a stream of the node, which rests: 0, or a negative errno. Of `wanted` the least size and the first rate
/// count; if that is not to be had, any other is taken.
int darkroom_pipewire_stream(struct darkroom_pipewire *_Nonnull connection,
                             const struct darkroom_pipewire_format *_Nonnull wanted);

/// Frames are to come, or none.
void darkroom_pipewire_flow(struct darkroom_pipewire *_Nonnull connection, bool flows);

/// The format that was settled last; false: none was.
bool darkroom_pipewire_settled(struct darkroom_pipewire *_Nonnull connection,
                               struct darkroom_pipewire_format *_Nonnull format);

/// A frame.
struct darkroom_pipewire_frame {
  /// How many bytes it has.
  size_t bytes;
  /// The camera's count.
  uint64_t sequence;
  /// When it was taken by the clock that never jumps, in nanoseconds, if the camera means that clock; 0 or less: nobody
  /// knows.
  int64_t time;
  /// Whether it is damaged.
  bool is_damaged;
};

/// Copies the newest frame of those that wait, its rows and planes without gaps; false: there is none.
bool darkroom_pipewire_take(struct darkroom_pipewire *_Nonnull connection, void *_Nonnull into, size_t room,
                            struct darkroom_pipewire_frame *_Nonnull frame);
