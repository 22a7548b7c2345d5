// SPDX-License-Identifier: Apache-2.0
#ifndef DARKROOM_HOST_INTERNAL_H
#define DARKROOM_HOST_INTERNAL_H

#include "darkroom-manage.h"
#include "host_memory.h"
#include "host_types.h"
#include "json.h"
#include "results.h"
#include "ring.h"

#include <sys/types.h>

/// The maximum length of a line without its newline.
#define DK_LINE_BYTES 1048576
/// The maximum number of received descriptors that wait for the rest of their lines.
#define DK_DESCRIPTORS 4
/// The size of the buffer of a session's ID, a UUID.
#define DK_SESSION_BYTES 40
/// The planes of a frame.
#define DK_FRAME_PLANES 3

/// The use of a response.
enum dk_use {
  /// A function waits for the response.
  DK_USE_AWAITED,
  DK_USE_NONE,
  /// A function that launches a session does not wait for the response any longer. The session is dismissed.
  DK_USE_LATE_LAUNCH,
  /// A function that requested a file does not wait for the response any longer. The file is closed.
  DK_USE_LATE_FILE,
  DK_USE_RESULT,
  DK_USE_VIEWFINDER,
  DK_USE_FRAME,
  DK_USE_SOUND,
  DK_USE_BLOCK
};

/// A request without a response.
struct dk_pending {
  struct dk_pending *next;
  int64_t id;
  enum dk_use use;
  /// The session of the request; NULL after darkroom_hosted_close().
  darkroom_hosted_session *session;
};

/// A line of the server. The text ends with a zero byte.
struct dk_line {
  size_t length;
  char text[];
};

/// A queued event: a notification, or an event of the library without a line.
struct dk_queued {
  struct dk_queued *next;
  int type;
  darkroom_hosted_session *session;
  struct dk_line *line;
};

/// A plane of a frame in the memory file: the offset in the frame, the row stride, the number of rows, the bytes of a
/// row.
struct dk_frame_plane {
  uint64_t offset;
  uint32_t stride, rows, row_bytes;
};

/// The stage of a viewfinder, or of the sound of a session.
enum dk_stage { DK_STAGE_UNOPENED, DK_STAGE_OPENING, DK_STAGE_OPEN, DK_STAGE_ENDED };

/// The viewfinder of a session.
struct dk_viewfinder {
  enum dk_stage stage;
  /// The mapped memory file, or NULL.
  unsigned char *memory;
  size_t length;
  uint32_t width, height;
  struct dk_frame_plane planes[DK_FRAME_PLANES];
  /// Whether a frame is requested, whether that request must still be sent, and whether a frame has arrived.
  bool is_requested, should_request, has_arrived;
  /// The arrived frame.
  uint64_t offset, sequence, timestamp;
  /// The sequence number of the frame in use, which darkroom_frame_valid() compares; 0: none.
  uint64_t held;
  /// The sequence number of the last frame that the program has taken.
  uint64_t last;
  /// The reason of the end.
  darkroom_error error;
};

/// The sound of a session.
struct dk_sound {
  enum dk_stage stage;
  /// The ring, whose `last` is the last block that the program has read or missed, and the samples of that block.
  struct dk_ring ring;
  int16_t *samples;
  /// The nanoseconds by which the timestamps are ahead of CLOCK_MONOTONIC.
  int64_t clock_lead;
  /// Whether a block was read, and the position after that block.
  bool has_position;
  uint64_t next_position;
  /// Whether a block is requested, whether that request must still be sent, and whether DARKROOM_HOST_SOUND is queued.
  bool is_requested, should_request, is_announced;
  /// The reason of the end.
  darkroom_error error;
};

struct darkroom_hosted_session {
  darkroom_hosted_session *next;
  darkroom_host *host;
  char id[DK_SESSION_BYTES];
  /// Whether the library dismisses and frees the session, because no function has returned it.
  bool is_orphan;
  /// Whether the last notification about the session has arrived, and whether DARKROOM_HOST_FINISHED was queued.
  bool has_ended, is_announced;
  /// The response with the result, and the decoded result.
  struct dk_line *response;
  const darkroom_host_result *result;
  struct dk_viewfinder viewfinder;
  struct dk_sound sound;
};

struct darkroom_host {
  /// The connection, and the counter of darkroom_host_interrupt().
  int socket, interruption;
  /// The milliseconds of a request, or a negative number.
  int timeout;
  /// Whether no more messages arrive.
  bool is_closed;
  /// The PID of the server that the library has started, or 0.
  pid_t server;
  /// The received part of the next line, and the length of its start without a newline.
  char *inbox;
  size_t inbox_length, inbox_capacity, inbox_scanned;
  /// The received descriptors that wait for the rest of their lines.
  int descriptors[DK_DESCRIPTORS];
  size_t descriptor_count;
  /// The ID of the last request.
  int64_t request;
  struct dk_pending *pending;
  /// The queue of events, and the memory of the current event.
  struct dk_queued *first, **last;
  struct dk_memory *event;
  /// The response that a function waits for, a copy of one of its values, and the error data.
  struct dk_line *reply;
  char *reply_text, *error_data;
  /// Whether that response carries a descriptor, and the descriptor, or -1.
  bool expects_file;
  int reply_file;
  darkroom_hosted_session *sessions;
  darkroom_host_info info;
  struct dk_memory *info_memory;
  darkroom_error error;
};

