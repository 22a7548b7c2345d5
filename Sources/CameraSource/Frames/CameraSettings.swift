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
  /// Sets something to a value that it takes, and gives the one that the camera has then.
  func set(_ name: CameraSettingName, to value: Int) throws(SystemCallError) -> Int
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
