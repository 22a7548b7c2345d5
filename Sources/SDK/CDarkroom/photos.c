// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/// The maximum number of assets in a reply. With the maximum of the protocol, long titles could exceed the maximum
/// length of a line.
#define DK_PAGE 100

/// The names of media types in the order of darkroom_media_type.
static const char *const dk_media_types[] = {"image", "video", "audio", "other", NULL};

int darkroom_photo_permission(darkroom_session *session, darkroom_photo_access access) {
  static const char *const names[] = {"authorized", "denied", "notDetermined", "restricted", "limited", NULL};
  struct dk_json reply;
  struct dk_text text = dk_begin(session, "photos/authorization", true);
  dk_put(&text, access == DARKROOM_ADD_ONLY ? "{\"level\":\"addOnly\"}}" : "{\"level\":\"readWrite\"}}");
  int result = dk_finish(session, &text, session->timeout, &reply);
  return result != 0 ? result : dk_json_choice(dk_json_member(reply, "status"), names);
}

/// Copies a string of a reply into a buffer of the caller.
static int dk_copy_reply(darkroom_session *session, struct dk_json value, const char *field, char *buffer, size_t size) {
  if (value.text == NULL || value.text[0] != '"') return dk_bad_reply(session, field);
  if (dk_json_string(value, buffer, size) >= 0) return 0;
  return dk_fail(session, DARKROOM_TOO_LARGE, 0, "the buffer is too small for the reply");
}

int darkroom_add_photo(darkroom_session *session, const darkroom_new_photo *photo, char *id, size_t id_size) {
  darkroom_new_photo given;
  struct dk_json reply;
  if (!dk_accepts(session, photo, DK_LEAST(darkroom_new_photo, created_at))) return DARKROOM_INVALID;
  dk_copy_in(&given, photo, sizeof given);
  if (given.path == NULL || given.media_type < 0 || given.media_type > DARKROOM_OTHER_MEDIA)
    return dk_fail(session, DARKROOM_INVALID, 0, "the path of the photo is missing, or its media type does not exist");
  struct dk_text text = dk_begin(session, "photos/add", true);
  dk_put(&text, "{\"path\":");
  dk_put_string(&text, given.path);
  if (given.title != NULL) {
    dk_put(&text, ",\"title\":");
    dk_put_string(&text, given.title);
  }
  if (given.media_type > 0) {
    dk_put(&text, ",\"mediaType\":");
    dk_put_string(&text, dk_media_types[given.media_type - 1]);
  }
  if (given.move) dk_put(&text, ",\"move\":true");
  if (given.created_at != 0) {
    dk_put(&text, ",\"createdAt\":");
    dk_put_integer(&text, given.created_at);
  }
  dk_put(&text, "}}");
  int result = dk_finish(session, &text, session->timeout, &reply);
  if (result != 0 || id_size == 0) return result;
  return dk_copy_reply(session, dk_json_member(dk_json_member(reply, "asset"), "id"), "asset.id", id, id_size);
}

/// Decodes an asset and calls the function. Returns its result, or a code.
static int dk_report_asset(darkroom_session *session, struct dk_json object, darkroom_asset_function *function,
                           void *context) {
  darkroom_asset asset = {.size = sizeof asset};
  // Space for all text of the asset, each with a zero byte.
  char *id = malloc(3 * (object.length + 1));
  if (id == NULL) return dk_fail(session, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for an asset");
  char *title = id + object.length + 1, *owner = title + object.length + 1;
  int result = DARKROOM_PROTOCOL_ERROR;
  if (dk_json_string(dk_json_member(object, "id"), id, object.length + 1) < 0) {
    dk_bad_reply(session, "assets.id");
  } else {
    asset.id = id;
    asset.title = dk_json_string(dk_json_member(object, "title"), title, object.length + 1) < 0 ? "" : title;
    if (dk_json_string(dk_json_member(object, "session"), owner, object.length + 1) >= 0) asset.session = owner;
    asset.media_type = dk_json_choice(dk_json_member(object, "mediaType"), dk_media_types);
    dk_json_boolean(dk_json_member(object, "ownSession"), &asset.own_session);
    dk_json_integer(dk_json_member(object, "bytes"), &asset.bytes);
    dk_json_integer(dk_json_member(object, "createdAt"), &asset.created_at);
    result = function(&asset, context);
  }
  free(id);
  return result;
}

/// Requests the assets after a position, or the first.
static int dk_request_page(darkroom_session *session, const char *after, struct dk_json *reply) {
  struct dk_text text = dk_begin(session, "photos/list", true);
  dk_put(&text, "{\"limit\":");
  dk_put_integer(&text, DK_PAGE);
  if (after[0] != 0) {
    dk_put(&text, ",\"after\":");
    dk_put_string(&text, after);
  }
  dk_put(&text, "}}");
  return dk_finish(session, &text, session->timeout, reply);
}

int darkroom_list_photos(darkroom_session *session, darkroom_asset_function *function, void *context) {
  char after[256] = "";
  bool is_complete = false;
  int result = 0;
  while (result == 0 && !is_complete) {
    struct dk_json reply, asset = {NULL, 0};
    result = dk_request_page(session, after, &reply);
    if (result != 0) break;
    // The function may send requests, which replace the reply.
    struct dk_message *message = session->reply;
    session->reply = NULL;
    struct dk_json assets = dk_json_member(reply, "assets"), next = dk_json_member(reply, "next");
    is_complete = dk_json_string(next, after, sizeof after) <= 0;
    while (result == 0 && dk_json_next(assets, &asset)) result = dk_report_asset(session, asset, function, context);
    // A page without assets would be requested again and again.
    if (asset.text == NULL) is_complete = true;
    free(message);
  }
  return result;
}

/// Starts a request about an asset.
static struct dk_text dk_begin_asset(darkroom_session *session, const char *method, const char *id) {
  struct dk_text text = dk_begin(session, method, true);
  dk_put(&text, "{\"asset\":");
  dk_put_string(&text, id);
  dk_put(&text, "}}");
  return text;
}

int darkroom_open_photo(darkroom_session *session, const char *id, char *path, size_t size) {
  struct dk_json reply;
  struct dk_text text = dk_begin_asset(session, "photos/open", id);
  int result = dk_finish(session, &text, session->timeout, &reply);
  return result != 0 ? result : dk_copy_reply(session, dk_json_member(reply, "path"), "path", path, size);
}

int darkroom_delete_photo(darkroom_session *session, const char *id) {
  struct dk_text text = dk_begin_asset(session, "photos/delete", id);
  return dk_finish(session, &text, session->timeout, NULL);
}
