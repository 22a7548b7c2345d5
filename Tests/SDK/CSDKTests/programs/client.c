// SPDX-License-Identifier: Apache-2.0
//
// A host program for the tests of the C library. Each scenario prints the results of the library to standard output.
// server.py compares the output.
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "darkroom-host.h"
#include "printing.h"

/// Prints a result, and the error of a failure.
static int report(darkroom_host *host, const char *name, int result) {
  if (result >= 0) {
    say("%s: %d", name, result);
    return result;
  }
  const darkroom_error *error = darkroom_host_last_error(host);
  say("%s: %d %d %d '%s' %s", name, result, error->code == result, error->system_error, error->text,
      text(darkroom_host_last_error_data(host)));
  return result;
}

/// Prints a list of texts in one line.
static void say_texts(const char *name, const darkroom_host_text *texts) {
  printf("%s", name);
  for (; texts != NULL; texts = texts->next) printf(" [%s]", texts->text);
  say("%s", "");
}

// MARK: Requests

static void print_app(const darkroom_host_app *app) {
  say("app %s '%s' at %lld", app->id, app->name, (long long)app->installed_at);
  for (const darkroom_host_extension *found = app->extensions; found != NULL; found = found->next)
    say("  extension %s '%s' policy %s deadline %g protocol %d", found->id, found->name, found->policy,
        found->launch_deadline, found->uses_protocol);
  for (const darkroom_host_control *found = app->controls; found != NULL; found = found->next)
    say("  control %s of %s '%s' %s authentication %d", found->id, found->extension, found->title, text(found->summary),
        found->requires_authentication);
}

static void print_diagnostics(const darkroom_host_diagnostic *diagnostics) {
  for (; diagnostics != NULL; diagnostics = diagnostics->next)
    say("  fault %d %s '%s' '%s' '%s' at %lld:%lld", diagnostics->severity, diagnostics->file, diagnostics->key,
        diagnostics->reason, diagnostics->fix, (long long)diagnostics->line, (long long)diagnostics->column);
}

static void request_apps(darkroom_host *host) {
  const darkroom_host_app *apps = NULL, *found = NULL;
  const darkroom_host_text *failures = NULL;
  const darkroom_host_diagnostic *diagnostics = NULL;
  const darkroom_host_installation *installation = NULL;
  report(host, "list", darkroom_host_list_apps(host, &apps, &failures));
  for (const darkroom_host_app *app = apps; app != NULL; app = app->next) print_app(app);
  say_texts("failures", failures);
  report(host, "list", darkroom_host_list_apps(host, &found, NULL));
  say("none %d", found == NULL);
  report(host, "find", darkroom_host_find_app(host, "org.example.camera", &found));
  print_app(found);
  report(host, "validate", darkroom_host_validate(host, "bundles/Camera", &diagnostics));
  print_diagnostics(diagnostics);
  report(host, "install", darkroom_host_install(host, "/bundles/Camera", &installation));
  say("installed %s replaced %d", installation->app->id, installation->replaced);
  print_diagnostics(installation->warnings);
  report(host, "install", darkroom_host_install(host, "/bundles/Camera", NULL));
  report(host, "uninstall", darkroom_host_uninstall(host, "org.example.camera", false));
  report(host, "uninstall", darkroom_host_uninstall(host, "org.example.camera", true));
  const void *all[] = {apps, failures, found, diagnostics, installation, NULL};
  for (size_t index = 0; index < sizeof all / sizeof *all; index++) darkroom_host_free(all[index]);
}

