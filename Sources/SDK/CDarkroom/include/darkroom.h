// SPDX-License-Identifier: Apache-2.0
#ifndef DARKROOM_H
#define DARKROOM_H

/// @file
/// The C library for capture extensions of Darkroom (protocol version 1).
///
/// An extension opens its session with darkroom_open(), reads events with darkroom_next() until that function returns a
/// negative code, and closes the session with darkroom_close(). Requests wait for the reply of the host; events that
/// arrive meanwhile are queued for darkroom_next().
///
/// **Errors.** Functions that return `int` return 0 or a positive result on success, and a negative #darkroom_code on
/// failure. darkroom_last_error() has the text, errno and the host's data. Functions without a session return only the
/// code.
///
/// **Ownership.** A `const` pointer that the library returns belongs to the session; the comment of the function states
/// how long the pointer is valid. Text is UTF-8 and ends with a zero byte. Arguments are copied.
///
/// **Structures.** A structure with the member `size` may grow in later versions. Initialize it with the macro
/// `DARKROOM_…_INIT`, which sets `size` and clears the other members. The library writes only the members that fit.
///
/// **Threads.** The library has no global state, and starts no threads. Use a session in one thread at a time, except that
/// darkroom_interrupt() is safe in all threads. The functions that encode images use no session, and are safe in all
/// threads.
///
/// **Signals.** The library installs no handlers. Writing to a host that has exited raises no `SIGPIPE`. A wait continues
/// after a signal handler of the program has returned (EINTR), until its timeout. A handler ends a wait with
/// darkroom_interrupt().
///
/// **Units.** Times are nanoseconds of `CLOCK_MONOTONIC`, timeouts are milliseconds (negative: no limit), and other
/// durations are seconds.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// The version of this header: major, minor.
#define DARKROOM_VERSION_MAJOR 0
#define DARKROOM_VERSION_MINOR 2

#if defined(__GNUC__)
#define DARKROOM_API __attribute__((visibility("default")))
#define DARKROOM_PRINTF(text, values) __attribute__((__format__(__printf__, text, values)))
#else
#define DARKROOM_API
#define DARKROOM_PRINTF(text, values)
#endif

/// A session with the host. Only the library accesses its members.
typedef struct darkroom_session darkroom_session;

// MARK: Errors

/// The negative results of functions. Codes of the host are the negated error codes of the protocol document; other
/// codes of the host (for example -32602, `invalidParams`) are returned unchanged.
typedef enum darkroom_code {
  DARKROOM_OK = 0,
  /// The program was not started by a host: there are no descriptors for messages.
  DARKROOM_NO_HOST = -1,
  /// The session has ended: the dismissal was delivered, or the host has closed the connection.
  DARKROOM_ENDED = -2,
  /// No reply arrived before the timeout. A late reply is discarded.
  DARKROOM_TIMED_OUT = -3,
  /// A system call failed; `system_error` is its errno.
  DARKROOM_SYSTEM_ERROR = -4,
  /// The host sent a line that is not a message, or an unusable ring. The session is unusable.
  DARKROOM_PROTOCOL_ERROR = -5,
  /// An argument is invalid, for example text that is not JSON.
  DARKROOM_INVALID = -6,
  /// The host has overwritten the frame. Repeat the operation with a newer frame.
  DARKROOM_OVERWRITTEN = -7,
  /// The session has no such device, or the device was not started.
  DARKROOM_UNAVAILABLE = -8,
  /// The message or the image exceeds a limit, or a buffer is too small.
  DARKROOM_TOO_LARGE = -9,
  /// darkroom_interrupt() has ended the wait.
  DARKROOM_INTERRUPTED = -10,

  DARKROOM_CONTEXT_TOO_LARGE = -4001,
  DARKROOM_CAMERA_UNAVAILABLE = -4002,
  DARKROOM_PERMISSION_DENIED = -4003,
  DARKROOM_UNSUPPORTED_VERSION = -4004,
  DARKROOM_APPLICATION_NOT_FOUND = -4010,
  DARKROOM_AUTHENTICATION_FAILED = -4011,
  DARKROOM_INTERACTION_REQUIRED = -4012,
  DARKROOM_BUSY = -4013,
  DARKROOM_NOT_IN_SESSION = -4014,
  DARKROOM_NO_SUCH_ASSET = -4015,
  DARKROOM_INVALID_FILE = -4016,
  DARKROOM_NO_SPACE = -4017,
  DARKROOM_CONTEXT_CHANGED = -4018,
  DARKROOM_INVALID_CONTROLS = -4019,
  DARKROOM_MICROPHONE_UNAVAILABLE = -4020,
  DARKROOM_INVALID_SETTING = -4021
} darkroom_code;

/// The reason of a failure.
typedef struct darkroom_error {
  /// The size of the structure in bytes.
  size_t size;
  /// A #darkroom_code, or another negative code of the host.
  int code;
  /// The errno of the failed system call, or 0.
  int system_error;
  /// A sentence without a final period, cut to the size of the array.
  char text[256];
} darkroom_error;

