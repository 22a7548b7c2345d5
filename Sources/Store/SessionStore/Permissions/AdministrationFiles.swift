// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import LinuxPrimitives

/// The files in which administrators write what they forbid.
package struct AdministrationFiles: Hashable, Sendable {
  /// The file of the machine's administrator.
  package static let standardPath = "/etc/darkroom/administration.json"
  /// The variable that names one more file; because files only take away, nobody gains by setting it.
  package static let variable = "DARKROOM_ADMINISTRATION"

  /// The machine's file, which need not be there.
  package let machine: String
  /// One more file, which must be there; nil for none.
  package let more: String?

  /// Names the files; tests name others.
  package init(machine: String = AdministrationFiles.standardPath, more: String? = nil) {
    self.machine = machine
    self.more = more
  }

  /// The files as the environment of a command has them. An empty variable counts as none.
  package init(environment: (String) -> String?) {
    self.init(more: environment(Self.variable).flatMap { $0.isEmpty ? nil : $0 })
  }

  /// The directories that change when a file does.
  package var directories: [String] { ([machine] + (more.map { [$0] } ?? [])).map(FileSystem.directoryName) }

  /// What holds for a user: the rules of all files. A file that cannot be used forbids everything.
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

  /// The rules of one file; nil if it is not there.
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
        // Nobody who may not even add may read.
        if subject == .photosAddOnly { rule.restricts.insert(.photos) }
      }
      rule.audits = try audits(reader)
      return rule
    }
  }

  /// The member `audits` of a rule, whose paths are absolute.
  private static func audits(_ rule: DocumentReader) throws(DocumentFault) -> Administration.AuditRule? {
    guard let value = rule.value["audits"] else { return nil }
    let reader = DocumentReader(value)
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

  /// A misspelt key would forbid nothing, and nobody would know.
  private static func requireKeys(_ reader: DocumentReader, _ known: [String]) throws(DocumentFault) {
    for member in reader.value.members ?? [] where !known.contains(member.name) {
      throw reader.fault(member.name, "one of \(known.joined(separator: ", "))")
    }
  }

  /// A list of texts or whole numbers; nil if there is none.
  private static func names(_ key: String, _ reader: DocumentReader) throws(DocumentFault) -> Set<String>? {
    guard let value = reader.value[key] else { return nil }
    guard let elements = value.elements, !elements.isEmpty else {
      throw reader.fault(key, "a list that is not empty")
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

/// A user as rules can name them.
package enum UserIdentity: Hashable, Sendable {
  /// The user that this process acts as. The name is looked up when a rule names users, and not before: asking the
  /// system for it reads the user database, which no launch needs.
  case current
  /// A user by all names: the number as text and, if the system knows one, the name.
  case named(Set<String>)

  /// Whether one of the users that a rule names is this one.
  package func isAmong(_ users: Set<String>) -> Bool { !users.isDisjoint(with: names) }

  /// The number and, if the system knows one, the name.
  package var names: Set<String> {
    switch self {
    case .named(let names): return names
    case .current:
      let user = CurrentProcess.effectiveUserID
      return Set(["\(user)", CurrentProcess.userName(user)].compactMap(\.self))
    }
  }
}
