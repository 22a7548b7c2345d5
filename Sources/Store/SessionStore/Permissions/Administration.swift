// SPDX-License-Identifier: Apache-2.0

internal import JSONText
package import LinuxPrimitives

/// The restrictions by the administrator of the machine. They can only take away permissions.
package struct Administration: Hashable, Sendable {
  /// A rule of an administrator's file.
  package struct Rule: Hashable, Sendable {
    /// The path of the file, for messages.
    package var source: String
    /// The apps to which the rule applies, or `nil` for all.
    package var apps: Set<String>?
    /// The users to whom the rule applies, by name or UID, or `nil` for all.
    package var users: Set<String>?
    /// Whether the rule forbids capture at the lock screen.
    package var lockedCapture: LockedCapture
    /// The resources that the rule forbids.
    package var restricts: Set<PermissionSubject>
    /// The audits that are required to launch an extension, or `nil` if the rule requires none.
    package var audits: AuditRule?

    /// The effect of a rule on capture at the lock screen.
    package enum LockedCapture: String, Hashable, Sendable {
      /// The rule has no effect.
      case unaffected
      /// The rule forbids it.
      case deny
    }

    /// Creates a rule.
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

  /// The location of signed audits of extensions.
  package struct AuditRule: Hashable, Sendable {
    /// The directory with an attestation `ID.json` for each extension.
    package var directory: String
    /// The path of the auditor's public key.
    package var key: String

    /// Creates an audit rule.
    package init(directory: String, key: String) {
      self.directory = directory
      self.key = key
    }
  }

  /// The rules for this user.
  package var rules: [Rule]
  /// The error of an unusable file, or `nil` if there is none. While there is one, everything is forbidden.
  package var fault: AdministrationFault?

  /// Creates restrictions. No rules forbid nothing.
  package init(rules: [Rule] = [], fault: AdministrationFault? = nil) {
    self.rules = rules
    self.fault = fault
  }

  /// The source of a prohibition.
  package enum Prohibition: Hashable, Sendable {
    /// A rule of the file at this path.
    case rule(source: String)
    /// An unusable file.
    case fault(AdministrationFault)
  }

  /// Returns the prohibition of capture at the lock screen for an app, or `nil` if it is allowed.
  package func prohibitsLockedCapture(_ app: String) -> Prohibition? {
    prohibition(app) { $0.lockedCapture == .deny }
  }

  /// Returns the prohibition of a resource for an app, or `nil` if it is allowed.
  package func restricts(_ subject: PermissionSubject, _ app: String) -> Prohibition? {
    prohibition(app) { $0.restricts.contains(subject) }
  }

  /// Returns the audits that the extensions of an app require, one for each rule.
  package func audits(_ app: String) -> [AuditRule] {
    rules.filter { $0.apps?.contains(app) ?? true }.compactMap(\.audits)
  }

  private func prohibition(_ app: String, _ forbids: (Rule) -> Bool) -> Prohibition? {
    if let fault { return .fault(fault) }
    let rule = rules.first { forbids($0) && ($0.apps?.contains(app) ?? true) }
    return rule.map { .rule(source: $0.source) }
  }
}

/// An error of an administrator's file.
package enum AdministrationFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The contents of the file are invalid.
  case damaged(path: String, DocumentFault)
  /// The file cannot be read.
  case unreadable(SystemCallError)
  /// The environment variable names a file that does not exist.
  case missing(path: String, variable: String)

  /// The error as text, with its fix.
  package var description: String {
    switch self {
    case .damaged(let path, let fault):
      "\(path) is damaged: \(fault); locked capture and all resources are forbidden until the administrator corrects or "
        + "removes the file"
    case .unreadable(let error):
      "the administrator's file cannot be read: \(error); locked capture and all resources are forbidden until it can "
        + "be read"
    case .missing(let path, let variable):
      "\(path): No such file or directory (ENOENT); locked capture and all resources are forbidden until the file exists "
        + "or \(variable) is unset"
    }
  }
}
