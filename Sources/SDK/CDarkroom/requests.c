// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/// Sends a request that returns no value.
static int dk_perform(darkroom_session *session, struct dk_text *text) {
  return dk_finish(session, text, session->timeout, NULL);
}

/// Appends a member with a string, if there is one. The first member has no comma before it.
static void dk_put_member(struct dk_text *text, const char *separator_and_name, const char *value) {
  if (value == NULL) return;
  dk_put(text, separator_and_name);
  dk_put_string(text, value);
}

int darkroom_subscribe(darkroom_session *session, bool default_sound_disabled) {
  struct dk_text text = dk_begin(session, "capture/subscribe", true);
  dk_put(&text, default_sound_disabled ? "{\"defaultSoundDisabled\":true}}" : "{}}");
  return dk_perform(session, &text);
}

int darkroom_unsubscribe(darkroom_session *session) { return dk_call(session, "capture/unsubscribe", NULL); }

int darkroom_subscribe_pointer(darkroom_session *session) { return dk_call(session, "pointer/subscribe", NULL); }

int darkroom_play_sound(darkroom_session *session, int64_t event, const char *sound, const char *path) {
  struct dk_json reply;
  bool is_played = false;
  struct dk_text text = dk_begin(session, "capture/playSound", true);
  dk_put(&text, "{\"event\":");
  dk_put_integer(&text, event);
  dk_put_member(&text, ",\"sound\":", sound);
  dk_put_member(&text, ",\"path\":", path);
  dk_put(&text, "}}");
  int result = dk_finish(session, &text, session->timeout, &reply);
  if (result != 0) return result;
  if (!dk_json_boolean(dk_json_member(reply, "played"), &is_played)) return dk_bad_reply(session, "played");
  return is_played ? 1 : 0;
}

