// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
package import LinuxPrimitives

/// Turns a plan into a sandboxed process.
package enum SandboxLauncher {
  /// Carries the plan out and returns when the extension's program runs.
  ///
  /// Blocks the calling thread for the launch (about a millisecond), so call it from a plain thread, not from a
  /// task. Signal mask, dispositions and scheduling of the calling thread do not reach the extension.
  package static func launch(_ plan: LaunchPlan) throws(SandboxLaunchError) -> SandboxedProcess {
    try launch(plan) { darkroom_launch(&$0, plan.timeoutMilliseconds) }
  }

  /// Makes something that a launch needs.
  private static func prepare<Needed: ~Copyable>(
    _ make: () throws(SystemCallError) -> Needed
  ) throws(SandboxLaunchError) -> Needed {
    do { return try make() } catch { throw .host(error) }
  }

  /// The same with C steps of the caller's choice.
  static func launch(
    _ plan: LaunchPlan,
    by start: (inout darkroom_plan) -> darkroom_launched
  ) throws(SandboxLaunchError) -> SandboxedProcess {
    let channels = try prepare(LaunchChannels.take)
    let image: InitImage = plan.identity == .restricted ? .restricted : .namespaced
    let initImage = try prepare(image.descriptor)
    let reports = plan.refusals == .silent ? nil : try prepare(LaunchReports.take)
    let memory = PlanMemory()
    defer { withExtendedLifetime(memory) {} }
    var raw = rawPlan(plan, memory)
    raw.init_image = initImage
    raw.status_write = channels.status.writeEnd.rawValue
    raw.control_read = channels.control.readEnd.rawValue
    raw.listener_socket = reports?.sending ?? -1
    let launched = start(&raw)
    guard launched.step == .none else {
      throw .child(
        LaunchFailure(
          step: launched.step,
          errno: Errno(rawValue: launched.error),
          index: Int(launched.index),
          plan: plan
        )
      )
    }
    let handle = ProcessHandle(owning: Descriptor(owning: launched.pidfd))
    let received: LaunchReports.Received?
    do throws(SandboxLaunchError) { received = try reports?.receive() } catch {
      // The program runs already, and nobody would end it.
      if plan.identity == .restricted { ProcessGroup.kill(raw.extension) }
      try? handle.send(.kill)
      _ = try? handle.reap()
      throw error
    }
    return channels.process(
      launched.process,
      handle,
      plan.identity == .restricted ? .initAlone(group: raw.extension) : .kernel,
      plan.refusals,
      received,
      LaunchTiming.moments(raw.stamps),
      stopped: launched.stopped > 0 ? launched.stopped : nil,
      namespaceLimitsFault: raw.setting_error == 0 ? nil : Errno(rawValue: raw.setting_error),
      layerFault: raw.layer_error == 0 ? nil : Errno(rawValue: raw.layer_error)
    )
  }
}

extension LaunchChannels {
  /// Keeps the host's ends.
  fileprivate consuming func process(
    _ processID: Int32,
    _ handle: consuming ProcessHandle,
    _ guardian: SandboxedProcess.Guardian,
    _ reports: LaunchPlan.RefusalReports,
    _ received: consuming LaunchReports.Received?,
    _ moments: [UInt64],
    stopped: Int32?,
    namespaceLimitsFault: Errno?,
    layerFault: Errno?
  ) -> SandboxedProcess {
    var refusals: RefusalListener?
    var learning: LearningListener?
    var program: ProcessHandle?
    var mounts: HeldMounts?
    if let received {
      let listener = received.listener
      program = received.program
      mounts = received.mounts
      switch reports {
      case .reported: refusals = RefusalListener(owning: listener)
      case .learned: learning = LearningListener(owning: listener)
      case .silent: break
      }
    }
    return SandboxedProcess(
      processID: processID,
      handle: handle,
      status: status.takeReadEnd(),
      control: control.takeWriteEnd(),
      guardian: guardian,
      program: program,
      refusals: refusals,
      learning: learning,
      mounts: mounts,
      moments: moments,
      stopped: stopped,
      namespaceLimitsFault: namespaceLimitsFault,
      layerFault: layerFault
    )
  }
}

/// Why no process came of a plan.
package enum SandboxLaunchError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The host could not make what a launch needs.
  case host(SystemCallError)
  /// A step between clone3 and execve failed.
  case child(LaunchFailure)

  /// A sentence.
  package var description: String {
    switch self {
    case .host(let error): "could not prepare the launch: \(error)"
    case .child(let failure): failure.description
    }
  }
}
