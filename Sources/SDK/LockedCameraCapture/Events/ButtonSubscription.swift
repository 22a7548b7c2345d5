// SPDX-License-Identifier: Apache-2.0

/// The subscription of a session to the capture buttons.
enum ButtonSubscription: Sendable {
  /// Events, with the host's default sound for remote buttons.
  case withSound
  /// Events without the default sound; the extension plays sounds itself.
  case withoutSound
}
