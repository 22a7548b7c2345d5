// SPDX-License-Identifier: Apache-2.0

/// What a session wants of the capture buttons.
enum ButtonSubscription: Sendable {
  /// Their events, and the host's own sound for those of remote buttons.
  case withSound
  /// Their events; the author plays the sounds.
  case withoutSound
}
