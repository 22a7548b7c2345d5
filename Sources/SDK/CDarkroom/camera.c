// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/// The number of attempts to take the newest frame while the host overwrites frames.
#define DK_ATTEMPTS 4

/// Sends a request to start a device.
static int dk_start_device(darkroom_session *session, const char *method, darkroom_delivery delivery) {
  struct dk_text text = dk_begin(session, method, true);
  dk_put(&text, delivery == DARKROOM_EVERY ? "{\"delivery\":\"every\"}}" : "{\"delivery\":\"latest\"}}");
  return dk_finish(session, &text, session->timeout, NULL);
}

/// Starts the delivery into a ring, which may be missing.
static int dk_start_ring(darkroom_session *session, const char *method, darkroom_delivery delivery,
                         struct dk_ring *ring) {
  if (ring->memory == NULL) return dk_fail(session, DARKROOM_UNAVAILABLE, 0, "the session has no such device");
  bool was_running = ring->is_running, was_every = ring->is_every;
  // The host may publish a frame before its reply is read.
  ring->is_running = true;
  ring->is_every = delivery == DARKROOM_EVERY;
  int result = dk_start_device(session, method, delivery);
  if (result != 0) {
    ring->is_running = was_running;
    ring->is_every = was_every;
  }
  return result;
}

int darkroom_start_camera(darkroom_session *session, darkroom_delivery delivery) {
  return dk_start_ring(session, "camera/start", delivery, &session->camera);
}

int darkroom_stop_camera(darkroom_session *session) {
  int result = dk_call(session, "camera/stop", NULL);
  if (result == 0) session->camera.is_running = false;
  return result;
}

int darkroom_start_microphone(darkroom_session *session, darkroom_delivery delivery) {
  return dk_start_ring(session, "microphone/start", delivery, &session->microphone);
}

int darkroom_stop_microphone(darkroom_session *session) {
  int result = dk_call(session, "microphone/stop", NULL);
  if (result == 0) session->microphone.is_running = false;
  return result;
}

int darkroom_finish_frame(darkroom_session *session) {
  uint64_t number = session->camera.in_use;
  session->camera.in_use = 0;
  return dk_finish_to(session, &session->camera, session->descriptors.frame_done, number);
}

/// Returns the number of the next frame that is complete in its slot, or 0. `published` is the newest frame.
static uint64_t dk_next_frame(const struct dk_ring *ring, uint64_t published) {
  uint64_t number = published;
  if (ring->is_every) {
    // After a start with the other delivery, frames before these may be overwritten.
    number = ring->last + 1;
    if (published - ring->last > ring->slots) number = published - ring->slots + 1;
  }
  for (; number <= published; number++)
    if (dk_load(dk_slot(ring, number)) == number) return number;
  return 0;
}

/// Describes a frame in its slot.
static void dk_describe_frame(const struct dk_ring *ring, uint64_t number, darkroom_frame *frame) {
  const unsigned char *slot = dk_slot(ring, number);
  frame->sequence = number;
  frame->timestamp = dk_load(slot + DK_SLOT_TIMESTAMP);
  frame->published = dk_load(slot + DK_SLOT_PUBLISHED);
  frame->dropped = number - ring->taken - 1;
  frame->width = ring->width;
  frame->height = ring->height;
  for (int index = 0; index < DK_PLANES; index++) {
    frame->plane[index] = slot + ring->planes[index].offset;
    frame->stride[index] = ring->planes[index].stride;
    frame->row_bytes[index] = ring->planes[index].row_bytes;
    frame->rows[index] = ring->planes[index].rows;
  }
  frame->slot = slot;
}

int darkroom_take_frame(darkroom_session *session, darkroom_frame *frame) {
  struct dk_ring *ring = &session->camera;
  if (!dk_accepts(session, frame, DK_LEAST(darkroom_frame, slot))) return DARKROOM_INVALID;
  int result = darkroom_finish_frame(session);
  if (result != 0) return result;
  if (ring->memory == NULL || !ring->is_running)
    return dk_fail(session, DARKROOM_UNAVAILABLE, 0, "the camera was not started");
  uint64_t published = 0, number = 0;
  for (int attempt = 0; attempt < DK_ATTEMPTS && number == 0; attempt++) {
    published = dk_published(ring);
    if (published <= ring->last) return 0;
    number = dk_next_frame(ring, published);
  }
  // The host has overwritten the frames. Frames that are skipped count as finished.
  if (number == 0) return dk_finish_to(session, ring, session->descriptors.frame_done, published);
  darkroom_frame found = DARKROOM_FRAME_INIT;
  dk_describe_frame(ring, number, &found);
  ring->in_use = ring->taken = number;
  dk_copy_out(frame, &found, sizeof found);
  return 1;
}

