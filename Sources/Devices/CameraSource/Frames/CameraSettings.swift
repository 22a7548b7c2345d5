// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import LinuxPrimitives

/// What can be set at a camera, apart from its frames: a camera may take seconds to do it, and no frame is to wait for that.
///
/// It is used by one thread at a time, which need not be that of the frames.
package protocol CameraSettings: AnyObject {
  /// Where the camera was opened and what it calls itself, if what is set outlives this process; nil: it does not.
  var place: CameraPlace? { get }
  /// What can be set, with the values of now. A camera that does not answer has nothing.
  func all() -> [CameraSetting]
  /// One of them; nil: the camera has it not.
  func one(_ name: CameraSettingName) -> CameraSetting?
  /// Sets something to a value that it takes, and gives the one that the camera has then.
  func set(_ name: CameraSettingName, to value: Int) throws(SystemCallError) -> Int
  /// What the camera itself has for something, which may tell more than its setting; nil: it cannot be read.
  func inner(_ name: CameraSettingName) -> Int?
  /// Has the camera have that again.
  func restore(_ name: CameraSettingName, to inner: Int) throws(SystemCallError)
}

extension CameraSettings {
  /// Looks for it among all.
  package func one(_ name: CameraSettingName) -> CameraSetting? { all().first { $0.name == name.rawValue } }
  /// The setting's value.
  package func inner(_ name: CameraSettingName) -> Int? { one(name)?.value }
  /// Sets it.
  package func restore(_ name: CameraSettingName, to inner: Int) throws(SystemCallError) {
    _ = try set(name, to: inner)
  }
}

/// Which camera it is.
package struct CameraPlace: Hashable, Sendable {
  /// Where it was opened.
  package var path: String
  /// What it calls itself, and where it is plugged in.
  package var device: String

  /// Describes a place.
  package init(path: String, device: String) {
    self.path = path
    self.device = device
  }
}
