// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives

/// Runs blocking work on threads of its own, so that no thread of the caller and none of the task pool waits.
package enum HostThread {
  /// Runs work on a new thread, and returns its result.
  package static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    let result: Result<Value, HostError> = await withCheckedContinuation { continuation in
      do throws(SystemCallError) {
        _ = try PlainThread.start(name: "host-work") {
          do throws(HostError) { continuation.resume(returning: .success(try body())) } catch {
            continuation.resume(returning: .failure(error))
          }
        }
      } catch { continuation.resume(returning: .failure(HostError(error))) }
    }
    return try result.get()
  }

  /// Waits on the calling thread for the result of an asynchronous function. The thread must not belong to
  /// the task pool.
  package static func wait<Value: Sendable>(_ body: @escaping @Sendable () async -> Value)
    throws(SystemCallError)
    -> Value
  {
    let answer = WatchedValue<Value?>(nil)
    let event = HeldDescriptor(try EventCounter.make())
    Task {
      let value = await body()
      answer.change { $0 = value }
      try? EventCounter.add(to: event.descriptor)
    }
    while true {
      if let value = answer.current { return value }
      _ = try Poller.wait([(event.descriptor.rawValue, .readable)])
    }
  }
}