bool darkroom_frame_valid(const darkroom_frame *frame) {
  return frame->slot == NULL || dk_is_intact(frame->slot, frame->sequence);
}

int darkroom_copy_frame(const darkroom_frame *frame, darkroom_frame *copy) {
  if (!dk_has_size(frame, DK_LEAST(darkroom_frame, slot)) || !dk_has_size(copy, DK_LEAST(darkroom_frame, slot)))
    return DARKROOM_INVALID;
  size_t size = 0;
  for (int index = 0; index < DK_PLANES; index++) size += (size_t)frame->row_bytes[index] * frame->rows[index];
  uint8_t *memory = malloc(size);
  if (memory == NULL) return DARKROOM_SYSTEM_ERROR;
  darkroom_frame result;
  dk_copy_in(&result, frame, sizeof result);
  result.slot = NULL;
  uint8_t *next = memory;
  for (int index = 0; index < DK_PLANES; index++) {
    result.plane[index] = next;
    result.stride[index] = frame->row_bytes[index];
    for (uint32_t row = 0; row < frame->rows[index]; row++, next += frame->row_bytes[index])
      memcpy(next, frame->plane[index] + (size_t)row * frame->stride[index], frame->row_bytes[index]);
  }
  if (!darkroom_frame_valid(frame)) {
    free(memory);
    return DARKROOM_OVERWRITTEN;
  }
  dk_copy_out(copy, &result, sizeof result);
  return 0;
}

void darkroom_free_frame(darkroom_frame *copy) {
  if (!dk_has_size(copy, DK_LEAST(darkroom_frame, slot))) return;
  // The planes of a copy are one block, which starts with the first plane.
  if (copy->slot == NULL) free((void *)(uintptr_t)copy->plane[0]);
  const darkroom_frame empty = DARKROOM_FRAME_INIT;
  dk_copy_out(copy, &empty, sizeof empty);
}

/// Reads the values of a setting. Returns NULL with a count of 0 if there are none or there is no memory.
static int64_t *dk_read_values(struct dk_json array, size_t *count) {
  struct dk_json element = {NULL, 0};
  size_t length = 0;
  while (dk_json_next(array, &element)) length++;
  int64_t *values = length == 0 ? NULL : malloc(length * sizeof *values);
  element = (struct dk_json){NULL, 0};
  for (*count = 0; values != NULL && *count < length && dk_json_next(array, &element); ++*count) {
    values[*count] = 0;
    dk_json_integer(element, &values[*count]);
  }
  return values;
}

/// Decodes a setting and calls the function. Returns its result, or a code.
static int dk_report_setting(darkroom_session *session, struct dk_json object, darkroom_setting_function *function,
                             void *context) {
  char name[128];
  darkroom_setting setting = {.size = sizeof setting, .name = name};
  if (dk_json_string(dk_json_member(object, "name"), name, sizeof name) < 0)
    return dk_bad_reply(session, "settings.name");
  dk_json_integer(dk_json_member(object, "minimum"), &setting.minimum);
  dk_json_integer(dk_json_member(object, "maximum"), &setting.maximum);
  dk_json_integer(dk_json_member(object, "step"), &setting.step);
  dk_json_integer(dk_json_member(object, "default"), &setting.default_value);
  dk_json_integer(dk_json_member(object, "value"), &setting.value);
  dk_json_boolean(dk_json_member(object, "adjustable"), &setting.adjustable);
  int64_t *values = dk_read_values(dk_json_member(object, "values"), &setting.value_count);
  setting.values = values;
  int result = function(&setting, context);
  free(values);
  return result;
}

int darkroom_camera_settings(darkroom_session *session, darkroom_setting_function *function, void *context) {
  struct dk_json reply, setting = {NULL, 0};
  int result = dk_call(session, "camera/settings", &reply);
  // The function may send requests, which replace the reply.
  struct dk_message *message = session->reply;
  session->reply = NULL;
  struct dk_json settings = {NULL, 0};
  if (result == 0) settings = dk_json_member(reply, "settings");
  while (result == 0 && dk_json_next(settings, &setting))
    result = dk_report_setting(session, setting, function, context);
  free(message);
  return result;
}

int darkroom_set_camera(darkroom_session *session, const char *name, int64_t value, int64_t *result) {
  struct dk_json reply;
  struct dk_text text = dk_begin(session, "camera/set", true);
  dk_put(&text, "{\"name\":");
  dk_put_string(&text, name);
  dk_put(&text, ",\"value\":");
  dk_put_integer(&text, value);
  dk_put(&text, "}}");
  int failure = dk_finish(session, &text, session->timeout, &reply);
  if (failure != 0 || result == NULL) return failure;
  return dk_json_integer(dk_json_member(reply, "value"), result) ? 0 : dk_bad_reply(session, "value");
}