static void request_content(darkroom_host *host) {
  const darkroom_host_content *content = NULL;
  const darkroom_host_quarantine *quarantine = NULL;
  const char *app = "org.example.camera", *session = "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A11";
  char path[32] = "";
  int64_t subscription = 0;
  report(host, "content", darkroom_host_list_content(host, app, &content));
  for (const darkroom_host_content *found = content; found != NULL; found = found->next)
    say("  content of %s by %s at %s: %lld files, %lld bytes", found->session, text(found->extension), found->path,
        (long long)found->files, (long long)found->bytes);
  report(host, "export", darkroom_host_export_content(host, app, session, "copies", path, sizeof path));
  say("exported %s", path);
  report(host, "export", darkroom_host_export_content(host, app, session, "/copies", NULL, 0));
  report(host, "export", darkroom_host_export_content(host, app, session, "/copies", path, 4));
  report(host, "invalidate", darkroom_host_invalidate_content(host, app, session));
  report(host, "quarantine", darkroom_host_list_quarantine(host, app, &quarantine));
  for (const darkroom_host_quarantine *found = quarantine; found != NULL; found = found->next) {
    say("  quarantine of %s at %s", found->session, found->path);
    for (const darkroom_host_quarantined *entry = found->entries; entry != NULL; entry = entry->next)
      say("    %s: %s, %s", entry->path, entry->reason, entry->explanation);
  }
  report(host, "watch", darkroom_host_watch_content(host, app, NULL, &subscription));
  report(host, "watch", darkroom_host_watch_content(host, app, "gallery", &subscription));
  say("subscription %lld", (long long)subscription);
  report(host, "unwatch", darkroom_host_unwatch_content(host, subscription));
  darkroom_host_free(content);
  darkroom_host_free(quarantine);
}

static void request_settings(darkroom_host *host) {
  const darkroom_host_permission *permissions = NULL;
  const char *app = "org.example.camera", *const names[] = {"/dev/video0", "b"};
  bool is_settable = false;
  say("context %s", text(darkroom_host_get_context(host, app)));
  say("context %s", text(darkroom_host_get_context(host, app)));
  report(host, "set", darkroom_host_set_context(host, app, " { \"a\\\"\" : [ 1 , \"b  c\" ] }\n"));
  report(host, "set", darkroom_host_set_context(host, app, "{oops}"));
  report(host, "clear", darkroom_host_set_context(host, app, NULL));
  report(host, "permissions", darkroom_host_list_permissions(host, app, &permissions));
  for (const darkroom_host_permission *found = permissions; found != NULL; found = found->next) {
    say("  resource %d decision %d", found->resource, found->decision);
    say_texts("   ", found->names);
  }
  report(host, "permit", darkroom_host_set_permission(host, app, DARKROOM_HOST_RESOURCE_CAMERA,
                                                      DARKROOM_HOST_DECISION_DEVICES, names, 2));
  report(host, "permit", darkroom_host_set_permission(host, app, DARKROOM_HOST_RESOURCE_PHOTOS_ADD_ONLY,
                                                      DARKROOM_HOST_DECISION_DENIED, NULL, 0));
  report(host, "permit", darkroom_host_set_permission(host, app, (darkroom_host_resource)9,
                                                      DARKROOM_HOST_DECISION_DENIED, NULL, 0));
  report(host, "reset", darkroom_host_reset_permission(host, app, DARKROOM_HOST_RESOURCE_MICROPHONE));
  report(host, "reset", darkroom_host_reset_permission(host, app, 0));
  report(host, "reset", darkroom_host_reset_permission(host, app, 9));
  report(host, "lock", darkroom_host_get_lock_state(host, &is_settable));
  say("settable %d", is_settable);
  report(host, "lock", darkroom_host_set_lock_state(host, DARKROOM_UNLOCKED));
  report(host, "lock", darkroom_host_set_lock_state(host, (darkroom_lock_state)0));
  darkroom_host_free(permissions);
}

static void print_differences(const char *name, const darkroom_host_difference *differences) {
  for (; differences != NULL; differences = differences->next) {
    say("  %s %s: %d '%s' '%s' %s", name, differences->subject, differences->effect, differences->old_behavior,
        differences->new_behavior, text(differences->example));
    say_texts("   ", differences->conditions);
  }
}

