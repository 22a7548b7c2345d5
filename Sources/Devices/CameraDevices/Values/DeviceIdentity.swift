// SPDX-License-Identifier: Apache-2.0

/// What a device says of itself. The corresponding request is `VIDIOC_QUERYCAP`.
package struct DeviceIdentity: Hashable, Sendable {
  /// What people call it: `Integrated Camera`.
  package var name: String
  /// The kernel's driver: `uvcvideo`.
  package var driver: String
  /// Where it is plugged in: `usb-0000:00:14.0-4`.
  package var bus: String
  /// What it can do.
  package var abilities: Abilities
  /// What persons select it by: where it is plugged in and what it is called, and not the number that it has today. The
  /// driver is part of it, as a program that gives frames through PipeWire says of itself what it likes.
  package var device: String { "\(driver) \(bus) \(name)" }

  /// What a device can do, as far as it matters here.
  package struct Abilities: OptionSet, Hashable, Sendable {
    /// The bits.
    package let rawValue: Int
    /// Wraps bits.
    package init(rawValue: Int) { self.rawValue = rawValue }
    /// It gives frames. The corresponding flag is `V4L2_CAP_VIDEO_CAPTURE`.
    package static let capture = Abilities(rawValue: 1)
    /// It gives frames whose planes are apart. The corresponding flag is `V4L2_CAP_VIDEO_CAPTURE_MPLANE`.
    package static let planarCapture = Abilities(rawValue: 2)
    /// Its frames can be mapped. The corresponding flag is `V4L2_CAP_STREAMING`.
    package static let streaming = Abilities(rawValue: 4)
  }

  /// Describes a device.
  package init(name: String, driver: String, bus: String, abilities: Abilities) {
    self.name = name
    self.driver = driver
    self.bus = bus
    self.abilities = abilities
  }
}
