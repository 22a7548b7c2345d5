// SPDX-License-Identifier: Apache-2.0
#include "session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool dk_copy_block(const struct dk_ring *ring, uint64_t number, int16_t *samples, darkroom_sound *sound) {
  const unsigned char *slot = dk_slot(ring, number);
  if (dk_load(slot + DK_SLOT_SEQUENCE) != number) return false;
  sound->timestamp = dk_load(slot + DK_SLOT_TIMESTAMP);
  sound->position = dk_load(slot + DK_SLOT_POSITION);
  memcpy(&sound->frames, slot + DK_SLOT_FRAMES, sizeof sound->frames);
  // The count of an overwritten block can be of another block, and is checked before it is used.
  if (sound->frames > ring->block_frames) return false;
  memcpy(samples, slot + DK_SLOT_DATA, (size_t)sound->frames * ring->channels * sizeof *samples);
  return dk_is_intact(slot, number);
}

/// Fills in the fields that do not depend on the block, and computes the loss before the block.
static void dk_complete_sound(darkroom_session *session, darkroom_sound *sound) {
  const struct dk_ring *ring = &session->microphone;
  sound->samples = session->samples;
  sound->channels = ring->channels;
  sound->sample_rate = ring->sample_rate;
  if (sound->position > session->next_position) sound->lost = sound->position - session->next_position;
  session->next_position = sound->position + sound->frames;
}

int darkroom_read_sound(darkroom_session *session, darkroom_sound *sound) {
  struct dk_ring *ring = &session->microphone;
  if (!dk_accepts(session, sound, DK_LEAST(darkroom_sound, lost))) return DARKROOM_INVALID;
  if (ring->memory == NULL) return dk_fail(session, DARKROOM_UNAVAILABLE, 0, "the session has no microphone");
  if (session->samples == NULL) session->samples = malloc((size_t)ring->block_frames * ring->channels * sizeof(int16_t));
  if (session->samples == NULL) return dk_fail(session, DARKROOM_SYSTEM_ERROR, ENOMEM, "no memory for sound");
  for (;;) {
    uint64_t published = dk_published(ring), number = ring->last + 1;
    if (published < number) return 0;
    if (published - ring->last > ring->slots) number = published - ring->slots + 1;
    darkroom_sound found = DARKROOM_SOUND_INIT;
    bool is_complete = dk_copy_block(ring, number, session->samples, &found);
    // The block was copied, or is lost.
    int result = dk_finish_to(session, ring, session->descriptors.sound_done, number);
    if (result != 0) return result;
    if (!is_complete) continue;
    dk_complete_sound(session, &found);
    dk_copy_out(sound, &found, sizeof found);
    return 1;
  }
}
