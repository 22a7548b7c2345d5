// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
package import SessionStore

/// Why a permission is what it is.
package enum PermissionGround: Hashable, Sendable {
  /// The person has decided.
  case person
  /// Nobody has decided.
  case undecided
  /// Nobody has decided, and who typed the command has granted it, for this session.
  case commandLine
  /// The person wants to be asked each time, and has answered.
  case answer
  /// The person wants to be asked each time, and was not.
  case unasked
  /// The person has selected devices, and this one is not among them.
  case notSelected(String)
  /// The administrator has taken it away.
  case administrator(Administration.Prohibition)
  /// These manifests give no reason for it, so that it cannot be used whatever the person has decided.
  case undescribed([DescribingManifest])
  /// What the person has decided cannot be read.
  case unreadable(StoreError)
  /// The program that runs the session says so, and nobody is asked.
  case fixed

  /// A manifest that has to give a reason.
  package enum DescribingManifest: String, Hashable, Sendable, CaseIterable {
    /// The app's.
    case app = "app.json"
    /// The extension's.
    case captureExtension = "extension.json"
  }

  /// The word for programs.
  package var word: String {
    switch self {
    case .person: "person"
    case .undecided: "undecided"
    case .commandLine: "commandLine"
    case .answer: "answer"
    case .unasked: "unasked"
    case .notSelected: "notSelected"
    case .administrator: "administrator"
    case .undescribed: "undescribed"
    case .unreadable: "unreadable"
    case .fixed: "fixed"
    }
  }
}

/// One permission, and why it is what it is.
package struct ResolvedPermission: Hashable, Sendable {
  /// What holds.
  package var status: PermissionStatus
  /// Why.
  package var ground: PermissionGround

  /// Makes a permission.
  package init(_ status: PermissionStatus, _ ground: PermissionGround) {
    self.status = status
    self.ground = ground
  }

  /// Whether something may be used, all or a part of it.
  package var isUsable: Bool { status == .authorized || status == .limited }
}

/// All permissions of one session.
package struct ResolvedPermissions: Hashable, Sendable {
  private var resolved: [PermissionSubject: ResolvedPermission]
  /// The assets that the person has selected, where ``PermissionSubject/photos`` is limited.
  package var selectedAssets: Set<String>

  /// Makes permissions; what is not among them is denied.
  package init(_ resolved: [PermissionSubject: ResolvedPermission], selectedAssets: Set<String> = []) {
    self.resolved = resolved
    self.selectedAssets = selectedAssets
  }

  /// The permission for a subject.
  package subscript(subject: PermissionSubject) -> ResolvedPermission {
    resolved[subject] ?? ResolvedPermission(.denied, .undecided)
  }

  /// The same as a session's record has it.
  package var recorded: [SessionRecord.Permission] {
    PermissionSubject.allCases.map { .init($0, self[$0].status, ground: self[$0].ground.word) }
  }

  /// The same as the extension is told it.
  package var permissions: Permissions {
    Permissions(
      camera: ofDevices(.camera),
      microphone: ofDevices(.microphone),
      photos: self[.photos].status,
      photosAddOnly: self[.photosAddOnly].status
    )
  }

  /// An extension has one camera, which it may use or not: where none is known, none was selected.
  private func ofDevices(_ subject: PermissionSubject) -> PermissionStatus {
    self[subject].status == .limited ? .denied : self[subject].status
  }
}

extension PermissionGround {
  /// The reason as a clause, for messages.
  package var sentence: String {
    switch self {
    case .person: "it was decided"
    case .undecided: "nobody has decided"
    case .commandLine: "the command line grants it"
    case .answer: "the person was asked, and has answered"
    case .unasked: "the person is asked before each session"
    case .notSelected(let device): "\(device) was not selected"
    case .administrator(let prohibition): "\(prohibition)"
    case .undescribed(let manifests):
      "\(manifests.map(\.rawValue).joined(separator: " and ")) \(manifests.count == 1 ? "gives" : "give") no reason for it"
    case .unreadable(let error): "\(error)"
    case .fixed: "the program that runs the session says so"
    }
  }
}
