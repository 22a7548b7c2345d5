// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CaptureHost
internal import ExtensionProtocol
package import SessionStore

/// What decides, beside the person and the administrator, what a session may use.
///
/// The extension inherits what its app has. Whoever types a command grants what that command names, for one session, but
/// only where nobody has decided: a control never grants anything.
package struct PermissionResolution: Hashable, Sendable {
  /// The app's id.
  package var app: String
  /// Who has to give reasons, and which are given.
  package var reasons: Reasons
  /// What whoever typed the command grants.
  package var granted: Set<PermissionSubject>
  /// The devices of the session, by what they are called; of what is not here it is not known yet.
  package var devices: [PermissionSubject: String] = [:]
  /// What the person has answered who wants to be asked each time.
  package var answers: [PermissionSubject: Bool] = [:]

  /// The reasons that manifests give.
  package enum Reasons: Hashable, Sendable {
    /// No manifest: a program that somebody runs by its name.
    case notNeeded
    /// The app's manifest alone: for the app itself.
    case app(UsageDescriptions)
    /// Both manifests: for an extension.
    case both(app: UsageDescriptions, captureExtension: UsageDescriptions)
  }

  /// Makes a resolution.
  package init(app: String, reasons: Reasons, granted: Set<PermissionSubject> = []) {
    self.app = app
    self.reasons = reasons
    self.granted = granted
  }

  /// The resolution for an installed extension. `granted` is what the command that launches it names.
  package init(_ installed: InstalledExtension, granted: Set<PermissionSubject> = []) {
    let reasons = Reasons.both(
      app: installed.app.usageDescriptions,
      captureExtension: installed.manifest.usageDescriptions
    )
    self.init(app: installed.app.id, reasons: reasons, granted: granted)
  }

  /// What a session may use.
  package func resolve(
    _ decided: Result<AppPermissions, StoreError>,
    _ administration: Administration
  ) -> ResolvedPermissions {
    let resolved = PermissionSubject.allCases.map { ($0, resolve($0, decided, administration)) }
    let all = Dictionary(uniqueKeysWithValues: resolved)
    guard all[.photos]?.status == .limited, case .success(let permissions) = decided else {
      return ResolvedPermissions(all)
    }
    return ResolvedPermissions(all, selectedAssets: permissions.selectedAssets)
  }

  /// The first that has something to say wins; everybody before the person can only take away.
  private func resolve(
    _ subject: PermissionSubject,
    _ decided: Result<AppPermissions, StoreError>,
    _ administration: Administration
  ) -> ResolvedPermission {
    if let prohibition = administration.restricts(subject, app) {
      return ResolvedPermission(.restricted, .administrator(prohibition))
    }
    let missing = manifestsWithoutReason(subject)
    switch decided {
    case .failure(let error):
      return ResolvedPermission(.denied, .unreadable(error))
    case .success(let permissions):
      switch permissions[subject] {
      case .denied: return ResolvedPermission(.denied, .person)
      case .authorized, .limited, .ask:
        guard missing.isEmpty else { return ResolvedPermission(.denied, .undescribed(missing)) }
        return forDevices(subject, permissions)
      case nil:
        guard missing.isEmpty else { return ResolvedPermission(.notDetermined, .undescribed(missing)) }
        let isGranted = granted.contains(subject)
        return isGranted
          ? ResolvedPermission(.authorized, .commandLine) : ResolvedPermission(.notDetermined, .undecided)
      }
    }
  }

  /// What a decision that is no denial means for the devices of this session.
  private func forDevices(_ subject: PermissionSubject, _ permissions: AppPermissions) -> ResolvedPermission {
    switch permissions[subject] {
    case .ask:
      switch answers[subject] {
      case true?: return ResolvedPermission(.authorized, .answer)
      case false?: return ResolvedPermission(.denied, .answer)
      case nil: return ResolvedPermission(.notDetermined, .unasked)
      }
    case .limited:
      guard let device = devices[subject] else { return ResolvedPermission(.limited, .person) }
      let isSelected = permissions.selectedDevices[subject]?.contains(device) == true
      return isSelected
        ? ResolvedPermission(.authorized, .person) : ResolvedPermission(.denied, .notSelected(device))
    default: return ResolvedPermission(.authorized, .person)
    }
  }

  private func manifestsWithoutReason(_ subject: PermissionSubject) -> [PermissionGround.DescribingManifest] {
    let resource = subject.resource
    switch reasons {
    case .notNeeded: return []
    case .app(let app): return app[resource] == nil ? [.app] : []
    case .both(let app, let captureExtension):
      return (app[resource] == nil ? [.app] : [])
        + (captureExtension[resource] == nil ? [.captureExtension] : [])
    }
  }
}

extension PermissionSubject {
  /// What manifests have to give a reason for; both levels of the photo library have the same.
  package var resource: ProtectedResource {
    switch self {
    case .camera: .camera
    case .microphone: .microphone
    case .photosAddOnly, .photos: .photos
    }
  }
}
