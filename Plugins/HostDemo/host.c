// SPDX-License-Identifier: Apache-2.0
//
// Launches an extension, saves the first frame of its viewfinder, presses the shutter, and prints the captured files.
// usage: host EXTENSION PICTURE.png [BUNDLE]
#include <stdio.h>

#include "darkroom-host.h"

/// Presses the shutter when the extension accepts presses, and dismisses the session after a second without events.
static int run(darkroom_host *host, darkroom_hosted_session *session, const char *picture) {
  darkroom_host_event event = DARKROOM_HOST_EVENT_INIT;
  darkroom_frame frame = DARKROOM_FRAME_INIT;
  int timeout = -1, result;
  bool is_pressed = false;
  while ((result = darkroom_host_next(host, &event, timeout)) >= 0) {
    if (result == 0) {
      timeout = -1;
      result = darkroom_hosted_dismiss(session);
    } else if (event.type == DARKROOM_HOST_FINISHED) {
      return 0;
    } else if (event.type == DARKROOM_HOST_REFUSED) {
      printf("refused: %s\n", event.refusal->sentence);
    } else if (event.type == DARKROOM_HOST_ACCEPTS_PRESSES && event.accepts && !is_pressed) {
      timeout = 1000, is_pressed = true;
      result = darkroom_hosted_take_frame(session, &frame, -1);
      if (result > 0) result = darkroom_host_save_png(host, &frame, picture);
      if (result == 0) printf("viewfinder: %ux%u\n", frame.width, frame.height);
      if (result == 0) result = darkroom_hosted_press(session, DARKROOM_PRIMARY, DARKROOM_HOST_PRESS_TAP);
    }
    if (result < 0) return result;
  }
  return result;
}

static int capture(darkroom_host *host, char **words) {
  const darkroom_host_result *result;
  darkroom_host_launch_options options = DARKROOM_HOST_LAUNCH_OPTIONS_INIT;
  options.camera = "pattern:320x240@30";
  if (words[3] != NULL && darkroom_host_install(host, words[3], NULL) < 0) return -1;
  darkroom_hosted_session *session = darkroom_host_launch(host, words[1], &options);
  if (session == NULL || run(host, session, words[2]) < 0 || darkroom_hosted_wait(session, -1, &result) < 0) return -1;
  printf("%s\n", result->summary);
  for (const darkroom_host_file *file = result->files; file != NULL; file = file->next)
    printf("%s/%s: %lld bytes\n", result->content, file->path, (long long)file->bytes);
  return 0;
}

int main(int count, char **words) {
  darkroom_error error = DARKROOM_ERROR_INIT;
  darkroom_host_options options = DARKROOM_HOST_OPTIONS_INIT;
  options.start = true;
  if (count < 3) return fprintf(stderr, "usage: host EXTENSION PICTURE.png [BUNDLE]\n"), 64;
  darkroom_host *host = darkroom_host_open(&options, &error);
  if (host == NULL) return fprintf(stderr, "host: %s\n", error.text), 1;
  int result = capture(host, words);
  if (result < 0) fprintf(stderr, "host: %s\n", darkroom_host_last_error(host)->text);
  darkroom_host_close(host);
  return result < 0 ? 1 : 0;
}
