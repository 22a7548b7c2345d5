// SPDX-License-Identifier: Apache-2.0
//
// An extension for the tests of the C library. Each scenario prints the results of the library to standard output, which
// host.py compares.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <unistd.h>

#include "darkroom.h"
#include "programs/mutation.h"
#include "programs/printing.h"

/// Prints a result, and the error of a failure.
static void report(darkroom_session *session, const char *name, int result) {
  if (result >= 0) {
    say("%s: %d", name, result);
    return;
  }
  const darkroom_error *error = darkroom_last_error(session);
  const char *data = darkroom_last_error_data(session);
  say("%s: %d %d %d '%s' %s", name, result, error->code == result, error->system_error, error->text,
      data == NULL ? "-" : data);
}

static void print_info(const darkroom_info *info) {
  say("session %s of %s, %s", text(info->session_id), text(info->app), text(info->extension));
  say("directories %s %s %s %s", text(info->session_directory), text(info->container_directory),
      text(info->library_directory), text(info->assets_directory));
  say("context %s", info->context);
  say("lock %d, permissions %d %d %d %d", info->lock_state, info->permissions.camera, info->permissions.microphone,
      info->permissions.photos, info->permissions.photos_add_only);
  say("deadlines %g %g %g", info->launch_deadline, info->dismissal_deadline, info->watchdog_deadline);
  say("camera %ux%u %u/%u '%s'", info->camera_width, info->camera_height, info->frame_rate_numerator,
      info->frame_rate_denominator, text(info->camera_name));
  say("scene %d %d, launch %d %s", info->phase, info->orientation, info->launch_surface, text(info->launch_control));
  say("controls %u, sound %u %u, viewfinder %d", info->camera_controls, info->sample_rate, info->channels,
      info->has_viewfinder);
}

static int print_setting(const darkroom_setting *setting, void *context) {
  say("setting %s %lld..%lld step %lld default %lld value %lld adjustable %d values %zu", setting->name,
      (long long)setting->minimum, (long long)setting->maximum, (long long)setting->step,
      (long long)setting->default_value, (long long)setting->value, setting->adjustable, setting->value_count);
  return ++*(int *)context == 3 ? 33 : 0;
}

static int print_asset(const darkroom_asset *asset, void *context) {
  say("asset %s '%s' type %d own %d bytes %lld at %lld by %s", asset->id, asset->title, asset->media_type,
      asset->own_session, (long long)asset->bytes, (long long)asset->created_at, text(asset->session));
  // A request of the function replaces the reply of the session.
  report(context, "delete", darkroom_delete_photo(context, asset->id));
  return 0;
}

static void declare_controls(darkroom_session *session) {
  static const double values[] = {1, 1.5, 2}, prominent[] = {1, 2};
  static const char *const titles[] = {"None", "Mono \"1\""};
  darkroom_control controls[3] = {DARKROOM_CONTROL_INIT, DARKROOM_CONTROL_INIT, DARKROOM_CONTROL_INIT};
  controls[0].id = "zoom", controls[0].title = "Zoom", controls[0].symbol = "plus", controls[0].value = 1.1;
  controls[0].minimum = 1, controls[0].maximum = 5, controls[0].step = 0.5, controls[0].format = "%@×";
  controls[0].prominent = prominent, controls[0].prominent_count = 2;
  controls[1].id = "speed", controls[1].title = "Speed", controls[1].values = values, controls[1].value_count = 3;
  controls[1].value = 1.5, controls[1].disabled = true;
  controls[2].id = "filter", controls[2].title = "Filter", controls[2].titles = titles, controls[2].title_count = 2;
  controls[2].value = 1;
  report(session, "declare", darkroom_declare_controls(session, controls, 3));
  report(session, "declare none", darkroom_declare_controls(session, NULL, 0));
  controls[2].size--;
  report(session, "declare sizes", darkroom_declare_controls(session, controls, 3));
}

