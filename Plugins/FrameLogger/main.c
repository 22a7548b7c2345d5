// SPDX-License-Identifier: Apache-2.0
//
// Logs the brightness of each frame and saves a picture at each press of the shutter button. It uses the
// protocol without the library.
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "messages.h"
#include "ring.h"

/// The only version of the protocol that this program supports.
#define PROTOCOL_VERSION 1

/// The IDs of this program's requests.
enum { START_CAMERA = 1, SUBSCRIBE = 2 };

/// The state of the session.
struct session {
  struct descriptors descriptors;
  struct inbox inbox;
  struct ring ring;
  struct frame frame;
  char directory[4096];
  FILE *log;
  /// The last frame that this program has finished with.
  uint64_t last;
  unsigned captures;
  /// The number of shutter presses before the first frame.
  unsigned pending;
  bool ended;
};

/// Writes a message to the session log.
static void log_message(const struct session *session, const char *level, const char *sentence) {
  send_message(session->descriptors.host_out,
               "{\"jsonrpc\":\"2.0\",\"method\":\"log\",\"params\":{\"level\":\"%s\",\"message\":\"%s\"}}", level,
               sentence);
}

/// Creates a file in the session content directory.
static FILE *create(const struct session *session, const char *name) {
  char path[4200];
  snprintf(path, sizeof path, "%s/%s", session->directory, name);
  FILE *file = fopen(path, "wx");
  if (file == NULL) fprintf(stderr, "FrameLogger: %s: %s\n", path, strerror(errno));
  return file;
}

/// Writes the Y plane of the newest frame as a picture (pgm(5)). A temporary name is used until the file is
/// complete.
static void capture(struct session *session) {
  char name[64], part[sizeof session->directory + 80], whole[sizeof session->directory + 80];
  snprintf(name, sizeof name, "capture-%u.pgm.part", session->captures + 1);
  snprintf(part, sizeof part, "%s/%s", session->directory, name);
  snprintf(whole, sizeof whole, "%.*s", (int)(strlen(part) - strlen(".part")), part);
  FILE *file = create(session, name);
  if (file == NULL) return;
  size_t size = (size_t)session->ring.width * session->ring.height;
  fprintf(file, "P5\n%u %u\n255\n", session->ring.width, session->ring.height);
  bool is_written = fwrite(session->frame.luma, 1, size, file) == size && ferror(file) == 0;
  is_written = fclose(file) == 0 && is_written;
  if (is_written && rename(part, whole) == 0) {
    session->captures++;
    return;
  }
  // There may be no space left.
  log_message(session, "error", "an image could not be written");
  unlink(part);
}

/// Maps the ring and starts the camera.
static void start_camera(struct session *session, struct json camera) {
  const char *problem;
  // In a session without a camera, this member is null and there is no descriptor.
  if (session->descriptors.frames < 0 || camera.length == 0 || camera.text[0] != '{') {
    log_message(session, "notice", "this session has no camera");
    return;
  }
  if (!map_ring(session->descriptors.frames, &session->ring, &problem)) {
    log_message(session, "error", problem);
    return;
  }
  session->frame.luma = malloc((size_t)session->ring.width * session->ring.height);
  if (session->frame.luma == NULL) return;
  session->log = create(session, "frames.csv");
  if (session->log == NULL) return;
  // Line buffering keeps the log complete if the process is killed.
  setvbuf(session->log, NULL, _IOLBF, 0);
  fputs("sequence,timestamp_ns,mean_luma,dropped\n", session->log);
  send_message(session->descriptors.host_out,
               "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"camera/start\",\"params\":{\"delivery\":\"latest\"}}",
               START_CAMERA);
}

/// Answers `session/start`.
static void start(struct session *session, struct json id, struct json parameters) {
  int out = session->descriptors.host_out;
  if (!json_has_integer(json_member(parameters, "protocolVersions"), PROTOCOL_VERSION) ||
      !json_copy_string(json_member(parameters, "sessionDirectory"), session->directory, sizeof session->directory)) {
    send_message(out,
                 "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":4004,\"message\":\"only version 1 is "
                 "supported\",\"data\":{\"spoken\":[1]}}}",
                 (int)id.length, id.text);
    session->ended = true;
    return;
  }
  send_message(out, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"result\":{\"protocolVersion\":1}}", (int)id.length, id.text);
  start_camera(session, json_member(parameters, "camera"));
  send_message(out, "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"capture/subscribe\",\"params\":{}}", SUBSCRIBE);
}

