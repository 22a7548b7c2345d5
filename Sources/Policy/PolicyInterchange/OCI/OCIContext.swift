// SPDX-License-Identifier: Apache-2.0

package import SystemCalls

/// What `includes` and `excludes` of Docker's form of profiles are asked about.
package struct OCIContext: Sendable, Hashable {
  /// The capabilities in the container's bounding set, for example `CAP_SYS_ADMIN`.
  package var capabilities: Set<String>
  /// The architecture of the machine.
  package var architecture: CallArchitecture
  /// The version of the kernel: major, minor.
  package var kernel: [Int]

  /// Makes circumstances.
  package init(
    capabilities: Set<String> = standardCapabilities,
    architecture: CallArchitecture = .native,
    kernel: [Int] = [7, 1]
  ) {
    self.capabilities = capabilities
    self.architecture = architecture
    self.kernel = kernel
  }

  /// What a container has that nobody gave more or less: Docker's standard capabilities.
  package static let standardCapabilities: Set<String> = [
    "CAP_CHOWN", "CAP_DAC_OVERRIDE", "CAP_FSETID", "CAP_FOWNER", "CAP_MKNOD", "CAP_NET_RAW", "CAP_SETGID",
    "CAP_SETUID", "CAP_SETFCAP", "CAP_SETPCAP", "CAP_NET_BIND_SERVICE", "CAP_SYS_CHROOT", "CAP_KILL",
    "CAP_AUDIT_WRITE",
  ]

  /// Docker's standard circumstances on this machine, with the newest kernel that the tables know.
  package static let standard = OCIContext()

  /// Whether the kernel is at least this version; nil if the text is none.
  func isKernel(atLeast text: String) -> Bool? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    guard parts.count == 2, let major = parts[0], let minor = parts[1], kernel.count == 2 else { return nil }
    return (kernel[0], kernel[1]) >= (major, minor)
  }
}
