// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import LinuxPrimitives

/// The way to the main actor for calls that wait, as Apple's do, and that may be made in any thread.
enum MainThread {
  /// What only the main queue knows.
  private static let mark: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether this is the main thread, or does the work of the main queue: in a program whose `main` is asynchronous the
  /// main thread ends, and others do its work.
  private static var isCurrent: Bool {
    CurrentProcess.isMainThread || DispatchQueue.getSpecific(key: mark) == true
  }

  /// Does something in the main actor, and waits until it is done.
  static func run<Result: Sendable>(_ body: @MainActor () throws -> Result) rethrows -> Result {
    if isCurrent { return try MainActor.assumeIsolated(body) }
    return try DispatchQueue.main.sync { try MainActor.assumeIsolated(body) }
  }
}
