// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// How devices are opened: those of the machine, or others that stand for them.
package struct DeviceOpening {
  /// Opens what is under a path.
  private let open: (String) throws(SystemCallError) -> any VideoDevice

  /// Opens devices in a way.
  package init(_ open: @escaping (String) throws(SystemCallError) -> any VideoDevice) { self.open = open }

  /// The kernel's devices.
  package static var kernel: DeviceOpening {
    DeviceOpening { path throws(SystemCallError) in try V4L2Device(path) }
  }

  /// Opens a device; nothing of it changes by that.
  package func device(_ path: String) throws(SystemCallError) -> any VideoDevice { try open(path) }
}
