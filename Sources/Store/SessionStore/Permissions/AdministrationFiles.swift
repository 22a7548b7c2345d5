// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The administrator's files with restrictions.
package struct AdministrationFiles: Hashable, Sendable {
  /// The path of the machine-wide file.
  package static let standardPath = "/etc/darkroom/administration.json"
  /// The environment variable with the path of an additional file. An unprivileged user gains nothing by
  /// setting it, because files can only take away permissions.
  package static let variable = "DARKROOM_ADMINISTRATION"

  /// The path of the machine-wide file, which need not exist.
  package let machine: String
  /// The path of an additional file, which must exist, or `nil` for none.
  package let more: String?

  /// Creates the set of files. Tests use other paths.
  package init(machine: String = AdministrationFiles.standardPath, more: String? = nil) {
    self.machine = machine
    self.more = more
  }

  /// Creates the set of files that the environment selects. An empty variable counts as unset.
  package init(environment: (String) -> String?) {
    self.init(more: environment(Self.variable).flatMap { $0.isEmpty ? nil : $0 })
  }

  /// The directories to watch for changes of the files.
  package var directories: [String] { ([machine] + (more.map { [$0] } ?? [])).map(FileSystem.directoryName) }

  /// Returns the restrictions for a user from all files. An unusable file forbids everything.
  package func read(for user: UserIdentity = .current) -> Administration {
    do throws(AdministrationFault) {
      var rules = try Self.rules(machine) ?? []
      if let more {
        guard let found = try Self.rules(more) else { throw .missing(path: more, variable: Self.variable) }
        rules += found
      }
      return Administration(rules: rules.filter { $0.users.map(user.isAmong) ?? true })
    } catch { return Administration(fault: error) }
  }

  /// Returns the rules of a file, or `nil` if it does not exist.
  private static func rules(_ path: String) throws(AdministrationFault) -> [Administration.Rule]? {
    let bytes: [UInt8]?
    do { bytes = try FileSystem.contents(path, limit: limits.bytes) } catch
      where error.errno == .noSuchFile || error.errno == .notADirectory
    {
      return nil
    } catch { throw .unreadable(error) }
    guard let bytes else { throw .damaged(path: path, .tooLarge) }
    let value: JSONValue
    do { value = try JSONNode.parse(bytes, limits: limits).value } catch {
      throw .damaged(path: path, .syntax("\(error)"))
    }
    do throws(DocumentFault) { return try rules(DocumentReader(value), path) } catch {
      throw .damaged(path: path, error)
    }
  }

  private static let limits = JSONLimits(bytes: 1 << 20, depth: 8)

  private static func rules(_ document: DocumentReader, _ path: String) throws(DocumentFault)
    -> [Administration.Rule]
  {
    try requireKeys(document, ["version", "rules"])
    guard try document.integer("version") == 1 else { throw document.fault("version", "1") }
    return try document.objects("rules") { reader throws(DocumentFault) in
      try requireKeys(reader, ["apps", "users", "lockedCapture", "restrict", "audits"])
      var rule = Administration.Rule(source: path)
      rule.apps = try names("apps", reader)
      rule.users = try names("users", reader)
      let word = try reader.optional("lockedCapture", reader.string)
      guard word == nil || word == "deny" else { throw reader.fault("lockedCapture", "\"deny\"") }
      rule.lockedCapture = word == nil ? .unaffected : .deny
      for name in try names("restrict", reader) ?? [] {
        guard let subject = PermissionSubject(rawValue: name) else {
          throw reader.fault("restrict", "a list of \(PermissionSubject.allCases.map(\.rawValue))")
        }
        rule.restricts.insert(subject)
        // Read access includes adding, so it is forbidden as well.
        if subject == .photosAddOnly { rule.restricts.insert(.photos) }
      }
      rule.audits = try audits(reader)
      return rule
    }
  }

  /// Returns the audit rule of a rule. Its paths must be absolute.
  private static func audits(_ rule: DocumentReader) throws(DocumentFault) -> Administration.AuditRule? {
    guard let value = rule.value["audits"] else { return nil }
    let reader = DocumentReader(value, path: "\(rule.path)audits.")
    guard value.members != nil else { throw rule.fault("audits", "an object with directory and key") }
    try requireKeys(reader, ["directory", "key"])
    let found = Administration.AuditRule(
      directory: try reader.string("directory"),
      key: try reader.string("key")
    )
    for (name, path) in [("directory", found.directory), ("key", found.key)] where !path.hasPrefix("/") {
      throw reader.fault(name, "an absolute path")
    }
    return found
  }

  /// Throws if an object has an unknown key, because a misspelled key would silently forbid nothing.
  private static func requireKeys(_ reader: DocumentReader, _ known: [String]) throws(DocumentFault) {
    for member in reader.value.members ?? [] where !known.contains(member.name) {
      throw reader.fault(member.name, "one of \(known.joined(separator: ", "))")
    }
  }

  /// Returns a nonempty list of strings and integers as text, or `nil` if the member is missing.
  private static func names(_ key: String, _ reader: DocumentReader) throws(DocumentFault) -> Set<String>? {
    guard let value = reader.value[key] else { return nil }
    guard let elements = value.elements, !elements.isEmpty else {
      throw reader.fault(key, "a nonempty list")
    }
    var names: Set<String> = []
    for element in elements {
      guard let name = element.string ?? element.integer.map(String.init) else {
        throw reader.fault(key, "a list of names")
      }
      names.insert(name)
    }
    return names
  }
}

/// A user, as identified by rules.
package enum UserIdentity: Hashable, Sendable {
  /// The effective user of this process.
  ///
  /// The name is looked up only if a rule names users, because that reads the user database.
  case current
  /// A user by UID (as text) and name, if known.
  case named(Set<String>)

  /// Whether a list of names and UIDs contains this user.
  package func isAmong(_ users: Set<String>) -> Bool { !users.isDisjoint(with: names) }

  /// The UID (as text) and the name, if known.
  package var names: Set<String> {
    switch self {
    case .named(let names): return names
    case .current:
      let user = CurrentProcess.effectiveUserID
      return Set(["\(user)", CurrentProcess.userName(user)].compactMap(\.self))
    }
  }
}
