// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import KeyInput

/// The function of a key of an input device in a session.
package enum KeyFunction: Hashable, Sendable {
  /// A capture button of the device, or of a remote.
  case button(CaptureButton, CaptureSource)
  /// The key shows the camera controls while it is held, like the light press of a Camera Control.
  case lightPress
  /// The key moves the camera control that was used last by a number of steps.
  case step(Int)
  /// The key dismisses the session, because the desktop does not receive it.
  case power

  /// The function of each key, as on Apple's devices: the shutter key and the keys of a headset are primary
  /// buttons.
  package static let functions: [InputCode: KeyFunction] = [
    .camera: .button(.primary, .button),
    .volumeDown: .button(.primary, .button),
    .volumeUp: .button(.secondary, .button),
    .playPause: .button(.primary, .remote),
    .play: .button(.primary, .remote),
    .pause: .button(.primary, .remote),
    .nextSong: .button(.primary, .remote),
    .cameraFocus: .lightPress,
    .zoomIn: .step(1),
    .zoomOut: .step(-1),
    .power: .power,
  ]

  /// The keys for which a device is read.
  ///
  /// The power key is not included, so a device that has no other key is left to the desktop.
  package static let requiredKeys = Set(functions.keys).subtracting([.power])
}
