// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// The host's descriptors, or -1 if there is no host.
struct host {
  int in;
  int out;
  /// The descriptors of the frames and of the viewfinder, or -1 without a camera.
  int frames, frame_event, frame_done, preview, preview_event;
  /// Whether the program ends when it is asked to.
  bool obeys;
  /// Whether its dismissal came while it was waiting for something else.
  bool dismissed;
};

/// The longest line of the protocol, without its newline.
#define MESSAGE_BYTES 65536

/// Carries one order out; false if nobody knows it.
bool carry_out(struct host *host, const char *order);

/// Orders about processes: crash, exit, sleep, hang, spin, ignore-sigterm, fork, fork-outlive, memory, descriptors.
bool order_process(struct host *host, const char *order, const char *value);

/// Orders about the protocol: dismiss, flood, protocol.
bool order_protocol(struct host *host, const char *order, const char *value);

/// Orders about what a session can be asked for: open-application, activity, preview, camera, subscribe, ….
bool order_session(struct host *host, const char *order, const char *value);

/// Orders about the photo library: photos, photos-add, photos-open, …, library, film.
bool order_photos(struct host *host, const char *order, const char *value);

/// Orders about camera controls: controls.
bool order_controls(struct host *host, const char *order, const char *value);

/// Sends a request and gives its id.
int ask(struct host *host, const char *method, const char *parameters);

/// Waits for the answer to a request and gives its result or its error; NULL at the end. The next answer replaces it.
const char *await_answer(struct host *host, int id);

/// `call=`: makes a call that the sandbox forbids.
bool order_call(const char *name);

/// `leave=`: leaves something odd in the session directory.
bool order_leave(const char *name);

/// `bomb=`: takes more and more of something and never ends by itself.
bool order_bomb(const char *name);

/// `linger=`: how many seconds bombs that end keep what they took.
bool order_linger(const char *seconds);

/// `fill-names=`: makes empty files until it is refused.
bool order_fill_names(const char *place);

/// `fill=`: writes until it is refused.
bool order_fill(const char *place);

/// Finds the host's descriptors.
struct host find_host(void);

/// Reads a line without its newline; false at the end.
bool read_line(int descriptor, char *line, size_t size);

/// Writes all bytes, or ends the program if nobody reads them.
void write_all(int descriptor, const void *bytes, size_t count);

/// Writes one line of the protocol.
void send_line(struct host *host, const char *line);

/// Writes a line about what an order has found out: `order=value: result`.
void report(const char *order, const char *value, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// The name of an error, or `ok` for a result that is not negative.
const char *outcome(long result);

/// The session directory.
const char *session_directory(void);