/// The initial value of a #darkroom_error.
#define DARKROOM_ERROR_INIT {sizeof(darkroom_error), 0, 0, {0}}

// MARK: Values

/// Delivery of frames or sound to a slow extension.
typedef enum darkroom_delivery {
  /// The host overwrites frames that the extension has not read.
  DARKROOM_LATEST = 0,
  /// The source waits for the extension. (A microphone cannot wait: its sound is lost before it reaches the ring.)
  DARKROOM_EVERY = 1
} darkroom_delivery;

/// A value that this version of the library does not know. All enumerations of values from the host use it.
#define DARKROOM_UNKNOWN 0

/// A permission of the app.
typedef enum darkroom_permission {
  DARKROOM_AUTHORIZED = 1,
  DARKROOM_DENIED,
  DARKROOM_NOT_DETERMINED,
  DARKROOM_RESTRICTED,
  /// Only the permission `photos` can be limited.
  DARKROOM_LIMITED
} darkroom_permission;

/// The state of the screen lock.
typedef enum darkroom_lock_state { DARKROOM_LOCKED = 1, DARKROOM_UNLOCKED } darkroom_lock_state;

/// The phase of the session's scene: in the foreground, in the foreground without input, no longer in the foreground.
typedef enum darkroom_phase { DARKROOM_ACTIVE = 1, DARKROOM_INACTIVE, DARKROOM_BACKGROUND } darkroom_phase;

/// The machine's orientation.
typedef enum darkroom_orientation {
  DARKROOM_PORTRAIT = 1,
  DARKROOM_PORTRAIT_UPSIDE_DOWN,
  DARKROOM_LANDSCAPE_LEFT,
  DARKROOM_LANDSCAPE_RIGHT
} darkroom_orientation;

/// The place from which the user launched the session.
typedef enum darkroom_surface {
  DARKROOM_LOCK_SCREEN = 1,
  DARKROOM_ELSEWHERE,
  DARKROOM_COMMAND_LINE
} darkroom_surface;

/// The permissions of the app, as #darkroom_permission.
typedef struct darkroom_permissions {
  int camera, microphone, photos, photos_add_only;
} darkroom_permissions;

/// The facts of a session. Optional text is NULL if the host has not sent it.
///
/// The library owns the structure; later versions may add members at its end.
typedef struct darkroom_info {
  /// The session's UUID, the ID of the app that owns the captures, and the ID of this extension.
  const char *session_id, *app, *extension;
  /// The directory for captures, the only one that outlives the session.
  const char *session_directory;
  /// The directory for temporary files.
  const char *container_directory;
  /// The directory with the extension's own files, read-only.
  const char *extension_directory;
  /// The directory of opened photos.
  const char *library_directory;
  /// The files that the app shares with its extensions, or NULL.
  const char *assets_directory;
  /// The app context as compact JSON (`null` for none). Updated when darkroom_next() returns #DARKROOM_CONTEXT_CHANGE,
  /// and by the functions for the app context.
  const char *context;
  /// A #darkroom_lock_state; updated by events.
  int lock_state;
  /// The permissions; updated by events.
  darkroom_permissions permissions;
  /// The deadlines in seconds; `watchdog_deadline` is negative if the watchdog is not armed.
  double launch_deadline, dismissal_deadline, watchdog_deadline;
  /// The camera: pixels per row, rows, and the frame rate as a fraction; all 0 without a camera.
  uint32_t camera_width, camera_height, frame_rate_numerator, frame_rate_denominator;
  /// The camera's name, or NULL without a camera.
  const char *camera_name;
  /// A #darkroom_phase and a #darkroom_orientation; updated by events.
  int phase, orientation;
  /// A #darkroom_surface.
  int launch_surface;
  /// The ID of the control that the user pressed, or NULL.
  const char *launch_control;
  /// The maximum number of camera controls.
  uint32_t camera_controls;
  /// The microphone: samples per second and channel, and channels; both 0 without a microphone.
  uint32_t sample_rate, channels;
  /// Whether darkroom_present() and darkroom_begin_drawing() can show frames to the user.
  bool has_viewfinder;
} darkroom_info;

// MARK: Sessions

/// Opens the session of this process: waits for the host's first message and answers it.
///
/// A prewarmed extension waits until the user launches it.
///
/// @param error Receives the reason of a failure; may be NULL.
/// @return The session, to be closed with darkroom_close(), or NULL on failure: #DARKROOM_NO_HOST,
///   #DARKROOM_UNSUPPORTED_VERSION (the host was notified), #DARKROOM_ENDED, #DARKROOM_PROTOCOL_ERROR or
///   #DARKROOM_SYSTEM_ERROR.
DARKROOM_API darkroom_session *darkroom_open(darkroom_error *error);

/// Frees a session, its memory mappings and its descriptors. NULL is ignored. The host ends the session when the process
/// exits.
DARKROOM_API void darkroom_close(darkroom_session *session);

/// Returns the facts of the session. The pointer is valid until darkroom_close(); `context` until the next event, or the
/// next call of a function for the app context.
DARKROOM_API const darkroom_info *darkroom_get_info(const darkroom_session *session);

