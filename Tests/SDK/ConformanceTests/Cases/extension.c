// SPDX-License-Identifier: Apache-2.0
//
// The conformance extension in C. The extensions in the other languages do the same with their libraries.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "darkroom.h"

/// The state of the extension.
struct subject {
  darkroom_session *session;
  const darkroom_info *info;
  /// The lines of frames.txt, and the number of digests in the file.
  char digests[128];
  int digest_count, image_count;
  /// A copy of the newest frame, and the number of frames that the extension missed.
  darkroom_frame newest;
  unsigned long long dropped;
  bool needs_presentation, is_sound_disabled;
};

/// The names of the values of enumerations, from the value 1.
static const char *const permission_names[] = {"authorized", "denied", "notDetermined", "restricted", "limited"};
static const char *const lock_names[] = {"locked", "unlocked"};
static const char *const phase_names[] = {"active", "inactive", "background"};
static const char *const orientation_names[] = {"portrait", "portraitUpsideDown", "landscapeLeft", "landscapeRight"};
static const char *const surface_names[] = {"lockScreen", "elsewhere", "commandLine"};
static const char *const button_names[] = {"primary", "secondary"};
static const char *const pointer_phase_names[] = {"began", "moved", "ended", "cancelled"};
static const char *const media_names[] = {"image", "video", "audio", "other"};
static const char *const room_names[] = {"free", "low", "full"};
static const char *const room_reason_names[] = {"session", "app", "disk"};
static const char *const end_names[] = {"finished", "unplugged", "failed", "formatChanged"};
static const char *const appearance_names[] = {"inactive", "active", "fullscreen"};
static const char *const dismissal_names[] = {"person", "host",  "deadline", "lock", "applicationOpened", "idle",
                                              "powerKey"};

/// Returns the name of a value, or `unknown`.
#define NAME(names, value) name_of(names, sizeof names / sizeof *names, value)
static const char *name_of(const char *const *names, size_t count, int value) {
  return value >= 1 && (size_t)value <= count ? names[value - 1] : "unknown";
}

static const char *text_or_none(const char *text) { return text == NULL ? "none" : text; }

/// Adds a line to the log.
#define LOG(subject, ...) darkroom_log((subject)->session, DARKROOM_LOG_INFO, __VA_ARGS__)

/// Ends the program if a function of the library failed.
static int check(struct subject *subject, int result) {
  if (result >= 0) return result;
  const darkroom_error *error = darkroom_last_error(subject->session);
  LOG(subject, "failed: %d %s", error->code, error->text);
  exit(1);
}

/// Adds bytes to a digest: FNV-1a with 64 bits.
static uint64_t add_to_digest(uint64_t digest, const void *bytes, size_t length) {
  for (size_t index = 0; index < length; index++)
    digest = (digest ^ ((const uint8_t *)bytes)[index]) * UINT64_C(0x100000001b3);
  return digest;
}
static const uint64_t empty_digest = UINT64_C(0xcbf29ce484222325);

/// Logs an app context after a text.
static void log_context(struct subject *subject, const char *text, const char *context) {
  char flash[64];
  double count = 0;
  if (strcmp(context, "null") == 0) {
    LOG(subject, "%s: none", text);
    return;
  }
  check(subject, darkroom_json_string(context, "flash", flash, sizeof flash));
  check(subject, darkroom_json_number(context, "count", &count));
  LOG(subject, "%s: flash %s, count %g", text, flash, count);
}

static void log_permissions(struct subject *subject) {
  const darkroom_permissions *found = &subject->info->permissions;
  LOG(subject, "permissions: %s %s %s %s", NAME(permission_names, found->camera),
      NAME(permission_names, found->microphone), NAME(permission_names, found->photos),
      NAME(permission_names, found->photos_add_only));
}

static void log_scene(struct subject *subject) {
  LOG(subject, "%s %s", NAME(phase_names, subject->info->phase), NAME(orientation_names, subject->info->orientation));
}

/// Logs what the host has sent at the start.
static void describe_session(struct subject *subject) {
  const darkroom_info *info = subject->info;
  char watchdog[32] = "none", microphone[32] = "none";
  LOG(subject, "session %s", info->session_id);
  LOG(subject, "directories %s %s %s %s", info->session_directory, info->container_directory,
      info->extension_directory, text_or_none(info->assets_directory));
  log_context(subject, "context", info->context);
  LOG(subject, "%s", NAME(lock_names, info->lock_state));
  log_permissions(subject);
  log_scene(subject);
  if (info->watchdog_deadline >= 0) snprintf(watchdog, sizeof watchdog, "%g", info->watchdog_deadline);
  LOG(subject, "launched from %s by %s, watchdog %s", NAME(surface_names, info->launch_surface),
      text_or_none(info->launch_control), watchdog);
  if (info->sample_rate > 0) snprintf(microphone, sizeof microphone, "%u %u", info->sample_rate, info->channels);
  LOG(subject, "controls %u, microphone %s", info->camera_controls, microphone);
}