static void request_policies(darkroom_host *host) {
  const darkroom_host_text *names = NULL;
  const darkroom_host_explanation *explanation = NULL;
  const darkroom_host_verdict *verdicts = NULL;
  const darkroom_host_comparison *comparison = NULL;
  report(host, "policies", darkroom_host_list_policies(host, &names));
  say_texts("names", names);
  report(host, "explain", darkroom_host_explain_policy(host, "capture", 0, &explanation));
  say("explanation of %s, %s", explanation->name, explanation->digest);
  say_texts("lines", explanation->lines);
  darkroom_host_free(explanation);
  report(host, "explain", darkroom_host_explain_policy(host, "./own.json", 80, &explanation));
  report(host, "verify", darkroom_host_verify_policy(host, "strict", &verdicts));
  for (const darkroom_host_verdict *found = verdicts; found != NULL; found = found->next)
    say("  verdict %s of %s: %d %s", found->property, found->programs, found->proved, text(found->failure));
  report(host, "verify", darkroom_host_verify_policy(host, "strict", NULL));
  report(host, "compare", darkroom_host_compare_policies(host, "strict", "capture", &comparison));
  say("weaker %d", comparison->weaker);
  print_differences("call", comparison->calls);
  print_differences("sandbox", comparison->sandbox);
  const void *all[] = {names, explanation, verdicts, comparison};
  for (size_t index = 0; index < sizeof all / sizeof *all; index++) darkroom_host_free(all[index]);
}

static void request_control(darkroom_host *host) {
  darkroom_host_launch_options options = DARKROOM_HOST_LAUNCH_OPTIONS_INIT;
  darkroom_hosted_session *session = NULL;
  const char *app = "org.example.camera";
  options.place = DARKROOM_HOST_PLACE_LOCK_SCREEN;
  report(host, "control", darkroom_host_press_control(host, app, "shutter", &options, &session));
  say("session %s", darkroom_hosted_id(session));
  darkroom_hosted_close(session);
  report(host, "control", darkroom_host_press_control(host, app, "shutter", NULL, &session));
  say("session %d", session != NULL);
  report(host, "control", darkroom_host_press_control(host, app, "shutter", NULL, &session));
}

static void request_log(darkroom_host *host) {
  darkroom_host_log_filter filter = DARKROOM_HOST_LOG_FILTER_INIT;
  const darkroom_host_log_entry *entries = NULL;
  report(host, "log", darkroom_host_list_log(host, NULL, &entries));
  for (const darkroom_host_log_entry *found = entries; found != NULL; found = found->next)
    say("  entry %lld at %lld kind %d: %s of %s, %s, outcome %d from %lld to %lld, refused %lld, %s",
        (long long)found->sequence, (long long)found->logged_at, found->kind, text(found->session), text(found->app),
        text(found->extension), found->outcome, (long long)found->started_at, (long long)found->ended_at,
        (long long)found->refusals, text(found->record_digest));
  darkroom_host_free(entries);
  filter.app = "org.example.camera", filter.extension = "org.example.camera.capture";
  filter.outcome = DARKROOM_HOST_OUTCOME_VIOLATED, filter.since = 0, filter.until = 2, filter.limit = 5;
  report(host, "log", darkroom_host_list_log(host, &filter, &entries));
  filter.outcome = 99;
  report(host, "log", darkroom_host_list_log(host, &filter, &entries));
}

static void scenario_requests(darkroom_host *host) {
  const darkroom_host_info *info = darkroom_host_get_info(host);
  const darkroom_host_running *sessions = NULL;
  const darkroom_host_recovery *recovery = NULL;
  darkroom_host_launch_options options = DARKROOM_HOST_LAUNCH_OPTIONS_INIT;
  const char *result = NULL;
  say("version %lld of %s, PID %d, state %d", (long long)info->version, info->host, info->process > 0,
      info->state_directory[0] == '/');
  request_apps(host);
  request_content(host);
  request_settings(host);
  request_policies(host);
  report(host, "sessions", darkroom_host_list_sessions(host, &sessions));
  for (const darkroom_host_running *found = sessions; found != NULL; found = found->next)
    say("  running %s %s", found->session, found->target);
  report(host, "recover", darkroom_host_recover(host, NULL));
  report(host, "recover", darkroom_host_recover(host, &recovery));
  for (const darkroom_host_recovered *found = recovery->sessions; found != NULL; found = found->next)
    say("  recovered %s %d %s %s", found->session, found->finding, text(found->content), text(found->message));
  say_texts("notices", recovery->notices);
  options.camera = "pattern";
  report(host, "prewarm", darkroom_host_prewarm(host, "org.example.camera.capture", &options));
  report(host, "prewarm", darkroom_host_prewarm(host, "org.example.camera.capture", NULL));
  request_control(host);
  request_log(host);
  report(host, "call", darkroom_host_call(host, "rpc.discover", NULL, &result));
  say("result %s", result);
  report(host, "call", darkroom_host_call(host, "apps/find", " { \"app\" : \"a b\" }", NULL));
  report(host, "call", darkroom_host_call(host, "apps/find", "[]", NULL));
  darkroom_host_free(sessions);
  darkroom_host_free(recovery);
}

