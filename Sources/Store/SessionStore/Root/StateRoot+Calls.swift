// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension StateRoot {
  /// Throws if the environment of this process, such as a seccomp filter, refuses system calls that migration
  /// or erasure needs.
  ///
  /// Call this before a capture can occur, and before recovery. Otherwise a call refused with `EPERM` looks
  /// like a file that cannot be sanitized.
  package static func checkSystemCalls() throws(StoreError) {
    if let refusal = CallRefusal.current { throw .refused(refusal) }
  }
}