// Devices.

/// Writes the digests of the first three frames to a file.
static void add_frame_digest(struct subject *subject, const darkroom_frame *frame) {
  if (subject->digest_count == 3) return;
  uint64_t digest = empty_digest;
  for (int plane = 0; plane < 3; plane++)
    for (uint32_t row = 0; row < frame->rows[plane]; row++)
      digest = add_to_digest(digest, frame->plane[plane] + (size_t)row * frame->stride[plane], frame->row_bytes[plane]);
  size_t used = strlen(subject->digests);
  snprintf(subject->digests + used, sizeof subject->digests - used, "%llu %016llx\n",
           (unsigned long long)frame->sequence, (unsigned long long)digest);
  if (++subject->digest_count < 3) return;
  check(subject, darkroom_save(subject->session, "frames.txt", subject->digests, strlen(subject->digests)));
  LOG(subject, "wrote frames.txt");
}

static void receive_frame(struct subject *subject) {
  darkroom_frame frame = DARKROOM_FRAME_INIT;
  if (check(subject, darkroom_take_frame(subject->session, &frame)) == 0) return;
  subject->dropped += frame.dropped;
  LOG(subject, "frame %llu, dropped %llu", (unsigned long long)frame.sequence, (unsigned long long)frame.dropped);
  add_frame_digest(subject, &frame);
  darkroom_free_frame(&subject->newest);
  check(subject, darkroom_copy_frame(&frame, &subject->newest));
  if (subject->info->has_viewfinder)
    check(subject, darkroom_present(subject->session, &frame));
  else if (subject->needs_presentation)
    check(subject, darkroom_presented(subject->session, frame.sequence));
  subject->needs_presentation = false;
}

static void receive_sound(struct subject *subject) {
  darkroom_sound block = DARKROOM_SOUND_INIT;
  while (check(subject, darkroom_read_sound(subject->session, &block)) > 0) {
    size_t length = (size_t)block.frames * block.channels * sizeof *block.samples;
    LOG(subject, "sound at %llu, %u frames, lost %llu, digest %016llx", (unsigned long long)block.position,
        block.frames, (unsigned long long)block.lost,
        (unsigned long long)add_to_digest(empty_digest, block.samples, length));
  }
}

/// Saves the newest frame as an image.
static void save_image(struct subject *subject) {
  const darkroom_frame *frame = &subject->newest;
  char name[32], header[32];
  snprintf(name, sizeof name, "photo-%d.pgm", ++subject->image_count);
  int length = snprintf(header, sizeof header, "P5\n%u %u\n255\n", frame->width, frame->height);
  size_t size = (size_t)length + (size_t)frame->width * frame->height;
  uint8_t *file = malloc(size), *next = file + length;
  if (file == NULL) exit(71);
  memcpy(file, header, (size_t)length);
  for (uint32_t row = 0; row < frame->rows[0]; row++, next += frame->width)
    memcpy(next, frame->plane[0] + (size_t)row * frame->stride[0], frame->width);
  check(subject, darkroom_save(subject->session, name, file, size));
  free(file);
  LOG(subject, "wrote %s, frame %llu", name, (unsigned long long)frame->sequence);
}

/// Ends the delivery of capture events.
static void unsubscribe(struct subject *subject) { check(subject, darkroom_unsubscribe(subject->session)); }

/// Starts the delivery of capture events again.
static void subscribe(struct subject *subject) {
  check(subject, darkroom_subscribe(subject->session, subject->is_sound_disabled));
}

/// Saves an image at each press of the primary button.
static void handle_button(struct subject *subject, const darkroom_event *event) {
  static const char *const phases[] = {"began", "ended", "cancelled"};
  LOG(subject, "%s %s", NAME(button_names, event->button), phases[event->type - DARKROOM_PRESSED]);
  if (event->type != DARKROOM_PRESSED) return;
  if (event->button == DARKROOM_SECONDARY) {
    subject->is_sound_disabled = !subject->is_sound_disabled;
    subscribe(subject);
    return;
  }
  save_image(subject);
  if (!subject->is_sound_disabled || event->source != DARKROOM_REMOTE) return;
  int is_played = check(subject, darkroom_play_sound(subject->session, event->id, "cameraShutter", NULL));
  LOG(subject, "sound %s", is_played ? "true" : "false");
}

