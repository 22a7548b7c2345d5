// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_interface.h"
#include "image.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(DK_COUNT_SESSION_PRESS_BUTTON == DARKROOM_SECONDARY, "darkroom_button lacks a button");
_Static_assert(DK_COUNT_SESSION_PRESS_PHASE == DARKROOM_HOST_PRESS_CANCELLED, "darkroom_host_phase lacks a phase");
_Static_assert(DK_COUNT_SESSION_POINTER_PHASE == DARKROOM_HOST_POINTER_CANCELLED, "darkroom_host_pointer_phase lacks a phase");
_Static_assert(DK_COUNT_CONTROL_PRESS_EFFECT == 2, "an effect of a press is unknown");
_Static_assert(DK_COUNT_LAUNCH_OPTIONS_PLACE == DARKROOM_HOST_PLACE_PROGRAM, "darkroom_host_place lacks a place");

darkroom_hosted_session *dk_host_add_session(darkroom_host *host, struct dk_json id) {
  darkroom_hosted_session *session = calloc(1, sizeof *session);
  if (session == NULL) return NULL;
  if (dk_json_string(id, session->id, sizeof session->id) < 0) {
    free(session);
    return NULL;
  }
  session->host = host;
  session->viewfinder.error.size = sizeof session->viewfinder.error;
  session->sound.error.size = sizeof session->sound.error;
  session->next = host->sessions;
  host->sessions = session;
  return session;
}

darkroom_hosted_session *dk_host_find_session(const darkroom_host *host, struct dk_json id) {
  for (darkroom_hosted_session *session = host->sessions; session != NULL; session = session->next)
    if (!session->is_orphan && dk_json_is(id, session->id)) return session;
  return NULL;
}

/// Removes the events of a session from the queue.
static void dk_remove_events(darkroom_host *host, const darkroom_hosted_session *session) {
  struct dk_queued **link = &host->first;
  while (*link != NULL) {
    struct dk_queued *queued = *link;
    if (queued->session == session) {
      *link = queued->next;
      free(queued->line);
      free(queued);
    } else {
      link = &queued->next;
    }
  }
  host->last = link;
}

void dk_host_remove_session(darkroom_hosted_session *session) {
  darkroom_host *host = session->host;
  darkroom_hosted_session **link = &host->sessions;
  while (*link != session) link = &(*link)->next;
  *link = session->next;
  for (struct dk_pending *pending = host->pending; pending != NULL; pending = pending->next)
    if (pending->session == session) pending->session = NULL;
  dk_remove_events(host, session);
  dk_viewfinder_unmap(&session->viewfinder);
  dk_sound_free(&session->sound);
  darkroom_host_free(session->result);
  free(session->response);
  free(session);
}

struct dk_text dk_hosted_begin(darkroom_hosted_session *session, const char *method) {
  struct dk_text text = dk_host_begin(session->host, method);
  dk_add_required(&text, "session", session->id);
  return text;
}

/// Adds a duration, unless the duration is negative.
static void dk_add_seconds(struct dk_text *text, const char *name, double seconds) {
  if (!(seconds < 0)) dk_add_number(text, name, seconds);
}

/// Adds the options of a launch. Returns false with an error if they are invalid.
static bool dk_add_launch(darkroom_host *host, struct dk_text *text, const darkroom_host_launch_options *options) {
  static const char *const places[] = DK_NAMES_LAUNCH_OPTIONS_PLACE;
  char attestation[DK_PATH_BYTES], key[DK_PATH_BYTES];
  darkroom_host_launch_options given = DARKROOM_HOST_LAUNCH_OPTIONS_INIT;
  if (options == NULL) return true;
  if (!dk_host_accepts(host, options, DK_LEAST(darkroom_host_launch_options, public_key))) return false;
  dk_copy_in(&given, options, sizeof given);
  dk_add_name(text, "options");
  dk_put(text, "{");
  dk_add_text(text, "camera", given.camera);
  dk_add_text(text, "microphone", given.microphone);
  if (given.place != 0 && !dk_add_choice(text, "place", given.place, places)) {
    dk_host_fail(host, DARKROOM_INVALID, 0, "the place of the launch does not exist");
    return false;
  }
  dk_add_seconds(text, "grace", given.grace);
  dk_add_seconds(text, "watchdog", given.watchdog);
  dk_add_seconds(text, "idleTimeout", given.idle_timeout);
  if (given.digests) dk_add_name(text, "digests"), dk_put(text, "true");
  if (given.attestation != NULL || given.public_key != NULL) {
    const char *audit = dk_host_path(host, given.attestation, attestation);
    const char *public_key = dk_host_path(host, given.public_key, key);
    if ((audit == NULL && given.attestation != NULL) || (public_key == NULL && given.public_key != NULL)) return false;
    dk_add_name(text, "audit");
    dk_put(text, "{");
    dk_add_required(text, "attestation", audit);
    dk_add_required(text, "publicKey", public_key);
    dk_put(text, "}");
  }
  dk_put(text, "}");
  return true;
}

