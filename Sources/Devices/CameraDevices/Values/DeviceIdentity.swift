// SPDX-License-Identifier: Apache-2.0

/// The identity that a device reports. The corresponding request is `VIDIOC_QUERYCAP`.
package struct DeviceIdentity: Hashable, Sendable {
  /// The name for users, for example `Integrated Camera`.
  package var name: String
  /// The driver, for example `uvcvideo`.
  package var driver: String
  /// The bus address, for example `usb-0000:00:14.0-4`.
  package var bus: String
  /// The capabilities of the device.
  package var capabilities: Capabilities
  /// The identifier by which users select the device: its bus address and name, but not its device number,
  /// which can change. The driver is included, because a program that provides frames through PipeWire can
  /// choose any name.
  package var uniqueID: String { "\(driver) \(bus) \(name)" }

  /// The capabilities of a device, as far as they are relevant.
  package struct Capabilities: OptionSet, Hashable, Sendable {
    /// The bits.
    package let rawValue: Int
    /// Creates a set from its bits.
    package init(rawValue: Int) { self.rawValue = rawValue }
    /// The device captures video. The corresponding flag is `V4L2_CAP_VIDEO_CAPTURE`.
    package static let capture = Capabilities(rawValue: 1)
    /// The device captures video in the multi-planar API. The corresponding flag is
    /// `V4L2_CAP_VIDEO_CAPTURE_MPLANE`.
    package static let planarCapture = Capabilities(rawValue: 2)
    /// The device's buffers can be mapped. The corresponding flag is `V4L2_CAP_STREAMING`.
    package static let streaming = Capabilities(rawValue: 4)
  }

  /// Creates an identity from its parts.
  package init(name: String, driver: String, bus: String, capabilities: Capabilities) {
    self.name = name
    self.driver = driver
    self.bus = bus
    self.capabilities = capabilities
  }
}
