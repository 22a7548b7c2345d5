// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// A source that reports whether the screen is locked. No call blocks.
protocol LockSource: AnyObject {
  /// The last report. It is locked until the state is known.
  var report: LockReport { get }
  /// A descriptor that is readable when ``refresh()`` should be called, or `nil` if the report never changes.
  var descriptor: Int32? { get }
  /// Processes the events of the descriptor.
  func refresh()
}

/// A source whose state cannot be determined, so it is always locked.
final class UnavailableLockSource: LockSource {
  let report: LockReport
  var descriptor: Int32? { nil }

  /// Creates a source with the reason of its report.
  init(_ reason: LockReason) { report = LockReport(.locked, reason) }

  func refresh() {}
}