static void request_content(darkroom_session *session) {
  darkroom_activity activity = DARKROOM_ACTIVITY_INIT;
  static const char *const keys[] = {"photo", "other"};
  char name[8];
  int64_t files = 0, bytes = 0;
  report(session, "application", darkroom_open_application(session, &activity));
  activity.activity_type = "edit", activity.title = "Edit \x01 \xff", activity.user_info = "{ \"photo\" : [1, \"a b\"] }";
  activity.target_content_identifier = "photo-1", activity.webpage_url = "https://example.org/";
  activity.required_keys = keys, activity.required_key_count = 2;
  report(session, "application", darkroom_open_application(session, &activity));
  report(session, "invalidate", darkroom_invalidate_content(session, &files, &bytes));
  say("invalidated %lld %lld", (long long)files, (long long)bytes);
  report(session, "activity", darkroom_begin_activity(session, "closing", name, sizeof name));
  report(session, "activity end", darkroom_end_activity(session, name));
  report(session, "activity long", darkroom_begin_activity(session, "closing", name, 2));
}

static void request_photos(darkroom_session *session) {
  darkroom_new_photo photo = DARKROOM_NEW_PHOTO_INIT;
  char id[16] = "", path[64];
  report(session, "permission", darkroom_photo_permission(session, DARKROOM_ADD_ONLY));
  report(session, "add nothing", darkroom_add_photo(session, &photo, NULL, 0));
  photo.path = "photo-1.jpg";
  report(session, "add", darkroom_add_photo(session, &photo, NULL, 0));
  photo.title = "Sunset", photo.media_type = DARKROOM_IMAGE, photo.move = true, photo.created_at = 1750000000000;
  report(session, "add", darkroom_add_photo(session, &photo, id, sizeof id));
  say("added %s", id);
  report(session, "list", darkroom_list_photos(session, print_asset, session));
  report(session, "open", darkroom_open_photo(session, "7", path, sizeof path));
  say("opened %s", path);
  report(session, "open long", darkroom_open_photo(session, "7", path, 4));
}

static void scenario_requests(darkroom_session *session) {
  int64_t value = 0;
  int settings = 0;
  const char *result = NULL;
  print_info(darkroom_get_info(session));
  report(session, "subscribe", darkroom_subscribe(session, false));
  report(session, "subscribe", darkroom_subscribe(session, true));
  report(session, "unsubscribe", darkroom_unsubscribe(session));
  report(session, "sound", darkroom_play_sound(session, 1, "cameraShutter", "click.wav"));
  report(session, "sound", darkroom_play_sound(session, 2, NULL, "click.wav"));
  say("context %s", text(darkroom_get_context(session)));
  say("context %s", text(darkroom_get_context(session)));
  report(session, "set", darkroom_set_context(session, " { \"a\\\"\" : [ 1 , \"b  c\" ] }\n"));
  report(session, "set", darkroom_set_context(session, "{oops}"));
  report(session, "exchange", darkroom_exchange_context(session, "2", "{\"a\":1}"));
  report(session, "exchange", darkroom_exchange_context(session, "2", NULL));
  report(session, "settings", darkroom_camera_settings(session, print_setting, &settings));
  report(session, "camera set", darkroom_set_camera(session, "zoom", 205, &value));
  say("zoom %lld", (long long)value);
  request_content(session);
  request_photos(session);
  declare_controls(session);
  report(session, "shown", darkroom_presented(session, 17));
  report(session, "log", darkroom_log(session, DARKROOM_LOG_ERROR, "%s %d", "a\n\"b\"", 7));
  report(session, "other", darkroom_request(session, "later/method", "{\"x\": 1.50}", &result));
  say("other %s", text(result));
  report(session, "other", darkroom_request(session, "later/method", "[]", &result));
  report(session, "notify", darkroom_notify(session, "later/note", NULL));
  report(session, "dismiss", darkroom_dismiss(session));
}