// MARK: Sessions

static void print_event(const darkroom_host_event *event) {
  printf("event %d session %d accepts %d message %s", event->type, event->session != NULL, event->accepts,
         text(event->message));
  if (event->sandbox != NULL) printf(" sandbox %d %s", event->sandbox->full, event->sandbox->layers->name);
  if (event->refusal != NULL) printf(" refusal %s %s", event->refusal->call, event->refusal->arguments->text);
  if (event->outcome != NULL) printf(" outcome %d %d", event->outcome->kind, event->outcome->initiator);
  if (event->subscription != 0) printf(" subscription %lld", (long long)event->subscription);
  for (const darkroom_host_content *found = event->content; found != NULL; found = found->next)
    printf(" content %s", found->path);
  if (event->removed != NULL) printf(" removed %s", event->removed);
  if (event->type == DARKROOM_HOST_OTHER) printf(" %s %s", event->method, event->params);
  say("%s", "");
}

static void print_result(const darkroom_host_result *result) {
  say("result of %s, %s of %s: '%s' %lld", result->session, result->extension, result->app, result->summary,
      (long long)result->exit_code);
  const darkroom_host_outcome *outcome = result->outcome;
  say("outcome %d by %d exit %lld signal %lld rule %s deadline %s step %s errno %s", outcome->kind, outcome->initiator,
      (long long)outcome->exit_code, (long long)outcome->signal, text(outcome->rule), text(outcome->deadline),
      text(outcome->step), text(outcome->error_name));
  say_texts("missing", outcome->missing);
  for (const darkroom_host_layer *layer = result->sandbox == NULL ? NULL : result->sandbox->layers; layer != NULL;
       layer = layer->next)
    say("layer %s %d %s", layer->name, layer->state, text(layer->detail));
  say("content %s", text(result->content));
  for (const darkroom_host_file *file = result->files; file != NULL; file = file->next)
    say("file %s %lld %s", file->path, (long long)file->bytes, text(file->sha256));
  for (const darkroom_host_quarantined *entry = result->quarantined; entry != NULL; entry = entry->next)
    say("quarantined %s %s", entry->path, entry->reason);
  for (const darkroom_host_refusal *refusal = result->refusals; refusal != NULL; refusal = refusal->next)
    say("refusal %s %s %s %lld %s '%s' '%s' %d", refusal->layer, refusal->call, refusal->program,
        (long long)refusal->count, refusal->error_name, refusal->reason, refusal->sentence, refusal->probe);
  if (result->frames != NULL)
    say("frames %lld %lld %lld", (long long)result->frames->produced, (long long)result->frames->consumed,
        (long long)result->frames->dropped);
  say("record %s output '%s'", result->record, result->output);
  say_texts("notices", result->notices);
}

/// Prints events until one has a type, or a call fails.
static void print_events(darkroom_host *host, int last) {
  darkroom_host_event event = DARKROOM_HOST_EVENT_INIT;
  int result;
  do {
    result = darkroom_host_next(host, &event, 20000);
    if (result > 0) print_event(&event);
  } while (result > 0 && event.type != last);
  if (result <= 0) report(host, "next", result);
}

