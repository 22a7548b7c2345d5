// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

/// A backup of camera settings, written before an extension changes them. If the host dies, recovery restores
/// the settings.
package struct CameraSettingsBackup: Sendable {
  /// A camera whose settings the session changed.
  package struct Camera: Hashable, Sendable {
    /// The path of the device.
    package var path: String
    /// The name and port of the device. Another device may have the path by now.
    package var device: String
    /// The original values, in the order of the changes.
    package var values: [Value] = []

    /// Creates a camera without changed settings.
    package init(path: String, device: String) { (self.path, self.device) = (path, device) }
  }

  /// A value of a camera setting, in the units of the device.
  package struct Value: Hashable, Sendable {
    /// The name of the setting in the protocol.
    package var name: String
    package var value: Int

    /// Creates a value.
    package init(_ name: String, _ value: Int) { (self.name, self.value) = (name, value) }
  }

  private let file: AppendedLines
  /// The maximum size of the file in bytes, with one line for each setting.
  private static let maximumBytes = 64 << 10

  /// Creates the backup of a session.
  package init(_ places: SessionPaths) {
    file = AppendedLines(path: places.cameraFile, limit: Self.maximumBytes)
  }

  /// Writes the original value of a setting before it is changed.
  ///
  /// The file outlives the host but is not synchronized, because a power failure resets the camera, too.
  package func save(_ before: Value, of camera: Camera) throws(SystemCallError) {
    let line: JSONValue = [
      "path": .string(camera.path), "device": .string(camera.device), "name": .string(before.name),
      "value": .integer(Int64(before.value)),
    ]
    try file.append([line], isSynchronized: false)
  }

  /// Removes the backup after all settings were restored.
  package func clear() throws(SystemCallError) { try FileSystem.unlink(file.path) }

  /// Returns the changed camera, or `nil` if there is none. Truncated lines are ignored, because their
  /// changes were not made.
  package func read() -> Camera? {
    guard let lines = try? file.values() else { return nil }
    var left: Camera?
    for fields in lines {
      guard let path = fields["path"]?.string, let device = fields["device"]?.string,
        let name = fields["name"]?.string,
        let value = fields["value"]?.integer.flatMap(Int.init(exactly:))
      else { continue }
      var camera = left ?? Camera(path: path, device: device)
      camera.values.append(Value(name, value))
      left = camera
    }
    return left
  }
}