static void scenario_events(darkroom_session *session) {
  darkroom_event event = DARKROOM_EVENT_INIT;
  int result;
  struct pollfd watched = {.fd = darkroom_descriptor(session), .events = POLLIN};
  report(session, "none", darkroom_next(session, &event, 0));
  say("ready");
  say("poll %d", poll(&watched, 1, 20000));
  while ((result = darkroom_next(session, &event, 20000)) > 0) {
    const darkroom_info *info = darkroom_get_info(session);
    if (event.type == DARKROOM_POINTER) {
      say("%s: phase %d contact %d at %g %g, %llu", event.method, event.phase, event.contact, event.x, event.y,
          (unsigned long long)event.timestamp);
      continue;
    }
    say("%d %s: button %d %d id %lld reason %d seconds %g rate %u/%u missing %u control %s=%g@%lld appearance %d room %d "
        "%lld %lld message %s | context %s lock %d camera %d add %d scene %d %d",
        event.type, event.method, event.button, event.source, (long long)event.id, event.reason, event.seconds,
        event.frame_rate_numerator, event.frame_rate_denominator, event.missing, text(event.control), event.value,
        (long long)event.revision, event.appearance, event.room, (long long)event.bytes, (long long)event.files,
        text(event.message), info->context, info->lock_state, info->permissions.camera,
        info->permissions.photos_add_only, info->phase, info->orientation);
  }
  report(session, "end", result);
  report(session, "end", darkroom_next(session, &event, -1));
}

/// Prints a frame, and the sum of the bytes of each plane.
static void print_frame(const darkroom_frame *frame) {
  unsigned sums[3] = {0, 0, 0};
  for (int plane = 0; plane < 3; plane++)
    for (uint32_t row = 0; row < frame->rows[plane]; row++)
      for (uint32_t column = 0; column < frame->row_bytes[plane]; column++)
        sums[plane] += frame->plane[plane][(size_t)row * frame->stride[plane] + column];
  say("frame %llu %ux%u dropped %llu sums %u %u %u valid %d", (unsigned long long)frame->sequence, frame->width,
      frame->height, (unsigned long long)frame->dropped, sums[0], sums[1], sums[2], darkroom_frame_valid(frame));
}

static void scenario_frames(darkroom_session *session) {
  darkroom_event event = DARKROOM_EVENT_INIT;
  darkroom_frame frame = DARKROOM_FRAME_INIT, copy = DARKROOM_FRAME_INIT;
  char line[64];
  report(session, "early", darkroom_take_frame(session, &frame));
  report(session, "start", darkroom_start_camera(session, DARKROOM_LATEST));
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = 0;
    if (strcmp(line, "next") == 0) {
      int result = darkroom_next(session, &event, 0);
      say("next %d %d", result, result > 0 ? event.type : 0);
    } else if (strcmp(line, "take") == 0) {
      int result = darkroom_take_frame(session, &frame);
      if (result == 1) print_frame(&frame);
      if (result != 1) report(session, "take", result);
    } else if (strcmp(line, "valid") == 0) {
      say("valid %d", darkroom_frame_valid(&frame));
    } else if (strcmp(line, "copy") == 0) {
      say("copy %d", darkroom_copy_frame(&frame, &copy));
      if (copy.plane[0] != NULL) print_frame(&copy);
    } else if (strcmp(line, "free") == 0) {
      darkroom_free_frame(&copy);
      say("freed %d", copy.plane[0] == NULL);
    } else if (strcmp(line, "present") == 0) {
      report(session, "present", darkroom_present(session, &frame));
    } else if (strcmp(line, "draw") == 0) {
      darkroom_canvas canvas = DARKROOM_CANVAS_INIT;
      report(session, "begin", darkroom_begin_drawing(session, &canvas));
      for (int plane = 0; plane < 3; plane++)
        for (uint32_t row = 0; row < canvas.rows[plane]; row++)
          memset(canvas.plane[plane] + (size_t)row * canvas.stride[plane], 10 + plane, canvas.row_bytes[plane]);
      report(session, "end", darkroom_end_drawing(session, &canvas));
    } else if (strcmp(line, "save") == 0) {
      report(session, "jpeg", darkroom_save_jpeg(session, &frame, "a.jpg", 100));
      report(session, "png", darkroom_save_png(session, &frame, "a.png"));
    } else if (strcmp(line, "save badly") == 0) {
      report(session, "quality", darkroom_save_jpeg(session, &frame, "b.jpg", 0));
      report(session, "path", darkroom_save_png(session, &frame, "none/b.png"));
    } else if (strcmp(line, "finish") == 0) {
      report(session, "finish", darkroom_finish_frame(session));
    } else if (strcmp(line, "every") == 0) {
      report(session, "every", darkroom_start_camera(session, DARKROOM_EVERY));
    } else if (strcmp(line, "stop") == 0) {
      report(session, "stop", darkroom_stop_camera(session));
    }
  }
}