const char *darkroom_get_context(darkroom_session *session) {
  struct dk_json reply;
  if (dk_call(session, "context/get", &reply) != 0) return NULL;
  struct dk_json context = dk_json_member(reply, "context");
  if (dk_settle_context(session, context) != 0) return NULL;
  if (dk_json_is_null(context)) return "null";
  free(session->reply_text);
  session->reply_text = dk_copy_text(context);
  if (session->reply_text == NULL) dk_fail(session, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for the context");
  return session->reply_text;
}

/// Stores the context that the host has accepted.
static int dk_settle_text(darkroom_session *session, const char *json) {
  struct dk_text text = {0};
  dk_put_json(&text, json);
  int result = text.failed ? dk_fail(session, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for the context")
                           : dk_settle_context(session, (struct dk_json){text.bytes, text.length});
  dk_discard(&text);
  return result;
}

/// Replaces the context, if it is still the expected one (NULL: any).
static int dk_replace_context(darkroom_session *session, const char *json, const char *expected) {
  struct dk_text text = dk_begin(session, "context/update", true);
  dk_put(&text, "{\"context\":");
  if (!dk_put_json(&text, json)) return dk_bad_json(session, &text);
  if (expected != NULL) dk_put(&text, ",\"ifContext\":");
  if (expected != NULL && !dk_put_json(&text, expected)) return dk_bad_json(session, &text);
  dk_put(&text, "}}");
  int result = dk_perform(session, &text);
  if (result == 0) return dk_settle_text(session, json);
  if (result == DARKROOM_CONTEXT_CHANGED) {
    const char *stored = session->error_data == NULL ? "null" : session->error_data;
    int failure = dk_settle_context(session, (struct dk_json){stored, strlen(stored)});
    if (failure != 0) return failure;
  }
  return result;
}

int darkroom_set_context(darkroom_session *session, const char *json) {
  return dk_replace_context(session, json, NULL);
}

int darkroom_exchange_context(darkroom_session *session, const char *json, const char *expected) {
  return dk_replace_context(session, json, expected == NULL ? "null" : expected);
}

/// Returns the value at a path of a text of the caller, or no value if the text is not JSON.
static struct dk_json dk_find(const char *json, const char *path) {
  struct dk_json none = {NULL, 0};
  if (json == NULL || !dk_json_valid(json, strlen(json))) return none;
  size_t space = strspn(json, " \t\r\n");
  struct dk_json value = {json + space, strlen(json) - space};
  while (value.length > 0 && strchr(" \t\r\n", value.text[value.length - 1]) != NULL) value.length--;
  return dk_json_at(value, path);
}

int darkroom_json_string(const char *json, const char *path, char *buffer, size_t size) {
  struct dk_json value = dk_find(json, path);
  if (dk_json_string(value, buffer, size) >= 0) return 0;
  if (value.text == NULL || value.text[0] != '"') return DARKROOM_INVALID;
  // A string that cannot be decoded into a buffer of its own length contains a zero byte or half of a character.
  char *whole = malloc(value.length);
  if (whole == NULL) return DARKROOM_SYSTEM_ERROR;
  bool is_valid = dk_json_string(value, whole, value.length) >= 0;
  free(whole);
  return is_valid ? DARKROOM_TOO_LARGE : DARKROOM_INVALID;
}

int darkroom_json_number(const char *json, const char *path, double *value) {
  return dk_json_number(dk_find(json, path), value) ? 0 : DARKROOM_INVALID;
}

int darkroom_json_boolean(const char *json, const char *path, bool *value) {
  return dk_json_boolean(dk_find(json, path), value) ? 0 : DARKROOM_INVALID;
}

int darkroom_dismiss(darkroom_session *session) { return dk_call(session, "session/dismiss", NULL); }

int darkroom_open_application(darkroom_session *session, const darkroom_activity *activity) {
  darkroom_activity given;
  if (!dk_accepts(session, activity, DK_LEAST(darkroom_activity, required_key_count))) return DARKROOM_INVALID;
  dk_copy_in(&given, activity, sizeof given);
  if (given.activity_type == NULL) return dk_fail(session, DARKROOM_INVALID, 0, "activity_type is missing");
  struct dk_text text = dk_begin(session, "session/openApplication", true);
  dk_put_member(&text, "{\"activity\":{\"activityType\":", given.activity_type);
  dk_put_member(&text, ",\"title\":", given.title);
  if (given.user_info != NULL) dk_put(&text, ",\"userInfo\":");
  if (given.user_info != NULL && !dk_put_json(&text, given.user_info)) return dk_bad_json(session, &text);
  dk_put_member(&text, ",\"targetContentIdentifier\":", given.target_content_identifier);
  dk_put_member(&text, ",\"webpageURL\":", given.webpage_url);
  for (size_t index = 0; index < given.required_key_count; index++)
    dk_put_member(&text, index == 0 ? ",\"requiredUserInfoKeys\":[" : ",", given.required_keys[index]);
  dk_put(&text, given.required_key_count > 0 ? "]}}}" : "}}}");
  // The user may have to authenticate.
  return dk_finish(session, &text, -1, NULL);
}

int darkroom_invalidate_content(darkroom_session *session, int64_t *files, int64_t *bytes) {
  struct dk_json reply;
  int result = dk_call(session, "session/invalidateContent", &reply);
  if (result != 0) return result;
  if (files != NULL && !dk_json_integer(dk_json_member(reply, "files"), files)) return dk_bad_reply(session, "files");
  if (bytes != NULL && !dk_json_integer(dk_json_member(reply, "bytes"), bytes)) return dk_bad_reply(session, "bytes");
  return 0;
}

int darkroom_begin_activity(darkroom_session *session, const char *reason, char *name, size_t size) {
  struct dk_json reply;
  struct dk_text text = dk_begin(session, "session/beginActivity", true);
  dk_put_member(&text, "{\"reason\":", reason);
  dk_put(&text, "}}");
  int result = dk_finish(session, &text, session->timeout, &reply);
  if (result != 0) return result;
  struct dk_json activity = dk_json_member(reply, "activity");
  if (dk_json_string(activity, name, size) >= 0) return 0;
  if (activity.text == NULL || activity.text[0] != '"') return dk_bad_reply(session, "activity");
  return dk_fail(session, DARKROOM_TOO_LARGE, 0, "the buffer is too small for the activity's name");
}

int darkroom_end_activity(darkroom_session *session, const char *name) {
  struct dk_text text = dk_begin(session, "session/endActivity", true);
  dk_put_member(&text, "{\"activity\":", name);
  dk_put(&text, "}}");
  return dk_perform(session, &text);
}

int darkroom_log(darkroom_session *session, darkroom_log_level level, const char *format, ...) {
  static const char *const levels[] = {"debug", "info", "notice", "error"};
  char sentence[4096];
  va_list values;
  if (level < DARKROOM_LOG_DEBUG || level > DARKROOM_LOG_ERROR)
    return dk_fail(session, DARKROOM_INVALID, 0, "the level of the log does not exist");
  va_start(values, format);
  vsnprintf(sentence, sizeof sentence, format, values);
  va_end(values);
  struct dk_text text = dk_begin(session, "log", false);
  dk_put_member(&text, "{\"level\":", levels[level]);
  dk_put_member(&text, ",\"message\":", sentence);
  dk_put(&text, "}}");
  return dk_send(session, &text);
}
