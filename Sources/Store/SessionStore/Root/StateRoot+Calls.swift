// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

extension StateRoot {
  /// Throws if something around this process refuses calls without which content can be neither migrated nor erased.
  ///
  /// To be called before anything can be captured, and before a recovery touches what was: a call that is refused with `EPERM`
  /// looks like a file that cannot be sanitized.
  package static func checkCalls() throws(StoreError) {
    if let refusal = CallRefusal.current { throw .refused(refusal) }
  }
}