static void scenario_sound(darkroom_session *session) {
  darkroom_event event = DARKROOM_EVENT_INIT;
  darkroom_sound sound = DARKROOM_SOUND_INIT;
  char line[64];
  report(session, "start", darkroom_start_microphone(session, DARKROOM_LATEST));
  while (fgets(line, sizeof line, stdin) != NULL) {
    int result = darkroom_next(session, &event, 0);
    say("next %d %d", result, result > 0 ? event.type : 0);
    while ((result = darkroom_read_sound(session, &sound)) > 0)
      say("block at %llu frames %u of %u at %u first %d last %d lost %llu time %llu", (unsigned long long)sound.position,
          sound.frames, sound.channels, sound.sample_rate, sound.samples[0],
          sound.samples[sound.frames * sound.channels - 1], (unsigned long long)sound.lost,
          (unsigned long long)sound.timestamp);
    report(session, "read", result);
  }
}

static void scenario_errors(darkroom_session *session) {
  static char large[70000];
  darkroom_event event = DARKROOM_EVENT_INIT;
  darkroom_error small = DARKROOM_ERROR_INIT;
  report(session, "refused", darkroom_subscribe(session, false));
  report(session, "no data", darkroom_subscribe(session, false));
  report(session, "no code", darkroom_subscribe(session, false));
  report(session, "no result", darkroom_subscribe(session, false));
  darkroom_set_timeout(session, 50);
  report(session, "timeout", darkroom_subscribe(session, false));
  darkroom_set_timeout(session, -1);
  report(session, "after", darkroom_subscribe(session, false));
  memset(large, '[', 40);
  memset(large + 40, ']', 40);
  report(session, "deep", darkroom_set_context(session, large));
  memset(large, '[', 31);
  memset(large + 31, ']', 31);
  large[62] = 0;
  report(session, "too deep", darkroom_set_context(session, large));
  memset(large, ' ', sizeof large - 1);
  large[0] = '1';
  report(session, "spaces", darkroom_set_context(session, large));
  memset(large, 'x', sizeof large - 1);
  large[0] = large[sizeof large - 2] = '"';
  report(session, "large", darkroom_set_context(session, large));
  report(session, "camera", darkroom_start_camera(session, DARKROOM_LATEST));
  report(session, "microphone", darkroom_start_microphone(session, DARKROOM_LATEST));
  event.size = 8;
  report(session, "small", darkroom_next(session, &event, 0));
  report(session, "none", darkroom_next(session, NULL, 0));
  event.size = (size_t)-1;
  report(session, "garbage", darkroom_next(session, &event, 0));
  bool is_refused = darkroom_open(&small) == NULL;
  say("second %d %d '%s'", is_refused, small.code, small.text);
}

/// Continues after the host has closed both pipes.
static void scenario_closed(darkroom_session *session) {
  darkroom_event event = DARKROOM_EVENT_INIT;
  char line[8];
  if (fgets(line, sizeof line, stdin) == NULL) return;
  // SIGPIPE would end the process here.
  report(session, "log", darkroom_log(session, DARKROOM_LOG_INFO, "late"));
  report(session, "request", darkroom_subscribe(session, false));
  report(session, "next", darkroom_next(session, &event, -1));
}

static int scenario_json(void) {
  static const char json[] = " {\"a\":{\"b\":[1,\"x\\u00e9\\ud83d\\ude00\",true,-2.5e1,\"\\u0000\"]},\"c.d\":null} ";
  char buffer[16] = "", path[600];
  double number = 0;
  bool boolean = false;
  int length = darkroom_json_string(json, "a.b.1", buffer, sizeof buffer);
  say("%d %s", length, buffer);
  say("%d", darkroom_json_string(json, "a.b.1", buffer, 7));
  say("%d", darkroom_json_string(json, "a.b.4", buffer, sizeof buffer));
  say("%d", darkroom_json_string(json, "a.b.0", buffer, sizeof buffer));
  // The order in which arguments are evaluated is unspecified, so results are read before they are printed.
  int result = darkroom_json_number(json, "a.b.3", &number);
  say("%d %g", result, number);
  say("%d", darkroom_json_number(json, "a.b.2", &number));
  result = darkroom_json_boolean(json, "a.b.2", &boolean);
  say("%d %d", result, boolean);
  say("%d %d", darkroom_json_boolean(json, "a.b.9", &boolean), darkroom_json_boolean(json, "a.x.2", &boolean));
  say("%d %d", darkroom_json_number("1.5", "", &number), darkroom_json_number("1,5", "", &number));
  say("%d %d", darkroom_json_number("01", "", &number), darkroom_json_number(NULL, "", &number));
  memset(path, 'p', sizeof path - 1);
  path[sizeof path - 1] = 0;
  say("%d", darkroom_json_number(json, path, &number));
  return 0;
}

