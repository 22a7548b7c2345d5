// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
internal import Refusals
package import SandboxLaunch
package import SandboxPolicy
internal import Synchronization

/// Answers the refused calls of a session on a separate thread, and records an explanation of each.
///
/// The thread exits with the last process of the session. It never blocks the event loop of the session.
package final class RefusalSupervisor: Sendable {
  /// Readable once there were more refusals than can be recorded.
  package let flooded: Descriptor
  /// Readable once the thread has finished.
  private let ended: Descriptor
  private let policy: ResolvedPolicy
  /// The calls that the host performs on behalf of the session, or `nil` if it performs no calls.
  private let answers: HostAnswers?
  private let ledger = Mutex(RefusalLedger())
  private let thread = Mutex<PlainThread?>(nil)

  private init(_ policy: ResolvedPolicy, _ answers: HostAnswers?) throws(SystemCallError) {
    self.policy = policy
    self.answers = answers
    flooded = try EventCounter.make()
    ended = try EventCounter.make()
  }

  /// Starts the thread that answers the calls.
  package static func start(
    _ listener: RefusalListener,
    policy: ResolvedPolicy,
    answers: HostAnswers?
  ) throws(SystemCallError) -> RefusalSupervisor {
    let supervisor = try RefusalSupervisor(policy, answers)
    let thread = try PlainThread.start(name: "refusals") {
      // If the listener fails, it is closed when the thread finishes, and waiting calls fail with ENOSYS.
      try? listener.serve(
        emulating: { supervisor.answers?.perform($0, listener) },
        supervisor.examine,
        supervisor.note
      )
      try? EventCounter.add(to: supervisor.ended)
    }
    supervisor.store(thread)
    return supervisor
  }

  /// The number of refusals so far.
  var total: Int { ledger.withLock(\.total) }

  /// Returns the recorded kinds of refusals from `index` on, in the order of their first occurrence.
  func entries(from index: Int) -> ArraySlice<RefusalLedger.Entry> {
    ledger.withLock { $0.entries.dropFirst(index) }
  }

  /// Returns the recorded refusals. Call this function when no process of the session is left.
  func finish() -> RefusalLedger {
    let found = try? Poller.wait(
      [(ended.rawValue, .readable)],
      until: MonotonicClock.now + Self.exitTimeout
    )
    // Memory that the extension has mapped from an unresponsive file system can block the thread, which is
    // then left running.
    if found?[0].isEmpty == false { takeThread()?.join() }
    return ledger.withLock { $0 }
  }

  /// The time that the thread may take to finish after the session has exited, in nanoseconds.
  private static let exitTimeout: UInt64 = 1_000_000_000

  private func store(_ started: consuming PlainThread) {
    var started = Optional(started)
    thread.withLock { $0 = started.take() }
  }

  private func takeThread() -> PlainThread? { thread.withLock { $0.take() } }
}

// MARK: - On the thread

extension RefusalSupervisor {
  /// Data that is read while the calling thread waits.
  private struct Examined {
    /// The name of the program.
    var program: String
    /// The memory that the arguments point to.
    var memory: [MemoryContents]
  }

  private func examine(_ call: RefusalListener.WaitingCall) -> Examined {
    let name = SystemCallTable.native.names[call.number] ?? ""
    let memory = CallDecoder.requests(call: name, arguments: call.arguments).map { request in
      MemoryContents(
        request: request,
        bytes: RemoteMemory.read(thread: call.thread, address: request.address, count: request.length)
      )
    }
    return Examined(program: Self.program(call.thread), memory: memory)
  }

  /// Returns the command name of a thread (`PR_SET_NAME`).
  private static func program(_ thread: Int32) -> String {
    guard let bytes = try? FileSystem.contents("/proc/\(thread)/comm", limit: 64) else { return "" }
    return String(decoding: bytes.prefix { $0 != 0x0A }, as: UTF8.self)
  }

  private func note(_ call: RefusalListener.WaitingCall, _ examined: Examined) {
    let denied = DeniedCall(
      number: call.number,
      arguments: call.arguments,
      thread: call.thread,
      program: examined.program,
      at: WallClock.milliseconds,
      memory: examined.memory
    )
    let refusal = Refusal(denied, policy: policy)
    let verdict = ledger.withLock { $0.add(refusal, now: MonotonicClock.now) }
    if verdict == .flood { try? EventCounter.add(to: flooded) }
  }
}