/// Starts the delivery of contacts with the viewfinder.
static void subscribe_pointer(struct subject *subject) { check(subject, darkroom_subscribe_pointer(subject->session)); }

static void log_contact(struct subject *subject, const darkroom_event *event) {
  LOG(subject, "%s %d at %g %g, %llu", NAME(pointer_phase_names, event->phase), event->contact, event->x, event->y,
      (unsigned long long)event->timestamp);
}

/// Starts the camera again with the other delivery.
static void restart(struct subject *subject) {
  check(subject, darkroom_stop_camera(subject->session));
  check(subject, darkroom_start_camera(subject->session, DARKROOM_LATEST));
  subject->needs_presentation = true;
  LOG(subject, "restarted");
}

static int log_setting(const darkroom_setting *setting, void *context) {
  LOG((struct subject *)context, "%s %lld %lld %lld %lld %lld %s %zu", setting->name, (long long)setting->minimum,
      (long long)setting->maximum, (long long)setting->step, (long long)setting->default_value,
      (long long)setting->value, setting->adjustable ? "true" : "false", setting->value_count);
  return 0;
}

/// Reads and changes the settings of the camera.
static void use_settings(struct subject *subject) {
  int64_t value = 0;
  check(subject, darkroom_camera_settings(subject->session, log_setting, subject));
  check(subject, darkroom_set_camera(subject->session, "zoom", 205, &value));
  LOG(subject, "zoom is %lld", (long long)value);
}

static void listen_to_sound(struct subject *subject) {
  check(subject, darkroom_start_microphone(subject->session, DARKROOM_EVERY));
}

static void stop_sound(struct subject *subject) { check(subject, darkroom_stop_microphone(subject->session)); }

static void declare_controls(struct subject *subject) {
  static const double prominent[] = {1, 2};
  static const char *const titles[] = {"None", "Mono \"1\""};
  darkroom_control controls[2] = {DARKROOM_CONTROL_INIT, DARKROOM_CONTROL_INIT};
  controls[0].id = "zoom", controls[0].title = "Zoom", controls[0].symbol = "plus.magnifyingglass";
  controls[0].value = 1, controls[0].minimum = 1, controls[0].maximum = 5, controls[0].step = 0.5;
  controls[0].prominent = prominent, controls[0].prominent_count = 2, controls[0].format = "%@×";
  controls[1].id = "filter", controls[1].title = "Filter", controls[1].symbol = "camera.filters";
  controls[1].titles = titles, controls[1].title_count = 2;
  check(subject, darkroom_declare_controls(subject->session, controls, 2));
}

// The app context.

static void update_context(struct subject *subject) {
  check(subject, darkroom_set_context(subject->session, "{\"flash\":\"auto\",\"count\":5}"));
}

/// Replaces the context that is known, until no other process has changed it.
static void exchange_context(struct subject *subject) {
  for (;;) {
    double count = 0;
    char context[64];
    check(subject, darkroom_json_number(subject->info->context, "count", &count));
    snprintf(context, sizeof context, "{\"flash\":\"off\",\"count\":%g}", count + 1);
    int result = darkroom_exchange_context(subject->session, context, subject->info->context);
    if (result != DARKROOM_CONTEXT_CHANGED) {
      check(subject, result);
      log_context(subject, "exchanged", subject->info->context);
      return;
    }
    log_context(subject, "conflict", subject->info->context);
  }
}

/// Sends a context that the host refuses.
static void enlarge_context(struct subject *subject) {
  if (darkroom_set_context(subject->session, "{\"flash\":\"huge\",\"count\":14}") == DARKROOM_CONTEXT_TOO_LARGE)
    log_context(subject, "not updated", subject->info->context);
}

// The photo library.

/// An asset of the list.
struct listed {
  char id[16], title[32];
  int media_type;
  long long bytes;
  bool own_session;
};
/// The assets of the list.
struct listing {
  struct listed assets[4];
  size_t count;
};

static int add_to_listing(const darkroom_asset *asset, void *context) {
  struct listing *listing = context;
  if (listing->count == sizeof listing->assets / sizeof *listing->assets) return 1;
  struct listed *next = &listing->assets[listing->count++];
  snprintf(next->id, sizeof next->id, "%s", asset->id);
  snprintf(next->title, sizeof next->title, "%s", asset->title);
  next->media_type = asset->media_type;
  next->bytes = asset->bytes;
  next->own_session = asset->own_session;
  return 0;
}