/// Prints the sizes of the structures, which only grow.
static int scenario_sizes(void) {
  say("size darkroom_activity %zu", sizeof(darkroom_activity));
  say("size darkroom_asset %zu", sizeof(darkroom_asset));
  say("size darkroom_canvas %zu", sizeof(darkroom_canvas));
  say("size darkroom_control %zu", sizeof(darkroom_control));
  say("size darkroom_error %zu", sizeof(darkroom_error));
  say("size darkroom_event %zu", sizeof(darkroom_event));
  say("size darkroom_frame %zu", sizeof(darkroom_frame));
  say("size darkroom_info %zu", sizeof(darkroom_info));
  say("size darkroom_new_photo %zu", sizeof(darkroom_new_photo));
  say("size darkroom_setting %zu", sizeof(darkroom_setting));
  say("size darkroom_sound %zu", sizeof(darkroom_sound));
  return 0;
}

// MARK: Fuzzing

static char *lines[256];
static size_t line_count;

/// Writes a line with mutations to the pipe of the host.
static void write_line(int pipe, const char *line, bool is_mutated) {
  static char bytes[65536];
  size_t length = strlen(line);
  memcpy(bytes, line, length);
  if (is_mutated) length = mutate(bytes, length, sizeof bytes - 2);
  bytes[length] = '\n';
  if (write(pipe, bytes, length + 1) < 0) perror("write");
}

static int ignore_asset(const darkroom_asset *asset, void *context) { return asset->id == NULL || context == NULL; }
static int ignore_setting(const darkroom_setting *setting, void *context) { return setting->name == NULL || context == NULL; }

/// Puts a ring with some invalid fields into a memory file.
static int make_ring(bool is_sound) {
  uint32_t header[36] = {0};
  int descriptor = memfd_create("ring", MFD_CLOEXEC);
  memcpy(header, is_sound ? "DKSR" : "DKFR", 4);
  header[1] = 1, header[2] = 4096, header[3] = 4, header[4] = 4096;
  header[5] = is_sound ? 48000 : 33, header[6] = is_sound ? 2 : 17, header[7] = 1, header[8] = is_sound ? 480 : 30;
  header[9] = 1, header[10] = 3;
  const uint32_t planes[12] = {64, 33, 17, 33, 640, 17, 9, 17, 832, 17, 9, 17};
  if (!is_sound) memcpy(header + 12, planes, sizeof planes);
  header[32] = (uint32_t)roll(9);
  if (roll(2) == 0) header[roll(33)] = roll(2) == 0 ? (uint32_t)state : (uint32_t)roll(5000);
  if (ftruncate(descriptor, 4096 * 5) != 0 || pwrite(descriptor, header, sizeof header, 0) < 0) abort();
  for (uint64_t slot = 0; slot < 4; slot++) {
    const uint64_t fields[5] = {roll(9), 1, 2, roll(3) * 480, roll(1000)};
    if (pwrite(descriptor, fields, sizeof fields, (off_t)(4096 + 4096 * slot)) < 0) abort();
  }
  return descriptor;
}

