// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
package import LinuxPrimitives
internal import SandboxEnforcement

/// Turns a plan into a sandboxed process.
package enum SandboxLauncher {
  /// Carries the plan out and returns when the extension's program runs.
  ///
  /// Blocks the calling thread for the launch (about a millisecond), so call it from a plain thread, not from a
  /// task. Signal mask, dispositions and scheduling of the calling thread do not reach the extension.
  package static func launch(_ plan: LaunchPlan) throws(SandboxLaunchError) -> SandboxedProcess {
    let channels = try Channels.make(plan.identity == .restricted ? .restricted : .namespaced)
    let memory = PlanMemory()
    var raw = rawPlan(plan, memory)
    raw.init_image = channels.initImage
    raw.status_write = channels.status.writeEnd.rawValue
    raw.control_read = channels.control.readEnd.rawValue
    let reports = plan.refusals == .reported ? try Reports.make() : nil
    raw.listener_socket = reports?.sending ?? -1
    let launched = darkroom_launch(&raw, plan.timeoutMilliseconds)
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
    return channels.process(
      launched.process,
      ProcessHandle(owning: Descriptor(owning: launched.pidfd)),
      plan.identity == .restricted ? .initAlone(group: raw.extension) : .kernel,
      try reports?.listener(),
      LaunchTiming.read(raw.stamps),
      namespaceLimitsFault: raw.setting_error == 0 ? nil : Errno(rawValue: raw.setting_error),
      layerFault: raw.layer_error == 0 ? nil : Errno(rawValue: raw.layer_error)
    )
  }

  private static func rawPlan(_ plan: LaunchPlan, _ memory: PlanMemory) -> darkroom_plan {
    var raw = darkroom_plan()
    raw.namespaces = plan.namespaces.rawValue
    raw.inner_user = LaunchPlan.innerUser
    raw.inner_group = LaunchPlan.innerUser
    switch plan.identity {
    case .caller:
      raw.identity = .caller
      raw.namespaces |= Namespaces.user.rawValue
      raw.outer_user = CurrentProcess.effectiveUserID
      raw.outer_group = CurrentProcess.effectiveGroupID
    case .other(let user, let group):
      raw.identity = .other
      raw.outer_user = user
      raw.outer_group = group
    case .restricted:
      raw.identity = .restricted
      raw.namespaces = 0
    }
    raw.hostname = memory.copy(plan.hostname)
    if let clocks = plan.clocks {
      raw.namespaces |= Namespaces.time.rawValue
      raw.clock_offsets = memory.copy(clocks.offsets)
    }
    raw.items = memory.copy(plan.root.map(memory.copy))
    raw.item_count = UInt64(plan.root.count)
    raw.descriptors = memory.copy(plan.descriptors)
    raw.descriptor_count = UInt64(plan.descriptors.count)
    raw.limits = memory.copy(
      plan.limits.map { darkroom_limit(resource: $0.resource.rawValue, soft: $0.soft, hard: $0.hard) }
    )
    raw.limit_count = UInt64(plan.limits.count)
    raw.control_group = plan.controlGroup ?? -1
    raw.settings = memory.copy(
      plan.namespaceLimits.map {
        darkroom_setting(path: memory.copy($0.path), text: memory.copy("\($0.value)"))
      }
    )
    raw.setting_count = UInt64(plan.namespaceLimits.count)
    raw.nice = CurrentProcess.nice
    raw.last_capability = plan.lastCapability
    setProtections(of: plan, in: &raw, memory)
    raw.directory = memory.copy(plan.workingDirectory)
    raw.executable = memory.copy(plan.executable)
    raw.arguments = memory.copyList(plan.arguments)
    let environment = memory.environment(plan.environment, numbered: plan.processVariable)
    raw.environment = environment.list
    raw.process_number = environment.number
    raw.execute_once = -1
    if case .once(let descriptor) = plan.execution { raw.execute_once = descriptor }
    return raw
  }

  private static func setProtections(of plan: LaunchPlan, in raw: inout darkroom_plan, _ memory: PlanMemory) {
    if let landlock = plan.landlock {
      raw.landlock = 1
      raw.landlock_files = landlock.files
      raw.landlock_network = landlock.network
      raw.landlock_scopes = landlock.scopes
      raw.rules = memory.copy(
        landlock.rules.map { darkroom_rule(path: memory.copy($0.path), access: $0.access) }
      )
      raw.rule_count = UInt64(landlock.rules.count)
    }
    raw.hide_mounts = plan.mountTable == .hidden ? 1 : 0
    setFilters(of: plan, in: &raw, memory)
  }

  private static func setFilters(of plan: LaunchPlan, in raw: inout darkroom_plan, _ memory: PlanMemory) {
    var filters = [plan.filter, []]
    if plan.refusals == .reported {
      let reporting = ReportingFilters(
        plan.filter,
        sendingFlags: UInt32(DARKROOM_SENDING_FLAGS),
        closingFlags: UInt32(DARKROOM_CLOSING_FLAGS)
      )
      filters = [reporting.first, reporting.closing]
    }
    raw.filter = memory.copy(filters[0]).map { UnsafeRawPointer($0) }
    raw.filter_length = UInt16(filters[0].count / SeccompFilter.instructionSize)
    raw.closing_filter = memory.copy(filters[1]).map { UnsafeRawPointer($0) }
    raw.closing_filter_length = UInt16(filters[1].count / SeccompFilter.instructionSize)
  }
}

/// What the host and the session init talk over.
private struct Channels: ~Copyable {
  /// The init reports here how the extension ended.
  var status: Pipe
  /// The init listens here; the end of it ends the session.
  var control: Pipe
  /// The program of the init.
  let initImage: Int32

  static func make(_ image: InitImage) throws(SandboxLaunchError) -> Channels {
    do throws(SystemCallError) {
      return Channels(
        status: try Pipe.make(),
        control: try Pipe.make(),
        initImage: try image.descriptor()
      )
    } catch { throw .host(error) }
  }

  /// Keeps the host's ends.
  consuming func process(
    _ processID: Int32,
    _ handle: consuming ProcessHandle,
    _ guardian: SandboxedProcess.Guardian,
    _ refusals: RefusalListener?,
    _ timings: [LaunchTiming],
    namespaceLimitsFault: Errno?,
    layerFault: Errno?
  ) -> SandboxedProcess {
    SandboxedProcess(
      processID: processID,
      handle: handle,
      status: status.takeReadEnd(),
      control: control.takeWriteEnd(),
      guardian: guardian,
      refusals: refusals,
      timings: timings,
      namespaceLimitsFault: namespaceLimitsFault,
      layerFault: layerFault
    )
  }
}

/// The pair of sockets over which the listener of the filter comes.
private final class Reports {
  private let pair: SocketPair

  private init(_ pair: consuming SocketPair) { self.pair = pair }

  /// The extension's end.
  var sending: Int32 { pair.second.rawValue }

  static func make() throws(SandboxLaunchError) -> Reports {
    do throws(SystemCallError) {
      return Reports(try SocketPair.make())
    } catch { throw .host(error) }
  }

  /// The listener, which has been sent by the time that the extension's program runs.
  func listener() throws(SandboxLaunchError) -> RefusalListener {
    let descriptor = darkroom_receive_descriptor(pair.first.rawValue)
    guard descriptor >= 0 else {
      throw .host(SystemCallError("recvmsg", errno: Errno(rawValue: -descriptor)))
    }
    return RefusalListener(owning: Descriptor(owning: descriptor))
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
