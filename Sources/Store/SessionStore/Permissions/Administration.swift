// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

/// What the administrator of a machine has forbidden; it can only take away.
package struct Administration: Hashable, Sendable {
  /// One rule of an administrator's file.
  package struct Rule: Hashable, Sendable {
    /// The file that has it, for sentences.
    package var source: String
    /// The apps that it holds for; nil for all.
    package var apps: Set<String>?
    /// The users that it holds for, by name or number; nil for all.
    package var users: Set<String>?
    /// Whether capture at the lock screen is forbidden.
    package var lockedCapture: LockedCapture
    /// What may not be used.
    package var restricts: Set<PermissionSubject>
    /// The audits without which no extension is launched, or `nil` if the rule requires none.
    package var audits: AuditRule?

    /// Whether capture at the lock screen is possible.
    package enum LockedCapture: String, Hashable, Sendable {
      /// The rule says nothing of it.
      case unaffected
      /// It is forbidden.
      case deny
    }

    /// Makes a rule.
    package init(
      source: String,
      apps: Set<String>? = nil,
      users: Set<String>? = nil,
      lockedCapture: LockedCapture = .unaffected,
      restricts: Set<PermissionSubject> = [],
      audits: AuditRule? = nil
    ) {
      self.source = source
      self.apps = apps
      self.users = users
      self.lockedCapture = lockedCapture
      self.restricts = restricts
      self.audits = audits
    }
  }

  /// Where the signed audits of extensions are.
  package struct AuditRule: Hashable, Sendable {
    /// The directory with an attestation `ID.json` for each extension.
    package var directory: String
    /// The public key of the auditor.
    package var key: String

    /// Names directory and key.
    package init(directory: String, key: String) {
      self.directory = directory
      self.key = key
    }
  }

  /// The rules that hold for this user.
  package var rules: [Rule]
  /// Why a file could not be used; everything is forbidden as long as there is one.
  package var fault: AdministrationFault?

  /// Makes rules; none forbids nothing.
  package init(rules: [Rule] = [], fault: AdministrationFault? = nil) {
    self.rules = rules
    self.fault = fault
  }

  /// What forbids something to an app; nil: nothing does.
  package enum Prohibition: Hashable, Sendable {
    /// A rule of this file.
    case rule(source: String)
    /// A file that could not be used.
    case fault(AdministrationFault)
  }

  /// What forbids an app capture at the lock screen.
  package func prohibitsLockedCapture(_ app: String) -> Prohibition? {
    prohibition(app) { $0.lockedCapture == .deny }
  }

  /// What restricts something for an app.
  package func restricts(_ subject: PermissionSubject, _ app: String) -> Prohibition? {
    prohibition(app) { $0.restricts.contains(subject) }
  }

  /// Returns the audits that an app's extensions need, one for each rule.
  package func audits(_ app: String) -> [AuditRule] {
    rules.filter { $0.apps?.contains(app) ?? true }.compactMap(\.audits)
  }

  private func prohibition(_ app: String, _ forbids: (Rule) -> Bool) -> Prohibition? {
    if let fault { return .fault(fault) }
    let rule = rules.first { forbids($0) && ($0.apps?.contains(app) ?? true) }
    return rule.map { .rule(source: $0.source) }
  }
}

/// Why an administrator's file could not be used.
package enum AdministrationFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// It does not hold what it should.
  case damaged(path: String, DocumentFault)
  /// It cannot be read.
  case unreadable(SystemCallError)
  /// The environment names a file that is not there.
  case missing(path: String, variable: String)

  /// A sentence with the mend.
  package var description: String {
    switch self {
    case .damaged(let path, let fault):
      "\(path) is damaged: \(fault); everything is forbidden until the administrator corrects or removes it"
    case .unreadable(let error):
      "what the administrator allows cannot be read: \(error); everything is forbidden until that is mended"
    case .missing(let path, let variable):
      "\(variable) names \(path), which is not there; everything is forbidden until the file is made or the variable unset"
    }
  }
}