static void scenario_sessions(darkroom_host *host) {
  static const char *const arguments[] = {"-c", "exit 3"}, *const paths[] = {"/data"};
  static const char *const environment[] = {"A=1=2", "B="}, *const faulty[] = {"=x"};
  darkroom_host_launch_options options = DARKROOM_HOST_LAUNCH_OPTIONS_INIT;
  darkroom_host_program program = DARKROOM_HOST_PROGRAM_INIT;
  const darkroom_host_result *result = NULL;
  options.camera = "pattern", options.microphone = "none", options.place = DARKROOM_HOST_PLACE_LOCK_SCREEN;
  options.grace = 1.5, options.watchdog = 0, options.idle_timeout = 60, options.digests = true;
  options.attestation = "audit.json", options.public_key = "/key.pem";
  darkroom_hosted_session *session = darkroom_host_launch(host, "org.example.camera.capture", &options);
  say("launched %s", darkroom_hosted_id(session));
  print_events(host, DARKROOM_HOST_ACCEPTS_PRESSES);
  report(host, "tap", darkroom_hosted_press(session, DARKROOM_PRIMARY, DARKROOM_HOST_PRESS_TAP));
  report(host, "press", darkroom_hosted_press(session, DARKROOM_SECONDARY, DARKROOM_HOST_PRESS_BEGAN));
  report(host, "press", darkroom_hosted_press(session, DARKROOM_SECONDARY, (darkroom_host_phase)7));
  report(host, "pointer", darkroom_hosted_pointer(session, DARKROOM_HOST_POINTER_MOVED, 1, 640, 360.5));
  report(host, "pointer", darkroom_hosted_pointer(session, (darkroom_host_pointer_phase)6, 0, 0, 0));
  report(host, "control", darkroom_hosted_set_control(session, "zoom", 2.5));
  report(host, "control", darkroom_hosted_step_control(session, "zoom", -2));
  report(host, "control", darkroom_hosted_select_title(session, "filter", "Mono"));
  report(host, "early", darkroom_hosted_wait(session, 0, &result));
  report(host, "dismiss", darkroom_hosted_dismiss(session));
  report(host, "terminate", darkroom_hosted_terminate(session));
  print_events(host, DARKROOM_HOST_FINISHED);
  report(host, "wait", darkroom_hosted_wait(session, 0, &result));
  print_result(result);
  darkroom_hosted_close(session);
  options.place = 9;
  say("place %d", darkroom_host_launch(host, "x", &options) == NULL);
  program.app = "org.example.camera", program.program = "bin/tool";
  program.arguments = arguments, program.argument_count = 2;
  program.policy = "capture", program.camera = "pattern";
  program.read_only_paths = paths, program.read_only_path_count = 1;
  program.environment = environment, program.environment_count = 2;
  session = darkroom_host_launch_program(host, &program);
  report(host, "wait", darkroom_hosted_wait(session, -1, &result));
  say("exit %lld '%s'", (long long)result->outcome->exit_code, result->summary);
  darkroom_hosted_close(session);
  program.environment = faulty;
  say("program %d", darkroom_host_launch_program(host, &program) == NULL);
  report(host, "program", darkroom_host_last_error(host)->code);
  session = darkroom_host_launch(host, "org.example.camera.capture", NULL);
  // The session is dismissed, because it is still running, and its events are discarded.
  darkroom_hosted_close(session);
  print_events(host, DARKROOM_HOST_CONTENT_END);
}

// MARK: Viewfinder

/// Prints a frame, and the first byte of each plane.
static void print_frame(const darkroom_frame *frame) {
  say("frame %llu at %llu %ux%u dropped %llu planes %u %u %u valid %d", (unsigned long long)frame->sequence,
      (unsigned long long)frame->timestamp, frame->width, frame->height, (unsigned long long)frame->dropped,
      frame->plane[0][0], frame->plane[1][0], frame->plane[2][0], darkroom_frame_valid(frame));
}

