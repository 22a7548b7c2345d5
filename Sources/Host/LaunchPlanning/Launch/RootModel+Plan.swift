// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives
package import Refusals
internal import SandboxEnforcement
package import SandboxLaunch

extension RootModel {
  /// Creates a model of a session's files from its launch plan.
  package init(_ plan: LaunchPlan) {
    self.init(
      items: plan.root.compactMap(Self.item),
      rules: plan.restrictions.landlock?.rules.map {
        Rule($0.path, Self.uses(LandlockRights(rawValue: $0.access)))
      }
    )
  }

  /// Returns the model of an item, or `nil` if the item is not visible in the session.
  private static func item(_ item: RootItem) -> Item? {
    switch item {
    case .layerBase: nil
    case .directory, .file: Item(item.target, .builtIn, denied: [.write, .execute])
    // These items are in the container.
    case .ownDirectory, .ownerChange: Item(item.target, .writableDirectory(.followed), denied: [.execute])
    case .symbolicLink(_, let target): Item(item.target, .link(to: target))
    case .bind(let source, _, let attributes), .layer(let source, _, let attributes):
      bind(source, item.target, attributes)
    case .scratch(_, let scratch):
      Item(
        item.target,
        .writableDirectory(.followed),
        denied: scratch.flags.contains(.noExecution) ? [.execute] : []
      )
    case .processes: Item(item.target, .proc, denied: [.execute])
    }
  }

  private static func bind(
    _ source: String,
    _ target: String,
    _ attributes: RootItem.MountAttributes
  ) -> Item {
    var denied: Set<FileAccess> = []
    if attributes.contains(.readOnly) { denied.insert(.write) }
    if attributes.contains(.noExecution) { denied.insert(.execute) }
    guard ["/session", "/library", "/assets"].contains(target) else {
      return Item(target, .host(path: source), denied: denied)
    }
    let links: SymbolicLinkPolicy = attributes.contains(.noSymbolicLinks) ? .refused : .followed
    return Item(target, .writableDirectory(links, host: source), denied: denied)
  }

  private static func uses(_ rights: LandlockRights) -> Set<FileAccess> {
    var uses: Set<FileAccess> = []
    if !rights.isDisjoint(with: [.readFile, .readDirectory]) { uses.insert(.read) }
    if rights.contains(.writeFile) { uses.insert(.write) }
    if rights.contains(.execute) { uses.insert(.execute) }
    return uses
  }
}

extension HostFile {
  /// Returns the kind of a host file without following a link. A file that cannot be inspected is treated as
  /// absent.
  package static func inspect(at path: String) -> HostFile {
    guard let status = try? FileSystem.status(path) else { return .absent }
    switch status.kind {
    case .directory: return .directory
    case .regular: return status.permissions & 0o111 == 0 ? .file : .program
    case .symbolicLink: return (try? FileSystem.linkTarget(path)).map { .link(to: $0) } ?? .absent
    case .fifo, .socket, .characterDevice, .blockDevice: return .special
    }
  }
}