/// Returns the reason of the last failure of a function with this session. Valid until the next call with the session.
DARKROOM_API const darkroom_error *darkroom_last_error(const darkroom_session *session);

/// Returns the `data` of the host's last error reply as JSON, or NULL. Valid until the next request.
DARKROOM_API const char *darkroom_last_error_data(const darkroom_session *session);

/// Sets the timeout of requests in milliseconds; negative for no limit. The initial value is 30000.
///
/// darkroom_open_application() has no limit, because the user may have to authenticate.
DARKROOM_API void darkroom_set_timeout(darkroom_session *session, int milliseconds);

/// Returns a descriptor that is readable if darkroom_next() may have an event, for poll(2) and epoll(7).
///
/// Requests and frames can queue events without making the descriptor readable: before each wait, call darkroom_next()
/// with the timeout 0 until it returns 0. Do not read or close the descriptor.
DARKROOM_API int darkroom_descriptor(const darkroom_session *session);

// MARK: Events

/// The kind of an event.
typedef enum darkroom_event_type {
  /// A message that this version does not know; see `method` and `params`. Ignore it.
  DARKROOM_OTHER = 0,
  /// A capture button was pressed: `button`, `source`, `id`.
  DARKROOM_PRESSED,
  /// A capture button was released: `button`, `source`, `id`.
  DARKROOM_RELEASED,
  /// A press is to be ignored from now on: `button`, `source`, `id`.
  DARKROOM_CANCELLED,
  /// The camera has a new frame: call darkroom_take_frame().
  DARKROOM_FRAME,
  /// The microphone has new sound: call darkroom_read_sound() until it returns 0.
  DARKROOM_SOUND,
  /// The session ends: finish writing and exit within `seconds`; `reason` is a #darkroom_dismissal_reason. This is the last
  /// event of each session.
  DARKROOM_DISMISSAL,
  /// Another process changed the app context: `context` of darkroom_get_info().
  DARKROOM_CONTEXT_CHANGE,
  /// No more frames arrive: `reason` is a #darkroom_end_reason, `message`.
  DARKROOM_CAMERA_END,
  /// The frame rate changed: `frame_rate_numerator`, `frame_rate_denominator`.
  DARKROOM_CAMERA_CHANGE,
  /// The scene changed: `phase` and `orientation` of darkroom_get_info().
  DARKROOM_SCENE_CHANGE,
  /// The screen was locked or unlocked: `lock_state` of darkroom_get_info().
  DARKROOM_LOCK_CHANGE,
  /// The permissions changed: `permissions` of darkroom_get_info().
  DARKROOM_PERMISSION_CHANGE,
  /// The watchdog's missing requirements changed: `missing` (#darkroom_requirement), `seconds` (negative if disarmed).
  DARKROOM_REQUIREMENTS_CHANGE,
  /// The list of readable photos changed.
  DARKROOM_PHOTOS_CHANGE,
  /// The user adjusted a camera control: `control`, `value`, `revision`.
  DARKROOM_CONTROL_CHANGE,
  /// The appearance of the camera controls changed: `appearance` (#darkroom_appearance).
  DARKROOM_CONTROLS_APPEARANCE,
  /// The space for new content changed: `room` (#darkroom_room), `reason` (#darkroom_room_reason), `bytes`, `files`.
  DARKROOM_ROOM_CHANGE,
  /// No more sound arrives: `reason` is a #darkroom_end_reason, `message`.
  DARKROOM_MICROPHONE_END,
  /// A contact with the viewfinder changed: `phase` (#darkroom_pointer_phase), `contact`, `x`, `y`, `timestamp`. Only after
  /// darkroom_subscribe_pointer().
  DARKROOM_POINTER
} darkroom_event_type;

/// A capture button.
typedef enum darkroom_button { DARKROOM_PRIMARY = 1, DARKROOM_SECONDARY } darkroom_button;

/// The place of a capture button: on the machine, or on a remote device such as headphones.
typedef enum darkroom_button_source { DARKROOM_BUTTON = 1, DARKROOM_REMOTE } darkroom_button_source;

/// The phase of a contact with the viewfinder: a finger, or the left button of a pointer.
typedef enum darkroom_pointer_phase {
  /// The finger touched the picture, or the button was pressed on it.
  DARKROOM_POINTER_BEGAN = 1,
  /// The contact moved.
  DARKROOM_POINTER_MOVED,
  /// The finger was lifted, or the button was released.
  DARKROOM_POINTER_ENDED,
  /// The contact is over, for example because it left the picture: undo its effects.
  DARKROOM_POINTER_CANCELLED
} darkroom_pointer_phase;

/// The reason of a dismissal.
typedef enum darkroom_dismissal_reason {
  DARKROOM_BY_USER = 1,
  DARKROOM_BY_HOST,
  DARKROOM_BY_DEADLINE,
  DARKROOM_BY_LOCK,
  DARKROOM_BY_OPENED_APPLICATION,
  DARKROOM_BY_IDLENESS,
  DARKROOM_BY_POWER_KEY
} darkroom_dismissal_reason;

