// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
internal import Refusals
package import SandboxLaunch
package import SandboxPolicy
internal import Synchronization

/// Answers the refused calls of one session on a thread of its own, and remembers them explained.
///
/// The thread ends with the last process of the session. Nothing that it does holds the session's loop up.
package final class RefusalSupervisor: Sendable {
  /// Readable once there were more refusals than can be explained.
  package let flooded: Descriptor
  /// Readable once the thread has ended.
  private let ended: Descriptor
  private let policy: ResolvedPolicy
  /// What the host does in the place of the session; nil: nothing.
  private let answers: HostAnswers?
  private let ledger = Mutex(RefusalLedger())
  private let thread = Mutex<PlainThread?>(nil)

  private init(_ policy: ResolvedPolicy, _ answers: HostAnswers?) throws(SystemCallError) {
    self.policy = policy
    self.answers = answers
    flooded = try EventCounter.make()
    ended = try EventCounter.make()
  }

  /// Begins to answer.
  package static func start(
    _ listener: RefusalListener,
    policy: ResolvedPolicy,
    answers: HostAnswers?
  ) throws(SystemCallError) -> RefusalSupervisor {
    let supervisor = try RefusalSupervisor(policy, answers)
    let thread = try PlainThread.start(name: "refusals") {
      // If the listener fails, it is closed with the thread's end, and what waits fails with ENOSYS.
      try? listener.serve(
        performing: { supervisor.answers?.perform($0, listener) },
        supervisor.examine,
        supervisor.note
      )
      try? EventCounter.add(to: supervisor.ended)
    }
    supervisor.keep(thread)
    return supervisor
  }

  /// How many refusals there were so far.
  var total: Int { ledger.withLock(\.total) }

  /// The kinds of refusals from this one on, in the order of the first of each.
  func entries(from index: Int) -> ArraySlice<RefusalLedger.Entry> {
    ledger.withLock { $0.entries.dropFirst(index) }
  }

  /// What there was; call it when no process of the session is left.
  func finish() -> RefusalLedger {
    let found = try? Poller.wait(
      [(ended.rawValue, .readable)],
      until: MonotonicClock.now + Self.patience
    )
    // Memory that the extension has mapped from a file system that does not answer can hold the thread up. Then it is
    // left to itself.
    if found?[0].isEmpty == false { takeThread()?.join() }
    return ledger.withLock { $0 }
  }

  /// How long the thread may take to end after the session, in nanoseconds.
  private static let patience: UInt64 = 1_000_000_000

  private func keep(_ started: consuming PlainThread) {
    var started = Optional(started)
    thread.withLock { $0 = started.take() }
  }

  private func takeThread() -> PlainThread? { thread.withLock { $0.take() } }
}

// MARK: - On the thread

extension RefusalSupervisor {
  /// What was read while the call's thread waited.
  private struct Examined {
    /// The name of its program.
    var program: String
    /// What its arguments point to.
    var memory: [MemoryPiece]
  }

  private func examine(_ call: RefusalListener.WaitingCall) -> Examined {
    let name = SystemCallTable.native.names[call.number] ?? ""
    let memory = CallDecoder.requests(call: name, arguments: call.arguments).map { request in
      MemoryPiece(
        request: request,
        bytes: RemoteMemory.read(thread: call.thread, address: request.address, count: request.length)
      )
    }
    return Examined(program: Self.program(call.thread), memory: memory)
  }

  /// The name that the thread's program has given itself, or got.
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
