// SPDX-License-Identifier: Apache-2.0
#include "host.h"
#include "host_interface.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

void dk_sound_free(struct dk_sound *sound) {
  dk_unmap(&sound->ring);
  free(sound->samples);
  sound->samples = NULL;
}

bool dk_sound_is_available(const struct dk_sound *sound) { return dk_published(&sound->ring) > sound->ring.last; }

/// Ends the sound with the reason in `error`, which darkroom_hosted_read_sound() returns after the last block.
static void dk_end_sound(darkroom_hosted_session *session) {
  struct dk_sound *sound = &session->sound;
  sound->stage = DK_STAGE_ENDED;
  sound->is_requested = sound->should_request = false;
  dk_host_enqueue(session->host, DARKROOM_HOST_SOUND_END, session, NULL);
  dk_announce_result(session);
}

/// Maps the ring of the result of `sound/open`. Returns false with the error of the sound.
static bool dk_open_ring(struct dk_sound *sound, struct dk_json result, int descriptor) {
  if (descriptor < 0 || !dk_json_integer(dk_json_member(result, "clockLead"), &sound->clock_lead)) {
    dk_describe(&sound->error, DARKROOM_PROTOCOL_ERROR, 0, "the server sent unusable sound");
    return false;
  }
  if (dk_map_sound(&sound->error, descriptor, &sound->ring) != 0) return false;
  sound->samples = calloc((size_t)sound->ring.block_frames * sound->ring.channels, sizeof *sound->samples);
  if (sound->samples != NULL) return true;
  dk_unmap(&sound->ring);
  dk_describe(&sound->error, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for sound");
  return false;
}

void dk_sound_opened(darkroom_host *host, darkroom_hosted_session *session, struct dk_json response) {
  bool is_opened = false;
  struct dk_json result = dk_json_member(response, "result");
  dk_json_boolean(dk_json_member(result, "opened"), &is_opened);
  // Responses with descriptors arrive in the order of the descriptors.
  int descriptor = is_opened ? dk_host_take_descriptor(host) : -1;
  if (session != NULL) {
    struct dk_sound *sound = &session->sound;
    bool is_open = false;
    if (!dk_host_read_error(host, response, &sound->error)) {
      if (is_opened)
        is_open = dk_open_ring(sound, result, descriptor);
      else
        dk_describe(&sound->error, DARKROOM_UNAVAILABLE, 0, "the session has no microphone");
    }
    if (!is_open) dk_end_sound(session);
    if (is_open) sound->stage = DK_STAGE_OPEN;
    if (is_open) sound->should_request = sound->is_requested;
  }
  if (descriptor >= 0) close(descriptor);
}

void dk_sound_advanced(darkroom_hosted_session *session, struct dk_json response) {
  struct dk_sound *sound = &session->sound;
  bool has_block = false;
  if (dk_host_read_error(session->host, response, &sound->error)) {
    dk_end_sound(session);
    return;
  }
  dk_json_boolean(dk_json_member(dk_json_member(response, "result"), "more"), &has_block);
  if (!has_block) {
    dk_describe(&sound->error, DARKROOM_ENDED, 0, "the session has no further sound");
    dk_end_sound(session);
    return;
  }
  sound->is_requested = false;
  if (!sound->is_announced) sound->is_announced = dk_host_enqueue(session->host, DARKROOM_HOST_SOUND, session, NULL);
  dk_announce_result(session);
}

int dk_sound_request(darkroom_hosted_session *session) {
  struct dk_sound *sound = &session->sound;
  bool is_open = sound->stage == DK_STAGE_OPEN;
  struct dk_text text = dk_hosted_begin(session, is_open ? DK_METHOD_SOUND_NEXT : DK_METHOD_SOUND_OPEN);
  if (is_open) dk_add_integer(&text, "after", (int64_t)sound->ring.last);
  sound->should_request = false;
  int failure = dk_host_post(session->host, &text, is_open ? DK_USE_BLOCK : DK_USE_SOUND, session);
  if (failure == 0 && !is_open) sound->stage = DK_STAGE_OPENING;
  return failure;
}

/// Requests a block, unless one is requested. Returns 0 or a negative code.
static int dk_await_block(darkroom_hosted_session *session) {
  struct dk_sound *sound = &session->sound;
  if (sound->is_requested) return 0;
  sound->is_requested = true;
  int failure = dk_sound_request(session);
  if (failure != 0) sound->is_requested = false;
  return failure;
}

/// Copies the next block out of the ring. Returns false if there is none.
static bool dk_take_block(struct dk_sound *sound, darkroom_sound *block) {
  struct dk_ring *ring = &sound->ring;
  while (dk_sound_is_available(sound)) {
    uint64_t published = dk_published(ring), number = ring->last + 1;
    if (published - ring->last > ring->slots) number = published - ring->slots + 1;
    ring->last = number;
    darkroom_sound found = DARKROOM_SOUND_INIT;
    // A block that was overwritten or erased is skipped.
    if (!dk_copy_block(ring, number, sound->samples, &found)) continue;
    found.samples = sound->samples;
    found.channels = ring->channels;
    found.sample_rate = ring->sample_rate;
    found.timestamp -= (uint64_t)sound->clock_lead;
    if (sound->has_position && found.position > sound->next_position) found.lost = found.position - sound->next_position;
    sound->has_position = true;
    sound->next_position = found.position + found.frames;
    dk_copy_out(block, &found, sizeof found);
    return true;
  }
  return false;
}

int darkroom_hosted_read_sound(darkroom_hosted_session *session, darkroom_sound *sound, int timeout_ms) {
  darkroom_host *host = session->host;
  uint64_t deadline = dk_deadline(timeout_ms);
  if (!dk_host_accepts(host, sound, DK_LEAST(darkroom_sound, lost))) return DARKROOM_INVALID;
  while (!dk_take_block(&session->sound, sound)) {
    if (session->sound.stage == DK_STAGE_ENDED) {
      host->error = session->sound.error;
      return host->error.code;
    }
    int failure = dk_await_block(session);
    if (failure != 0) return failure;
    int count = dk_host_wait_interruptibly(host, deadline);
    if (count <= 0) return count;
  }
  return 1;
}