// Results

/// Stores an error in the connection, and returns its code.
int dk_host_fail(darkroom_host *host, int code, int system_error, const char *text);
/// Stores an error for a result without a required member, and returns its code.
int dk_host_bad_result(darkroom_host *host, const char *member);
/// Stores the error of a response, and returns its code.
int dk_host_store_error(darkroom_host *host, struct dk_json error);
/// Stores the error of a response in `error`, and not in the connection. Returns false if the response has a result.
bool dk_host_read_error(darkroom_host *host, struct dk_json response, darkroom_error *error);
/// Returns whether dk_has_size() accepts a structure of the caller, and stores an error otherwise.
bool dk_host_accepts(darkroom_host *host, const void *structure, size_t least);

// Server

/// Finds the state directory. Returns 0 or an errno.
int dk_state_directory(const char *option, char *path);
/// Connects to the server of a state directory. Stores the descriptor, and returns 0 or a negative code.
int dk_host_connect(darkroom_host *host, const char *state_directory);
/// Starts a server, and connects to it. Returns 0 or a negative code.
int dk_host_start(darkroom_host *host, const char *state_directory, const darkroom_host_options *options);
/// Terminates the server that dk_host_start() has started, and waits for its exit.
void dk_host_stop(darkroom_host *host);

// Messages

/// Reads from the server once, and handles complete lines. Returns 0 or a negative code.
int dk_host_receive(darkroom_host *host);
/// Waits for input until the deadline, and handles it. Returns 1 if input may have arrived, 0 at the deadline, or a
/// negative code.
int dk_host_wait(darkroom_host *host, uint64_t deadline);
/// Waits like dk_host_wait(), and returns DARKROOM_INTERRUPTED after darkroom_host_interrupt().
int dk_host_wait_interruptibly(darkroom_host *host, uint64_t deadline);
/// Starts a request. The caller adds members.
struct dk_text dk_host_begin(darkroom_host *host, const char *method);
/// Sends a request that dk_host_begin() has started, and frees the text. dk_host_receive() handles the response.
int dk_host_post(darkroom_host *host, struct dk_text *text, enum dk_use use, darkroom_hosted_session *session);
/// Sends a request, and waits for the response. Returns 0 with the result, or a negative code.
///
/// `late` is the use of a response that arrives after the timeout.
int dk_host_finish(darkroom_host *host, struct dk_text *text, enum dk_use late, struct dk_json *result);
/// Sends a request whose response carries a file, like dk_host_finish(). The caller closes the file.
int dk_host_finish_with_file(darkroom_host *host, struct dk_text *text, struct dk_json *result, int *file);
/// Sends a request whose result is ignored, and waits for the response.
int dk_host_perform(darkroom_host *host, struct dk_text *text);

/// Handles a response. Takes the line.
void dk_host_use(darkroom_host *host, const struct dk_pending *pending, struct dk_line *line);
/// Queues a notification. Takes the line. Returns false without memory.
bool dk_host_notify(darkroom_host *host, struct dk_line *line);
/// Queues DARKROOM_HOST_FINISHED after all other events of a session.
void dk_announce_result(darkroom_hosted_session *session);
/// Adds an event to the queue. Takes the line. Returns false without memory.
bool dk_host_enqueue(darkroom_host *host, int type, darkroom_hosted_session *session, struct dk_line *line);
/// Takes the oldest received descriptor, or returns -1.
int dk_host_take_descriptor(darkroom_host *host);
/// Sends the requests that follow from responses. Returns whether there was such a request.
bool dk_host_follow(darkroom_host *host);

// Members of requests

/// Adds a string, if the value is not NULL.
void dk_add_text(struct dk_text *text, const char *name, const char *value);
/// Adds a string; NULL is an empty string, about which the server reports an error.
void dk_add_required(struct dk_text *text, const char *name, const char *value);
/// Adds an integer.
void dk_add_integer(struct dk_text *text, const char *name, int64_t value);
/// Adds a number.
void dk_add_number(struct dk_text *text, const char *name, double value);
/// Adds the name and the separator of a member whose value the caller appends.
void dk_add_name(struct dk_text *text, const char *name);
/// Adds an array of strings.
void dk_add_array(struct dk_text *text, const char *name, const char *const *values, size_t count);
/// Adds an array of strings, if there are any.
void dk_add_texts(struct dk_text *text, const char *name, const char *const *values, size_t count);
/// Adds the name of a value of an enumeration. Returns false if the value does not exist.
bool dk_add_choice(struct dk_text *text, const char *name, int value, const char *const *names);
/// Returns the absolute path, or NULL with an error in the connection. `buffer` has DK_PATH_BYTES.
const char *dk_host_path(darkroom_host *host, const char *path, char *buffer);
/// Returns a name without a slash unchanged, and otherwise the absolute path.
const char *dk_host_path_or_name(darkroom_host *host, const char *path, char *buffer);
/// dk_host_path() or dk_host_path_or_name().
typedef const char *dk_path_function(darkroom_host *host, const char *path, char *buffer);
/// Adds an array of paths, if there are any. Frees the text and returns false with an error in the connection if a path
/// cannot be made absolute.
bool dk_add_paths(darkroom_host *host, struct dk_text *text, const char *name, const char *const *paths, size_t count,
                  dk_path_function *find);

