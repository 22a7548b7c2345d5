// SPDX-License-Identifier: Apache-2.0
#ifndef DARKROOM_SESSION_H
#define DARKROOM_SESSION_H

#include "darkroom.h"
#include "json.h"
#include "results.h"
#include "ring.h"

/// The maximum length of a message without its newline.
#define DK_MESSAGE_BYTES 65536
/// The maximum number of text values of `session/start`.
#define DK_FACTS 16

/// A received message. The text ends with a zero byte.
struct dk_message {
  struct dk_message *next;
  size_t length;
  /// Whether the message contains a context that is older than `context` of the session.
  bool is_outdated;
  char text[];
};

/// The inherited descriptors, or -1.
struct dk_descriptors {
  int host_in, host_out, frames, frame_event, frame_done, preview, preview_event, sound, sound_event, sound_done;
};

struct darkroom_session {
  struct dk_descriptors descriptors;
  /// The epoll(7) instance of darkroom_descriptor(), and the counter of darkroom_interrupt().
  int poll, interruption;
  /// The milliseconds of a request, or a negative number.
  int timeout;
  /// Whether darkroom_next() has returned the dismissal, and whether no more messages arrive.
  bool is_dismissed, is_closed;
  /// The received part of the next message.
  char *inbox;
  size_t inbox_length;
  /// The queue of notifications, and the notification of the current event.
  struct dk_message *first, **last, *current;
  /// The decoded text of the current event.
  char *event_text;
  /// The reply of the last request, the end of the queue when the reply arrived, a copy of one of the reply's values,
  /// and the error data.
  struct dk_message *reply, **queue_at_reply;
  char *reply_text, *error_data;
  /// The ID of the last request.
  int64_t request;
  darkroom_info info;
  /// The text values of `info`, and the context, which changes.
  char *facts[DK_FACTS], *context;
  size_t fact_count;
  struct dk_ring camera, viewfinder, microphone;
  /// The newest frame of the viewfinder.
  uint64_t shown;
  /// The copied block of sound, and the position at which the next block is expected.
  int16_t *samples;
  uint64_t next_position;
  /// The number of the next declaration of camera controls.
  int64_t revision;
  darkroom_error error;
};

// Results

/// Stores an error in the session, and returns its code.
int dk_fail(darkroom_session *session, int code, int system_error, const char *text);
/// Returns whether dk_has_size() accepts a structure of the caller, and stores an error otherwise.
bool dk_accepts(darkroom_session *session, const void *structure, size_t least);

// Messages

/// Reads from the host once, and queues complete messages. A reply to `request` is stored. Returns 0 or a negative code.
int dk_receive(darkroom_session *session);
/// Waits for the next message from the host, without queueing it. The caller frees the message. For `session/start`.
struct dk_message *dk_receive_first(darkroom_session *session);
/// Frees the next message of the queue into `current`. Returns NULL if the queue is empty.
struct dk_message *dk_dequeue(darkroom_session *session);
/// Sends a message; `text` is a JSON object without a newline. Frees the text.
int dk_send(darkroom_session *session, struct dk_text *text);
/// Starts a request or a notification, of which the caller adds the members of `params`.
struct dk_text dk_begin(darkroom_session *session, const char *method, bool is_request);
/// Sends a request that dk_begin() has started, and waits for its reply. Returns 0 with the result, or a negative code.
int dk_finish(darkroom_session *session, struct dk_text *text, int timeout, struct dk_json *result);
/// Sends a request without parameters.
int dk_call(darkroom_session *session, const char *method, struct dk_json *result);
/// Stores an error for a reply without a required field.
int dk_bad_reply(darkroom_session *session, const char *field);
/// Stores an error for an argument that is not JSON, and frees the started message.
int dk_bad_json(darkroom_session *session, struct dk_text *text);

// Facts

/// Finds the inherited descriptors by their names.
bool dk_find_descriptors(struct dk_descriptors *found);
/// Reads `session/start` into `info`. Returns false if a required field is missing.
bool dk_read_facts(darkroom_session *session, struct dk_json params);
/// Reads the permissions.
void dk_read_permissions(struct dk_json object, darkroom_permissions *permissions);
/// Reads the phase and the orientation of a scene.
void dk_read_scene(struct dk_json scene, darkroom_info *info);
/// Reads a state of the lock.
int dk_read_lock_state(struct dk_json value);
/// Reads a frame rate.
void dk_read_rate(struct dk_json array, uint32_t *numerator, uint32_t *denominator);
/// Replaces the context. Returns false without memory.
bool dk_store_context(darkroom_session *session, struct dk_json context);
/// Replaces the context with one that the last reply contains or confirms. Returns 0 or a negative code.
int dk_settle_context(darkroom_session *session, struct dk_json context);
/// Decodes a message into an event, and updates `info`.
int dk_decode_event(darkroom_session *session, const struct dk_message *message, darkroom_event *event);

// Rings

/// Adds to a counter of the other side (eventfd(2)).
int dk_add(darkroom_session *session, int descriptor, uint64_t count);
/// Reports a frame or block, and those before it, as finished.
int dk_finish_to(darkroom_session *session, struct dk_ring *ring, int done, uint64_t number);

#endif
