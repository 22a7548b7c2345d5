// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <wels/codec_api.h>

// A weak reference does not extract the encoder from the static library. A program contains the encoder only if another
// object file of the program has a strong reference.
#pragma weak WelsCreateSVCEncoder
#pragma weak WelsDestroySVCEncoder

/// Returns whether the program contains the encoder.
static inline bool darkroom_openh264_is_linked(void) { return WelsCreateSVCEncoder != NULL; }

/// Creates an encoder. Returns NULL if the program does not contain the encoder, or if there is no memory.
static inline ISVCEncoder *_Nullable darkroom_openh264_create(void) {
  ISVCEncoder *encoder = NULL;
  if (!darkroom_openh264_is_linked() || WelsCreateSVCEncoder(&encoder) != 0) return NULL;
  return encoder;
}

/// Returns the bytes of a layer of an encoded frame, with start codes. This function is provided because Swift imports the
/// array of layers as a tuple.
static inline const SLayerBSInfo *_Nonnull darkroom_openh264_layer(const SFrameBSInfo *_Nonnull frame, int index) {
  return &frame->sLayerInfo[index];
}
