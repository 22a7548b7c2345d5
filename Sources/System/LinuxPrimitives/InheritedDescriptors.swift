// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension Descriptor {
  /// Takes ownership of a descriptor that this process inherited, and makes it close-on-exec.
  ///
  /// Throws `EBADF` if the descriptor is not open. The corresponding command is `F_SETFD`.
  package static func inherited(_ number: Int32) throws(SystemCallError) -> Descriptor {
    try check("fcntl") { darkroom_fcntl(number, F_SETFD, Int(FD_CLOEXEC)) }
    return Descriptor(owning: number)
  }
}
