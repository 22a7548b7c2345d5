// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// Somebody who knows whether the person is locked out. No call waits.
protocol LockSource: AnyObject {
  /// What it says; locked as long as it does not know.
  var report: LockReport { get }
  /// Readable when ``refresh()`` should be called; nil: never.
  var descriptor: Int32? { get }
  /// Takes in what the descriptor announced.
  func refresh()
}

/// A source that nobody can ask: it is always locked.
final class UnknowableSource: LockSource {
  let report: LockReport
  var descriptor: Int32? { nil }

  /// Keeps the reason.
  init(_ reason: LockReason) { report = LockReport(.locked, reason) }

  func refresh() {}
}
