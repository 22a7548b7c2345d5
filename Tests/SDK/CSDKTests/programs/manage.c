// SPDX-License-Identifier: Apache-2.0
//
// A program that manages apps, storage, photos and records. It prints the results of the library to standard output;
// manage_scenarios.py compares the output.
// usage: manage manage|sizes
#include <stdio.h>
#include <string.h>

#include "darkroom-manage.h"
#include "printing.h"

#define SESSION "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A11"

static darkroom_host *host;
static const char *const app = "org.example.camera";

/// Prints a result, and the error of a failure.
static void report(const char *name, int result) {
  if (result >= 0)
    say("%s: %d", name, result);
  else
    say("%s: %d '%s'", name, result, darkroom_host_last_error(host)->text);
}

/// Prints a list of texts, and frees it.
static void say_texts(const darkroom_host_text *texts) {
  for (const darkroom_host_text *found = texts; found != NULL; found = found->next) say("  '%s'", found->text);
  darkroom_host_free(texts);
}

static void use_apps(void) {
  char delivery[37] = "";
  const darkroom_host_check *checks = NULL;
  const darkroom_host_asset_set *sets = NULL;
  report("open", darkroom_host_open_app(host, app, NULL, delivery, sizeof delivery));
  say("  %s", delivery);
  report("open", darkroom_host_open_app(host, app, "{\"activityType\":\"a\"}", NULL, 0));
  report("open", darkroom_host_open_app(host, app, NULL, delivery, 5));
  report("readiness", darkroom_host_check_readiness(host, "org.example.camera.capture", "pattern", &checks));
  for (const darkroom_host_check *found = checks; found != NULL; found = found->next)
    say("  %d %s", found->condition, text(found->message));
  darkroom_host_free(checks);
  report("readiness", darkroom_host_check_readiness(host, "org.example.camera.capture", NULL, NULL));
  report("publish", darkroom_host_publish_assets(host, app, "shared", &sets));
  say("  %d %d", (int)sets->generation, sets->current);
  darkroom_host_free(sets);
  report("publish", darkroom_host_publish_assets(host, app, "/shared", NULL));
  report("assets", darkroom_host_list_assets(host, app, &sets));
  for (const darkroom_host_asset_set *found = sets; found != NULL; found = found->next)
    say("  %d: %d files, %d bytes, at %d, %d %d", (int)found->generation, (int)found->files, (int)found->bytes,
        (int)found->published_at, found->current, found->used);
  darkroom_host_free(sets);
  report("clear", darkroom_host_clear_assets(host, app));
  report("clear", darkroom_host_clear_assets(host, app));
}

static void say_limits(const darkroom_host_storage_limits *limits) {
  say("  limits %d %d %d %d", (int)limits->bytes, (int)limits->files, (int)limits->sessions, (int)limits->reserve);
}

static void use_storage(void) {
  const darkroom_host_lock_status *status = NULL;
  const darkroom_host_storage_usage *usage = NULL;
  darkroom_host_storage_limits limits = DARKROOM_HOST_STORAGE_LIMITS_INIT;
  int64_t deleted = 0;
  report("status", darkroom_host_get_lock_status(host, &status));
  say("  %d %d: %d %s", status->state, status->was_unlocked, status->reports->state, status->reports->reason);
  darkroom_host_free(status);
  report("lock", darkroom_host_lock(host));
  report("limits", darkroom_host_get_storage_limits(host, NULL, &limits));
  say_limits(&limits);
  limits.bytes = -1, limits.sessions = 0;
  report("set", darkroom_host_set_storage_limits(host, app, &limits));
  report("usage", darkroom_host_get_storage_usage(host, app, &usage, &limits));
  say("  %d %d %d %d %s", (int)usage->bytes, (int)usage->files, (int)usage->sessions, (int)usage->free,
      text(usage->refusal));
  say_limits(&limits);
  darkroom_host_free(usage);
  limits.size = 4;
  report("limits", darkroom_host_get_storage_limits(host, NULL, &limits));
  report("trash", darkroom_host_empty_trash(host, &deleted));
  say("  %d", (int)deleted);
}

static void say_assets(const darkroom_host_asset *assets) {
  for (const darkroom_host_asset *found = assets; found != NULL; found = found->next)
    say("  %s %s %s %s %s %s %d %d", found->id, found->title, found->path, found->media_type, found->app,
        text(found->session), (int)found->bytes, (int)found->created_at);
}

static void use_photos(void) {
  static const char *const files[] = {"/a.jpg", "b.jpg"}, *const assets[] = {"A/1", "B/2"};
  const darkroom_host_asset *found = NULL;
  const darkroom_host_text *texts = NULL;
  const darkroom_host_photo_difference *differences = NULL;
  char path[8];
  report("photos", darkroom_host_list_photos(host, app, SESSION, 7, &found));
  say_assets(found);
  darkroom_host_free(found);
  report("photos", darkroom_host_list_photos(host, NULL, NULL, 0, &found));
  report("add", darkroom_host_add_photos(host, app, files, 2, &found, &texts));
  say_assets(found);
  say_texts(texts);
  darkroom_host_free(found);
  report("add", darkroom_host_add_photos(host, app, files, 1, NULL, NULL));
  report("export", darkroom_host_export_photo(host, "A/1", "/copies", path, sizeof path));
  say("  %s", path);
  report("delete", darkroom_host_delete_photo(host, "A/1"));
  report("select", darkroom_host_select_photos(host, app, assets, 2));
  report("select", darkroom_host_select_photos(host, app, NULL, 0));
  report("selected", darkroom_host_list_selected_photos(host, app, &texts));
  say_texts(texts);
  report("verify", darkroom_host_verify_photos(host, &differences));
  say("  %s %d", differences->asset->id, differences->missing);
  darkroom_host_free(differences);
  report("recover", darkroom_host_recover_photos(host));
  report("recover", darkroom_host_recover_photos(host));
}

