// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
internal import Synchronization

/// The first failed write of results, if any. Copies of a console share it.
final class OutputFailure: Sendable {
  private let first = Mutex<SystemCallError?>(nil)

  /// Records a failure, unless an earlier one is recorded.
  func note(_ error: SystemCallError) {
    first.withLock { $0 = $0 ?? error }
  }

  /// The error message, or `nil` if there was no failure.
  ///
  /// A closed reader, such as `head`, is not a failure.
  var sentence: String? {
    first.withLock { error in
      guard let error, error.errno != .brokenPipe else { return nil }
      return "the results could not all be written: \(error)"
    }
  }
}
