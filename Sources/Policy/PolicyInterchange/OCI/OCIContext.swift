// SPDX-License-Identifier: Apache-2.0

package import SystemCalls

/// The facts that `includes` and `excludes` of a Docker profile test.
package struct OCIContext: Sendable, Hashable {
  /// The capabilities in the container's bounding set, such as `CAP_SYS_ADMIN`.
  package var capabilities: Set<String>
  /// The architecture of the machine.
  package var architecture: CallArchitecture
  /// The major and minor version of the kernel.
  package var kernel: [Int]

  /// Creates a context.
  package init(
    capabilities: Set<String> = standardCapabilities,
    architecture: CallArchitecture = .native,
    kernel: [Int] = [7, 1]
  ) {
    self.capabilities = capabilities
    self.architecture = architecture
    self.kernel = kernel
  }

  /// Docker's default capabilities.
  package static let standardCapabilities: Set<String> = [
    "CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FSETID", "CAP_FOWNER", "CAP_MKNOD", "CAP_NET_RAW", "CAP_SETGID",
    "CAP_SETUID", "CAP_SETFCAP", "CAP_SETPCAP", "CAP_NET_BIND_SERVICE", "CAP_SYS_CHROOT", "CAP_KILL",
    "CAP_AUDIT_WRITE",
  ]

  /// A context with Docker's default capabilities, the native architecture and Linux 7.1, the newest kernel
  /// in the tables.
  package static let standard = OCIContext()

  /// Returns whether the kernel has at least a version, or `nil` if the text is not a version.
  func isKernel(atLeast text: String) -> Bool? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let major = parts[0], let minor = parts[1], kernel.count == 2 else { return nil }
    return (kernel[0], kernel[1]) >= (major, minor)
  }
}
