// SPDX-License-Identifier: Apache-2.0

package import AppBundles
package import CaptureHost
internal import ExtensionProtocol
package import SessionStore

/// The inputs to the permissions of a session, in addition to the decisions of the user and the
/// administrator.
///
/// An extension inherits the permissions of its app. A command line grants the permissions that it names for
/// one session, but only if the user has not decided. A control never grants permissions.
package struct PermissionResolution: Hashable, Sendable {
  /// The ID of the app.
  package var app: String
  /// The usage descriptions that are required and present.
  package var reasons: Reasons
  /// The permissions that the command line grants.
  package var granted: Set<PermissionSubject>
  /// The names of the session's devices. A subject without an entry has no known device yet.
  package var devices: [PermissionSubject: String] = [:]
  /// The user's answers to permission prompts for this session.
  package var answers: [PermissionSubject: Bool] = [:]

  /// The usage descriptions of the manifests.
  package enum Reasons: Hashable, Sendable {
    /// No manifest, for a program that is run by its name.
    case notNeeded
    /// The manifest of the app, for the app itself.
    case app(UsageDescriptions)
    /// The manifests of the app and of its extension, for an extension.
    case both(app: UsageDescriptions, captureExtension: UsageDescriptions)
  }

  /// Creates a resolution.
  package init(app: String, reasons: Reasons, granted: Set<PermissionSubject> = []) {
    self.app = app
    self.reasons = reasons
    self.granted = granted
  }

  /// Creates the resolution for an installed extension. `granted` are the permissions that the command line
  /// names.
  package init(_ installed: InstalledExtension, granted: Set<PermissionSubject> = []) {
    let reasons = Reasons.both(
      app: installed.app.usageDescriptions,
      captureExtension: installed.manifest.capture.usageDescriptions
    )
    self.init(app: installed.app.id, reasons: reasons, granted: granted)
  }

  /// Returns the permissions of a session.
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

  /// Returns the permission for a subject. The first decision wins; a rule before the user's decision can
  /// only deny.
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
      case .denied: return ResolvedPermission(.denied, .user)
      case .authorized, .limited, .ask:
        guard missing.isEmpty else { return ResolvedPermission(.denied, .missingUsageDescription(missing)) }
        return deviceDecision(subject, permissions)
      case nil:
        guard missing.isEmpty else {
          return ResolvedPermission(.notDetermined, .missingUsageDescription(missing))
        }
        let isGranted = granted.contains(subject)
        return isGranted
          ? ResolvedPermission(.authorized, .commandLine) : ResolvedPermission(.notDetermined, .undecided)
      }
    }
  }

  /// Returns the effect of a decision that is not a denial on the devices of this session.
  private func deviceDecision(_ subject: PermissionSubject, _ permissions: AppPermissions)
    -> ResolvedPermission
  {
    switch permissions[subject] {
    case .ask:
      switch answers[subject] {
      case true?: return ResolvedPermission(.authorized, .prompted)
      case false?: return ResolvedPermission(.denied, .prompted)
      case nil: return ResolvedPermission(.notDetermined, .promptRequired)
      }
    case .limited:
      guard let device = devices[subject] else { return ResolvedPermission(.limited, .user) }
      let isSelected = permissions.selectedDevices[subject]?.contains(device) == true
      return isSelected
        ? ResolvedPermission(.authorized, .user) : ResolvedPermission(.denied, .notSelected(device))
    default: return ResolvedPermission(.authorized, .user)
    }
  }

  private func manifestsWithoutReason(_ subject: PermissionSubject) -> [PermissionReason.DescribingManifest] {
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
  /// The resource that manifests must describe. Both photo library permissions have the same one.
  package var resource: ProtectedResource {
    switch self {
    case .camera: .camera
    case .microphone: .microphone
    case .photosAddOnly, .photos: .photos
    }
  }
}