/// Adds the session of a response, and requests the result of the session in advance.
static darkroom_hosted_session *dk_start_session(darkroom_host *host, struct dk_json id) {
  if (id.text == NULL || id.text[0] != '"' || id.length > DK_SESSION_BYTES) {
    dk_host_bad_result(host, "session");
    return NULL;
  }
  darkroom_hosted_session *session = dk_host_add_session(host, id);
  if (session == NULL) {
    dk_host_fail(host, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for a session");
    return NULL;
  }
  struct dk_text request = dk_hosted_begin(session, DK_METHOD_SESSION_RESULT);
  if (dk_host_post(host, &request, DK_USE_RESULT, session) == 0) return session;
  dk_host_remove_session(session);
  return NULL;
}

/// Sends a request that launches a session.
static darkroom_hosted_session *dk_finish_launch(darkroom_host *host, struct dk_text *text) {
  struct dk_json result;
  if (dk_host_finish(host, text, DK_USE_LATE_LAUNCH, &result) != 0) return NULL;
  return dk_start_session(host, dk_json_member(result, "session"));
}

darkroom_hosted_session *darkroom_host_launch(darkroom_host *host, const char *extension,
                                              const darkroom_host_launch_options *options) {
  struct dk_text text = dk_host_begin(host, DK_METHOD_SESSION_LAUNCH);
  dk_add_required(&text, "extension", extension);
  if (dk_add_launch(host, &text, options)) return dk_finish_launch(host, &text);
  dk_discard(&text);
  return NULL;
}

int darkroom_host_press_control(darkroom_host *host, const char *app, const char *control,
                                const darkroom_host_launch_options *options, darkroom_hosted_session **session) {
  static const char *const effects[] = DK_NAMES_CONTROL_PRESS_EFFECT;
  struct dk_json result;
  struct dk_text text = dk_host_begin(host, DK_METHOD_CONTROL_PRESS);
  dk_add_required(&text, "app", app);
  dk_add_required(&text, "control", control);
  if (!dk_add_launch(host, &text, options)) {
    dk_discard(&text);
    return host->error.code;
  }
  *session = NULL;
  int failure = dk_host_finish(host, &text, DK_USE_LATE_LAUNCH, &result);
  if (failure != 0) return failure;
  int effect = dk_json_choice(dk_json_member(result, "effect"), effects);
  if (effect == 0) return dk_host_bad_result(host, "effect");
  if (effect != 1) return 0;
  *session = dk_start_session(host, dk_json_member(result, "session"));
  return *session == NULL ? host->error.code : 1;
}

int darkroom_host_prewarm(darkroom_host *host, const char *extension, const darkroom_host_launch_options *options) {
  struct dk_text text = dk_host_begin(host, DK_METHOD_HOST_PREWARM);
  dk_add_required(&text, "extension", extension);
  if (dk_add_launch(host, &text, options)) return dk_host_perform(host, &text);
  dk_discard(&text);
  return host->error.code;
}

/// Adds variables (`NAME=value`) as an object. Returns false if one has no name.
static bool dk_add_environment(struct dk_text *text, const char *const *variables, size_t count) {
  if (count == 0) return true;
  dk_add_name(text, "environment");
  dk_put(text, "{");
  for (size_t index = 0; index < count; index++) {
    const char *separator = strchr(variables[index], '=');
    if (separator == NULL || separator == variables[index]) return false;
    char *name = strndup(variables[index], (size_t)(separator - variables[index]));
    if (name == NULL) {
      text->failed = true;
      return true;
    }
    if (index > 0) dk_put(text, ",");
    dk_put_string(text, name);
    dk_put(text, ":");
    dk_put_string(text, separator + 1);
    free(name);
  }
  dk_put(text, "}");
  return true;
}

darkroom_hosted_session *darkroom_host_launch_program(darkroom_host *host, const darkroom_host_program *program) {
  char program_path[DK_PATH_BYTES], policy_path[DK_PATH_BYTES];
  darkroom_host_program given;
  if (!dk_host_accepts(host, program, DK_LEAST(darkroom_host_program, camera))) return NULL;
  dk_copy_in(&given, program, sizeof given);
  const char *path = dk_host_path_or_name(host, given.program, program_path);
  const char *policy = dk_host_path_or_name(host, given.policy, policy_path);
  if ((path == NULL && given.program != NULL) || (policy == NULL && given.policy != NULL)) return NULL;
  struct dk_text text = dk_host_begin(host, DK_METHOD_SESSION_LAUNCH_PROGRAM);
  dk_add_required(&text, "app", given.app);
  dk_add_required(&text, "program", path);
  dk_add_texts(&text, "arguments", given.arguments, given.argument_count);
  dk_add_text(&text, "policy", policy);
  dk_add_texts(&text, "readOnlyPaths", given.read_only_paths, given.read_only_path_count);
  dk_add_text(&text, "camera", given.camera);
  if (dk_add_environment(&text, given.environment, given.environment_count)) return dk_finish_launch(host, &text);
  dk_discard(&text);
  dk_host_fail(host, DARKROOM_INVALID, 0, "a variable of the environment has no name");
  return NULL;
}

void darkroom_hosted_close(darkroom_hosted_session *session) {
  if (session == NULL) return;
  if (session->response == NULL && !session->host->is_closed) {
    struct dk_text text = dk_hosted_begin(session, DK_METHOD_SESSION_DISMISS);
    dk_host_post(session->host, &text, DK_USE_NONE, NULL);
  }
  dk_host_remove_session(session);
}

const char *darkroom_hosted_id(const darkroom_hosted_session *session) { return session->id; }

int darkroom_hosted_press(darkroom_hosted_session *session, darkroom_button button, darkroom_host_phase phase) {
  static const char *const buttons[] = DK_NAMES_SESSION_PRESS_BUTTON;
  static const char *const phases[] = DK_NAMES_SESSION_PRESS_PHASE;
  struct dk_text text = dk_hosted_begin(session, DK_METHOD_SESSION_PRESS);
  bool is_valid = dk_add_choice(&text, "button", (int)button, buttons);
  // The server taps without a phase.
  if (phase != DARKROOM_HOST_PRESS_TAP) is_valid = dk_add_choice(&text, "phase", (int)phase, phases) && is_valid;
  if (is_valid) return dk_host_perform(session->host, &text);
  dk_discard(&text);
  return dk_host_fail(session->host, DARKROOM_INVALID, 0, "the button or the phase does not exist");
}

int darkroom_hosted_pointer(darkroom_hosted_session *session, darkroom_host_pointer_phase phase, int contact, double x,
                            double y) {
  static const char *const phases[] = DK_NAMES_SESSION_POINTER_PHASE;
  struct dk_text text = dk_hosted_begin(session, DK_METHOD_SESSION_POINTER);
  dk_add_number(&text, "x", x);
  dk_add_number(&text, "y", y);
  bool is_valid = dk_add_choice(&text, "phase", (int)phase, phases);
  dk_add_integer(&text, "contact", contact);
  if (is_valid) return dk_host_perform(session->host, &text);
  dk_discard(&text);
  return dk_host_fail(session->host, DARKROOM_INVALID, 0, "the phase of the contact does not exist");
}

/// Starts an adjustment of a camera control.
static struct dk_text dk_begin_adjustment(darkroom_hosted_session *session, const char *control) {
  struct dk_text text = dk_hosted_begin(session, DK_METHOD_SESSION_ADJUST);
  dk_add_required(&text, "control", control);
  return text;
}

int darkroom_hosted_set_control(darkroom_hosted_session *session, const char *control, double value) {
  struct dk_text text = dk_begin_adjustment(session, control);
  dk_add_number(&text, "value", value);
  return dk_host_perform(session->host, &text);
}

int darkroom_hosted_step_control(darkroom_hosted_session *session, const char *control, int steps) {
  struct dk_text text = dk_begin_adjustment(session, control);
  dk_add_integer(&text, "steps", steps);
  return dk_host_perform(session->host, &text);
}

int darkroom_hosted_select_title(darkroom_hosted_session *session, const char *control, const char *title) {
  struct dk_text text = dk_begin_adjustment(session, control);
  dk_add_required(&text, "title", title);
  return dk_host_perform(session->host, &text);
}

int darkroom_hosted_dismiss(darkroom_hosted_session *session) {
  struct dk_text text = dk_hosted_begin(session, DK_METHOD_SESSION_DISMISS);
  return dk_host_perform(session->host, &text);
}

int darkroom_hosted_terminate(darkroom_hosted_session *session) {
  struct dk_text text = dk_hosted_begin(session, DK_METHOD_SESSION_TERMINATE);
  return dk_host_perform(session->host, &text);
}

/// Decodes the response with the result of a session.
static int dk_read_result(darkroom_hosted_session *session) {
  darkroom_host *host = session->host;
  struct dk_json response = {session->response->text, session->response->length};
  struct dk_json error = dk_json_member(response, "error");
  struct dk_memory *memory = NULL;
  if (!dk_json_is_null(error)) return dk_host_store_error(host, error);
  session->result = dk_host_decode(host, dk_json_member(response, "result"), &dk_type_result, &memory);
  return session->result == NULL ? host->error.code : 0;
}

int darkroom_hosted_wait(darkroom_hosted_session *session, int timeout_ms, const darkroom_host_result **result) {
  darkroom_host *host = session->host;
  uint64_t deadline = dk_deadline(timeout_ms);
  while (session->response == NULL) {
    int count = dk_host_wait_interruptibly(host, deadline);
    if (count < 0) return count;
    if (count == 0 && session->response == NULL)
      return dk_host_fail(host, DARKROOM_TIMED_OUT, 0, "the session has not ended before the timeout");
  }
  int failure = session->result == NULL ? dk_read_result(session) : 0;
  if (failure == 0 && result != NULL) *result = session->result;
  return failure;
}
