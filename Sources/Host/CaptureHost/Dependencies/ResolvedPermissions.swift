// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import SessionStore

/// The reason for the status of a permission.
package enum PermissionReason: Hashable, Sendable {
  /// The user has decided.
  case user
  /// The user has not decided.
  case undecided
  /// The user has not decided, and the command line grants the permission for this session.
  case commandLine
  /// The user chose to be prompted for each session, and has answered.
  case prompted
  /// The user chose to be prompted for each session, and was not prompted.
  case promptRequired
  /// The user has selected devices, but not the one with this name.
  case notSelected(String)
  /// The administrator has restricted the permission.
  case administrator(Administration.Prohibition)
  /// These manifests have no usage description, without which the permission cannot be used, even if the user
  /// allowed it.
  case missingUsageDescription([DescribingManifest])
  /// The user's decision cannot be read.
  case unreadable(StoreError)
  /// The program that runs the session sets a fixed status.
  case fixed

  /// A manifest that must contain a usage description.
  package enum DescribingManifest: String, Hashable, Sendable, CaseIterable {
    /// The manifest of the app.
    case app = "app.json"
    /// The manifest of the extension.
    case captureExtension = "extension.json"
  }

  /// The identifier of the reason in JSON output and session records.
  package var code: String {
    switch self {
    case .user: "user"
    case .undecided: "undecided"
    case .commandLine: "commandLine"
    case .prompted: "prompted"
    case .promptRequired: "promptRequired"
    case .notSelected: "notSelected"
    case .administrator: "administrator"
    case .missingUsageDescription: "missingUsageDescription"
    case .unreadable: "unreadable"
    case .fixed: "fixed"
    }
  }
}

/// The status of one permission, with its reason.
package struct ResolvedPermission: Hashable, Sendable {
  package var status: PermissionStatus
  /// The reason for the status.
  package var reason: PermissionReason

  /// Creates a permission.
  package init(_ status: PermissionStatus, _ ground: PermissionReason) {
    self.status = status
    self.reason = ground
  }

  /// Whether the resource may be used, at least in part.
  package var isUsable: Bool { status == .authorized || status == .limited }
}

/// The permissions of one session.
package struct ResolvedPermissions: Hashable, Sendable {
  private var resolved: [PermissionSubject: ResolvedPermission]
  /// The assets that the user has selected, if ``PermissionSubject/photos`` is limited.
  package var selectedAssets: Set<String>

  /// Creates permissions. A subject without an entry is denied.
  package init(_ resolved: [PermissionSubject: ResolvedPermission], selectedAssets: Set<String> = []) {
    self.resolved = resolved
    self.selectedAssets = selectedAssets
  }

  /// Returns the permission for a subject.
  package subscript(subject: PermissionSubject) -> ResolvedPermission {
    resolved[subject] ?? ResolvedPermission(.denied, .undecided)
  }

  /// The permissions in the form of a session record.
  package var recorded: [SessionRecord.Permission] {
    PermissionSubject.allCases.map { .init($0, self[$0].status, ground: self[$0].reason.code) }
  }

  /// The permissions that are reported to the extension.
  package var permissions: Permissions {
    Permissions(
      camera: deviceStatus(.camera),
      microphone: deviceStatus(.microphone),
      photos: self[.photos].status,
      photosAddOnly: self[.photosAddOnly].status
    )
  }

  /// Returns the status for the single device of the session. A limited permission without a known device
  /// counts as denied.
  private func deviceStatus(_ subject: PermissionSubject) -> PermissionStatus {
    self[subject].status == .limited ? .denied : self[subject].status
  }
}

extension PermissionReason {
  /// The reason as a clause, for messages.
  package var sentence: String {
    switch self {
    case .user: "the user has decided"
    case .undecided: "the user has not decided"
    case .commandLine: "the command line grants it"
    case .prompted: "the user was prompted and has answered"
    case .promptRequired: "the user is prompted before each session"
    case .notSelected(let device): "\(device) was not selected"
    case .administrator(let prohibition): "\(prohibition)"
    case .missingUsageDescription(let manifests):
      "\(manifests.map(\.rawValue).joined(separator: " and ")) \(manifests.count == 1 ? "has" : "have") no usage "
        + "description"
    case .unreadable(let error): "\(error)"
    case .fixed: "set by the program that runs the session"
    }
  }
}
