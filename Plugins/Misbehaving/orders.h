// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// The descriptors of the host, or -1 if there is no host.
struct host {
  int in;
  int out;
  /// The descriptors of the frame ring and of the viewfinder, or -1 without a camera.
  int frames, frame_event, frame_done, preview, preview_event;
  /// Whether the process exits when it is dismissed.
  bool obeys;
  /// Whether the dismissal arrived while the process waited for another message.
  bool dismissed;
};

/// The maximum length of a line of the protocol, without its newline.
#define MESSAGE_BYTES 65536

/// Runs a command. Returns false if it is unknown.
bool carry_out(struct host *host, const char *order);

/// Runs a process command: crash, exit, sleep, hang, spin, ignore-sigterm, fork, fork-outlive, memory,
/// descriptors.
bool order_process(struct host *host, const char *order, const char *value);

/// Runs a protocol command: dismiss, flood, protocol.
bool order_protocol(struct host *host, const char *order, const char *value);

/// Runs a session command: open-application, activity, preview, camera, subscribe, ….
bool order_session(struct host *host, const char *order, const char *value);

/// Runs a photo library command: photos, photos-add, photos-open, …, library, film.
bool order_photos(struct host *host, const char *order, const char *value);

/// Runs a camera control command: controls.
bool order_controls(struct host *host, const char *order, const char *value);

/// Sends a request and returns its ID.
int ask(struct host *host, const char *method, const char *parameters);

/// Waits for the reply to a request. Returns its result or error, or NULL at the end of the input. The next
/// reply overwrites the returned text.
const char *await_answer(struct host *host, int id);

/// `call=`: makes a call that the sandbox forbids.
bool order_call(const char *name);

/// `leave=`: leaves an unusual file in the session content directory.
bool order_leave(const char *name);

/// `bomb=`: takes more and more of a resource; most bombs never exit.
bool order_bomb(const char *name);

/// `linger=`: sets the time in seconds for which terminating bombs hold their resources.
bool order_linger(const char *seconds);

/// `fill-names=`: creates empty files until an error occurs.
bool order_fill_names(const char *place);

/// `fill=`: writes until an error occurs.
bool order_fill(const char *place);

/// Finds the descriptors of the host.
struct host find_host(void);

/// Reads a line without its newline. Returns false at the end of the input.
bool read_line(int descriptor, char *line, size_t size);

/// Writes all bytes, or exits if the pipe has no reader.
void write_all(int descriptor, const void *bytes, size_t count);

/// Writes a line of the protocol.
void send_line(struct host *host, const char *line);

/// Prints the result of a command: `order=value: result`.
void report(const char *order, const char *value, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// Returns the name of the current errno, or `ok` for a result that is not negative.
const char *outcome(long result);

/// Returns the session content directory.
const char *session_directory(void);
