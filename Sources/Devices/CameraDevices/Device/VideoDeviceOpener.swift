// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// Opens video devices: those of the kernel, or simulated ones.
package struct VideoDeviceOpener {
  /// Opens the device at a path.
  private let open: (String) throws(SystemCallError) -> any VideoDevice

  /// Creates an opener that calls a closure.
  package init(_ open: @escaping (String) throws(SystemCallError) -> any VideoDevice) { self.open = open }

  /// An opener of the kernel's devices.
  package static var kernel: VideoDeviceOpener {
    VideoDeviceOpener { path throws(SystemCallError) in try V4L2Device(path) }
  }

  /// Opens the device at a path, without changing its state.
  package func device(_ path: String) throws(SystemCallError) -> any VideoDevice { try open(path) }
}