/// Saves a picture at the press of the primary button.
static void handle_event(struct session *session, struct json parameters) {
  if (!json_is_string(json_member(parameters, "button"), "primary")) return;
  if (!json_is_string(json_member(parameters, "phase"), "began")) return;
  if (session->frame.sequence > 0)
    capture(session);
  else
    session->pending++;
}

/// Handles a message from the host.
static void handle(struct json line, void *context) {
  struct session *session = context;
  struct json method = json_member(line, "method"), id = json_member(line, "id");
  struct json parameters = json_member(line, "params"), error = json_member(line, "error");
  if (method.text == NULL) {
    if (error.text != NULL) fprintf(stderr, "FrameLogger: the host refused a request: %.*s\n", (int)error.length, error.text);
  } else if (json_is_string(method, "session/start")) {
    start(session, id, parameters);
  } else if (json_is_string(method, "capture/event")) {
    handle_event(session, parameters);
  } else if (json_is_string(method, "session/willDismiss")) {
    session->ended = true;
  } else if (id.text != NULL) {
    send_message(session->descriptors.host_out,
                 "{\"jsonrpc\":\"2.0\",\"id\":%.*s,\"error\":{\"code\":-32601,\"message\":\"unknown method\"}}",
                 (int)id.length, id.text);
  }
}

/// Logs the frame that was copied last.
static void log_frame(struct session *session, uint64_t dropped) {
  size_t size = (size_t)session->ring.width * session->ring.height;
  uint64_t sum = 0;
  for (size_t index = 0; index < size; index++) sum += session->frame.luma[index];
  fprintf(session->log, "%" PRIu64 ",%" PRIu64 ",%.3f,%" PRIu64 "\n", session->frame.sequence,
          session->frame.timestamp, (double)sum / (double)size, dropped);
}

/// Processes the newest frame and reports the finished frames to the host.
static void process_frame(struct session *session) {
  uint64_t counter, newest;
  if (read(session->descriptors.frame_event, &counter, sizeof counter) != sizeof counter) return;
  if (session->log == NULL || (newest = newest_frame(&session->ring)) <= session->last) return;
  if (copy_frame(&session->ring, newest, &session->frame)) {
    log_frame(session, newest - session->last - 1);
    // The log is the display of this program; it reports a presented frame once a second.
    if (session->last == 0 || newest / 30 != session->last / 30) {
      send_message(session->descriptors.host_out,
                   "{\"jsonrpc\":\"2.0\",\"method\":\"viewfinder/presented\",\"params\":{\"frame\":%" PRIu64 "}}",
                   newest);
    }
    for (; session->pending > 0; session->pending--) capture(session);
  }
  uint64_t done = newest - session->last;
  session->last = newest;
  if (write(session->descriptors.frame_done, &done, sizeof done) < 0) perror("FrameLogger: frame-done");
}

int main(void) {
  static struct session session;
  // An exited host is detected by the end of host-in, not by a signal.
  signal(SIGPIPE, SIG_IGN);
  if (!find_descriptors(&session.descriptors)) {
    fputs("FrameLogger: this program must be started by a host; install it and use darkroom run\n", stderr);
    return 2;
  }
  // poll(2) skips negative descriptors, so the loop also works without a camera.
  struct pollfd watched[] = {
      {.fd = session.descriptors.host_in, .events = POLLIN},
      {.fd = session.descriptors.frame_event, .events = POLLIN},
  };
  while (!session.ended) {
    if (poll(watched, 2, -1) < 0) {
      if (errno == EINTR) continue;
      perror("FrameLogger: poll");
      return 1;
    }
    if (watched[1].revents & POLLIN) process_frame(&session);
    if (watched[0].revents != 0 && !read_messages(session.descriptors.host_in, &session.inbox, handle, &session)) break;
  }
  return session.log != NULL && fclose(session.log) != 0;
}
