// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import LinuxPrimitives

extension CameraFault {
  /// Creates the failure for a failed request. `path` is the path of the device; if the device is busy, its
  /// holders are searched.
  package init(_ error: SystemCallError, of path: String) {
    switch error.errno {
    case .noSuchDevice, .noSuchAddress: self = .unplugged
    case .busy:
      let device = (try? FileSystem.realPath(path)) ?? path
      self = .cameraBusy(holders: DeviceHolders.find(device))
    default: self = .failed(error)
    }
  }

  /// Creates the failure for a failed open of a device.
  package init(opening error: SystemCallError, _ path: String) {
    switch error.errno {
    case .noSuchFile, .notADirectory, .noSuchDevice, .noSuchAddress: self = .noSuchDevice
    case .permissionDenied, .notPermitted: self = .permissionDenied(error)
    case .isADirectory: self = .notACamera(name: "")
    default: self.init(error, of: path)
    }
  }
}