/// The reason for the end of a camera's frames or of a microphone's sound.
typedef enum darkroom_end_reason {
  DARKROOM_FINISHED = 1,
  DARKROOM_UNPLUGGED,
  DARKROOM_FAILED,
  DARKROOM_FORMAT_CHANGED
} darkroom_end_reason;

/// The watchdog's requirements; a set of bits.
typedef enum darkroom_requirement {
  DARKROOM_REQUIRES_CAMERA = 1,
  DARKROOM_REQUIRES_VIEWFINDER = 2,
  DARKROOM_REQUIRES_CAPTURE_EVENTS = 4
} darkroom_requirement;

/// The appearance of the camera controls.
typedef enum darkroom_appearance {
  DARKROOM_CONTROLS_INACTIVE = 1,
  DARKROOM_CONTROLS_ACTIVE,
  DARKROOM_CONTROLS_FULLSCREEN
} darkroom_appearance;

/// The space for new content.
typedef enum darkroom_room { DARKROOM_ROOM_FREE = 1, DARKROOM_ROOM_LOW, DARKROOM_ROOM_FULL } darkroom_room;

/// The limit on content that is reached first.
typedef enum darkroom_room_reason {
  DARKROOM_ROOM_OF_SESSION = 1,
  DARKROOM_ROOM_OF_APP,
  DARKROOM_ROOM_OF_DISK
} darkroom_room_reason;

/// An event. #darkroom_event_type names the members that a type sets; the others are 0.
///
/// Text is valid until the next call of darkroom_next().
typedef struct darkroom_event {
  /// The size of the structure in bytes.
  size_t size;
  /// A #darkroom_event_type.
  int type;
  /// A #darkroom_button and a #darkroom_button_source.
  int button, source;
  /// A reason; its enumeration depends on the type.
  int reason;
  /// A #darkroom_room.
  int room;
  /// A #darkroom_appearance.
  int appearance;
  /// A set of #darkroom_requirement.
  uint32_t missing;
  /// The new frame rate.
  uint32_t frame_rate_numerator, frame_rate_denominator;
  /// The number of the capture event in the session, from 1; 0 if no sound can be played for it.
  int64_t id;
  /// The remaining seconds.
  double seconds;
  /// The new value of a camera control; for a picker, the index of the title.
  double value;
  /// The declaration that the user saw; see darkroom_declare_controls().
  int64_t revision;
  /// The bytes that could still be written, and the files that could still be created.
  int64_t bytes, files;
  /// The ID of a camera control.
  const char *control;
  /// A sentence for the user.
  const char *message;
  /// The method of the host's message and its parameters as JSON; NULL for frames and sound.
  const char *method, *params;
  /// A #darkroom_pointer_phase.
  int phase;
  /// The number of the contact: 0 for the pointer, a greater number for a finger. A later finger can have the same number.
  int contact;
  /// The distances of the contact from the left and from the upper edge of the viewfinder, in pixels of its picture.
  double x, y;
  /// The time of the contact, in nanoseconds of CLOCK_MONOTONIC, as the timestamp of a frame.
  uint64_t timestamp;
} darkroom_event;

/// The initial value of a #darkroom_event; `= DARKROOM_EVENT_INIT`.
#ifdef __cplusplus
#define DARKROOM_EVENT_INIT {sizeof(darkroom_event)}
#else
#define DARKROOM_EVENT_INIT {.size = sizeof(darkroom_event)}
#endif

/// Waits for the next event. Finishes the use of the frame of the last darkroom_take_frame().
///
/// Messages precede frames, and frames precede sound. A frame or a block of sound is announced once: with
/// #DARKROOM_LATEST, the newest frame; with #DARKROOM_EVERY, each frame.
///
/// @param timeout_ms The timeout in milliseconds; 0 returns at once; negative waits without limit.
/// @return 1 for an event, 0 at the timeout, or a negative code. #DARKROOM_ENDED is the regular end: after
///   #DARKROOM_DISMISSAL, or if the host has exited. #DARKROOM_INTERRUPTED: the program called darkroom_interrupt().
DARKROOM_API int darkroom_next(darkroom_session *session, darkroom_event *event, int timeout_ms);

/// Ends the current wait of darkroom_next(), or the next one, with #DARKROOM_INTERRUPTED.
///
/// The function is safe in signal handlers and in all threads until darkroom_close(), and preserves errno. Several calls
/// before the end of a wait have the effect of one. Messages that were received earlier precede the interruption, and no
/// event is lost. Requests are not interrupted, and darkroom_descriptor() does not become readable.
DARKROOM_API void darkroom_interrupt(darkroom_session *session);

// MARK: Camera

