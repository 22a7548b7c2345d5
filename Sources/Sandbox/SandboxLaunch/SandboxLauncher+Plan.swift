// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives

extension SandboxLauncher {
  /// Returns a plan for the child, in memory that stays valid as long as `memory` lives.
  static func rawPlan(_ plan: LaunchPlan, _ memory: PlanMemory) -> darkroom_plan {
    var raw = darkroom_plan()
    raw.namespaces = plan.isolation.namespaces.rawValue
    raw.inner_user = LaunchPlan.innerUser
    raw.inner_group = LaunchPlan.innerUser
    setIdentity(of: plan, in: &raw)
    raw.hostname = memory.copy(plan.isolation.hostname)
    if let session = plan.session { raw.session = UnsafePointer(memory.copy(session)) }
    if let clocks = plan.isolation.clocks {
      raw.namespaces |= Namespaces.time.rawValue
      raw.clock_offsets = memory.copy(clocks.offsets)
    }
    raw.items = memory.copy(plan.files.contents)
    raw.item_count = UInt64(plan.files.contents.count)
    raw.descriptors = memory.copy(plan.descriptors)
    raw.descriptor_count = UInt64(plan.descriptors.count)
    setLimits(of: plan, in: &raw, memory)
    raw.nice = CurrentProcess.nice
    raw.last_capability = plan.restrictions.lastCapability
    setProtections(of: plan, in: &raw, memory)
    raw.stop_at_program = plan.program.start == .stopped ? 1 : 0
    raw.directory = memory.copy(plan.program.workingDirectory)
    raw.executable = memory.copy(plan.program.path)
    raw.arguments = memory.copyList(plan.program.arguments)
    let environment = memory.environment(plan.program.environment, numbered: plan.program.processVariable)
    raw.environment = environment.list
    raw.process_number = environment.number
    raw.network = -1
    raw.execute_once = -1
    if case .once(let descriptor) = plan.program.execution { raw.execute_once = descriptor }
    return raw
  }

  private static func setProtections(of plan: LaunchPlan, in raw: inout darkroom_plan, _ memory: PlanMemory) {
    if let landlock = plan.restrictions.landlock {
      raw.landlock = 1
      raw.landlock_files = landlock.files
      raw.landlock_network = landlock.network
      raw.landlock_scopes = landlock.scopes
      raw.rules = rules(landlock.rules, memory)
      raw.rule_count = UInt64(landlock.rules.count)
      raw.denied_directory = landlock.deniedDirectory.map { memory.copy($0) }
      if !landlock.stateRootRules.isEmpty {
        raw.state_root_files = landlock.files
        raw.state_root_rules = rules(landlock.stateRootRules, memory)
        raw.state_root_rule_count = UInt64(landlock.stateRootRules.count)
      }
    }
    raw.hide_mounts = plan.isolation.mountTable == .hidden ? 1 : 0
    setFilters(of: plan, in: &raw, memory)
  }

  private static func rules(
    _ rules: [LandlockRuleset.Rule],
    _ memory: PlanMemory
  ) -> UnsafePointer<darkroom_rule>? {
    memory.copy(rules.map { darkroom_rule(path: memory.copy($0.path), access: $0.access) })
  }

  private static func setFilters(of plan: LaunchPlan, in raw: inout darkroom_plan, _ memory: PlanMemory) {
    let filters = LoadableFilters.cached(plan.restrictions.filter, plan.restrictions.refusals)
    memory.keep(filters)
    raw.filter = filters.first?.start
    raw.filter_length = filters.first?.count ?? 0
    raw.closing_filter = filters.closing?.start
    raw.closing_filter_length = filters.closing?.count ?? 0
    if !plan.restrictions.socketFilter.isEmpty {
      let filters = LoadableFilters.cached(plan.restrictions.socketFilter, .silent)
      memory.keep(filters)
      raw.socket_filter = filters.first?.start
      raw.socket_filter_length = filters.first?.count ?? 0
    }
  }

  private static func setIdentity(of plan: LaunchPlan, in raw: inout darkroom_plan) {
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
  }

  private static func setLimits(of plan: LaunchPlan, in raw: inout darkroom_plan, _ memory: PlanMemory) {
    raw.limits = memory.copy(
      plan.limits.resources.map {
        darkroom_limit(resource: $0.resource.rawValue, soft: $0.soft, hard: $0.hard)
      }
    )
    raw.limit_count = UInt64(plan.limits.resources.count)
    raw.control_group = plan.limits.controlGroup ?? -1
    raw.settings = memory.copy(
      plan.limits.userNamespace.map {
        darkroom_setting(path: memory.copy($0.path), text: memory.copy($0.text))
      }
    )
    raw.setting_count = UInt64(plan.limits.userNamespace.count)
  }
}
