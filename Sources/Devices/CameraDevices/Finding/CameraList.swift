// SPDX-License-Identifier: Apache-2.0

package import CameraSource
internal import LinuxPrimitives

/// A video device with its identity.
package struct ListedCamera: Hashable, Sendable {
  /// The path of the device.
  package var path: String
  /// The identity that the device reports, or the reason why it could not be queried.
  package var identity: Result<DeviceIdentity, CameraFault>

  /// Creates an entry from its parts.
  package init(path: String, identity: Result<DeviceIdentity, CameraFault>) {
    self.path = path
    self.identity = identity
  }
}

/// The video devices of a machine.
package enum CameraList {
  /// The directory of the kernel's devices.
  package static let standardDirectory = "/dev"
  /// The prefix of the names of video devices, before a number.
  static let prefix = "video"

  /// Returns the cameras of a machine: the video devices that capture video, and those that this user cannot
  /// query.
  package static func cameras(
    in directory: String = standardDirectory,
    by opening: VideoDeviceOpener = .kernel
  ) -> [ListedCamera] {
    let names = (try? FileSystem.names(in: directory)) ?? []
    let numbers = names.filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }
    return numbers.sorted().compactMap { number in
      let path = "\(directory)/\(prefix)\(number)"
      let device: any VideoDevice
      do throws(SystemCallError) { device = try opening.device(path) } catch {
        return ListedCamera(path: path, identity: .failure(CameraFault(opening: error, path)))
      }
      do throws(SystemCallError) {
        let identity = try device.identity()
        // The second node of many cameras has only metadata.
        guard identity.capabilities.contains(.capture) || identity.capabilities.contains(.planarCapture)
        else {
          return nil
        }
        return ListedCamera(path: path, identity: .success(identity))
      } catch { return ListedCamera(path: path, identity: .failure(CameraFault(error, of: path))) }
    }
  }
}
