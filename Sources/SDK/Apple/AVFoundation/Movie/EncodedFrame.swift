// SPDX-License-Identifier: Apache-2.0

/// A frame of a movie in the form of its codec.
struct EncodedFrame: Hashable, Sendable {
  /// The bytes: a JPEG file, or units of H.264 with their lengths.
  let bytes: [UInt8]
  /// Whether a player can decode the frame without the frames before it; `true` for each JPEG file.
  var isKeyframe = true
}
