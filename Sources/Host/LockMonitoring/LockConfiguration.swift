// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import LinuxPrimitives

/// Which sources say whether the person is locked out. That of `darkroom lock` always counts, too.
package struct LockConfiguration: Hashable, Sendable {
  /// The sources beside `darkroom lock`; one that says locked is enough.
  package var sources: [LockSourceChoice]

  /// Makes a configuration; without sources only `darkroom lock` counts.
  package init(sources: [LockSourceChoice] = []) { self.sources = sources }
}

/// A source of the lock's state.
package enum LockSourceChoice: Hashable, Sendable {
  /// A session of logind.
  case logind(LogindSession)
  /// A file that another program maintains; its absolute path.
  case file(String)
}

/// A session of logind.
package enum LogindSession: Hashable, Sendable, CustomStringConvertible {
  /// That of this process (`XDG_SESSION_ID`), or else the one in which the user has a display.
  case own
  /// The one with this id.
  case id(String)
  /// Whichever is in front at this seat.
  case seat(String)

  /// The session in words.
  package var description: String {
    switch self {
    case .own: "session of this user with a display"
    case .id(let id): "session \(id)"
    case .seat(let seat): "session in front at \(seat)"
    }
  }
}

/// Why a configuration of the lock is not used; everything is locked then.
package enum LockConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// It cannot be read or written.
  case system(SystemCallError)
  /// It is not JSON; where and why.
  case syntax(path: String, String)
  /// A member is missing, unknown, or of another kind.
  case member(path: String, String)
  /// It is larger than any that Darkroom writes.
  case tooLarge(path: String)

  /// What is wrong, where, and the mend.
  package var description: String {
    let mend = "mend it, or write a new one with: darkroom lock configure"
    return switch self {
    case .system(let error):
      "the lock's configuration cannot be read or written: \(error); mend its permissions"
    case .syntax(let path, let reason): "\(path):\(reason); \(mend)"
    case .member(let path, let name): "\(path): \"\(name)\" is not what it should be; \(mend)"
    case .tooLarge(let path): "\(path) is larger than any configuration of the lock; \(mend)"
    }
  }
}

extension LockConfiguration {
  /// Reads the configuration; without a file there are no sources beside `darkroom lock`.
  package static func read(_ places: LockPlaces) throws(LockConfigurationError) -> LockConfiguration {
    let path = places.configurationFile
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

  /// Writes the configuration, wholly or not at all.
  package func write(_ places: LockPlaces) throws(LockConfigurationError) {
    do {
      try FileSystem.replaceContents(places.configurationFile, with: json.bytes(.indented))
    } catch { throw .system(error) }
  }

  /// The configuration as its file has it.
  package var json: JSONValue { ["version": 1, "sources": .array(sources.map(\.json))] }

  /// Understands a configuration; a name that is not known could be a source that nobody would ask.
  init(_ value: JSONValue, path: String) throws(LockConfigurationError) {
    let known = ["version", "sources"]
    guard let members = value.members else { throw .member(path: path, "the whole") }
    if let stranger = members.first(where: { !known.contains($0.name) }) {
      throw .member(path: path, stranger.name)
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
  /// The source as its file has it.
  package var json: JSONValue {
    switch self {
    case .file(let path): ["kind": "file", "path": .string(path)]
    case .logind(.own): ["kind": "logind"]
    case .logind(.id(let id)): ["kind": "logind", "session": .string(id)]
    case .logind(.seat(let seat)): ["kind": "logind", "seat": .string(seat)]
    }
  }

  /// Understands a source; nil if anything in it is not known.
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
