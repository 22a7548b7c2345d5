// SPDX-License-Identifier: Apache-2.0

/// Something beside the calls in which two policies differ.
package enum SandboxDifference: Sendable, Hashable {
  /// A path of the host is shown that was not; `below` is a path that showed it already.
  case pathAdded(String, below: String?)
  /// A path of the host is not shown any more; `below` is one that still shows it.
  case pathRemoved(String, below: String?)
  /// A path has to be there now, or may be missing now.
  case pathPresence(String, old: ReadOnlyPath.Presence, new: ReadOnlyPath.Presence)
  /// A device is shown that was not.
  case deviceAdded(String)
  /// A device is not shown any more.
  case deviceRemoved(String)
  /// A limit has another value.
  case limit(LimitName, old: Int, new: Int)
  /// The container has another size, in bytes.
  case scratch(old: Int, new: Int)
  /// A layer may be missing now.
  case layerOptional(Layer)
  /// A layer may not be missing any more.
  case layerRequired(Layer)
  /// Programs can be executed more often, or less.
  case execute(old: ExecutePermission, new: ExecutePermission)
  /// Named semaphores can be created that could not, or the other way round.
  case semaphores(old: SemaphorePermission, new: SemaphorePermission)
  /// Content is delivered in another form.
  case content(old: ContentForm, new: ContentForm)

  /// What a difference means.
  package enum Direction: String, Sendable, Hashable {
    /// A session can do, see or take more.
    case weaker
    /// A session can do, see or take less.
    case stricter
    /// Neither.
    case neutral
  }

  /// What it means.
  package var direction: Direction {
    switch self {
    case .pathAdded(_, let below): below == nil ? .weaker : .neutral
    case .pathRemoved(_, let below): below == nil ? .stricter : .neutral
    case .pathPresence: .neutral
    case .deviceAdded, .layerOptional: .weaker
    case .deviceRemoved, .layerRequired: .stricter
    case .limit(let name, let old, let new): name.bound.isWeaker(new, than: old) ? .weaker : .stricter
    case .scratch(let old, let new): new > old ? .weaker : .stricter
    case .execute(_, let new): new == .any ? .weaker : .stricter
    case .semaphores(_, let new): new == .named ? .weaker : .stricter
    case .content(_, let new): new == .asWritten ? .weaker : .stricter
    }
  }
}

extension ResolvedPolicy {
  /// In what another policy differs from this one, beside the calls: paths, devices, limits, layers.
  package func sandboxDifferences(to new: ResolvedPolicy) -> [SandboxDifference] {
    var differences = pathDifferences(to: new)
    let (oldDevices, newDevices) = (Set(devices.map(\.value)), Set(new.devices.map(\.value)))
    differences += newDevices.subtracting(oldDevices).sorted().map { .deviceAdded($0) }
    differences += oldDevices.subtracting(newDevices).sorted().map { .deviceRemoved($0) }
    for name in LimitName.allCases where limits[name] != new.limits[name] {
      differences.append(.limit(name, old: limits[name], new: new.limits[name]))
    }
    if scratchBytes != new.scratchBytes {
      differences.append(.scratch(old: scratchBytes, new: new.scratchBytes))
    }
    for layer in Layer.allCases where bestEffort.contains(layer) != new.bestEffort.contains(layer) {
      differences.append(new.bestEffort.contains(layer) ? .layerOptional(layer) : .layerRequired(layer))
    }
    if execute != new.execute { differences.append(.execute(old: execute, new: new.execute)) }
    if semaphores != new.semaphores {
      differences.append(.semaphores(old: semaphores, new: new.semaphores))
    }
    if content != new.content { differences.append(.content(old: content, new: new.content)) }
    return differences
  }

  /// The differences of what is shown of the host.
  private func pathDifferences(to new: ResolvedPolicy) -> [SandboxDifference] {
    let paths = Set(readOnly.map(\.path)).union(new.readOnly.map(\.path)).sorted()
    return paths.compactMap { path in
      let before = readOnly.first { $0.path == path }
      let after = new.readOnly.first { $0.path == path }
      switch (before, after) {
      case (nil, .some): return .pathAdded(path, below: Self.cover(of: path, in: readOnly))
      case (.some, nil): return .pathRemoved(path, below: Self.cover(of: path, in: new.readOnly))
      case (.some(let before), .some(let after)) where before.presence != after.presence:
        return .pathPresence(path, old: before.presence, new: after.presence)
      default: return nil
      }
    }
  }

  /// The path that shows another one, which is below it.
  private static func cover(of path: String, in grants: [ReadOnlyPath]) -> String? {
    grants.first { $0.path == "/" || path.hasPrefix($0.path + "/") }?.path
  }
}