/// A camera frame: a view of the host's shared memory, or a copy in the process's own memory.
///
/// The pixel format is I420 with the full range (as in JPEG files): the planes Y, Cb and Cr; the chroma planes have half
/// the width and height, rounded up.
typedef struct darkroom_frame {
  /// The size of the structure in bytes.
  size_t size;
  /// The frame's sequence number, from 1.
  uint64_t sequence;
  /// The time of the capture, and of the publication in the ring.
  uint64_t timestamp, published;
  /// The number of frames that were skipped since the previous frame.
  uint64_t dropped;
  /// Pixels per row, and rows.
  uint32_t width, height;
  /// The planes: the first byte, the distance between rows, bytes per row, and rows.
  const uint8_t *plane[3];
  uint32_t stride[3], row_bytes[3], rows[3];
  /// Internal: the frame's slot, or NULL for a copy.
  const void *slot;
} darkroom_frame;

/// The initial value of a #darkroom_frame.
#ifdef __cplusplus
#define DARKROOM_FRAME_INIT {sizeof(darkroom_frame)}
#else
#define DARKROOM_FRAME_INIT {.size = sizeof(darkroom_frame)}
#endif

/// Starts the delivery of frames.
///
/// @return 0, #DARKROOM_CAMERA_UNAVAILABLE or #DARKROOM_UNAVAILABLE without a camera, #DARKROOM_PERMISSION_DENIED, or another
///   negative code.
DARKROOM_API int darkroom_start_camera(darkroom_session *session, darkroom_delivery delivery);

/// Stops the delivery of frames.
DARKROOM_API int darkroom_stop_camera(darkroom_session *session);

/// Returns a view of the next frame without a copy: the newest frame, or with #DARKROOM_EVERY the one after the last.
///
/// The view is in use until the next call of darkroom_next(), darkroom_take_frame() or darkroom_finish_frame(). With
/// #DARKROOM_LATEST, the host can overwrite the frame meanwhile: call darkroom_frame_valid() after the use of the pixels,
/// and discard the result if that function returns false. The functions of the library do so themselves.
///
/// @return 1 for a frame, 0 if no frame is available, or #DARKROOM_UNAVAILABLE if the camera was not started.
DARKROOM_API int darkroom_take_frame(darkroom_session *session, darkroom_frame *frame);

/// Returns whether all pixels read from the frame before this call were those of the frame. Always true for a copy.
DARKROOM_API bool darkroom_frame_valid(const darkroom_frame *frame);

/// Finishes the use of the frame of darkroom_take_frame() early, so that the source can continue.
DARKROOM_API int darkroom_finish_frame(darkroom_session *session);

/// Copies a frame into memory of the process, to be freed with darkroom_free_frame().
///
/// @return 0, #DARKROOM_OVERWRITTEN or #DARKROOM_SYSTEM_ERROR (no memory).
DARKROOM_API int darkroom_copy_frame(const darkroom_frame *frame, darkroom_frame *copy);

/// Frees a copy of a frame. A view is only cleared.
DARKROOM_API void darkroom_free_frame(darkroom_frame *copy);

/// A setting of the camera. Valid only during the call of the function that receives it.
typedef struct darkroom_setting {
  /// The size of the structure in bytes.
  size_t size;
  /// The name, for example `zoom`; the protocol document has all names and units.
  const char *name;
  /// The range, the step between values, the default value and the current value.
  int64_t minimum, maximum, step, default_value, value;
  /// Whether the value can be set now.
  bool adjustable;
  /// All values if they are not `step` apart, and their number; otherwise NULL and 0.
  const int64_t *values;
  size_t value_count;
} darkroom_setting;

/// Receives a setting. A nonzero result ends the enumeration.
typedef int darkroom_setting_function(const darkroom_setting *setting, void *context);

/// Calls a function for each setting of the running camera.
///
/// @return 0, the nonzero result of the function, or a negative code.
DARKROOM_API int darkroom_camera_settings(darkroom_session *session, darkroom_setting_function *function,
                                          void *context);

/// Changes a setting of the camera. The camera may need seconds.
///
/// @param result Receives the resulting value, which the driver may have rounded; may be NULL.
DARKROOM_API int darkroom_set_camera(darkroom_session *session, const char *name, int64_t value, int64_t *result);

// MARK: Viewfinder

/// A frame of the viewfinder while the extension draws it. The format is that of #darkroom_frame, with the camera's size.
typedef struct darkroom_canvas {
  /// The size of the structure in bytes.
  size_t size;
  /// The time of the camera's frame from which this one is drawn; darkroom_begin_drawing() sets the current time.
  uint64_t timestamp;
  /// Pixels per row, and rows.
  uint32_t width, height;
  /// The planes: the first byte, the distance between rows, bytes per row, and rows.
  uint8_t *plane[3];
  uint32_t stride[3], row_bytes[3], rows[3];
  /// Internal: the number of the frame.
  uint64_t number;
} darkroom_canvas;

/// The initial value of a #darkroom_canvas.
#ifdef __cplusplus
#define DARKROOM_CANVAS_INIT {sizeof(darkroom_canvas)}
#else
#define DARKROOM_CANVAS_INIT {.size = sizeof(darkroom_canvas)}
#endif

