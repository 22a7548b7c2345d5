// SPDX-License-Identifier: Apache-2.0

/// A difference between two policies in anything other than system calls.
package enum SandboxDifference: Sendable, Hashable {
  /// A path of the host is newly exposed; `below` is an ancestor that was already exposed.
  case pathAdded(String, below: String?)
  /// A path of the host is no longer exposed; `below` is an ancestor that is still exposed.
  case pathRemoved(String, below: String?)
  /// A path changed between required and optional.
  case pathPresence(String, old: ReadOnlyPath.Presence, new: ReadOnlyPath.Presence)
  /// A device is newly exposed.
  case deviceAdded(String)
  /// A device is no longer exposed.
  case deviceRemoved(String)
  /// A limit has a different value.
  case limit(LimitName, old: Int, new: Int)
  /// The container has a different size, in bytes.
  case scratch(old: Int, new: Int)
  /// A layer became best effort.
  case layerOptional(Layer)
  /// A layer became required.
  case layerRequired(Layer)
  /// A single mechanism may deny the access.
  case singleMechanismAccepted(DeniedAccess)
  /// Two mechanisms must deny the access.
  case singleMechanismRefused(DeniedAccess)
  /// The permission to execute other programs changed.
  case execute(old: ExecutePermission, new: ExecutePermission)
  /// The permission to create named semaphores changed.
  case semaphores(old: SemaphorePermission, new: SemaphorePermission)
  /// Content is delivered in a different form.
  case content(old: ContentForm, new: ContentForm)

  /// The effect of a difference on the restrictions of a session.
  package enum Direction: String, Sendable, Hashable {
    /// A session can do, see or use more.
    case weaker
    /// A session can do, see or use less.
    case stricter
    /// Neither weaker nor stricter.
    case neutral
  }

  /// The effect of this difference on the restrictions of a session.
  package var direction: Direction {
    switch self {
    case .pathAdded(_, let below): below == nil ? .weaker : .neutral
    case .pathRemoved(_, let below): below == nil ? .stricter : .neutral
    case .pathPresence: .neutral
    case .deviceAdded, .layerOptional, .singleMechanismAccepted: .weaker
    case .deviceRemoved, .layerRequired, .singleMechanismRefused: .stricter
    case .limit(let name, let old, let new): name.bound.isWeaker(new, than: old) ? .weaker : .stricter
    case .scratch(let old, let new): new > old ? .weaker : .stricter
    case .execute(_, let new): new == .any ? .weaker : .stricter
    case .semaphores(_, let new): new == .named ? .weaker : .stricter
    case .content(_, let new): new == .asWritten ? .weaker : .stricter
    }
  }
}

extension ResolvedPolicy {
  /// Returns the differences of another policy from this one in paths, devices, limits, layers and
  /// permissions.
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
    for access in DeniedAccess.allCases
    where acceptSingleMechanism.contains(access) != new.acceptSingleMechanism.contains(access) {
      let isAccepted = new.acceptSingleMechanism.contains(access)
      differences.append(isAccepted ? .singleMechanismAccepted(access) : .singleMechanismRefused(access))
    }
    if execute != new.execute { differences.append(.execute(old: execute, new: new.execute)) }
    if semaphores != new.semaphores {
      differences.append(.semaphores(old: semaphores, new: new.semaphores))
    }
    if content != new.content { differences.append(.content(old: content, new: new.content)) }
    return differences
  }

  /// Returns the differences between the exposed paths of the host.
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

  /// Returns the first granted path that is an ancestor of `path`, or `nil` if there is none.
  private static func cover(of path: String, in grants: [ReadOnlyPath]) -> String? {
    grants.first { $0.path == "/" || path.hasPrefix($0.path + "/") }?.path
  }
}