// Values

extern const struct dk_type dk_type_app, dk_type_diagnostic, dk_type_installation, dk_type_content, dk_type_quarantine,
    dk_type_permission, dk_type_explanation, dk_type_verdict, dk_type_comparison, dk_type_recovery, dk_type_running,
    dk_type_result, dk_type_event, dk_type_info, dk_type_log_entry, dk_type_camera, dk_type_microphone,
    dk_type_key_binding, dk_type_path_access, dk_type_check, dk_type_asset_set, dk_type_lock_status,
    dk_type_storage_usage, dk_type_asset, dk_type_photo_difference, dk_type_log_verification, dk_type_device_use,
    dk_type_active_session, dk_type_diagnosis, dk_type_capture;

/// The members of all kinds of session events.
struct dk_event_members {
  int kind;
  bool accepts;
  const darkroom_host_sandbox *sandbox;
  const darkroom_host_refusal *refusal;
  const darkroom_host_outcome *outcome;
  const char *message;
};

/// Decodes an object into memory. Returns NULL with an error in the connection.
const void *dk_host_decode(darkroom_host *host, struct dk_json object, const struct dk_type *type,
                           struct dk_memory **memory);
/// Decodes an array of objects to a linked list that belongs to the caller; or of strings, if `type` is NULL. Returns
/// the number of elements, or a negative code.
int dk_host_decode_list(darkroom_host *host, struct dk_json array, const struct dk_type *type, const void **list);
/// Sends a request whose result contains an array. Returns the number of elements, or a negative code.
int dk_host_request_list(darkroom_host *host, struct dk_text *text, const char *name, const struct dk_type *type,
                         const void **list);
/// Sends a request whose result is an object. Returns 0 or a negative code.
int dk_host_request_object(darkroom_host *host, struct dk_text *text, const struct dk_type *type, const void **object);
/// Sends a request whose result contains an array, and an array of messages. `list` and `failures` may be NULL. Returns
/// the number of elements of the first one, or a negative code.
int dk_host_request_list_with_failures(darkroom_host *host, struct dk_text *text, const char *name,
                                       const struct dk_type *type, const void **list,
                                       const darkroom_host_text **failures);
/// Copies a string of a result to a buffer of the caller, unless its size is 0. Returns 0 or a negative code.
int dk_host_copy_member(darkroom_host *host, struct dk_json result, const char *name, char *buffer, size_t size);
/// Decodes a string of a result to memory of the connection. Returns NULL with an error in the connection.
const char *dk_host_keep_member(darkroom_host *host, struct dk_json result, const char *name);
/// Starts a request with the ID of an app.
struct dk_text dk_begin_for_app(darkroom_host *host, const char *method, const char *app);

// Sessions

/// Adds a session with an ID to the connection. Returns NULL without memory.
darkroom_hosted_session *dk_host_add_session(darkroom_host *host, struct dk_json id);
/// Returns the session with an ID, or NULL.
darkroom_hosted_session *dk_host_find_session(const darkroom_host *host, struct dk_json id);
/// Removes a session from the connection, and frees it.
void dk_host_remove_session(darkroom_hosted_session *session);
/// Starts a request with the ID of a session.
struct dk_text dk_hosted_begin(darkroom_hosted_session *session, const char *method);

/// Handles the response to `viewfinder/open`. `session` is NULL after darkroom_hosted_close().
void dk_viewfinder_opened(darkroom_host *host, darkroom_hosted_session *session, struct dk_json response);
/// Handles the response to `viewfinder/next`.
void dk_viewfinder_advanced(darkroom_hosted_session *session, struct dk_json response);
/// Sends the request for the next frame.
int dk_viewfinder_request(darkroom_hosted_session *session);
/// Unmaps the memory file.
void dk_viewfinder_unmap(struct dk_viewfinder *viewfinder);

/// Handles the response to `sound/open`. `session` is NULL after darkroom_hosted_close().
void dk_sound_opened(darkroom_host *host, darkroom_hosted_session *session, struct dk_json response);
/// Handles the response to `sound/next`.
void dk_sound_advanced(darkroom_hosted_session *session, struct dk_json response);
/// Sends the request for the next block.
int dk_sound_request(darkroom_hosted_session *session);
/// Returns whether a block of sound is in the ring that the program has not read.
bool dk_sound_is_available(const struct dk_sound *sound);
/// Unmaps the ring, and frees the samples.
void dk_sound_free(struct dk_sound *sound);

#endif
