// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives

/// The preparation of a broker for plans of one kind, and the check whether a plan is of that kind.
///
/// `@unchecked Sendable`, because only the memory that C code writes and the state of the files change, and
/// only the thread that uses the broker accesses them.
final class BrokerPreparation: @unchecked Sendable {
  private let root: [RootItem]
  /// The items whose owner becomes the extension's user in a session of root.
  private let ownerChanges: [RootItem]
  private let own: SessionPaths
  /// The state of plans with the same common items, or `nil` if the plan has no common items.
  private let shared: SharedRootPreparation?
  private let hostname: String
  /// Whether the session has its own clocks, with any offsets. Its time namespace is created with its first
  /// process.
  private let hasClocks: Bool
  private let rules: PreparedRules
  /// The filter, which is installed in the extension's process already if it reports refused calls.
  private let filter: [UInt8]
  private let refusals: LaunchPlan.RefusalReports
  /// Whether the session may reuse a network namespace.
  private let reusesNetwork: Bool
  /// A reusable network namespace for the next session, or `nil` to create a new one.
  private var spareNetwork: SessionNetwork?
  private var sources: WatchedFiles
  /// Whether the prepared resources can show a mount that has been removed in the meantime.
  var isOutdated = false
  private let memory = PlanMemory()
  private let raw: UnsafeMutablePointer<darkroom_plan>

  /// Creates the preparation for a plan, or returns `nil` if a file that the plan shows does not exist.
  init?(for plan: LaunchPlan) {
    let own = SessionPaths(plan.files.ownItems)
    let whole = plan.root
    let items = whole.filter { !own.contains($0) }
    root = items.map(\.withoutOwner)
    guard let sources = WatchedFiles(root) else { return nil }
    self.own = own
    shared = SharedRootPreparation(plan.files.contents, own)
    self.sources = sources
    ownerChanges = items.compactMap(\.ownerChange)
    hostname = plan.isolation.hostname
    hasClocks = plan.isolation.clocks != nil
    filter = plan.restrictions.filter
    refusals = plan.restrictions.refusals
    reusesNetwork = plan.reusesNetwork
    // The processes are mounted over the directories to which the rules would apply.
    let processes = whole.filter(\.showsProcesses).map(\.target)
    rules = PreparedRules(plan.restrictions.landlock, items, except: plan.files.ownItems.union(processes))
    var common = plan
    common.root = items
    common.restrictions.landlock = rules.prepared
    raw = UnsafeMutablePointer<darkroom_plan>.allocate(capacity: 1)
    raw.initialize(to: SandboxLauncher.rawPlan(common, memory))
    Self.useBrokerNamespace(&raw.pointee)
  }

  deinit { raw.deallocate() }

  /// Returns whether a broker can prepare a plan.
  static func canServe(_ plan: LaunchPlan) -> Bool {
    guard plan.program.start == .running, plan.isolation.namespaces == .all,
      plan.files.contents.count <= maximumItems,
      plan.files.contents.processViews <= 1
    else { return false }
    let isRoot = CurrentProcess.effectiveUserID == 0
    return switch plan.identity {
    case .other: isRoot
    case .caller: !isRoot
    case .restricted: false
    }
  }

  /// The maximum number of items of a plan. Fewer items are specific to the session.
  private static let maximumItems = 128

  /// Returns the rest of a plan, which contains only its session-specific items. Returns `nil` if the plan
  /// differs from the preparation, or if a shown file of the host has changed.
  func remainder(of plan: LaunchPlan) -> LaunchPlan? {
    guard !isOutdated, plan.isolation.hostname == hostname, (plan.isolation.clocks != nil) == hasClocks,
      own.matches(plan.files.ownItems),
      plan.restrictions.refusals == refusals, plan.reusesNetwork == reusesNetwork,
      plan.restrictions.filter == filter,
      rules.matches(plan.restrictions.landlock),
      let items = ownItems(of: plan), sources.areCurrent()
    else { return nil }
    var rest = plan
    rest.root = items
    rest.restrictions.landlock = rules.atLaunch
    return rest
  }

  /// Returns the items of a plan that are not prepared, after the changes of owner. Returns `nil` if the
  /// other items differ from the prepared ones, apart from their owner.
  private func ownItems(of plan: LaunchPlan) -> [RootItem]? {
    var items: [RootItem] = []
    if case .other = plan.identity { items = ownerChanges }
    if case .shared(let common, let exceptions) = plan.files.contents, let shared, shared.common === common {
      return shared.append(exceptions, to: &items) ? items : nil
    }
    var left = root[...]
    for item in plan.root {
      if own.contains(item) {
        items.append(item)
      } else {
        guard let prepared = left.popFirst(), item.isEqualIgnoringOwner(as: prepared) else { return nil }
      }
    }
    return left.isEmpty ? items : nil
  }

  /// The error because of which a shown directory shares its locks with the host, as in
  /// ``SandboxedProcess/layerFault``, or 0.
  var layerError: Int32 { raw.pointee.layer_error }

  /// Returns the plan for the next preparation, with one of the reusable network namespaces if there is one.
  func renewed(with networks: SpareNetworks) -> UnsafeMutablePointer<darkroom_plan> {
    raw.pointee.layer_error = 0
    spareNetwork = reusesNetwork ? networks.take() : nil
    raw.pointee.network = spareNetwork?.rawValue ?? -1
    return raw
  }

  /// Releases the network namespace of the prepared session, or returns `nil` if it is a new one.
  func takeNetwork() -> SessionNetwork? { spareNetwork.take() }

  /// Makes a launch complete the filter that is installed already.
  func useInstalledFilter(_ launch: inout darkroom_plan) {
    launch.filter = raw.pointee.filter
    launch.filter_length = raw.pointee.filter_length
    launch.closing_filter = raw.pointee.closing_filter
    launch.closing_filter_length = raw.pointee.closing_filter_length
  }

  /// Changes a plan to create the user namespace last, in the broker's user namespace. An unprivileged user
  /// has another UID there.
  static func useBrokerNamespace(_ raw: inout darkroom_plan) {
    guard raw.identity == .caller else { return }
    raw.identity = .brokered
    raw.namespaces &= ~Namespaces.user.rawValue
    raw.outer_user = UInt32(DARKROOM_BROKERED_USER)
    raw.outer_group = UInt32(DARKROOM_BROKERED_USER)
  }
}

extension RootItem {
  /// The change of owner for an item that belongs to the extension, or `nil` for other items.
  fileprivate var ownerChange: RootItem? {
    switch self {
    case .scratch(let target, _), .ownDirectory(let target): .ownerChange(target)
    default: nil
    }
  }
}
