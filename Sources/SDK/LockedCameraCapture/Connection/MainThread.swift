// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import LinuxPrimitives

/// Access to the main actor for blocking calls, as in Apple's API, from any thread.
enum MainThread {
  /// A key whose value is set only on the main queue.
  private static let mainQueueKey: DispatchSpecificKey<Bool> = {
    let key = DispatchSpecificKey<Bool>()
    DispatchQueue.main.setSpecific(key: key, value: true)
    return key
  }()

  /// Whether the caller runs on the main thread or in the main queue.
  ///
  /// If the `main` of a program is asynchronous, the main thread ends and other threads drain the main queue.
  static var isCurrent: Bool {
    CurrentProcess.isMainThread || DispatchQueue.getSpecific(key: mainQueueKey) == true
  }

  /// Runs `body` in the main actor and waits for its result.
  static func run<Result: Sendable>(_ body: @MainActor () throws -> Result) rethrows -> Result {
    if isCurrent { return try MainActor.assumeIsolated(body) }
    return try DispatchQueue.main.sync { try MainActor.assumeIsolated(body) }
  }

  /// Runs `body` in the main actor: at once if the caller is in it, otherwise soon.
  static func perform(_ body: @escaping @Sendable @MainActor () -> Void) {
    if isCurrent { MainActor.assumeIsolated(body) } else { Task { @MainActor in body() } }
  }
}
