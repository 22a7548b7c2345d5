// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_interface.h"

#include <stdio.h>
#include <stdlib.h>

/// The codes of darkroom_host_code are the negative positions of the kinds, minus 5000.
#define DK_KIND_CODE(kind) (-5000 - (kind))
#define DK_CHECK_KIND(name) \
  _Static_assert(DARKROOM_HOST_ERROR_##name == DK_KIND_CODE(DK_ERROR_##name), "a code differs")
DK_CHECK_KIND(STATE_DIRECTORY);
DK_CHECK_KIND(BUNDLE);
DK_CHECK_KIND(NOT_INSTALLED);
DK_CHECK_KIND(INSTALLATION);
DK_CHECK_KIND(CONTENT_PENDING);
DK_CHECK_KIND(EXTENSION_RUNNING);
DK_CHECK_KIND(POLICY);
DK_CHECK_KIND(AUDIT);
DK_CHECK_KIND(PROGRAM);
DK_CHECK_KIND(CAMERA);
DK_CHECK_KIND(MICROPHONE);
DK_CHECK_KIND(FOREGROUND_OCCUPIED);
DK_CHECK_KIND(INSUFFICIENT_SPACE);
DK_CHECK_KIND(STORE);
DK_CHECK_KIND(ARGUMENT);
DK_CHECK_KIND(CANCELLED);
DK_CHECK_KIND(CLOSED);
DK_CHECK_KIND(SYSTEM);
DK_CHECK_KIND(NOT_FOUND);
DK_CHECK_KIND(BUSY);
DK_CHECK_KIND(REFUSED);
DK_CHECK_KIND(VIEWFINDER);
_Static_assert(DK_COUNT_ERROR_DATA_KIND == 22, "darkroom_host_code lacks a kind");

int dk_host_fail(darkroom_host *host, int code, int system_error, const char *text) {
  dk_describe(&host->error, code, system_error, text);
  return code;
}

int dk_host_bad_result(darkroom_host *host, const char *member) {
  char sentence[96];
  snprintf(sentence, sizeof sentence, "the server sent a result without a valid '%s'", member);
  return dk_host_fail(host, DARKROOM_PROTOCOL_ERROR, 0, sentence);
}

bool dk_host_accepts(darkroom_host *host, const void *structure, size_t least) {
  if (dk_has_size(structure, least)) return true;
  dk_host_fail(host, DARKROOM_INVALID, 0,
               "a structure is missing or was not initialized with its DARKROOM_HOST_…_INIT");
  return false;
}

/// Returns the code for the error of a response.
static int dk_error_code(int64_t code, struct dk_json data) {
  static const char *const kinds[] = DK_NAMES_ERROR_DATA_KIND;
  int kind = code == DARKROOM_HOST_ERROR_OTHER ? dk_json_choice(dk_json_member(data, "kind"), kinds) : 0;
  return kind > 0 ? DK_KIND_CODE(kind) : (int)code;
}

int dk_host_store_error(darkroom_host *host, struct dk_json error) {
  int64_t code = 0, number = 0;
  struct dk_json data = dk_json_member(error, "data"), message = dk_json_member(error, "message");
  if (!dk_json_integer(dk_json_member(error, "code"), &code) || code >= 0 || code < -INT32_MAX)
    return dk_host_bad_result(host, "error.code");
  free(host->error_data);
  host->error_data = data.text == NULL ? NULL : dk_copy_text(data);
  // The text of the server contains the text of its errno.
  char *sentence = message.text == NULL ? NULL : malloc(message.length);
  if (sentence != NULL && dk_json_text(message, sentence, message.length) > 0)
    dk_describe(&host->error, 0, 0, sentence);
  else
    dk_describe(&host->error, 0, 0, "the server refused the request");
  free(sentence);
  if (dk_json_integer(dk_json_member(data, "errno"), &number) && number > 0 && number < 4096)
    host->error.system_error = (int)number;
  host->error.code = dk_error_code(code, data);
  return host->error.code;
}

bool dk_host_read_error(darkroom_host *host, struct dk_json response, darkroom_error *error) {
  struct dk_json found = dk_json_member(response, "error");
  if (dk_json_is_null(found)) return false;
  darkroom_error previous = host->error;
  dk_host_store_error(host, found);
  *error = host->error;
  host->error = previous;
  return true;
}

const darkroom_error *darkroom_host_last_error(const darkroom_host *host) { return &host->error; }

const char *darkroom_host_last_error_data(const darkroom_host *host) { return host->error_data; }
