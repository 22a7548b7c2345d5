// SPDX-License-Identifier: Apache-2.0

package import CameraSource
internal import LinuxPrimitives

/// A video device that was looked at.
package struct ListedCamera: Hashable, Sendable {
  /// Where it is.
  package var path: String
  /// What it says of itself, or why it could not be asked.
  package var identity: Result<DeviceIdentity, CameraFault>

  /// Describes a device.
  package init(path: String, identity: Result<DeviceIdentity, CameraFault>) {
    self.path = path
    self.identity = identity
  }
}

/// The video devices of a machine.
package enum CameraList {
  /// Where the kernel's devices are.
  package static let standardDirectory = "/dev"
  /// What the names of video devices begin with, before a number.
  static let prefix = "video"

  /// The cameras of a machine: video devices that give frames, and those that this user may not ask.
  package static func cameras(
    in directory: String = standardDirectory,
    by opening: DeviceOpening = .kernel
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
        // The second node of many cameras has only what describes their frames.
        guard identity.abilities.contains(.capture) || identity.abilities.contains(.planarCapture) else {
          return nil
        }
        return ListedCamera(path: path, identity: .success(identity))
      } catch { return ListedCamera(path: path, identity: .failure(CameraFault(error, of: path))) }
    }
  }
}
