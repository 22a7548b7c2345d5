// SPDX-License-Identifier: Apache-2.0

/// What the host has seen of a viewfinder.
struct ViewfinderEvidence: Sendable, Equatable {
  /// The extension has finished with a frame, as the host counts them.
  var isConsuming = false
  /// A frame was presented: the extension says so, or the host has found one in the preview.
  var isPresented = false
}
