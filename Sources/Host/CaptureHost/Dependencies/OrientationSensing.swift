// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// A sensor of the machine's orientation.
///
/// The sensor is read only while the session of an extension runs that supports several orientations. A sensor
/// that is unavailable reports no orientation.
package protocol OrientationSensing: AnyObject {
  /// Readable when ``takeChange()`` should be called, or `nil` if the sensor is not read.
  var descriptor: Int32? { get }
  /// Starts to read the sensor.
  func begin()
  /// Processes pending events without blocking. Returns the orientation if it differs from the last returned
  /// one, or `nil`.
  func takeChange() -> SceneOrientation?
  /// Stops to read the sensor.
  func end()
}