static void scenario_viewfinder(darkroom_host *host) {
  darkroom_frame frame = DARKROOM_FRAME_INIT, copy = DARKROOM_FRAME_INIT;
  darkroom_hosted_session *session = darkroom_host_launch(host, "org.example.camera.capture", NULL);
  char line[64];
  while (fgets(line, sizeof line, stdin) != NULL) {
    line[strcspn(line, "\n")] = 0;
    int timeout = strncmp(line, "take", 4) == 0 ? atoi(line + 4) : 0;
    if (strncmp(line, "take", 4) == 0) {
      int result = darkroom_hosted_take_frame(session, &frame, timeout);
      if (result > 0) print_frame(&frame);
      if (result <= 0) report(host, "take", result);
    } else if (strcmp(line, "valid") == 0) {
      say("valid %d", darkroom_frame_valid(&frame));
    } else if (strcmp(line, "copy") == 0) {
      darkroom_frame view = frame;
      say("copy %d", darkroom_copy_frame(&frame, &copy));
      // The planes of a view are not freed.
      darkroom_free_frame(&view);
      print_frame(&copy);
      darkroom_free_frame(&copy);
    } else if (strcmp(line, "request") == 0) {
      report(host, "request", darkroom_hosted_request_frame(session));
    } else if (strcmp(line, "release") == 0) {
      report(host, "release", darkroom_hosted_release_frame(session));
    } else if (strcmp(line, "next") == 0) {
      darkroom_host_event event = DARKROOM_HOST_EVENT_INIT;
      int result = darkroom_host_next(host, &event, 1000);
      if (result > 0) print_event(&event);
      if (result <= 0) report(host, "next", result);
    } else if (strncmp(line, "save ", 5) == 0) {
      report(host, "save", strstr(line, ".png") != NULL ? darkroom_host_save_png(host, &frame, line + 5)
                                                        : darkroom_host_save_jpeg(host, &frame, line + 5, 90));
    } else if (strcmp(line, "descriptors") == 0) {
      int count = 0, inheritable = 0;
      for (int number = 3; number < 64; number++) {
        int flags = fcntl(number, F_GETFD);
        if (flags >= 0) count++;
        if (flags == 0) inheritable++;
      }
      say("descriptors %d inheritable %d", count, inheritable);
    } else if (strcmp(line, "launch") == 0) {
      darkroom_hosted_close(session);
      session = darkroom_host_launch(host, "org.example.camera.capture", NULL);
      if (session == NULL) report(host, "launch", darkroom_host_last_error(host)->code);
    }
  }
}

// MARK: Errors

static void scenario_errors(darkroom_host *host) {
  static char large[1100000];
  darkroom_host_event event = DARKROOM_HOST_EVENT_INIT;
  const darkroom_host_app *app = NULL;
  const darkroom_host_installation *installation = NULL;
  for (int count = 0; count < 4; count++) report(host, "refused", darkroom_host_find_app(host, "x", &app));
  for (int count = 0; count < 3; count++) report(host, "faulty", darkroom_host_install(host, "/x", &installation));
  say("unset %d", app == NULL && installation == NULL);
  darkroom_host_set_timeout(host, 50);
  report(host, "timeout", darkroom_host_uninstall(host, "x", false));
  say("late launch %d", darkroom_host_launch(host, "x", NULL) == NULL);
  darkroom_host_set_timeout(host, 20000);
  report(host, "after", darkroom_host_uninstall(host, "x", false));
  report(host, "missing", darkroom_host_find_app(host, NULL, &app));
  memset(large, 'x', sizeof large - 1);
  report(host, "large", darkroom_host_find_app(host, large, &app));
  large[1048576 - strlen("{'jsonrpc':'2.0','id':NN,'method':'apps/find','params':{'app':''}}")] = 0;
  report(host, "largest", darkroom_host_find_app(host, large, &app));
  say("app '%zu'", strlen(app->name));
  darkroom_host_free(app);
  memcpy(large, "{\"a\":", 5);
  memset(large + 5, '[', 31);
  memset(large + 36, ']', 31);
  memcpy(large + 67, "}", 2);
  report(host, "deep", darkroom_host_call(host, "apps/find", large, NULL));
  event.size = 8;
  report(host, "small", darkroom_host_next(host, &event, 0));
  report(host, "none", darkroom_host_next(host, NULL, 0));
}

