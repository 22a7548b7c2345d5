// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives

/// What a broker makes ahead for plans of one kind, and how it is known whether a plan is of that kind.
///
/// `@unchecked Sendable`, because nothing of it changes but what C writes and what is known of the files, and only whoever
/// has the broker's turn looks at that.
final class BrokerPreparation: @unchecked Sendable {
  private let root: [RootItem]
  /// What is given to the extension's user in a session of root.
  private let gifts: [RootItem]
  private let own: OwnPlaces
  /// What is known of plans with the same common items; nil: nothing.
  private let shared: SharedRootPreparation?
  private let hostname: String
  /// Whether the session has clocks of its own, whatever they show: its time namespace begins with its first process.
  private let hasClocks: Bool
  private let rules: PreparedRules
  /// The filter that is in force for the extension's process already, where it reports what it refuses.
  private let filter: [UInt8]
  private let refusals: LaunchPlan.RefusalReports
  /// Whether the session may have another's network.
  private let handsOnNetwork: Bool
  /// The network that a session before had and the next one gets; nil: a new one is made for it.
  private var spareNetwork: SessionNetwork?
  private var sources: WatchedFiles
  /// Whether what was made of it can show something that was mounted meanwhile, and is not any more.
  var isOutdated = false
  private let memory = PlanMemory()
  private let raw: UnsafeMutablePointer<darkroom_plan>

  /// What a plan has in common with others like it; nil if something that it shows is not there.
  init?(for plan: LaunchPlan) {
    let own = OwnPlaces(plan.ownItems)
    let whole = plan.root
    let items = whole.filter { !own.holds($0) }
    root = items.map(\.withoutOwner)
    guard let sources = WatchedFiles(root) else { return nil }
    self.own = own
    shared = SharedRootPreparation(plan.contents, own)
    self.sources = sources
    gifts = items.compactMap(\.gift)
    hostname = plan.hostname
    hasClocks = plan.clocks != nil
    filter = plan.filter
    refusals = plan.refusals
    handsOnNetwork = plan.handsOnNetwork
    // They are mounted over what the rules would be about.
    let processes = whole.filter(\.showsProcesses).map(\.target)
    rules = PreparedRules(plan.landlock, items, except: plan.ownItems.union(processes))
    var common = plan
    common.root = items
    common.landlock = rules.ahead
    raw = UnsafeMutablePointer<darkroom_plan>.allocate(capacity: 1)
    raw.initialize(to: SandboxLauncher.rawPlan(common, memory))
    Self.enter(&raw.pointee)
  }

  deinit { raw.deallocate() }

  /// Whether a broker can do anything for a plan.
  static func canServe(_ plan: LaunchPlan) -> Bool {
    guard plan.start == .running, plan.namespaces == .all, plan.contents.count <= mostItems,
      plan.contents.processViews <= 1
    else { return false }
    let isRoot = CurrentProcess.effectiveUserID == 0
    return switch plan.identity {
    case .other: isRoot
    case .caller: !isRoot
    case .restricted: false
    }
  }

  /// How many items a plan can have; fewer are the session's own.
  private static let mostItems = 128

  /// The plan with what is its own, and with what was made for somebody else; nil if something else was prepared than it
  /// asks for, or what is shown of the host is not what it was.
  func remainder(of plan: LaunchPlan) -> LaunchPlan? {
    guard !isOutdated, plan.hostname == hostname, (plan.clocks != nil) == hasClocks, own.are(plan.ownItems),
      plan.refusals == refusals, plan.handsOnNetwork == handsOnNetwork, plan.filter == filter,
      rules.serve(plan.landlock),
      let items = ownItems(of: plan), sources.areCurrent()
    else { return nil }
    var rest = plan
    rest.root = items
    rest.landlock = rules.atLaunch
    return rest
  }

  /// What a plan has beside what was prepared, after what its extension's user is given of that; nil if it has not that in common
  /// with it, whoever the extension is.
  private func ownItems(of plan: LaunchPlan) -> [RootItem]? {
    var items: [RootItem] = []
    if case .other = plan.identity { items = gifts }
    if case .shared(let common, let exceptions) = plan.contents, let shared, shared.common === common {
      return shared.append(exceptions, to: &items) ? items : nil
    }
    var left = root[...]
    for item in plan.root {
      if own.holds(item) {
        items.append(item)
      } else {
        guard let prepared = left.popFirst(), item.isSameButForOwner(as: prepared) else { return nil }
      }
    }
    return left.isEmpty ? items : nil
  }

  /// Why what is shown of the host shares its locks with the host, as ``SandboxedProcess/layerFault`` has it.
  var layerError: Int32 { raw.pointee.layer_error }

  /// What the broker makes, for the next time, in a network out of those if there is one.
  func renewed(with networks: SpareNetworks) -> UnsafeMutablePointer<darkroom_plan> {
    raw.pointee.layer_error = 0
    spareNetwork = handsOnNetwork ? networks.take() : nil
    raw.pointee.network = spareNetwork?.rawValue ?? -1
    return raw
  }

  /// Gives away the network that what is prepared is in; nil: it is in a new one.
  func takeNetwork() -> SessionNetwork? { spareNetwork.take() }

  /// Has a launch complete the filter that is in force already.
  func goOn(_ launch: inout darkroom_plan) {
    launch.filter = raw.pointee.filter
    launch.filter_length = raw.pointee.filter_length
    launch.closing_filter = raw.pointee.closing_filter
    launch.closing_filter_length = raw.pointee.closing_filter_length
  }

  /// Has the user namespace made where a broker makes it: last, also for an ordinary user, who is another one by then.
  static func enter(_ raw: inout darkroom_plan) {
    guard raw.identity == .caller else { return }
    raw.identity = .brokered
    raw.namespaces &= ~Namespaces.user.rawValue
    raw.outer_user = UInt32(DARKROOM_BROKERED_USER)
    raw.outer_group = UInt32(DARKROOM_BROKERED_USER)
  }
}

extension RootItem {
  /// That what belongs to the extension is given to it; nil where it is everybody's.
  fileprivate var gift: RootItem? {
    switch self {
    case .scratch(let target, _), .ownDirectory(let target): .given(target)
    default: nil
    }
  }
}
