// SPDX-License-Identifier: Apache-2.0

/// The observed state of a viewfinder.
struct ViewfinderStatus: Sendable, Equatable {
  /// Whether the extension has finished with a frame.
  var isConsuming = false
  /// Whether the extension has reported a shown frame, or the host has found one in the preview ring.
  var isPresented = false
}
