// SPDX-License-Identifier: Apache-2.0

internal import CLinux

extension Descriptor {
  /// Takes over a descriptor that this process was started with, and keeps it from programs started by this one.
  ///
  /// Throws `EBADF` if there is none with that number. The corresponding command is `F_SETFD`.
  package static func inherited(_ number: Int32) throws(SystemCallError) -> Descriptor {
    try check("fcntl") { darkroom_fcntl(number, F_SETFD, Int(FD_CLOEXEC)) }
    return Descriptor(owning: number)
  }
}
