// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// The first write of results that failed, if one did; the copies of a console share it.
final class OutputFailure: Sendable {
  private let first = Mutex<SystemCallError?>(nil)

  /// Keeps a failure, unless there is one.
  func note(_ error: SystemCallError) {
    first.withLock { $0 = $0 ?? error }
  }

  /// A sentence; nil if all was written, or if the reader went away, as `head` does, which is no failure.
  var sentence: String? {
    first.withLock { error in
      guard let error, error.errno != .brokenPipe else { return nil }
      return "the results could not all be written: \(error)"
    }
  }
}
