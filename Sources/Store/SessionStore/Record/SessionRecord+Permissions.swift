// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import JSONText

extension SessionRecord {
  /// A permission at the start of the session.
  package struct Permission: Hashable, Sendable {
    /// The resource.
    package var subject: PermissionSubject
    /// The status of the permission.
    package var status: PermissionStatus
    /// The reason of the host's decision, such as `user`, `commandLine` or `administrator`.
    package var ground: String

    /// Creates a permission.
    package init(_ subject: PermissionSubject, _ status: PermissionStatus, ground: String) {
      self.subject = subject
      self.status = status
      self.ground = ground
    }
  }

  /// The permissions as a JSON object with a member for each resource.
  var permissionsJSON: JSONValue {
    .object(
      permissions.map {
        .init(
          $0.subject.rawValue,
          ["status": .string($0.status.rawValue), "reason": .string($0.ground)]
        )
      }
    )
  }

  /// Parses permissions. Unknown resources are ignored, and older records have no permissions.
  mutating func readPermissions(_ reader: DocumentReader) throws(DocumentFault) {
    guard let found = try reader.optional("permissions", reader.object) else { return }
    for member in found.value.members ?? [] {
      guard let subject = PermissionSubject(rawValue: member.name) else { continue }
      let permission = try found.object(member.name)
      permissions.append(
        Permission(subject, try permission.enumValue("status"), ground: try permission.string("reason"))
      )
    }
  }
}
