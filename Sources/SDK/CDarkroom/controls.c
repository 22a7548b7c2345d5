// SPDX-License-Identifier: Apache-2.0
#include "session.h"

/// Appends a member with an array of numbers.
static void dk_put_numbers(struct dk_text *text, const char *name, const double *numbers, size_t count) {
  dk_put(text, name);
  for (size_t index = 0; index < count; index++) {
    dk_put(text, index == 0 ? "[" : ",");
    dk_put_number(text, numbers[index]);
  }
  dk_put(text, count == 0 ? "[]" : "]");
}

/// Appends the members that only a slider has.
static void dk_put_slider(struct dk_text *text, const darkroom_control *control) {
  if (control->values != NULL) {
    dk_put_numbers(text, ",\"values\":", control->values, control->value_count);
  } else {
    const double range[] = {control->minimum, control->maximum};
    dk_put_numbers(text, ",\"range\":", range, 2);
    if (control->step != 0) {
      dk_put(text, ",\"step\":");
      dk_put_number(text, control->step);
    }
  }
  if (control->prominent_count > 0)
    dk_put_numbers(text, ",\"prominent\":", control->prominent, control->prominent_count);
  if (control->format != NULL) {
    dk_put(text, ",\"format\":");
    dk_put_string(text, control->format);
  }
}

/// Appends the titles of a picker.
static void dk_put_titles(struct dk_text *text, const darkroom_control *control) {
  dk_put(text, ",\"titles\":[");
  for (size_t index = 0; index < control->title_count; index++) {
    if (index > 0) dk_put(text, ",");
    dk_put_string(text, control->titles[index]);
  }
  dk_put(text, "]");
}

/// Appends a control.
static void dk_put_control(struct dk_text *text, const darkroom_control *control) {
  dk_put(text, "{\"id\":");
  dk_put_string(text, control->id);
  dk_put(text, control->titles != NULL ? ",\"kind\":\"picker\",\"title\":" : ",\"kind\":\"slider\",\"title\":");
  dk_put_string(text, control->title);
  dk_put(text, ",\"symbol\":");
  dk_put_string(text, control->symbol == NULL ? "" : control->symbol);
  dk_put(text, control->disabled ? ",\"enabled\":false,\"value\":" : ",\"enabled\":true,\"value\":");
  if (control->titles != NULL) {
    dk_put_integer(text, control->value >= 0 && control->value < 256 ? (int64_t)control->value : 0);
    dk_put_titles(text, control);
  } else {
    dk_put_number(text, control->value);
    dk_put_slider(text, control);
  }
  dk_put(text, "}");
}

int darkroom_declare_controls(darkroom_session *session, const darkroom_control *controls, size_t count) {
  struct dk_text text = dk_begin(session, "controls/declare", true);
  const char *next = (const char *)controls;
  size_t size = count > 0 && controls != NULL ? controls->size : sizeof *controls;
  int result = 0;
  dk_put(&text, "{\"revision\":");
  dk_put_integer(&text, session->revision);
  dk_put(&text, ",\"controls\":[");
  for (size_t index = 0; index < count && result == 0; index++, next += size) {
    darkroom_control control;
    if (!dk_accepts(session, controls, DK_LEAST(darkroom_control, format)) || *(const size_t *)(const void *)next != size) {
      result = dk_fail(session, DARKROOM_INVALID, 0, "the controls have different sizes");
      break;
    }
    dk_copy_in(&control, next, sizeof control);
    if (control.id == NULL || control.title == NULL)
      result = dk_fail(session, DARKROOM_INVALID, 0, "a control has no ID or no title");
    if (index > 0) dk_put(&text, ",");
    if (result == 0) dk_put_control(&text, &control);
  }
  dk_put(&text, "]}}");
  if (result != 0) {
    dk_discard(&text);
    return result;
  }
  // Each declaration needs a new number, even after an error.
  int64_t revision = session->revision++;
  result = dk_finish(session, &text, session->timeout, NULL);
  return result != 0 ? result : (int)revision;
}