/// Shows a frame of the camera in the viewfinder.
///
/// @return 0, #DARKROOM_OVERWRITTEN (not shown; present the next frame), or #DARKROOM_UNAVAILABLE without a viewfinder.
DARKROOM_API int darkroom_present(darkroom_session *session, const darkroom_frame *frame);

/// Starts a frame of the viewfinder. The planes have undefined contents. Only one frame can be drawn at a time.
///
/// @return 0, or #DARKROOM_UNAVAILABLE without a viewfinder.
DARKROOM_API int darkroom_begin_drawing(darkroom_session *session, darkroom_canvas *canvas);

/// Shows the drawn frame. To discard a frame instead, call darkroom_begin_drawing() again.
DARKROOM_API int darkroom_end_drawing(darkroom_session *session, const darkroom_canvas *canvas);

/// Notifies the host that a frame of the camera was shown by other means than the viewfinder's ring.
DARKROOM_API int darkroom_presented(darkroom_session *session, uint64_t sequence);

// MARK: Images

/// Encodes a frame as a baseline JPEG file (JFIF, 4:2:0).
///
/// The encoder is part of the library, so that an extension needs no file of the host. It encodes about 50 megapixels per
/// second; for films, pass the planes to libjpeg-turbo.
///
/// @param quality From 1 (smallest file) to 100 (best image).
/// @param bytes Receives the file, to be freed with free(3).
/// @return 0, #DARKROOM_OVERWRITTEN, #DARKROOM_INVALID, #DARKROOM_TOO_LARGE or #DARKROOM_SYSTEM_ERROR (no memory).
DARKROOM_API int darkroom_encode_jpeg(const darkroom_frame *frame, int quality, uint8_t **bytes, size_t *length);

/// Encodes a frame as a PNG file (8 bits of red, green and blue). Otherwise like darkroom_encode_jpeg().
DARKROOM_API int darkroom_encode_png(const darkroom_frame *frame, uint8_t **bytes, size_t *length);

/// Encodes a frame as JPEG and saves it. The file appears complete or not at all.
///
/// @param path Relative to the session directory, or absolute. The file `path.part` exists until the image is complete.
/// @return 0, or a code of darkroom_encode_jpeg(). #DARKROOM_SYSTEM_ERROR with errno `EFBIG` or `ENOSPC`: no space.
DARKROOM_API int darkroom_save_jpeg(darkroom_session *session, const darkroom_frame *frame, const char *path,
                                    int quality);

/// Encodes a frame as PNG and saves it, like darkroom_save_jpeg().
DARKROOM_API int darkroom_save_png(darkroom_session *session, const darkroom_frame *frame, const char *path);

/// Saves bytes as a file that appears complete or not at all; `path` as for darkroom_save_jpeg().
DARKROOM_API int darkroom_save(darkroom_session *session, const char *path, const void *bytes, size_t length);

// MARK: Capture events

/// Subscribes to capture events.
///
/// @param default_sound_disabled Whether the extension plays the sound of remote buttons with darkroom_play_sound().
DARKROOM_API int darkroom_subscribe(darkroom_session *session, bool default_sound_disabled);

/// Unsubscribes from capture events: the buttons have their usual functions again.
DARKROOM_API int darkroom_unsubscribe(darkroom_session *session);

/// Subscribes to changes of contacts with the viewfinder (#DARKROOM_POINTER) until the end of the session.
///
/// The host sends them only while the session is in the foreground. The start and the end of a contact are interactions of
/// the user, which darkroom_open_application() requires.
///
/// @return 0, or a negative code. A host of an earlier release refuses the request, and sends no contacts.
DARKROOM_API int darkroom_subscribe_pointer(darkroom_session *session);

/// Plays a sound for a capture event.
///
/// @param event The event's `id`.
/// @param sound `cameraShutter`, `beginVideoRecording` or `endVideoRecording`; NULL if `path` is present.
/// @param path A WAV file, relative to the extension's directory; may be NULL.
/// @return 1 if the playback has started, 0 if not, or a negative code.
DARKROOM_API int darkroom_play_sound(darkroom_session *session, int64_t event, const char *sound, const char *path);

// MARK: App context

/// Queries the current app context.
///
/// @return Compact JSON (`null` for none), valid until the next call with the session, or NULL on failure.
DARKROOM_API const char *darkroom_get_context(darkroom_session *session);

/// Replaces the app context; `null` clears it.
///
/// @param json The new context, at most 4096 bytes as compact JSON.
DARKROOM_API int darkroom_set_context(darkroom_session *session, const char *json);

/// Replaces the app context if the stored context equals `expected`, in one atomic operation.
///
/// @param expected The expected context exactly as the host has sent it, or `null` for none.
/// @return 0, or #DARKROOM_CONTEXT_CHANGED: darkroom_last_error_data() is the stored context.
DARKROOM_API int darkroom_exchange_context(darkroom_session *session, const char *json, const char *expected);

/// Reads a string of a JSON text.
///
/// @param path The names of members and the indexes of elements, separated by dots: `camera.modes.0`. Empty: the text.
/// @return 0, #DARKROOM_INVALID if there is no such string, or #DARKROOM_TOO_LARGE if the buffer is too small.
DARKROOM_API int darkroom_json_string(const char *json, const char *path, char *buffer, size_t size);

