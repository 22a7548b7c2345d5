// SPDX-License-Identifier: Apache-2.0

/// A key or switch of a particular device.
package struct DeviceKey: Hashable, Sendable {
  /// The index of the device, in the order in which devices were opened.
  package let device: Int
  /// The code of the key or switch.
  package let code: InputCode

  /// Creates a device key from its parts.
  package init(device: Int, code: InputCode) {
    self.device = device
    self.code = code
  }
}

/// An event of an input device.
package enum KeyInputEvent: Hashable, Sendable {
  /// A key was pressed or a switch was turned on, at `time` in nanoseconds of the monotonic clock.
  case down(DeviceKey, time: UInt64)
  /// A key was released or a switch was turned off.
  case up(DeviceKey, time: UInt64)
  /// A key that is held down repeats.
  case repeated(DeviceKey)
  /// A pressed key is no longer down, although the user did not release it: its device was removed, or is
  /// being removed or suspended.
  case lost(DeviceKey)
}
