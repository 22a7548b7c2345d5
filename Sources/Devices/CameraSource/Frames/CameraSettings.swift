// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// The adjustable settings of a camera. They are apart from its frames because a camera can take seconds to
/// apply a setting, and frames must not be delayed.
///
/// One thread at a time uses an object of this type. It can be another thread than that of the frames.
package protocol CameraSettings: AnyObject {
  /// The location of the camera, or `nil` if the settings of the camera are lost when this process exits.
  var location: CameraLocation? { get }
  /// Returns all settings with their current values, or an empty array if the camera does not respond.
  func allSettings() -> [CameraSetting]
  /// Returns the setting with a name, or `nil` if the camera does not have it.
  func setting(_ name: CameraSettingName) -> CameraSetting?
  /// Sets a setting to a valid value, and returns the value that the camera then has.
  func set(_ name: CameraSettingName, to value: Int) throws(SystemCallError) -> Int
  /// Returns the device's own value of a setting, or `nil` if it cannot be read. It can distinguish more
  /// states than the setting.
  func deviceValue(_ name: CameraSettingName) -> Int?
  /// Restores a value that ``deviceValue(_:)`` returned.
  func restore(_ name: CameraSettingName, to inner: Int) throws(SystemCallError)
}

extension CameraSettings {
  /// Returns the setting with a name from ``allSettings()``.
  package func setting(_ name: CameraSettingName) -> CameraSetting? {
    allSettings().first { $0.name == name.rawValue }
  }
  /// Returns the value of the setting.
  package func deviceValue(_ name: CameraSettingName) -> Int? { setting(name)?.value }
  /// Sets the setting to the value.
  package func restore(_ name: CameraSettingName, to inner: Int) throws(SystemCallError) {
    _ = try set(name, to: inner)
  }
}

/// The path and the identity of a camera.
package struct CameraLocation: Hashable, Sendable {
  /// The path under which the camera was opened.
  package var path: String
  /// The name that the device reports, and its bus address.
  package var device: String

  /// Creates a location from its parts.
  package init(path: String, device: String) {
    self.path = path
    self.device = device
  }
}
