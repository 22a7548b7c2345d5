// SPDX-License-Identifier: Apache-2.0

package import CameraSource
package import LinuxPrimitives

extension CameraFault {
  /// What a failed request says of a camera; `path` is where it is, whose holders are looked for if it is busy.
  package init(_ error: SystemCallError, of path: String) {
    switch error.errno {
    case .noSuchDevice, .noSuchAddress: self = .unplugged
    case .busy:
      let device = (try? FileSystem.realPath(path)) ?? path
      self = .cameraBusy(holders: DeviceHolders.find(device))
    default: self = .failed(error)
    }
  }

  /// What the failed opening of a device says.
  package init(opening error: SystemCallError, _ path: String) {
    switch error.errno {
    case .noSuchFile, .notADirectory, .noSuchDevice, .noSuchAddress: self = .noSuchDevice
    case .permissionDenied, .notPermitted: self = .refused(error)
    case .isADirectory: self = .notACamera(name: "")
    default: self.init(error, of: path)
    }
  }
}
