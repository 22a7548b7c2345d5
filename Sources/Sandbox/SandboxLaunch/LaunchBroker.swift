// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
package import LinuxPrimitives
internal import Synchronization

/// Launches sessions faster than ``SandboxLauncher``, for long-running hosts. A separate process prepares the
/// parts of a session that do not depend on it: the namespaces, the root, and the two first processes, which
/// wait.
///
/// The preparation is for a plan like that of the last launch. A launch uses it if its plan has the same
/// prepared parts, if all shown files of the host are unchanged, and if no mount has changed since.
/// Otherwise, and while another thread uses the broker, a launch does without the preparation. After a change
/// of mounts that was not undone, the broker's process is replaced. Both kinds of launches enforce the same
/// sandbox and create the session as a child of the host.
///
/// The broker and the waiting processes share the host's memory and descriptors. They exit with this value,
/// with the host, and after any error.
package final class LaunchBroker: Sendable {
  /// The state of the broker.
  private struct State {
    /// Whether a thread uses the broker.
    var isTaken = false
    /// The broker's process.
    var process: BrokerProcess
    /// The number of launches that have used a preparation.
    var uses = 0
  }

  /// The delay in milliseconds between a launch and the next preparation, during which the program has the
  /// processors for itself. A launch in that time does without the broker.
  private let delay: Int32

  /// The reusable network namespaces of sessions of root.
  private let spares: SpareNetworks

  private let turn: Mutex<State>

  /// Creates a broker for launches of this process's user, or for other users if it is root. Sessions of root
  /// use the network namespaces of `spares`.
  package init(delay: Int32 = 5, spares: SpareNetworks = .ofRoot) throws(SandboxLaunchError) {
    self.delay = delay
    self.spares = spares
    turn = Mutex(State(process: try BrokerProcess(spares: spares)))
  }

  /// The number of launches that have used a preparation.
  package var uses: Int { turn.withLock { $0.uses } }

  /// The process ID, in this process's PID namespace, of the init that waits for its session, or `nil` if
  /// there is none.
  package var waitingInit: Int32? {
    let process = darkroom_broker_waiting_init(turn.withLock { $0.process }.raw)
    return process == 0 ? nil : process
  }

  /// The end of a broker's process, after which all launches do without it.
  package struct End: Sendable, Hashable {
    /// The error of creating the process, or `nil` if it was created.
    package let errno: Errno?
  }

  /// The end of the broker's process, or `nil` while it is running.
  package var end: End? { turn.withLock { $0.process }.end }

  /// Carries out a plan, as ``SandboxLauncher/launch(_:spares:permission:)`` does.
  package func launch(_ plan: LaunchPlan) throws(SandboxLaunchError) -> SandboxedProcess {
    try launch(plan, permission: nil)
  }

  /// Carries out a plan. The program is not executed before `permission` is granted.
  package func launch(
    _ plan: LaunchPlan,
    permission: LaunchPermission?
  ) throws(SandboxLaunchError) -> SandboxedProcess {
    guard BrokerPreparation.canServe(plan), take() else {
      return try direct(plan, permission)
    }
    defer { turn.withLock { $0.isTaken = false } }
    let process = turn.withLock { $0.process }
    // A launch without the broker takes less time than waiting for the preparation.
    if darkroom_broker_is_busy(process.raw) != 0 { return try direct(plan, permission) }
    guard process.hasCurrentMounts() else {
      defer { replaceProcess() }
      return try direct(plan, permission)
    }
    guard let ready = process.preparation, darkroom_broker_is_ready(process.raw) != 0,
      let rest = ready.remainder(of: plan)
    else {
      // Prepare after the launch, so that the two do not delay each other.
      defer { prepare(for: plan, by: process, delay: delay) }
      return try direct(plan, permission)
    }
    turn.withLock { $0.uses += 1 }
    let layerError = ready.layerError
    let networks = plan.reusesNetwork ? process.networks : nil
    do {
      return try SandboxLauncher.launch(rest, of: networks, permission, network: ready.takeNetwork) { raw in
        BrokerPreparation.useBrokerNamespace(&raw)
        ready.useInstalledFilter(&raw)
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
      // A failed launch leaves no process. A launch that failed because the broker has exited is repeated.
      guard process.end != nil else { throw error }
      return try direct(plan, permission)
    }
  }

  /// Launches a session without prepared resources. For an unprivileged user, the session is created in the
  /// broker's user namespace, because network namespaces that are created there can be reused.
  private func direct(
    _ plan: LaunchPlan,
    _ permission: LaunchPermission?
  ) throws(SandboxLaunchError) -> SandboxedProcess {
    let process = turn.withLock { $0.process }
    guard BrokerPreparation.canServe(plan), plan.reusesNetwork, darkroom_broker_has_user(process.raw) != 0
    else { return try SandboxLauncher.launch(plan, spares: spares, permission: permission) }
    let networks = process.networks
    defer { withExtendedLifetime(process) {} }
    return try SandboxLauncher.launch(plan, of: networks, permission, network: networks.take) { raw in
      BrokerPreparation.useBrokerNamespace(&raw)
      return darkroom_launch_in(process.raw, &raw, plan.timeoutMilliseconds)
    }
  }

  /// Prepares a session for a plan and waits until it is ready. Returns whether the next launch can use it.
  package func prepare(_ plan: LaunchPlan) -> Bool {
    guard BrokerPreparation.canServe(plan), take() else { return false }
    defer { turn.withLock { $0.isTaken = false } }
    if !turn.withLock({ $0.process }).hasCurrentMounts() { replaceProcess() }
    let process = turn.withLock { $0.process }
    darkroom_broker_await_ready(process.raw)
    prepare(for: plan, by: process, delay: 0)
    darkroom_broker_await_ready(process.raw)
    return darkroom_broker_is_ready(process.raw) != 0 && process.hasCurrentMounts()
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
    // The broker uses the previous preparation until then.
    process.preparation = next
  }

  /// Replaces the broker's process by one that sees the current mounts.
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