/// Reads a number of a JSON text. Returns 0, or #DARKROOM_INVALID if there is no such number.
DARKROOM_API int darkroom_json_number(const char *json, const char *path, double *value);

/// Reads a Boolean of a JSON text. Returns 0, or #DARKROOM_INVALID if there is no such Boolean.
DARKROOM_API int darkroom_json_boolean(const char *json, const char *path, bool *value);

// MARK: Session

/// Ends the session, like a dismissal by the user. #DARKROOM_DISMISSAL follows.
DARKROOM_API int darkroom_dismiss(darkroom_session *session);

/// Data with which the app continues. Only `activity_type` is required; the other members may be NULL.
typedef struct darkroom_activity {
  /// The size of the structure in bytes.
  size_t size;
  const char *activity_type, *title;
  /// A JSON object; the protocol document has its types.
  const char *user_info;
  const char *target_content_identifier, *webpage_url;
  /// The keys of `user_info` that the app requires, and their number.
  const char *const *required_keys;
  size_t required_key_count;
} darkroom_activity;

/// The initial value of a #darkroom_activity.
#ifdef __cplusplus
#define DARKROOM_ACTIVITY_INIT {sizeof(darkroom_activity)}
#else
#define DARKROOM_ACTIVITY_INIT {.size = sizeof(darkroom_activity)}
#endif

/// Opens the app that owns the captures. Waits while the user authenticates. After success, #DARKROOM_DISMISSAL follows.
///
/// @return 0, #DARKROOM_APPLICATION_NOT_FOUND, #DARKROOM_AUTHENTICATION_FAILED, #DARKROOM_INTERACTION_REQUIRED,
///   #DARKROOM_BUSY, #DARKROOM_NOT_IN_SESSION, or another negative code.
DARKROOM_API int darkroom_open_application(darkroom_session *session, const darkroom_activity *activity);

/// Erases the content of the session directory as of this call.
///
/// @param files, bytes Receive the number of erased files and bytes; may be NULL.
DARKROOM_API int darkroom_invalidate_content(darkroom_session *session, int64_t *files, int64_t *bytes);

/// Begins an activity that should finish before the session ends, such as finalizing a video.
///
/// @param reason A description for the user.
/// @param name Receives the activity's name for darkroom_end_activity().
DARKROOM_API int darkroom_begin_activity(darkroom_session *session, const char *reason, char *name, size_t size);

/// Ends an activity.
DARKROOM_API int darkroom_end_activity(darkroom_session *session, const char *name);

/// The level of a line in the session's log.
typedef enum darkroom_log_level {
  DARKROOM_LOG_DEBUG = 0,
  DARKROOM_LOG_INFO,
  DARKROOM_LOG_NOTICE,
  DARKROOM_LOG_ERROR
} darkroom_log_level;

/// Adds a line to the session's log, at most 4095 bytes. `format` is that of printf(3).
DARKROOM_API int darkroom_log(darkroom_session *session, darkroom_log_level level, const char *format, ...)
    DARKROOM_PRINTF(3, 4);

// MARK: Photo library

/// A level of access to the photo library.
typedef enum darkroom_photo_access { DARKROOM_ADD_ONLY = 0, DARKROOM_READ_WRITE = 1 } darkroom_photo_access;

/// A media type of an asset.
typedef enum darkroom_media_type {
  DARKROOM_IMAGE = 1,
  DARKROOM_VIDEO,
  DARKROOM_AUDIO,
  DARKROOM_OTHER_MEDIA
} darkroom_media_type;

/// An asset of the photo library. Valid only during the call of the function that receives it.
typedef struct darkroom_asset {
  /// The size of the structure in bytes.
  size_t size;
  /// The permanent ID, and the title for the user.
  const char *id, *title;
  /// A #darkroom_media_type.
  int media_type;
  /// Whether this session has added the asset.
  bool own_session;
  /// The size of the file, and the creation time in milliseconds since 1970.
  int64_t bytes, created_at;
  /// The UUID of the session that added the asset, or NULL.
  const char *session;
} darkroom_asset;

/// A file to add to the photo library. Only `path` is required.
typedef struct darkroom_new_photo {
  /// The size of the structure in bytes.
  size_t size;
  /// The file, relative to the session directory.
  const char *path;
  /// The title for the user; NULL for the file's name.
  const char *title;
  /// A #darkroom_media_type; 0 detects the type.
  int media_type;
  /// Whether the file is moved out of the session directory.
  bool move;
  /// The creation time in milliseconds since 1970; 0 for the current time.
  int64_t created_at;
} darkroom_new_photo;

/// The initial value of a #darkroom_new_photo.
#ifdef __cplusplus
#define DARKROOM_NEW_PHOTO_INIT {sizeof(darkroom_new_photo)}
#else
#define DARKROOM_NEW_PHOTO_INIT {.size = sizeof(darkroom_new_photo)}
#endif

