// SPDX-License-Identifier: Apache-2.0

/// A key or switch of one device.
package struct KeyPlace: Hashable, Sendable {
  /// The device, numbered in the order in which devices were opened.
  package let device: Int
  /// Which of the device's.
  package let code: InputCode

  /// Names one.
  package init(device: Int, code: InputCode) {
    self.device = device
    self.code = code
  }
}

/// What has happened at the input devices.
package enum KeyDeskEvent: Hashable, Sendable {
  /// A key is down, or a switch on, since `time` in nanoseconds of the clock that never jumps.
  case down(KeyPlace, time: UInt64)
  /// A key is up, or a switch off.
  case up(KeyPlace, time: UInt64)
  /// A key that is held down repeats.
  case repeated(KeyPlace)
  /// A key that was down is no longer, and nobody has let it go: its device is gone, or goes or sleeps now.
  case lost(KeyPlace)
}