/// Adds, lists, opens and deletes photos.
static void use_photos(struct subject *subject) {
  darkroom_new_photo photo = DARKROOM_NEW_PHOTO_INIT;
  struct listing listing = {.count = 0};
  char id[16], path[64];
  int permission = check(subject, darkroom_photo_permission(subject->session, DARKROOM_ADD_ONLY));
  LOG(subject, "photos %s", NAME(permission_names, permission));
  photo.path = "photo-1.pgm", photo.title = "Sun \"set\"", photo.media_type = DARKROOM_IMAGE;
  photo.created_at = 1750000000250;
  check(subject, darkroom_add_photo(subject->session, &photo, id, sizeof id));
  LOG(subject, "added %s", id);
  check(subject, darkroom_list_photos(subject->session, add_to_listing, &listing));
  for (size_t index = 0; index < listing.count; index++) {
    const struct listed *asset = &listing.assets[index];
    LOG(subject, "photo %s '%s' %s %lld %s", asset->id, asset->title, NAME(media_names, asset->media_type),
        asset->bytes, asset->own_session ? "true" : "false");
  }
  check(subject, darkroom_open_photo(subject->session, listing.assets[0].id, path, sizeof path));
  LOG(subject, "photo %s at %s", listing.assets[0].id, path);
  if (darkroom_delete_photo(subject->session, listing.assets[1].id) == DARKROOM_NO_SUCH_ASSET)
    LOG(subject, "not deleted");
}

// The session.

/// Opens the app, and logs the reason of the failure.
static void open_with(struct subject *subject, const darkroom_activity *activity) {
  char reason[32] = "other";
  int result = darkroom_open_application(subject->session, activity);
  if (result == DARKROOM_INTERACTION_REQUIRED) strcpy(reason, "interactionRequired");
  if (result == DARKROOM_AUTHENTICATION_FAILED)
    darkroom_json_string(darkroom_last_error_data(subject->session), "reason", reason, sizeof reason);
  LOG(subject, "not opened: %s", reason);
}

/// Opens the app, which the host refuses.
static void open_app(struct subject *subject) {
  static const char *const keys[] = {"photo"};
  darkroom_activity activity = DARKROOM_ACTIVITY_INIT;
  activity.activity_type = "org.example.edit", activity.title = "Edit";
  activity.user_info = "{\"photo\":\"photo-1.pgm\",\"rating\":4.5,\"count\":2,\"isNew\":true,\"tags\":[\"a\",\"b\"],"
                       "\"raw\":{\"$data\":\"AQL/\"},\"page\":{\"$url\":\"https://example.org/1\"},"
                       "\"taken\":{\"$date\":1750000000}}";
  activity.target_content_identifier = "photo-1", activity.webpage_url = "https://example.org/";
  activity.required_keys = keys, activity.required_key_count = 1;
  open_with(subject, &activity);
  activity.title = activity.target_content_identifier = activity.webpage_url = NULL;
  activity.user_info = "{\"photo\":\"photo-2.pgm\"}";
  open_with(subject, &activity);
}

/// Performs an activity that delays the dismissal.
static void perform_activity(struct subject *subject) {
  char name[32];
  check(subject, darkroom_begin_activity(subject->session, "closing the film", name, sizeof name));
  LOG(subject, "in the activity");
  check(subject, darkroom_end_activity(subject->session, name));
  LOG(subject, "after the activity");
}

static void erase_content(struct subject *subject) {
  check(subject, darkroom_invalidate_content(subject->session, NULL, NULL));
  LOG(subject, "erased");
}

/// Logs text that needs escapes, and all levels.
static void log_texts(struct subject *subject) {
  darkroom_log(subject->session, DARKROOM_LOG_DEBUG, "%s", "a\t\"b\"\\\n\x7f\x01é😀");
  darkroom_log(subject->session, DARKROOM_LOG_NOTICE, "notice");
  darkroom_log(subject->session, DARKROOM_LOG_ERROR, "error");
}

static void dismiss(struct subject *subject) { check(subject, darkroom_dismiss(subject->session)); }

/// Logs the context, and performs its task.
static void change_context(struct subject *subject) {
  static const struct {
    const char *name;
    void (*perform)(struct subject *);
  } tasks[] = {
      {"activity", perform_activity}, {"controls", declare_controls}, {"dismiss", dismiss},
      {"enlarge", enlarge_context},   {"erase", erase_content},       {"exchange", exchange_context},
      {"listen", listen_to_sound},    {"log", log_texts},             {"open", open_app},
      {"photos", use_photos},         {"pointer", subscribe_pointer}, {"restart", restart},
      {"settings", use_settings},     {"silence", stop_sound},        {"subscribe", subscribe},
      {"unsubscribe", unsubscribe},   {"update", update_context},
  };
  char task[32];
  log_context(subject, "context", subject->info->context);
  if (darkroom_json_string(subject->info->context, "task", task, sizeof task) != 0) return;
  for (size_t index = 0; index < sizeof tasks / sizeof *tasks; index++)
    if (strcmp(tasks[index].name, task) == 0) tasks[index].perform(subject);
}