/// Continues after the server has closed the connection.
static void scenario_closed(darkroom_host *host) {
  const darkroom_host_result *result = NULL;
  darkroom_frame frame = DARKROOM_FRAME_INIT;
  darkroom_hosted_session *session = darkroom_host_launch(host, "org.example.camera.capture", NULL);
  struct pollfd watched = {.fd = darkroom_host_descriptor(host), .events = POLLIN};
  say("poll %d", poll(&watched, 1, 20000));
  print_events(host, -1);
  report(host, "request", darkroom_hosted_dismiss(session));
  report(host, "wait", darkroom_hosted_wait(session, -1, &result));
  report(host, "take", darkroom_hosted_take_frame(session, &frame, -1));
}

/// Sends a message that the server does not read.
static void scenario_blocked(darkroom_host *host) {
  static char large[1000000];
  const darkroom_host_app *app = NULL;
  memset(large, 'x', sizeof large - 1);
  darkroom_host_set_timeout(host, 100);
  report(host, "blocked", darkroom_host_find_app(host, large, &app));
  report(host, "after", darkroom_host_find_app(host, "x", &app));
}

/// Prints events until a call fails.
static void scenario_events(darkroom_host *host) {
  struct pollfd watched = {.fd = darkroom_host_descriptor(host), .events = POLLIN};
  darkroom_host_event event = DARKROOM_HOST_EVENT_INIT;
  report(host, "none", darkroom_host_next(host, &event, 0));
  say("poll %d", poll(&watched, 1, 20000));
  print_events(host, -1);
  report(host, "end", darkroom_host_next(host, &event, -1));
}

/// Prints the sizes of the structures, which only grow.
static int scenario_sizes(void) {
#define SIZE(structure) say("size darkroom_host_" #structure " %zu", sizeof(darkroom_host_##structure))
  SIZE(app), SIZE(camera), SIZE(comparison), SIZE(content), SIZE(control), SIZE(diagnostic), SIZE(difference), SIZE(event);
  SIZE(explanation), SIZE(extension), SIZE(file), SIZE(frame_counts), SIZE(info), SIZE(installation);
  SIZE(key_binding), SIZE(launch_options), SIZE(layer), SIZE(log_entry), SIZE(log_filter), SIZE(microphone);
  SIZE(options), SIZE(outcome), SIZE(path_access), SIZE(permission), SIZE(program), SIZE(quarantine), SIZE(quarantined);
  SIZE(recovered), SIZE(recovery), SIZE(refusal), SIZE(result), SIZE(running), SIZE(sandbox), SIZE(text), SIZE(verdict);
  return 0;
}

int main(int count, char **words) {
  darkroom_error error = DARKROOM_ERROR_INIT;
  darkroom_host_options options = DARKROOM_HOST_OPTIONS_INIT;
  const char *scenario = count > 1 ? words[1] : "";
  if (strcmp(scenario, "sizes") == 0) return scenario_sizes();
  // The further arguments are those of the server to start.
  options.client = "client 1.0";
  options.start = count > 2;
  options.program = count > 2 ? words[2] : NULL;
  options.arguments = (const char *const *)(words + 3);
  options.argument_count = count > 3 ? (size_t)count - 3 : 0;
  options.start_timeout = 20000;
  darkroom_host *host = darkroom_host_open(&options, &error);
  if (host == NULL) {
    say("%d %d '%s'", error.code, error.system_error, error.text);
    return 1;
  }
  if (strcmp(scenario, "open") == 0) say("opened %s", darkroom_host_get_info(host)->host);
  if (strcmp(scenario, "requests") == 0) scenario_requests(host);
  if (strcmp(scenario, "sessions") == 0) scenario_sessions(host);
  if (strcmp(scenario, "viewfinder") == 0) scenario_viewfinder(host);
  if (strcmp(scenario, "errors") == 0) scenario_errors(host);
  if (strcmp(scenario, "closed") == 0) scenario_closed(host);
  if (strcmp(scenario, "blocked") == 0) scenario_blocked(host);
  if (strcmp(scenario, "events") == 0) scenario_events(host);
  darkroom_host_close(host);
  say("closed");
  return 0;
}
