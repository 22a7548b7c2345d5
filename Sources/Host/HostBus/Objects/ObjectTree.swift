// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The objects of the service.
struct ObjectTree {
  /// The apps and extensions, as the host interface describes them.
  private(set) var installed: [BusObject: JSONValue] = [:]
  /// The sessions by their IDs.
  var sessions: [String: SessionObject] = [:]

  /// Returns whether an object exists.
  func contains(_ object: BusObject) -> Bool {
    switch object {
    case .manager: true
    case .app, .captureExtension: installed[object] != nil
    case .session(let id): sessions[id] != nil
    }
  }

  /// All objects except the manager, sorted by their paths. An app precedes its extensions.
  var objects: [BusObject] {
    (Array(installed.keys) + sessions.keys.map { .session($0) }).sorted { $0.path < $1.path }
  }
}

// MARK: - Paths

extension ObjectTree {
  /// Returns the interfaces of the object with a path, or those of a path that leads to objects. Returns
  /// `nil` for other paths.
  func interfaces(at path: String) -> [BusInterface]? {
    if let object = BusObject(path: path), contains(object) {
      let own = object == .manager ? [object.interface, .objectManager] : [object.interface]
      return own + [.properties, .introspectable, .peer]
    }
    return children(of: path) == nil ? nil : [.introspectable, .peer]
  }

  /// Returns the names of the nodes below a path, or `nil` if neither an object nor a node has this path.
  func children(of path: String) -> [String]? {
    let prefix = path == "/" ? path : "\(path)/"
    let paths = objects.map(\.path) + [BusObject.root, BusObject.apps, BusObject.sessions]
    let below = paths.filter { $0.hasPrefix(prefix) }.map { $0.dropFirst(prefix.utf8.count) }
    let names = Set(below.map { String($0.prefix { $0 != "/" }) })
    return names.isEmpty && !paths.contains(path) ? nil : names.sorted()
  }
}

// MARK: - Apps

extension ObjectTree {
  /// The differences between two lists of apps.
  struct Changes {
    /// The objects that disappeared, extensions before their apps.
    var removed: [BusObject] = []
    /// The objects that appeared, apps before their extensions.
    var added: [BusObject] = []
    /// The objects whose properties may have changed.
    var changed: [BusObject] = []
  }

  /// Replaces the apps, and returns the differences.
  mutating func replaceApps(_ apps: [JSONValue]) -> Changes {
    var new: [BusObject: JSONValue] = [:]
    for app in apps {
      guard let id = app["id"]?.string else { continue }
      new[.app(id)] = .object((app.members ?? []).filter { $0.name != "extensions" })
      for element in app["extensions"]?.elements ?? [] {
        if let name = element["id"]?.string { new[.captureExtension(app: id, name)] = element }
      }
    }
    var changes = Changes()
    for object in installed.keys.sorted(by: { $0.path > $1.path }) where new[object] == nil {
      changes.removed.append(object)
    }
    for object in new.keys.sorted(by: { $0.path < $1.path }) where new[object] != installed[object] {
      if installed[object] == nil { changes.added.append(object) } else { changes.changed.append(object) }
    }
    installed = new
    return changes
  }

  /// Returns the properties of an object other than the manager.
  func properties(of object: BusObject) -> [(String, BusValue)] {
    let value = installed[object] ?? .null
    let name = BusValue.string(value["name"]?.string ?? "")
    switch object {
    case .manager: return []
    case .app(let id):
      return [
        ("Id", .string(id)), ("Name", name), ("InstalledAt", .int64(value["installedAt"]?.integer ?? 0)),
        ("Controls", BusValue(objects: value["controls"])),
      ]
    case .captureExtension(let app, let id):
      return [
        ("Id", .string(id)), ("Name", name), ("Policy", .string(value["policy"]?.string ?? "")),
        ("App", .objectPath(BusObject.app(app).path)),
        ("LaunchDeadline", .double(value["launchDeadline"]?.double ?? 0)),
        ("UsesProtocol", .bool(value["usesProtocol"]?.bool ?? false)),
      ]
    case .session(let id): return sessions[id]?.properties ?? []
    }
  }
}
