// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
package import LinuxPrimitives
internal import Synchronization

/// Launches faster than ``SandboxLauncher``, for hosts that live long: a process of its own makes ahead what does not
/// depend on the session, that is the namespaces, the root, and the two processes that every session begins with, which wait.
///
/// What is prepared is that of the last launch. The next one takes it if its plan asks for exactly that, if everything
/// that is shown of the host is still the same file at the same place, and if nothing was mounted or unmounted since;
/// otherwise, and when another thread is being served, it is a launch without the broker. After something was mounted and
/// not unmounted again, the broker is another process. Both ways enforce the same, and the process that comes of them is the
/// host's child in the same way.
///
/// The broker shares the host's memory and descriptors and has none of its own, and so do the processes that wait. They
/// end with this value and with the host, and when anything goes wrong.
package final class LaunchBroker: Sendable {
  /// Whose turn it is, and what there is to be had.
  private struct Turn {
    /// Whether some thread is being served.
    var isTaken = false
    /// The broker.
    var process: BrokerProcess
    /// How many launches have taken what was prepared.
    var uses = 0
  }

  /// How long the program of a session has the processors for itself before the next session is prepared, in
  /// milliseconds. A launch that comes before is one without the broker.
  private let delay: Int32

  /// What sessions of root leave of networks.
  private let spares: SpareNetworks

  private let turn: Mutex<Turn>

  /// Makes the broker for launches of this process's own user, or of others where that is root, which have networks of
  /// `spares`.
  package init(delay: Int32 = 5, spares: SpareNetworks = .ofRoot) throws(SandboxLaunchError) {
    self.delay = delay
    self.spares = spares
    turn = Mutex(Turn(process: try BrokerProcess(spares: spares)))
  }

  /// How many launches have taken what was prepared.
  package var uses: Int { turn.withLock { $0.uses } }

  /// The first process of the next session, which waits for it, in this process's pid namespace; nil: none does.
  package var waiting: Int32? {
    let process = darkroom_broker_waiting(turn.withLock { $0.process }.raw)
    return process == 0 ? nil : process
  }

  /// That a broker is no more, which every launch does without from then on.
  package struct End: Sendable, Hashable {
    /// Why it could not be made; nil: it could.
    package let errno: Errno?
  }

  /// That the broker is no more; nil: it lives.
  package var end: End? { turn.withLock { $0.process }.end }

  /// Carries the plan out, as ``SandboxLauncher/launch(_:spares:permission:)`` does.
  package func launch(_ plan: LaunchPlan) throws(SandboxLaunchError) -> SandboxedProcess {
    try launch(plan, permission: nil)
  }

  /// The same; the program is not executed before `permission` has come.
  package func launch(
    _ plan: LaunchPlan,
    permission: LaunchPermission?
  ) throws(SandboxLaunchError) -> SandboxedProcess {
    guard BrokerPreparation.canServe(plan), take() else {
      return try direct(plan, permission)
    }
    defer { turn.withLock { $0.isTaken = false } }
    let process = turn.withLock { $0.process }
    // What is being prepared is not waited for: a launch without the broker takes less time.
    if darkroom_broker_is_busy(process.raw) != 0 { return try direct(plan, permission) }
    guard process.seesTheHostsMounts() else {
      defer { replaceProcess() }
      return try direct(plan, permission)
    }
    guard let ready = process.preparation, darkroom_broker_is_ready(process.raw) != 0,
      let rest = ready.remainder(of: plan)
    else {
      // Afterwards, so that the two do not get into each other's way.
      defer { prepare(for: plan, by: process, delay: delay) }
      return try direct(plan, permission)
    }
    turn.withLock { $0.uses += 1 }
    let layerError = ready.layerError
    let networks = plan.handsOnNetwork ? process.networks : nil
    do {
      return try SandboxLauncher.launch(rest, of: networks, permission, network: ready.takeNetwork) { raw in
        BrokerPreparation.enter(&raw)
        ready.goOn(&raw)
        let launched = darkroom_broker_launch(
          process.raw,
          &raw,
          plan.timeoutMilliseconds,
          ready.renewed(with: process.networks),
          delay
        )
        if raw.layer_error == 0 { raw.layer_error = layerError }
        return launched
      }
    } catch {
      // Nothing is left of a launch that failed; one that failed because the broker ended is made anew.
      guard process.end != nil else { throw error }
      return try direct(plan, permission)
    }
  }

  /// A launch with nothing that was prepared. That of an ordinary user is made in the broker's user namespace, because networks
  /// that are made there can be handed on.
  private func direct(
    _ plan: LaunchPlan,
    _ permission: LaunchPermission?
  ) throws(SandboxLaunchError) -> SandboxedProcess {
    let process = turn.withLock { $0.process }
    guard BrokerPreparation.canServe(plan), plan.handsOnNetwork, darkroom_broker_has_user(process.raw) != 0
    else { return try SandboxLauncher.launch(plan, spares: spares, permission: permission) }
    let networks = process.networks
    defer { withExtendedLifetime(process) {} }
    return try SandboxLauncher.launch(plan, of: networks, permission, network: networks.take) { raw in
      BrokerPreparation.enter(&raw)
      return darkroom_launch_in(process.raw, &raw, plan.timeoutMilliseconds)
    }
  }

  /// Prepares what such a plan asks for, waits until that is done, and says whether the next launch can take it.
  package func prepare(_ plan: LaunchPlan) -> Bool {
    guard BrokerPreparation.canServe(plan), take() else { return false }
    defer { turn.withLock { $0.isTaken = false } }
    if !turn.withLock({ $0.process }).seesTheHostsMounts() { replaceProcess() }
    let process = turn.withLock { $0.process }
    darkroom_broker_await_ready(process.raw)
    prepare(for: plan, by: process, delay: 0)
    darkroom_broker_await_ready(process.raw)
    return darkroom_broker_is_ready(process.raw) != 0 && process.seesTheHostsMounts()
      && process.preparation?.remainder(of: plan) != nil
  }

  private func take() -> Bool {
    turn.withLock { turn in
      if turn.isTaken { return false }
      turn.isTaken = true
      return true
    }
  }

  private func prepare(for plan: LaunchPlan, by process: BrokerProcess, delay: Int32) {
    guard let next = BrokerPreparation(for: plan) else { return }
    darkroom_broker_prepare(process.raw, next.renewed(with: process.networks), delay)
    // Not before: the broker has worked with the last one until then.
    process.preparation = next
  }

  /// Has another process made, which sees the mounts of this moment.
  private func replaceProcess() {
    guard let next = try? BrokerProcess(spares: spares) else { return }
    BrokerProcess.retire(
      turn.withLock { turn in
        let old = turn.process
        turn.process = next
        return old
      }
    )
  }
}