/// Receives an asset. A nonzero result ends the enumeration.
typedef int darkroom_asset_function(const darkroom_asset *asset, void *context);

/// Returns the permission for the photo library (a #darkroom_permission) without prompting the user, or a negative code.
DARKROOM_API int darkroom_photo_permission(darkroom_session *session, darkroom_photo_access access);

/// Adds a file of the session directory to the photo library.
///
/// @param id Receives the ID of the asset; may be NULL if `id_size` is 0.
/// @return 0, #DARKROOM_PERMISSION_DENIED, #DARKROOM_INVALID_FILE, #DARKROOM_NO_SPACE, or another negative code.
DARKROOM_API int darkroom_add_photo(darkroom_session *session, const darkroom_new_photo *photo, char *id,
                                    size_t id_size);

/// Calls a function for each readable asset, newest first.
///
/// @return 0, the nonzero result of the function, or a negative code.
DARKROOM_API int darkroom_list_photos(darkroom_session *session, darkroom_asset_function *function, void *context);

/// Exposes the file of an asset below `library_directory`, and returns its path in `path`.
DARKROOM_API int darkroom_open_photo(darkroom_session *session, const char *id, char *path, size_t size);

/// Deletes an asset.
DARKROOM_API int darkroom_delete_photo(darkroom_session *session, const char *id);

// MARK: Camera controls

/// A camera control that the user can adjust: a slider, or a picker if `titles` is not NULL.
typedef struct darkroom_control {
  /// The size of the structure in bytes.
  size_t size;
  /// 1 to 64 ASCII letters, digits, dots, hyphens and underscores.
  const char *id;
  /// The title for the user, and the name of the symbol (may be NULL).
  const char *title, *symbol;
  /// Whether the user cannot change the value.
  bool disabled;
  /// The current value; for a picker, the index of the title.
  double value;
  /// The titles of a picker, and their number.
  const char *const *titles;
  size_t title_count;
  /// The range of a slider, and the step between values (0: continuous). Ignored if `values` is not NULL.
  double minimum, maximum, step;
  /// All values of a slider in ascending order, and their number; NULL for a range.
  const double *values;
  size_t value_count;
  /// The values of a slider that are easier to select, and their number.
  const double *prominent;
  size_t prominent_count;
  /// The display format of a slider's value, with exactly one `%@`; may be NULL.
  const char *format;
} darkroom_control;

/// The initial value of a #darkroom_control.
#ifdef __cplusplus
#define DARKROOM_CONTROL_INIT {sizeof(darkroom_control)}
#else
#define DARKROOM_CONTROL_INIT {.size = sizeof(darkroom_control)}
#endif

/// Declares the camera controls, and replaces the previous declaration.
///
/// @param controls An array whose elements all have the same `size`; may be NULL if `count` is 0.
/// @return The number of the declaration (`revision` of events), at least 0, or a negative code:
///   #DARKROOM_INVALID_CONTROLS; the previous controls remain.
DARKROOM_API int darkroom_declare_controls(darkroom_session *session, const darkroom_control *controls, size_t count);

// MARK: Microphone

/// A block of sound: interleaved signed 16-bit samples. The samples are valid until the next darkroom_read_sound().
typedef struct darkroom_sound {
  /// The size of the structure in bytes.
  size_t size;
  /// The samples: `frames` times `channels`.
  const int16_t *samples;
  uint32_t frames, channels, sample_rate;
  /// The recording time of the first sample.
  uint64_t timestamp;
  /// The number of frames that the microphone recorded before this block, and the number lost directly before it.
  uint64_t position, lost;
} darkroom_sound;

/// The initial value of a #darkroom_sound.
#ifdef __cplusplus
#define DARKROOM_SOUND_INIT {sizeof(darkroom_sound)}
#else
#define DARKROOM_SOUND_INIT {.size = sizeof(darkroom_sound)}
#endif

/// Starts the delivery of sound.
///
/// @return 0, #DARKROOM_MICROPHONE_UNAVAILABLE or #DARKROOM_UNAVAILABLE without a microphone, #DARKROOM_PERMISSION_DENIED,
///   or another negative code.
DARKROOM_API int darkroom_start_microphone(darkroom_session *session, darkroom_delivery delivery);

/// Stops the delivery of sound.
DARKROOM_API int darkroom_stop_microphone(darkroom_session *session);

/// Copies the next block of sound out of the ring.
///
/// @return 1 for a block, 0 if no block is available, or #DARKROOM_UNAVAILABLE without a microphone.
DARKROOM_API int darkroom_read_sound(darkroom_session *session, darkroom_sound *sound);

// MARK: Other messages

/// Sends a request of any method, and waits for the reply.
///
/// @param params A JSON object.
/// @param result Receives the result as JSON, valid until the next request; may be NULL.
DARKROOM_API int darkroom_request(darkroom_session *session, const char *method, const char *params,
                                  const char **result);

/// Sends a notification of any method; `params` is a JSON object.
DARKROOM_API int darkroom_notify(darkroom_session *session, const char *method, const char *params);

#ifdef __cplusplus
}
#endif

#endif
