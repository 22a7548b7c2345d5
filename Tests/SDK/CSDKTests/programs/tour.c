// SPDX-License-Identifier: Apache-2.0
//
// Uses all functions of the C library for hosts with the server `darkroom-host`.
// usage: tour SERVER BUNDLE APP EXTENSION
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "darkroom-manage.h"

static darkroom_host *host;

/// Ends the program with an error unless a condition holds.
#define REQUIRE(condition)                                                                       \
  do {                                                                                           \
    if (condition) break;                                                                        \
    const darkroom_error *error = darkroom_host_last_error(host);                                \
    printf("line %d: %s\nlast error %d: %s\n", __LINE__, #condition, error->code, error->text); \
    exit(1);                                                                                     \
  } while (0)

/// Waits for an event of a type, and skips other events.
static darkroom_host_event wait_for(int type) {
  darkroom_host_event event = DARKROOM_HOST_EVENT_INIT;
  do REQUIRE(darkroom_host_next(host, &event, 120000) == 1);
  while (event.type != type);
  return event;
}

static void tour_apps(const char *bundle, const char *app, const char *extension) {
  const darkroom_host_diagnostic *faults;
  const darkroom_host_installation *installation;
  const darkroom_host_app *apps, *found;
  const darkroom_host_text *failures;
  REQUIRE(darkroom_host_validate(host, bundle, &faults) == 0 && faults == NULL);
  REQUIRE(darkroom_host_install(host, bundle, &installation) == 0);
  REQUIRE(strcmp(installation->app->id, app) == 0 && !installation->replaced && installation->warnings == NULL);
  REQUIRE(darkroom_host_list_apps(host, &apps, &failures) == 1 && failures == NULL);
  REQUIRE(strcmp(apps->extensions->id, extension) == 0 && apps->extensions->uses_protocol && apps->installed_at > 0);
  REQUIRE(darkroom_host_find_app(host, app, &found) == 0 && strcmp(found->id, app) == 0);
  REQUIRE(darkroom_host_find_app(host, "org.example.none", &found) == DARKROOM_HOST_ERROR_NOT_INSTALLED);
  REQUIRE(darkroom_host_install(host, "/none", NULL) < 0);
  const void *all[] = {installation, apps, found};
  for (size_t index = 0; index < sizeof all / sizeof *all; index++) darkroom_host_free(all[index]);
}

static void tour_log(const char *app, const char *extension) {
  const darkroom_host_log_entry *entries;
  darkroom_host_log_filter filter = DARKROOM_HOST_LOG_FILTER_INIT;
  filter.extension = extension;
  REQUIRE(darkroom_host_list_log(host, &filter, &entries) >= 0);
  darkroom_host_free(entries);
  darkroom_hosted_session *pressed;
  REQUIRE(darkroom_host_press_control(host, app, "none", NULL, &pressed) == DARKROOM_HOST_ERROR_ARGUMENT);
}

static void tour_settings(const char *app) {
  const darkroom_host_permission *permissions;
  bool is_settable = false;
  REQUIRE(strcmp(darkroom_host_get_context(host, app), "null") == 0);
  REQUIRE(darkroom_host_set_context(host, app, "{ \"flash\": [1] }") == 0);
  REQUIRE(strcmp(darkroom_host_get_context(host, app), "{\"flash\":[1]}") == 0);
  REQUIRE(darkroom_host_set_context(host, app, NULL) == 0);
  darkroom_host_resource resource = DARKROOM_HOST_RESOURCE_MICROPHONE;
  REQUIRE(darkroom_host_set_permission(host, app, resource, DARKROOM_HOST_DECISION_DENIED, NULL, 0) == 0);
  REQUIRE(darkroom_host_list_permissions(host, app, &permissions) > 0);
  const darkroom_host_permission *found = permissions;
  while (found != NULL && found->resource != (int)resource) found = found->next;
  REQUIRE(found != NULL && found->decision == DARKROOM_HOST_DECISION_DENIED);
  REQUIRE(darkroom_host_reset_permission(host, app, 0) == 0);
  REQUIRE(darkroom_host_set_lock_state(host, DARKROOM_LOCKED) == 0);
  REQUIRE(darkroom_host_get_lock_state(host, &is_settable) == DARKROOM_LOCKED && is_settable);
  REQUIRE(darkroom_host_set_lock_state(host, DARKROOM_UNLOCKED) == 0);
  darkroom_host_free(permissions);
}

static void tour_devices(const char *app) {
  const darkroom_host_camera *cameras;
  const darkroom_host_microphone *microphones;
  const darkroom_host_key_binding *bindings;
  REQUIRE(darkroom_host_list_cameras(host, &cameras) >= 0);
  REQUIRE(darkroom_host_list_microphones(host, &microphones) >= 0);
  REQUIRE(darkroom_host_list_key_bindings(host, &bindings) == 0 && bindings == NULL);
  REQUIRE(darkroom_host_bind_key(host, "KEY_CAMERA", app, "none") == DARKROOM_HOST_ERROR_ARGUMENT);
  REQUIRE(darkroom_host_unbind_key(host, "KEY_CAMERA") == DARKROOM_HOST_ERROR_ARGUMENT);
  darkroom_host_free(cameras);
  darkroom_host_free(microphones);
}

static void tour_passcode(void) {
  REQUIRE(darkroom_host_has_passcode(host) == 0);
  REQUIRE(darkroom_host_set_passcode(host, "first secret", NULL) == DARKROOM_HOST_PASSCODE_SUCCEEDED);
  REQUIRE(darkroom_host_has_passcode(host) == 1);
  REQUIRE(darkroom_host_set_passcode(host, "second secret", "wrong") == DARKROOM_HOST_PASSCODE_FAILED);
  REQUIRE(darkroom_host_clear_passcode(host, "first secret") == DARKROOM_HOST_PASSCODE_SUCCEEDED);
  REQUIRE(darkroom_host_has_passcode(host) == 0);
}

static void tour_policies(void) {
  const darkroom_host_text *policies;
  const darkroom_host_explanation *explanation;
  const darkroom_host_verdict *verdicts;
  const darkroom_host_comparison *comparison;
  REQUIRE(darkroom_host_list_policies(host, &policies) > 1);
  REQUIRE(darkroom_host_explain_policy(host, "capture", 80, &explanation) == 0 && explanation->lines != NULL);
  REQUIRE(darkroom_host_explain_access(host, "capture", "/usr/bin/env", DARKROOM_HOST_PATH_READ, NULL) == 1);
  REQUIRE(darkroom_host_explain_access(host, "capture", "/usr/bin/env", DARKROOM_HOST_PATH_WRITE, NULL) == 0);
  // A proof of all filters takes longer than other requests.
  darkroom_host_set_timeout(host, 300000);
  REQUIRE(darkroom_host_verify_policy(host, "capture", &verdicts) == 1 && verdicts->proved);
  REQUIRE(darkroom_host_compare_policies(host, "strict", "capture", &comparison) == 0 && comparison->weaker);
  REQUIRE(darkroom_host_explain_policy(host, "./none.json", 0, &explanation) == DARKROOM_HOST_ERROR_POLICY);
  const void *all[] = {policies, explanation, verdicts, comparison};
  for (size_t index = 0; index < sizeof all / sizeof *all; index++) darkroom_host_free(all[index]);
}

/// Takes frames and a picture, and writes the ID of the session to `id`.
static void tour_session(const char *extension, char *id, size_t size) {
  darkroom_host_launch_options options = DARKROOM_HOST_LAUNCH_OPTIONS_INIT;
  darkroom_frame frame = DARKROOM_FRAME_INIT;
  const darkroom_host_running *sessions;
  const darkroom_host_result *result;
  char path[4096];
  uint64_t last = 0;
  options.camera = "pattern:320x240@30", options.digests = true;
  REQUIRE(darkroom_host_prewarm(host, extension, &options) == 0);
  darkroom_hosted_session *session = darkroom_host_launch(host, extension, &options);
  REQUIRE(session != NULL);
  REQUIRE(darkroom_host_list_sessions(host, &sessions) == 1);
  REQUIRE(strcmp(sessions->session, darkroom_hosted_id(session)) == 0);
  REQUIRE(wait_for(DARKROOM_HOST_STARTED).sandbox->layers != NULL);
  while (!wait_for(DARKROOM_HOST_ACCEPTS_PRESSES).accepts) continue;
  for (int count = 0; count < 5; count++) {
    REQUIRE(darkroom_hosted_take_frame(session, &frame, 120000) == 1);
    REQUIRE(frame.width == 320 && frame.height == 240 && frame.sequence > last && darkroom_frame_valid(&frame));
    last = frame.sequence;
  }
  REQUIRE(darkroom_host_save_jpeg(host, &frame, "frame.jpg", 90) == 0);
  REQUIRE(darkroom_host_save_viewfinder(host, darkroom_hosted_id(session), "viewfinder.png") == 0);
  darkroom_sound sound = DARKROOM_SOUND_INIT;
  REQUIRE(darkroom_hosted_read_sound(session, &sound, 120000) == DARKROOM_UNAVAILABLE);
  REQUIRE(darkroom_hosted_release_frame(session) == 0 && !darkroom_frame_valid(&frame));
  REQUIRE(darkroom_hosted_request_frame(session) == 0);
  wait_for(DARKROOM_HOST_FRAME);
  REQUIRE(darkroom_hosted_take_frame(session, &frame, 0) == 1);
  REQUIRE(darkroom_hosted_press(session, DARKROOM_PRIMARY, DARKROOM_HOST_PRESS_TAP) == 0);
  REQUIRE(darkroom_hosted_pointer(session, DARKROOM_HOST_POINTER_TAP, 0, 1, 1) == 0);
  snprintf(path, sizeof path, "%s/sessions/%s/content/photo-1.jpg", darkroom_host_get_info(host)->state_directory,
           darkroom_hosted_id(session));
  for (int count = 0; count < 12000 && access(path, F_OK) != 0; count++) usleep(10000);
  REQUIRE(darkroom_hosted_wait(session, 0, &result) == DARKROOM_TIMED_OUT);
  REQUIRE(darkroom_hosted_dismiss(session) == 0 && darkroom_hosted_wait(session, 120000, &result) == 0);
  REQUIRE(result->outcome->kind == DARKROOM_HOST_OUTCOME_DISMISSED);
  REQUIRE(result->outcome->initiator == DARKROOM_HOST_BY_USER);
  REQUIRE(result->files != NULL && result->files->bytes > 0 && strncmp(result->files->sha256, "sha256:", 7) == 0);
  REQUIRE(result->content != NULL && result->frames->consumed > 0 && result->quarantined == NULL);
  snprintf(id, size, "%s", darkroom_hosted_id(session));
  darkroom_hosted_close(session);
  darkroom_host_free(sessions);
}

static void tour_content(const char *app, const char *id) {
  const darkroom_host_content *content;
  const darkroom_host_quarantine *quarantine;
  char path[4096];
  REQUIRE(darkroom_host_list_content(host, app, &content) == 1);
  REQUIRE(strcmp(content->session, id) == 0 && content->files > 0);
  REQUIRE(darkroom_host_export_content(host, app, id, "copies", path, sizeof path) == 0 && access(path, F_OK) == 0);
  REQUIRE(darkroom_host_list_quarantine(host, app, &quarantine) == 0);
  REQUIRE(darkroom_host_invalidate_content(host, app, id) == 0);
  REQUIRE(strcmp(wait_for(DARKROOM_HOST_CONTENT_REMOVED).removed, id) == 0);
  darkroom_host_free(content);
}

static void tour_program(const char *app) {
  static const char *const arguments[] = {"-c", "exit 3"};
  const darkroom_host_result *result;
  darkroom_host_program program = DARKROOM_HOST_PROGRAM_INIT;
  program.app = app, program.program = "/bin/sh", program.arguments = arguments, program.argument_count = 2;
  darkroom_hosted_session *session = darkroom_host_launch_program(host, &program);
  REQUIRE(session != NULL && darkroom_hosted_wait(session, 120000, &result) == 0);
  REQUIRE(result->outcome->kind == DARKROOM_HOST_OUTCOME_COMPLETED && result->outcome->exit_code == 3);
  darkroom_hosted_close(session);
  REQUIRE(darkroom_host_launch(host, "org.example.none", NULL) == NULL);
  REQUIRE(darkroom_host_last_error(host)->code == DARKROOM_HOST_ERROR_NOT_INSTALLED);
}

static void tour_storage(const char *app, const char *extension) {
  const darkroom_host_check *checks;
  const darkroom_host_asset_set *published, *sets;
  const darkroom_host_lock_status *status;
  const darkroom_host_storage_usage *usage;
  darkroom_host_storage_limits limits = DARKROOM_HOST_STORAGE_LIMITS_INIT, found = limits;
  int64_t deleted = -1;
  REQUIRE(darkroom_host_check_readiness(host, extension, "pattern", &checks) >= 0 && checks != NULL);
  // The app names no program to open.
  REQUIRE(darkroom_host_open_app(host, app, NULL, NULL, 0) < 0);
  REQUIRE(mkdir("shared", 0755) == 0 && rename("viewfinder.png", "shared/viewfinder.png") == 0);
  REQUIRE(darkroom_host_publish_assets(host, app, "shared", &published) == 0 && published->files == 1);
  REQUIRE(rename("shared/viewfinder.png", "viewfinder.png") == 0);
  REQUIRE(darkroom_host_list_assets(host, app, &sets) == 1 && sets->current && sets->bytes == published->bytes);
  REQUIRE(darkroom_host_clear_assets(host, app) == 1 && darkroom_host_clear_assets(host, app) == 0);
  REQUIRE(darkroom_host_get_lock_status(host, &status) == 0 && status->reports != NULL);
  // The sessions of this server follow a lock state that its client sets.
  REQUIRE(darkroom_host_lock(host) == DARKROOM_HOST_ERROR_ARGUMENT);
  limits.bytes = 1000000, limits.sessions = 7;
  REQUIRE(darkroom_host_set_storage_limits(host, app, &limits) == 0);
  REQUIRE(darkroom_host_get_storage_usage(host, app, &usage, &found) == 0 && usage->free > 0);
  REQUIRE(found.bytes == 1000000 && found.sessions == 7 && found.files == -1);
  REQUIRE(darkroom_host_get_storage_limits(host, NULL, &found) == 0 && found.bytes == -1);
  REQUIRE(darkroom_host_empty_trash(host, &deleted) == 0 && deleted >= 0);
  const void *all[] = {checks, published, sets, status, usage};
  for (size_t index = 0; index < sizeof all / sizeof *all; index++) darkroom_host_free(all[index]);
}

static void tour_photos(const char *app) {
  static const char *const files[] = {"frame.jpg", "none.jpg"};
  const darkroom_host_asset *added, *assets;
  const darkroom_host_text *failures, *selected;
  const darkroom_host_photo_difference *differences;
  char path[4096];
  REQUIRE(darkroom_host_add_photos(host, app, files, 2, &added, &failures) == 1 && failures != NULL);
  REQUIRE(darkroom_host_list_photos(host, app, NULL, 0, &assets) == 1 && strcmp(assets->id, added->id) == 0);
  REQUIRE(darkroom_host_export_photo(host, added->id, "copies", path, sizeof path) == 0 && access(path, F_OK) == 0);
  REQUIRE(darkroom_host_select_photos(host, app, &added->id, 1) == 0);
  REQUIRE(darkroom_host_list_selected_photos(host, app, &selected) == 1 && strcmp(selected->text, added->id) == 0);
  REQUIRE(unlink(added->path) == 0);
  REQUIRE(darkroom_host_verify_photos(host, &differences) == 1 && differences->missing);
  REQUIRE(darkroom_host_delete_photo(host, added->id) == 0 && darkroom_host_recover_photos(host) == 0);
  REQUIRE(darkroom_host_verify_photos(host, NULL) == 0);
  const void *all[] = {added, assets, failures, selected, differences};
  for (size_t index = 0; index < sizeof all / sizeof *all; index++) darkroom_host_free(all[index]);
}

/// Uses the functions about the machine and about the session with an ID.
static void tour_machine(const char *app, const char *id) {
  const darkroom_host_log_verification *verification;
  const darkroom_host_device_use *uses;
  const darkroom_host_active_session *sessions;
  const darkroom_host_diagnosis *diagnosis;
  const darkroom_host_capture *capture;
  const char *record;
  char head[129];
  REQUIRE(darkroom_host_get_record(host, id, &record) == 1 && strstr(record, app) != NULL);
  REQUIRE(darkroom_host_get_record(host, "5b0f3b0e-6a0c-4f0b-9c53-0c0e8b2f7a11", &record) == 0 && record == NULL);
  REQUIRE(darkroom_host_get_log_head(host, head, sizeof head) == 1);
  REQUIRE(darkroom_host_verify_log(host, head, &verification) == 1);
  REQUIRE(verification->entries > 0 && verification->comparison == DARKROOM_HOST_HEAD_FOUND);
  REQUIRE(darkroom_host_list_device_uses(host, app, DARKROOM_HOST_RESOURCE_CAMERA, 0, &uses, NULL) >= 0);
  REQUIRE(darkroom_host_list_active_sessions(host, &sessions) >= 0);
  REQUIRE(darkroom_host_diagnose(host, NULL, 0, &diagnosis) == 0 && diagnosis->trials->layers != NULL);
  REQUIRE(darkroom_host_capture_frames(host, "pattern:64x48@30", "capture.png", 2, NULL, 0, &capture) == 0);
  REQUIRE(capture->width == 64 && capture->frames == 2 && access("capture.png", F_OK) == 0);
  const void *all[] = {verification, uses, sessions, diagnosis, capture};
  for (size_t index = 0; index < sizeof all / sizeof *all; index++) darkroom_host_free(all[index]);
}

int main(int count, char **words) {
  static const char *const arguments[] = {"--lock-state", "settable", "--photo-library", "library", "--warm", "1"};
  darkroom_host_options options = DARKROOM_HOST_OPTIONS_INIT;
  darkroom_error error = DARKROOM_ERROR_INIT;
  const char *description;
  char id[64], title[64];
  int64_t subscription;
  if (count < 5) return 64;
  options.start = true, options.program = words[1], options.client = "tour", options.start_timeout = 120000;
  options.arguments = arguments, options.argument_count = sizeof arguments / sizeof *arguments;
  host = darkroom_host_open(&options, &error);
  if (host == NULL) return printf("%d: %s\n", error.code, error.text), 1;
  REQUIRE(darkroom_host_recover(host, NULL) == 1);
  tour_apps(words[2], words[3], words[4]);
  tour_log(words[3], words[4]);
  tour_settings(words[3]);
  tour_devices(words[3]);
  tour_passcode();
  tour_policies();
  REQUIRE(darkroom_host_watch_content(host, words[3], NULL, &subscription) == 0);
  REQUIRE(wait_for(DARKROOM_HOST_CONTENT_INITIAL).content == NULL);
  tour_session(words[4], id, sizeof id);
  REQUIRE(strcmp(wait_for(DARKROOM_HOST_CONTENT_ADDED).content->session, id) == 0);
  tour_content(words[3], id);
  REQUIRE(darkroom_host_unwatch_content(host, subscription) == 0);
  tour_program(words[3]);
  tour_storage(words[3], words[4]);
  tour_photos(words[3]);
  tour_machine(words[3], id);
  REQUIRE(darkroom_host_call(host, "rpc.discover", NULL, &description) == 0);
  REQUIRE(darkroom_json_string(description, "info.title", title, sizeof title) == 0);
  REQUIRE(darkroom_host_uninstall(host, words[3], true) == 0);
  darkroom_host_close(host);
  printf("%s\n", title);
  return 0;
}
