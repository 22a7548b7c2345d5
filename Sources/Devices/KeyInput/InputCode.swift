// SPDX-License-Identifier: Apache-2.0

/// A key or a switch of an input device, by the kernel's number (linux/input-event-codes.h).
package struct InputCode: Hashable, Sendable {
  /// What it is.
  package enum Kind: UInt16, Sendable {
    /// It is pressed and let go. The corresponding type is `EV_KEY`.
    case key = 1
    /// It is on or off. The corresponding type is `EV_SW`.
    case toggle = 5
  }

  /// What it is.
  package let kind: Kind
  /// Its number among those of its kind.
  package let number: UInt16

  /// A key or a switch by its number.
  package init(_ kind: Kind, _ number: UInt16) {
    self.kind = kind
    self.number = number
  }

  /// The shutter of a camera. The corresponding code is `KEY_CAMERA`.
  package static let camera = InputCode(.key, 212)
  /// A shutter that is pressed half. The corresponding code is `KEY_CAMERA_FOCUS`.
  package static let cameraFocus = InputCode(.key, 0x210)
  /// The corresponding code is `KEY_CAMERA_ZOOMIN`.
  package static let zoomIn = InputCode(.key, 0x215)
  /// The corresponding code is `KEY_CAMERA_ZOOMOUT`.
  package static let zoomOut = InputCode(.key, 0x216)
  /// The corresponding code is `KEY_VOLUMEDOWN`.
  package static let volumeDown = InputCode(.key, 114)
  /// The corresponding code is `KEY_VOLUMEUP`.
  package static let volumeUp = InputCode(.key, 115)
  /// The corresponding code is `KEY_POWER`.
  package static let power = InputCode(.key, 116)
  /// The button of a headset. The corresponding code is `KEY_PLAYPAUSE`.
  package static let playPause = InputCode(.key, 164)
  /// The button of a headset while nothing plays. The corresponding code is `KEY_PLAYCD`.
  package static let play = InputCode(.key, 200)
  /// The button of a headset while something plays. The corresponding code is `KEY_PAUSECD`.
  package static let pause = InputCode(.key, 201)
  /// Two presses of a headset's button. The corresponding code is `KEY_NEXTSONG`.
  package static let nextSong = InputCode(.key, 163)
  /// What a keyboard has that people write with. The corresponding code is `KEY_A`.
  package static let letter = InputCode(.key, 30)
  /// Whether the lens is covered. The corresponding code is `SW_CAMERA_LENS_COVER`.
  package static let lensCover = InputCode(.toggle, 9)
}
