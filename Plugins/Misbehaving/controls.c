// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "orders.h"

/// Invalid or harmful declarations of camera controls.
static const struct invalid_declaration {
  const char *name, *controls;
} invalid_declarations[] = {
    {"reversed", "[{\"id\":\"a\",\"kind\":\"slider\",\"title\":\"A\",\"symbol\":\"\",\"value\":3,\"range\":[5,1]}]"},
    {"outside", "[{\"id\":\"a\",\"kind\":\"slider\",\"title\":\"A\",\"symbol\":\"\",\"value\":9,\"range\":[1,5]}]"},
    {"escape", "[{\"id\":\"a\",\"kind\":\"picker\",\"title\":\"\\u001b[2J\\u001b]0;owned\\u0007\",\"symbol\":\"\",\"value\":0,"
               "\"titles\":[\"a\"]}]"},
    {"nan", "[{\"id\":\"a\",\"kind\":\"slider\",\"title\":\"A\",\"symbol\":\"\",\"value\":NaN,\"range\":[1,5]}]"},
    {"type", "[{\"id\":\"a\",\"kind\":\"dial\",\"title\":\"A\",\"symbol\":\"\",\"value\":1}]"},
};

/// Declares `count` controls in one line, however long that becomes.
static void declare_many(struct host *host, const char *value, int count) {
  static const char begin[] = "{\"jsonrpc\":\"2.0\",\"id\":900,\"method\":\"controls/declare\",\"params\":{\"revision\":1,\"controls\":[";
  static const char one[] = "{\"id\":\"c%d\",\"kind\":\"picker\",\"title\":\"C\",\"symbol\":\"\",\"value\":0,\"titles\":[\"a\"]}%s";
  write_all(host->out, begin, sizeof begin - 1);
  char line[160];
  for (int index = 0; index < count; index++) {
    int length = snprintf(line, sizeof line, one, index, index + 1 < count ? "," : "");
    write_all(host->out, line, (size_t)length);
  }
  send_line(host, "]}}");
  const char *answer = await_answer(host, 900);
  report("controls", value, "%s", answer == NULL ? "no answer" : answer);
}

bool order_controls(struct host *host, const char *order, const char *value) {
  if (host->out < 0 || strcmp(order, "controls") != 0) return false;
  int count = atoi(value);
  if (count > 0) {
    declare_many(host, value, count);
    return true;
  }
  for (size_t index = 0; index < sizeof invalid_declarations / sizeof invalid_declarations[0]; index++) {
    if (strcmp(value, invalid_declarations[index].name) != 0) continue;
    char parameters[512];
    snprintf(parameters, sizeof parameters, "{\"revision\":1,\"controls\":%s}", invalid_declarations[index].controls);
    const char *answer = await_answer(host, ask(host, "controls/declare", parameters));
    report(order, value, "%s", answer == NULL ? "no answer" : answer);
    return true;
  }
  return false;
}
