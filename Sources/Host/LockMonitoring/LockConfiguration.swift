// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LinuxPrimitives

/// The sources of the lock state. The state of `darkroom lock` is always used as well.
package struct LockConfiguration: Hashable, Sendable {
  /// The sources in addition to `darkroom lock`. The screen counts as locked if any source reports that.
  package var sources: [LockSourceChoice]

  /// Creates a configuration. Without sources, only the state of `darkroom lock` is used.
  package init(sources: [LockSourceChoice] = []) { self.sources = sources }
}

/// A source of the lock state.
package enum LockSourceChoice: Hashable, Sendable {
  /// A session of logind.
  case logind(LogindSession)
  /// A file that another program maintains, as an absolute path.
  case file(String)
}

/// A choice of a logind session.
package enum LogindSession: Hashable, Sendable, CustomStringConvertible {
  /// The session of this process (`XDG_SESSION_ID`), or the session of the user's display.
  case own
  /// The session with this ID.
  case id(String)
  /// The session in the foreground of this seat.
  case seat(String)

  /// The choice as text.
  package var description: String {
    switch self {
    case .own: "session of this user with a display"
    case .id(let id): "session \(id)"
    case .seat(let seat): "session in the foreground of \(seat)"
    }
  }
}

/// A reason why the lock configuration cannot be used. The screen then counts as locked.
package enum LockConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The configuration cannot be read or written.
  case system(SystemCallError)
  /// The configuration is not valid JSON. The string has the location and the reason.
  case syntax(path: String, String)
  /// A member is missing, unknown, or has the wrong type.
  case member(path: String, String)
  /// The configuration exceeds the maximum size.
  case tooLarge(path: String)

  /// A sentence with the path, the problem and the fix.
  package var description: String {
    let fix = "correct the file, or write a new file with 'darkroom lock configure'"
    return switch self {
    case .system(let error):
      "the lock configuration cannot be read or written: \(error); correct its permissions"
    case .syntax(let path, let reason): "\(path):\(reason); \(fix)"
    case .member(let path, let name): "\(path): '\(name)' is not valid; \(fix)"
    case .tooLarge(let path): "\(path) exceeds the maximum size of a lock configuration; \(fix)"
    }
  }
}

extension LockConfiguration {
  /// Reads the configuration. If the file does not exist, the configuration has no additional sources.
  package static func read(_ paths: LockPaths) throws(LockConfigurationError) -> LockConfiguration {
    let path = paths.configurationFile
    let bytes: [UInt8]?
    do { bytes = try FileSystem.open(path, [.noFollow]).readAll(limit: 1 << 16) } catch {
      if error.errno == .noSuchFile { return LockConfiguration() }
      throw .system(error)
    }
    guard let bytes else { throw .tooLarge(path: path) }
    let value: JSONValue
    do { value = try JSONNode.parse(bytes, limits: .document).value } catch {
      throw .syntax(path: path, "\(error)")
    }
    return try LockConfiguration(value, path: path)
  }

  /// Writes the configuration atomically.
  package func write(_ paths: LockPaths) throws(LockConfigurationError) {
    do {
      try FileSystem.replaceContents(paths.configurationFile, with: json.bytes(.indented))
    } catch { throw .system(error) }
  }

  /// The configuration as JSON.
  package var json: JSONValue { ["version": 1, "sources": .array(sources.map(\.json))] }

  /// Creates a configuration from JSON. Unknown members are errors, because one of them could be a source
  /// that would be ignored.
  init(_ value: JSONValue, path: String) throws(LockConfigurationError) {
    let known = ["version", "sources"]
    guard let members = value.members else { throw .member(path: path, "the document") }
    if let unknownMember = members.first(where: { !known.contains($0.name) }) {
      throw .member(path: path, unknownMember.name)
    }
    guard value["version"] == 1 else { throw .member(path: path, "version") }
    guard let elements = value["sources"]?.elements, elements.count <= 16 else {
      throw .member(path: path, "sources")
    }
    sources = []
    for (index, element) in elements.enumerated() {
      guard let choice = LockSourceChoice(element) else { throw .member(path: path, "sources[\(index)]") }
      sources.append(choice)
    }
  }
}

extension LockSourceChoice {
  /// The source as JSON.
  package var json: JSONValue {
    switch self {
    case .file(let path): ["kind": "file", "path": .string(path)]
    case .logind(.own): ["kind": "logind"]
    case .logind(.id(let id)): ["kind": "logind", "session": .string(id)]
    case .logind(.seat(let seat)): ["kind": "logind", "seat": .string(seat)]
    }
  }

  /// Creates a source from JSON, or returns `nil` if a member is unknown.
  init?(_ value: JSONValue) {
    guard let members = value.members, let kind = value["kind"]?.string else { return nil }
    switch (kind, members.count, value["path"]?.string, value["session"]?.string, value["seat"]?.string) {
    case ("file", 2, let path?, _, _) where path.hasPrefix("/") && !path.utf8.contains(0): self = .file(path)
    case ("logind", 1, _, _, _): self = .logind(.own)
    case ("logind", 2, _, let id?, _) where !id.isEmpty: self = .logind(.id(id))
    case ("logind", 2, _, _, let seat?) where !seat.isEmpty: self = .logind(.seat(seat))
    default: return nil
    }
  }
}
