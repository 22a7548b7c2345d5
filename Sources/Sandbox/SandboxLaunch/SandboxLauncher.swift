// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
package import LinuxPrimitives

/// Carries out launch plans.
package enum SandboxLauncher {
  /// Carries out a plan and returns when the extension's program runs. The program is not executed before
  /// `permission` is granted.
  ///
  /// Blocks the calling thread for about a millisecond, so call it from a plain thread, not from a task. The
  /// signal mask, dispositions and scheduling of the calling thread do not affect the extension.
  ///
  /// A session of root that may reuse a network namespace (``LaunchPlan/Network/reused``) takes one of
  /// `spares`, and returns it at its end.
  package static func launch(
    _ plan: LaunchPlan,
    spares: SpareNetworks = .ofRoot,
    permission: LaunchPermission? = nil
  ) throws(SandboxLaunchError) -> SandboxedProcess {
    // The network namespace of an unprivileged user belongs to the user namespace of the session.
    let isRoot = if case .other = plan.identity { true } else { false }
    let networks: SpareNetworks? = isRoot && plan.reusesNetwork ? spares : nil
    return try launch(plan, of: networks, permission, network: { networks?.take() }) {
      darkroom_launch(&$0, plan.timeoutMilliseconds)
    }
  }

  /// Runs `make` and converts its error.
  private static func prepare<Needed: ~Copyable>(
    _ make: () throws(SystemCallError) -> Needed
  ) throws(SandboxLaunchError) -> Needed {
    do { return try make() } catch { throw .host(error) }
  }

  /// Carries out a plan with the C function `start`. `network` is called right before it and returns a
  /// reusable network namespace. If it returns `nil`, a new one is created, which is added to `networks`
  /// later.
  static func launch(
    _ plan: LaunchPlan,
    of networks: SpareNetworks?,
    _ permission: LaunchPermission?,
    network: () -> SessionNetwork?,
    by start: (inout darkroom_plan) -> darkroom_launched
  ) throws(SandboxLaunchError) -> SandboxedProcess {
    let channels = try prepare(LaunchChannels.take)
    let image: InitImage = plan.identity == .restricted ? .restricted : .namespaced
    let initImage = try prepare(image.descriptor)
    let reports = plan.restrictions.refusals == .silent ? nil : try prepare(LaunchReportSockets.take)
    let memory = PlanMemory()
    defer { withExtendedLifetime(memory) {} }
    var raw = rawPlan(plan, memory)
    raw.init_image = initImage
    channels.install(in: &raw)
    raw.listener_socket = reports?.sending ?? -1
    var network = network()
    raw.network = network?.rawValue ?? -1
    permission?.install(in: &raw)
    defer { withExtendedLifetime(permission) {} }
    raw.hold_network = raw.network < 0 && networks?.noteLaunch() == true ? 1 : 0
    let launched = start(&raw)
    guard launched.step == .none else { throw .child(LaunchFailure(launched, plan)) }
    let handle = ProcessHandle(owning: Descriptor(owning: launched.pidfd))
    var received: LaunchReportSockets.Received?
    if let reports { received = try receive(reports, plan, raw, handle) }
    if let networks, let made = received?.network.take() {
      network = SessionNetwork(owning: made, isReused: false, spares: networks)
    }
    return SandboxedProcess(
      processID: launched.process,
      handle: handle,
      channels: channels,
      guardian: plan.identity == .restricted ? .initAlone(group: raw.extension) : .kernel,
      received: received,
      reports: plan.restrictions.refusals,
      network: network,
      findings: LaunchFindings(launched, raw)
    )
  }

  /// Receives the listener and the handles that the extension's process has sent.
  ///
  /// - Throws: An error if they were not received. The extension, which runs already, is killed then.
  private static func receive(
    _ reports: LaunchReportSockets,
    _ plan: LaunchPlan,
    _ raw: darkroom_plan,
    _ handle: borrowing ProcessHandle
  ) throws(SandboxLaunchError) -> LaunchReportSockets.Received {
    do throws(SandboxLaunchError) { return try reports.receive() } catch {
      if plan.identity == .restricted { ProcessGroup.kill(raw.extension) }
      try? handle.send(.kill)
      _ = try? handle.reap()
      // Another process has killed it: it shares no memory with the host any longer, as if its program had
      // started.
      guard case .host(let fault) = error, fault.errno == .wouldBlock else { throw error }
      throw .child(LaunchFailure(step: .sendListener, errno: .noSuchProcess, index: 0, plan: plan))
    }
  }
}

extension LaunchFailure {
  /// Creates a failure from the result of the C code.
  fileprivate init(_ launched: darkroom_launched, _ plan: LaunchPlan) {
    self.init(
      step: launched.step,
      errno: Errno(rawValue: launched.error),
      index: Int(launched.index),
      plan: plan
    )
  }
}

/// The reason why a launch failed.
package enum SandboxLaunchError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The host could not create a resource for the launch.
  case host(SystemCallError)
  /// A step between clone3 and execve failed.
  case child(LaunchFailure)

  /// A description of the failure.
  package var description: String {
    switch self {
    case .host(let error): "cannot prepare the launch: \(error)"
    case .child(let failure): failure.description
    }
  }
}

extension SandboxLauncher {
  /// Creates the permanent threads of the process now. A thread inherits the current directory and processors
  /// of its creator, which may be those of a client in a server.
  package static func makeThreads() { SessionCleanup.start() }
}
