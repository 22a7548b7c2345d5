// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import JSONText

extension SessionRecord {
  /// One permission as it was when the session began.
  package struct Permission: Hashable, Sendable {
    /// What it is about.
    package var subject: PermissionSubject
    /// What held.
    package var status: PermissionStatus
    /// Why, in the word of the host's decision: `person`, `commandLine`, `administrator`, …
    package var ground: String

    /// Describes a permission.
    package init(_ subject: PermissionSubject, _ status: PermissionStatus, ground: String) {
      self.subject = subject
      self.status = status
      self.ground = ground
    }
  }

  /// The permissions as a document: an object with a member for each subject.
  var permissionsJSON: JSONValue {
    .object(
      permissions.map {
        .init(
          $0.subject.rawValue,
          ["status": .string($0.status.rawValue), "ground": .string($0.ground)]
        )
      }
    )
  }

  /// Reads what ``permissionsJSON`` writes; subjects that are not known are left out, and an older record has none.
  mutating func readPermissions(_ reader: DocumentReader) throws(DocumentFault) {
    guard let found = try reader.optional("permissions", reader.object) else { return }
    for member in found.value.members ?? [] {
      guard let subject = PermissionSubject(rawValue: member.name) else { continue }
      let permission = try found.object(member.name)
      permissions.append(
        Permission(subject, try permission.word("status"), ground: try permission.string("ground"))
      )
    }
  }
}