/// Uses every function that reads what the host wrote.
static void use(darkroom_session *session) {
  darkroom_event event = DARKROOM_EVENT_INIT;
  darkroom_frame frame = DARKROOM_FRAME_INIT;
  darkroom_sound sound = DARKROOM_SOUND_INIT;
  char name[32];
  darkroom_set_timeout(session, 0);
  darkroom_start_camera(session, roll(2) == 0 ? DARKROOM_LATEST : DARKROOM_EVERY);
  darkroom_start_microphone(session, DARKROOM_LATEST);
  darkroom_camera_settings(session, ignore_setting, session);
  darkroom_list_photos(session, ignore_asset, session);
  darkroom_begin_activity(session, "x", name, sizeof name);
  darkroom_get_context(session);
  for (int count = 0; count < 40 && darkroom_next(session, &event, 0) > 0; count++) {
    if (event.message != NULL && strlen(event.message) > 65536) abort();
    if (darkroom_take_frame(session, &frame) > 0) {
      darkroom_present(session, &frame);
      uint8_t *bytes;
      size_t length;
      if (darkroom_encode_jpeg(&frame, 1 + (int)roll(100), &bytes, &length) == 0) free(bytes);
    }
    while (darkroom_read_sound(session, &sound) > 0) continue;
  }
}

/// Opens sessions whose host sends the lines of a file with mutations.
static int fuzz(const char *file, unsigned rounds) {
  FILE *input = fopen(file, "r");
  static char line[65536];
  if (input == NULL) return 2;
  while (line_count < 256 && fgets(line, sizeof line, input) != NULL) {
    line[strcspn(line, "\n")] = 0;
    lines[line_count++] = strdup(line);
  }
  fclose(input);
  static const char names[] =
      "host-in:host-out:frames:frame-event:frame-done:preview:preview-event:sound:sound-event:sound-done";
  char process[16];
  snprintf(process, sizeof process, "%d", getpid());
  setenv("LISTEN_PID", process, 1);
  setenv("LISTEN_FDS", "10", 1);
  setenv("LISTEN_FDNAMES", names, 1);
  unsigned opened = 0;
  for (unsigned number = 0; number < rounds; number++) {
    state = (number + 1) * 0x9E3779B97F4A7C15;
    int pipes[2];
    // Numbers above those of the inherited descriptors.
    if (pipe2(pipes, O_CLOEXEC) != 0) return 2;
    int to = fcntl(pipes[1], F_DUPFD_CLOEXEC, 20), null = open("/dev/null", O_RDWR | O_CLOEXEC);
    fcntl(to, F_SETPIPE_SZ, 1 << 20);
    // epoll(7) does not accept /dev/null.
    int event = eventfd(1, EFD_CLOEXEC | EFD_NONBLOCK);
    int found[10] = {pipes[0], null, make_ring(false), event, null, make_ring(false), null, make_ring(true), event, null};
    for (int index = 0; index < 10; index++) found[index] = fcntl(found[index], F_DUPFD_CLOEXEC, 30);
    for (int closed = 3; closed < 20; closed++) close(closed);
    for (int index = 0; index < 10; index++) dup2(found[index], 3 + index), close(found[index]);
    // The first line of the file is session/start.
    write_line(to, lines[0], roll(4) == 0);
    for (int count = 0; count < 12; count++) write_line(to, lines[roll(line_count)], roll(4) != 0);
    close(to);
    darkroom_session *session = darkroom_open(NULL);
    if (session != NULL) {
      opened++;
      use(session);
      darkroom_close(session);
    } else {
      for (int closed = 3; closed < 13; closed++) close(closed);
    }
  }
  say("opened %d", opened > rounds / 10);
  return 0;
}

int main(int count, char **words) {
  if (count > 3 && strcmp(words[1], "fuzz") == 0) return fuzz(words[2], (unsigned)atoi(words[3]));
  const char *scenario = count > 1 ? words[1] : "";
  if (strcmp(scenario, "json") == 0) return scenario_json();
  if (strcmp(scenario, "sizes") == 0) return scenario_sizes();
  darkroom_error error = DARKROOM_ERROR_INIT;
  darkroom_session *session = darkroom_open(&error);
  if (session == NULL) {
    say("%d %d '%s'", error.code, error.system_error, error.text);
    return 1;
  }
  if (strcmp(scenario, "requests") == 0) scenario_requests(session);
  if (strcmp(scenario, "events") == 0) scenario_events(session);
  if (strcmp(scenario, "frames") == 0) scenario_frames(session);
  if (strcmp(scenario, "sound") == 0) scenario_sound(session);
  if (strcmp(scenario, "errors") == 0) scenario_errors(session);
  if (strcmp(scenario, "closed") == 0) scenario_closed(session);
  darkroom_close(session);
  return 0;
}
