// SPDX-License-Identifier: Apache-2.0
#include "request.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/// Appends a text. A text that does not fit sets the length to the capacity.
static void put(struct request *request, const char *text, size_t count) {
  size_t room = sizeof request->text - request->length;
  if (count > room) count = room;
  memcpy(request->text + request->length, text, count);
  request->length += count;
}

/// Appends a text without escapes.
static void put_text(struct request *request, const char *text) { put(request, text, strlen(text)); }

/// Appends a JSON string. The server refuses bytes that are not UTF-8.
static void put_string(struct request *request, const char *text, size_t count) {
  put_text(request, "\"");
  for (const char *end = text + count; text < end; text++) {
    unsigned char byte = (unsigned char)*text;
    char escape[8];
    if (byte < 0x20 || byte == '"' || byte == '\\' || byte == 0x7F) {
      snprintf(escape, sizeof escape, "\\u%04x", byte);
      put_text(request, escape);
    } else {
      put(request, text, 1);
    }
  }
  put_text(request, "\"");
}

/// Appends the words of the command as an array.
static void put_words(struct request *request, const struct call *call) {
  for (int i = 0; i < call->count; i++) {
    put_text(request, i == 0 ? "[" : ",");
    put_string(request, call->words[i], strlen(call->words[i]));
  }
  put_text(request, "]");
}

/// Appends the variables of the environment as an object. Entries without a name are omitted.
static void put_environment(struct request *request) {
  const char *separator = "{";
  for (char **entry = environ; *entry != NULL; entry++) {
    const char *equals = strchr(*entry, '=');
    if (equals == NULL || equals == *entry) continue;
    put_text(request, separator);
    put_string(request, *entry, (size_t)(equals - *entry));
    put_text(request, ":");
    put_string(request, equals + 1, strlen(equals + 1));
    separator = ",";
  }
  put_text(request, *separator == '{' ? "{}" : "}");
}

/// Returns the file mode mask of this process, without the owner's bits, which the full command clears, too.
static unsigned file_mode_mask(void) {
  mode_t mask = umask(077);
  umask(mask);
  return mask & 077;
}

bool request_write(struct request *request, const struct call *call, bool has_terminal) {
  char number[16];
  request->length = 0;
  put_text(request, "{\"darkroom\":\"" DARKROOM_VERSION "\",\"request\":\"run\",\"words\":");
  put_words(request, call);
  put_text(request, ",\"environment\":");
  put_environment(request);
  snprintf(number, sizeof number, "%u", file_mode_mask());
  put_text(request, ",\"mask\":");
  put_text(request, number);
  put_text(request, has_terminal ? ",\"terminal\":\"given\"}" : ",\"terminal\":\"none\"}");
  return request->length < sizeof request->text;
}