static void log_requirements(struct subject *subject, const darkroom_event *event) {
  char seconds[32] = "";
  if (event->seconds >= 0) snprintf(seconds, sizeof seconds, ", %g seconds", event->seconds);
  LOG(subject, "missing%s%s%s%s%s", event->missing & DARKROOM_REQUIRES_CAMERA ? " camera" : "",
      event->missing & DARKROOM_REQUIRES_CAPTURE_EVENTS ? " captureEvents" : "",
      event->missing & DARKROOM_REQUIRES_VIEWFINDER ? " viewfinder" : "", event->missing == 0 ? " nothing" : "",
      seconds);
}

/// Writes a file at the end of the session.
static void finish(struct subject *subject, const darkroom_event *event) {
  char text[64];
  snprintf(text, sizeof text, "dropped %llu\n", subject->dropped);
  check(subject, darkroom_save(subject->session, "finished.txt", text, strlen(text)));
  LOG(subject, "dismissed: %s, %g seconds", NAME(dismissal_names, event->reason), event->seconds);
}

/// Logs a change of the state.
static void log_change(struct subject *subject, const darkroom_event *event) {
  switch (event->type) {
    case DARKROOM_LOCK_CHANGE: LOG(subject, "%s", NAME(lock_names, subject->info->lock_state)); break;
    case DARKROOM_PERMISSION_CHANGE: log_permissions(subject); break;
    case DARKROOM_SCENE_CHANGE: log_scene(subject); break;
    case DARKROOM_REQUIREMENTS_CHANGE: log_requirements(subject, event); break;
    case DARKROOM_PHOTOS_CHANGE: LOG(subject, "photos changed"); break;
    case DARKROOM_CAMERA_CHANGE:
      LOG(subject, "camera rate %g", (double)event->frame_rate_numerator / event->frame_rate_denominator);
      break;
    case DARKROOM_CAMERA_END:
      LOG(subject, "camera ended: %s, %s", NAME(end_names, event->reason), event->message);
      break;
    case DARKROOM_MICROPHONE_END: LOG(subject, "microphone ended: %s", NAME(end_names, event->reason)); break;
    case DARKROOM_ROOM_CHANGE:
      LOG(subject, "room %s %s %lld %lld", NAME(room_names, event->room), NAME(room_reason_names, event->reason),
          (long long)event->bytes, (long long)event->files);
      break;
    case DARKROOM_POINTER: log_contact(subject, event); break;
    case DARKROOM_CONTROL_CHANGE: LOG(subject, "%s %g", event->control, event->value); break;
    case DARKROOM_CONTROLS_APPEARANCE:
      LOG(subject, "controls %s", NAME(appearance_names, event->appearance));
      break;
  }
}

static void handle(struct subject *subject, const darkroom_event *event) {
  switch (event->type) {
    case DARKROOM_PRESSED:
    case DARKROOM_RELEASED:
    case DARKROOM_CANCELLED: handle_button(subject, event); break;
    case DARKROOM_FRAME: receive_frame(subject); break;
    case DARKROOM_SOUND: receive_sound(subject); break;
    case DARKROOM_CONTEXT_CHANGE: change_context(subject); break;
    case DARKROOM_DISMISSAL: finish(subject, event); break;
    default: log_change(subject, event);
  }
}

int main(void) {
  darkroom_error error = DARKROOM_ERROR_INIT;
  darkroom_event event = DARKROOM_EVENT_INIT;
  struct subject subject = {.newest = DARKROOM_FRAME_INIT, .needs_presentation = true};
  subject.session = darkroom_open(&error);
  if (subject.session == NULL) return error.code == DARKROOM_UNSUPPORTED_VERSION ? 70 : 1;
  subject.info = darkroom_get_info(subject.session);
  describe_session(&subject);
  check(&subject, darkroom_start_camera(subject.session, DARKROOM_EVERY));
  subscribe(&subject);
  LOG(&subject, "ready");
  int result;
  while ((result = darkroom_next(subject.session, &event, -1)) > 0) handle(&subject, &event);
  darkroom_free_frame(&subject.newest);
  darkroom_close(subject.session);
  return result == DARKROOM_ENDED ? 0 : 70;
}
