// SPDX-License-Identifier: Apache-2.0

/// The code of a key or switch of an input device (linux/input-event-codes.h).
package struct InputCode: Hashable, Sendable {
  /// The kind of a code.
  package enum Kind: UInt16, Sendable {
    /// A key, which is pressed and released. The corresponding type is `EV_KEY`.
    case key = 1
    /// A switch, which is on or off. The corresponding type is `EV_SW`.
    case toggle = 5
  }

  /// The kind of the code.
  package let kind: Kind
  /// The number of the code within its kind.
  package let number: UInt16

  /// Creates a code from its kind and number.
  package init(_ kind: Kind, _ number: UInt16) {
    self.kind = kind
    self.number = number
  }

  /// The shutter button of a camera. The corresponding code is `KEY_CAMERA`.
  package static let camera = InputCode(.key, 212)
  /// A half-pressed shutter button. The corresponding code is `KEY_CAMERA_FOCUS`.
  package static let cameraFocus = InputCode(.key, 0x210)
  /// The zoom-in key. The corresponding code is `KEY_CAMERA_ZOOMIN`.
  package static let zoomIn = InputCode(.key, 0x215)
  /// The zoom-out key. The corresponding code is `KEY_CAMERA_ZOOMOUT`.
  package static let zoomOut = InputCode(.key, 0x216)
  /// The volume-down key. The corresponding code is `KEY_VOLUMEDOWN`.
  package static let volumeDown = InputCode(.key, 114)
  /// The volume-up key. The corresponding code is `KEY_VOLUMEUP`.
  package static let volumeUp = InputCode(.key, 115)
  /// The power button. The corresponding code is `KEY_POWER`.
  package static let power = InputCode(.key, 116)
  /// The button of a headset. The corresponding code is `KEY_PLAYPAUSE`.
  package static let playPause = InputCode(.key, 164)
  /// The button of a headset while nothing is playing. The corresponding code is `KEY_PLAYCD`.
  package static let play = InputCode(.key, 200)
  /// The button of a headset during playback. The corresponding code is `KEY_PAUSECD`.
  package static let pause = InputCode(.key, 201)
  /// A double press of a headset's button. The corresponding code is `KEY_NEXTSONG`.
  package static let nextSong = InputCode(.key, 163)
  /// A key by which keyboards for typing are recognized. The corresponding code is `KEY_A`.
  package static let letter = InputCode(.key, 30)
  /// The switch of a lens cover. The corresponding code is `SW_CAMERA_LENS_COVER`.
  package static let lensCover = InputCode(.toggle, 9)
}
