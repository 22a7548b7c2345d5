// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives
internal import Synchronization

/// Launches faster than ``SandboxLauncher``, for hosts that live long: a process of its own makes ahead what does not
/// depend on the session, that is the namespaces and the root.
///
/// What is prepared is that of the last launch. The next one takes it if its plan asks for exactly that, if everything
/// that is shown of the host is still the same file at the same place, and if nothing was mounted or unmounted since;
/// otherwise, and when another thread is being served, it is a launch without the broker. Both ways enforce the same,
/// and the process that comes of them is the host's child in the same way.
///
/// The broker shares the host's memory and descriptors and has none of its own. It ends with this value and with the
/// host, and when anything goes wrong.
package final class LaunchBroker: Sendable {
  /// The broker as C knows it.
  ///
  /// `@unchecked Sendable`, because only whoever has taken the turn asks it for anything, and it is freed after its thread
  /// has ended.
  private struct Handle: @unchecked Sendable {
    var raw: OpaquePointer
  }

  /// Whose turn it is, and what there is to be had.
  private struct Turn {
    /// Whether some thread is being served.
    var isTaken = false
    /// What the broker prepares, or has prepared.
    var preparation: BrokerPreparation?
    /// How many launches have taken what was prepared.
    var uses = 0
  }

  /// How long the program of a session has the processors for itself before the next session is prepared, in
  /// milliseconds. A launch that comes before is one without the broker.
  private static let delay: Int32 = 5

  private let handle: Handle
  private let turn = Mutex(Turn())
  /// The thread that the broker lives as long as; nil once it was waited for.
  private let thread: Mutex<PlainThread?>

  /// Makes the broker for launches of this process's own user, or of others where that is root.
  package init() throws(SandboxLaunchError) {
    let isRoot = CurrentProcess.effectiveUserID == 0
    guard
      let raw = darkroom_broker_make(
        isRoot ? .other : .brokered,
        CurrentProcess.effectiveUserID,
        CurrentProcess.effectiveGroupID
      )
    else { throw .host(SystemCallError("mmap")) }
    let handle = Handle(raw: raw)
    do {
      thread = Mutex(try PlainThread.start(name: "launch-broker") { _ = darkroom_broker_run(handle.raw) })
    } catch {
      darkroom_broker_free(raw)
      throw .host(error)
    }
    self.handle = handle
  }

  deinit {
    darkroom_broker_stop(handle.raw)
    thread.withLock { $0.take() }?.join()
    darkroom_broker_free(handle.raw)
  }

  /// How many launches have taken what was prepared.
  package var uses: Int { turn.withLock { $0.uses } }

  /// Carries the plan out, as ``SandboxLauncher/launch(_:)`` does.
  package func launch(_ plan: LaunchPlan) throws(SandboxLaunchError) -> SandboxedProcess {
    guard BrokerPreparation.canServe(plan), take() else { return try SandboxLauncher.launch(plan) }
    defer { turn.withLock { $0.isTaken = false } }
    // What is being prepared is not waited for: a launch without the broker takes less time.
    if darkroom_broker_is_busy(handle.raw) != 0 { return try SandboxLauncher.launch(plan) }
    guard let preparation = turn.withLock({ $0.preparation }), preparation.serves(plan),
      darkroom_broker_is_ready(handle.raw) != 0
    else {
      // Afterwards, so that the two do not get into each other's way.
      defer { prepare(for: plan, delay: Self.delay) }
      return try SandboxLauncher.launch(plan)
    }
    turn.withLock { $0.uses += 1 }
    defer { darkroom_broker_prepare(handle.raw, preparation.renewed(), Self.delay) }
    return try SandboxLauncher.launch(preparation.remainder(of: plan)) { raw in
      BrokerPreparation.enter(&raw)
      let launched = darkroom_broker_launch(handle.raw, &raw, plan.timeoutMilliseconds)
      if raw.layer_error == 0 { raw.layer_error = preparation.layerError }
      return launched
    }
  }

  /// Prepares what such a plan asks for, waits until that is done, and says whether the next launch can take it.
  package func prepare(_ plan: LaunchPlan) -> Bool {
    guard BrokerPreparation.canServe(plan), take() else { return false }
    defer { turn.withLock { $0.isTaken = false } }
    darkroom_broker_await_ready(handle.raw)
    prepare(for: plan, delay: 0)
    darkroom_broker_await_ready(handle.raw)
    return darkroom_broker_is_ready(handle.raw) != 0
      && turn.withLock { $0.preparation }?.serves(plan) == true
  }

  private func take() -> Bool {
    turn.withLock { turn in
      if turn.isTaken { return false }
      turn.isTaken = true
      return true
    }
  }

  private func prepare(for plan: LaunchPlan, delay: Int32) {
    guard let next = BrokerPreparation(for: plan) else { return }
    darkroom_broker_prepare(handle.raw, next.renewed(), delay)
    // Not before: the broker has worked with the last one until then.
    turn.withLock { $0.preparation = next }
  }
}
