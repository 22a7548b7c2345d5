// SPDX-License-Identifier: Apache-2.0

package import CameraSource
internal import LinuxPrimitives

/// The processes that have a device open.
package enum DeviceHolders {
  /// Returns the processes that have a device open and that this user can inspect, without this process.
  /// `path` is the kernel's path of the device, and `processes` is the procfs mount.
  package static func find(_ path: String, processes: String = "/proc") -> [CameraHolder] {
    let numbers = ((try? FileSystem.names(in: processes)) ?? []).compactMap { Int32($0) }.sorted()
    return numbers.filter { $0 != CurrentProcess.processID }.compactMap { number in
      let directory = "\(processes)/\(number)"
      let descriptors = (try? FileSystem.names(in: "\(directory)/fd")) ?? []
      guard descriptors.contains(where: { (try? FileSystem.linkTarget("\(directory)/fd/\($0)")) == path })
      else {
        return nil
      }
      let name = (try? FileSystem.contents("\(directory)/comm", limit: 64)) ?? nil
      let program = String(decoding: name ?? [], as: UTF8.self).filter { !$0.isNewline }
      return CameraHolder(process: number, program: program.isEmpty ? "a process" : program)
    }
  }
}
