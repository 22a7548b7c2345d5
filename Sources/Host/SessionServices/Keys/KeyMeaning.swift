// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import KeyInput

/// What a key of an input device is for in a session.
package enum KeyMeaning: Hashable, Sendable {
  /// It is a capture button: of the machine, or of something that the person carries.
  case button(CaptureButton, CaptureSource)
  /// It shows the camera controls as long as it is held, as the light press of a Camera Control does.
  case lightPress
  /// It turns the camera control that was used last by so many steps.
  case turn(Int)
  /// It ends the session, as it would by the system's hand, which does not hear it.
  case power

  /// What each key is for, as Apple has it: what lies under the finger that shoots is primary, and so is what a headset has.
  package static let meanings: [InputCode: KeyMeaning] = [
    .camera: .button(.primary, .button),
    .volumeDown: .button(.primary, .button),
    .volumeUp: .button(.secondary, .button),
    .playPause: .button(.primary, .remote),
    .play: .button(.primary, .remote),
    .pause: .button(.primary, .remote),
    .nextSong: .button(.primary, .remote),
    .cameraFocus: .lightPress,
    .zoomIn: .turn(1),
    .zoomOut: .turn(-1),
    .power: .power,
  ]

  /// The keys for which a device is read.
  ///
  /// The power key is not among them: a device that has no other is left to the system.
  package static let sought = Set(meanings.keys).subtracting([.power])
}
