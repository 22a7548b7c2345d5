// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
internal import LinuxPrimitives

extension HostThread {
  /// Runs work on a new thread, and returns its result. If the task is cancelled, the work receives a signal.
  ///
  /// - Parameters:
  ///   - onCancel: A closure that is also called if the task is cancelled.
  ///   - body: The work. A signal must end it soon.
  /// - Returns: The result of the work.
  /// - Throws: The error of the work, or an error if no thread can be started.
  package static func run<Value: Sendable>(
    onCancel: @escaping @Sendable () -> Void = {},
    _ body: @escaping @Sendable (HostSignals) throws(HostError) -> Value
  ) async throws(HostError) -> Value {
    let input: SessionInput
    do throws(SystemCallError) { input = try SessionInput() } catch { throw HostError(error) }
    let work: @Sendable () throws(HostError) -> Value = { () throws(HostError) in
      let signals: HostSignals
      do throws(SystemCallError) { signals = try input.signals() } catch { throw HostError(error) }
      return try body(signals)
    }
    let result: Result<Value, HostError> = await withTaskCancellationHandler {
      do throws(HostError) { return .success(try await run(work)) } catch { return .failure(error) }
    } onCancel: {
      input.stop()
      onCancel()
    }
    return try result.get()
  }
}