static void use_log(void) {
  const char *record;
  char head[129] = "";
  const darkroom_host_log_verification *verification = NULL;
  const darkroom_host_device_use *uses = NULL;
  const darkroom_host_text *texts = NULL;
  report("record", darkroom_host_get_record(host, SESSION, &record));
  say("  %s", text(record));
  report("record", darkroom_host_get_record(host, SESSION, &record));
  say("  %s", text(record));
  report("head", darkroom_host_get_log_head(host, head, sizeof head));
  say("  %s", head);
  report("head", darkroom_host_get_log_head(host, head, sizeof head));
  report("log", darkroom_host_verify_log(host, head, &verification));
  say("  %d %s %d %s %d", (int)verification->entries, text(verification->head), (int)verification->invalid_line,
      text(verification->invalid_reason), verification->comparison);
  for (const darkroom_host_text *found = verification->changed_records; found != NULL; found = found->next)
    say("  '%s'", found->text);
  darkroom_host_free(verification);
  report("log", darkroom_host_verify_log(host, NULL, NULL));
  report("uses", darkroom_host_list_device_uses(host, app, DARKROOM_HOST_RESOURCE_MICROPHONE, 3, &uses, &texts));
  for (const darkroom_host_device_use *found = uses; found != NULL; found = found->next)
    say("  %d %s %s %s %s %d %d %d", found->resource, found->device, found->session, found->app, found->extension,
        (int)found->started_at, (int)found->milliseconds, found->running);
  darkroom_host_free(uses);
  say_texts(texts);
  report("uses", darkroom_host_list_device_uses(host, NULL, DARKROOM_HOST_RESOURCE_PHOTOS, 0, &uses, NULL));
}

static void say_fixes(const darkroom_host_fix *fixes) {
  for (const darkroom_host_fix *found = fixes; found != NULL; found = found->next)
    say("    %s: %s, %s, %s", found->sentence, found->commands->text, text(found->file_path), text(found->file_text));
}

static void use_machine(void) {
  static const char *const policies[] = {"strict", "./own.json"};
  static const darkroom_host_camera_value values[] = {{"zoom\"absolute", 3}, {"focus", -1}};
  const darkroom_host_active_session *sessions = NULL;
  const darkroom_host_diagnosis *diagnosis = NULL;
  const darkroom_host_capture *capture = NULL;
  report("sessions", darkroom_host_list_active_sessions(host, &sessions));
  say("  %s %s %s %d %d %d", sessions->session, sessions->app, sessions->extension, (int)sessions->process,
      (int)sessions->started_at, sessions->prewarmed);
  darkroom_host_free(sessions);
  report("diagnose", darkroom_host_diagnose(host, policies, 2, &diagnosis));
  say("  %d", diagnosis->status);
  say("  %s %d %s", diagnosis->properties->name, diagnosis->properties->state, diagnosis->properties->detail);
  say_fixes(diagnosis->properties->fixes);
  say("  %s %d %s", diagnosis->trials->policy, diagnosis->trials->status, diagnosis->trials->remarks->text);
  say("  %s %d %s", diagnosis->trials->layers->name, diagnosis->trials->layers->state,
      diagnosis->trials->layers->detail);
  darkroom_host_free(diagnosis);
  report("capture", darkroom_host_capture_frames(host, "pattern", "/a.png", 2, values, 2, &capture));
  say("  %s: %d bytes, %d frames, %dx%d, %g", capture->path, (int)capture->bytes, (int)capture->frames,
      (int)capture->width, (int)capture->height, capture->frame_rate);
  darkroom_host_free(capture);
  report("capture", darkroom_host_capture_frames(host, "pattern", "/a.png", 0, NULL, 0, NULL));
}

/// Prints the sizes of the structures, which only grow.
static int say_sizes(void) {
#define SIZE(structure) say("size darkroom_host_" #structure " %zu", sizeof(darkroom_host_##structure))
  SIZE(active_session), SIZE(asset), SIZE(asset_set), SIZE(camera_value), SIZE(capture), SIZE(check), SIZE(device_use);
  SIZE(diagnosis), SIZE(fix), SIZE(layer_report), SIZE(lock_report), SIZE(lock_status), SIZE(log_verification);
  SIZE(photo_difference), SIZE(property), SIZE(storage_limits), SIZE(storage_usage), SIZE(trial);
  return 0;
}

int main(int count, char **words) {
  if (count > 1 && strcmp(words[1], "sizes") == 0) return say_sizes();
  darkroom_error error = DARKROOM_ERROR_INIT;
  darkroom_host_options options = DARKROOM_HOST_OPTIONS_INIT;
  options.client = "client 1.0";
  host = darkroom_host_open(&options, &error);
  if (host == NULL) return 1;
  use_apps();
  use_storage();
  use_photos();
  use_log();
  use_machine();
  darkroom_host_close(host);
  say("closed");
  return 0;
}
