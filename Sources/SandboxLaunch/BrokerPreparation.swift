// SPDX-License-Identifier: Apache-2.0

internal import CSandboxEntry
internal import LinuxPrimitives

/// What a broker makes ahead for plans of one kind, and how it is known whether a plan is of that kind.
///
/// `@unchecked Sendable`, because nothing of it changes but what C writes and what is known of the files, and only whoever
/// has the broker's turn looks at that.
final class BrokerPreparation: @unchecked Sendable {
  private let root: [RootItem]
  private let hostname: String
  private var sources: WatchedFiles
  private let memory = PlanMemory()
  private let raw: UnsafeMutablePointer<darkroom_plan>

  /// What a plan has in common with others like it; nil if something that it shows is not there.
  init?(for plan: LaunchPlan) {
    let items = plan.root.filter { !Self.isOwn($0, plan) }
    root = items.map(Self.withoutOwner)
    guard let sources = WatchedFiles(root) else { return nil }
    self.sources = sources
    hostname = plan.hostname
    var common = plan
    common.root = items
    raw = UnsafeMutablePointer<darkroom_plan>.allocate(capacity: 1)
    raw.initialize(to: SandboxLauncher.rawPlan(common, memory))
    Self.enter(&raw.pointee)
  }

  deinit { raw.deallocate() }

  /// Whether a broker can do anything for a plan.
  static func canServe(_ plan: LaunchPlan) -> Bool {
    guard plan.start == .running, plan.namespaces == .all, plan.root.count <= mostItems else {
      return false
    }
    let isRoot = CurrentProcess.effectiveUserID == 0
    return switch plan.identity {
    case .other: isRoot
    case .caller: !isRoot
    case .restricted: false
    }
  }

  /// How many items a plan can have; fewer are the session's own.
  private static let mostItems = 128

  /// Whether what was prepared is what the plan asks for, and what is shown of the host still is what it was.
  func serves(_ plan: LaunchPlan) -> Bool {
    plan.hostname == hostname && isCommon(plan) && sources.areCurrent()
  }

  /// The plan with what is its own, and with what was made for somebody else.
  func remainder(of plan: LaunchPlan) -> LaunchPlan {
    var rest = plan
    rest.root = plan.root.compactMap { item in
      if Self.isOwn(item, plan) { return item }
      guard case .other = plan.identity else { return nil }
      return switch item {
      case .scratch(let target, _, _), .ownDirectory(let target): .given(target)
      default: nil
      }
    }
    return rest
  }

  /// Why what is shown of the host shares its locks with the host, as ``SandboxedProcess/layerFault`` has it.
  var layerError: Int32 { raw.pointee.layer_error }

  /// What the broker makes, for the next time.
  func renewed() -> UnsafeMutablePointer<darkroom_plan> {
    raw.pointee.layer_error = 0
    return raw
  }

  /// Has the user namespace made where a broker makes it: last, also for an ordinary user, who is another one by then.
  static func enter(_ raw: inout darkroom_plan) {
    guard raw.identity == .caller else { return }
    raw.identity = .brokered
    raw.namespaces &= ~Namespaces.user.rawValue
    raw.outer_user = UInt32(DARKROOM_BROKERED_USER)
    raw.outer_group = UInt32(DARKROOM_BROKERED_USER)
  }

  /// Whether a plan has the same items beside its own, whoever the extension is.
  private func isCommon(_ plan: LaunchPlan) -> Bool {
    var left = root[...]
    for item in plan.root where !Self.isOwn(item, plan) {
      guard left.popFirst() == Self.withoutOwner(item) else { return false }
    }
    return left.isEmpty
  }

  /// An item without what it says of the extension's user, who is another one in each session of root.
  private static func withoutOwner(_ item: RootItem) -> RootItem {
    guard case .scratch(let target, let options, let flags) = item else { return item }
    let words = options.split(separator: ",").filter { !$0.hasPrefix("uid=") && !$0.hasPrefix("gid=") }
    return .scratch(target, options: words.joined(separator: ","), flags)
  }

  private static func isOwn(_ item: RootItem, _ plan: LaunchPlan) -> Bool {
    switch item {
    // It shows the processes of a pid namespace, which begins with the session.
    case .processes: true
    case .bind, .file: plan.ownItems.contains { $0.utf8.dropFirst().elementsEqual(item.place.utf8) }
    default: false
    }
  }
}
