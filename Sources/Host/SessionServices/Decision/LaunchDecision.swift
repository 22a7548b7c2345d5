// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import ExtensionProtocol

/// The effect of a control press.
package enum LaunchDecision: Hashable, Sendable {
  /// Launch the extension.
  case launchExtension
  /// Open the app.
  case openApplication(AppDeliveryReason)
  /// Authenticate the user, and then open the app.
  case authenticateThenOpenApplication(AppDeliveryReason)
  /// Do nothing, for this reason.
  case refuse(LaunchRefusal)

  /// Decides the effect of a press.
  ///
  /// On the lock screen the extension is launched, whether the user is authenticated or not. On other
  /// surfaces the app is opened.
  package init(_ circumstances: LaunchCircumstances) {
    guard circumstances.firstUnlock == .happened else {
      self = .refuse(.beforeFirstUnlock)
      return
    }
    switch circumstances.surface {
    case .lockScreen: self = Self.forLockScreen(circumstances)
    case .elsewhere: self = Self.open(.control, circumstances)
    }
  }

  private static func forLockScreen(_ circumstances: LaunchCircumstances) -> LaunchDecision {
    if let prohibition = circumstances.prohibition { return .refuse(.forbidden(prohibition)) }
    // Such a control has the same effect whether the user is already authenticated or not.
    if circumstances.control == .required { return open(.control, circumstances) }
    if case .faulty(let error) = circumstances.installation { return .refuse(.notInstalled(error)) }
    if let other = withoutCamera(circumstances) { return other }
    if case .taken(let session) = circumstances.foreground {
      return .refuse(.foregroundOccupied(session: session))
    }
    if let refusal = circumstances.storageRefusal { return .refuse(.insufficientSpace(refusal)) }
    return .launchExtension
  }

  /// Returns the effect if the extension cannot have frames, or `nil` if it can or needs none.
  private static func withoutCamera(_ circumstances: LaunchCircumstances) -> LaunchDecision? {
    guard case .needed(let permission, let presence) = circumstances.camera else { return nil }
    // With a limited permission, it is known only when the camera is opened whether the user has selected it.
    guard permission.isUsable else { return withoutPermission(permission, circumstances) }
    return presence == .missing ? .refuse(.cameraMissing) : nil
  }

  /// Opens the app to request the permission, unless neither the app nor the user can change it.
  private static func withoutPermission(
    _ permission: ResolvedPermission,
    _ circumstances: LaunchCircumstances
  ) -> LaunchDecision {
    switch permission.reason {
    case .administrator(let prohibition): .refuse(.cameraRestricted(prohibition))
    case .missingUsageDescription(let manifests): .refuse(.cameraUsageDescriptionMissing(manifests))
    case .unreadable(let error): .refuse(.permissionsUnreadable(error))
    // A user who has just declined is not sent to the app, which would prompt again.
    case .prompted: .refuse(.cameraNotPermitted(permission.status))
    case .notSelected(let device): .refuse(.cameraNotSelected(device))
    case .user, .undecided, .promptRequired, .commandLine, .fixed:
      switch circumstances.opening {
      case .possible: open(.permission, circumstances)
      case .impossible: .refuse(.cameraNotPermitted(permission.status))
      }
    }
  }

  private static func open(_ reason: AppDeliveryReason, _ circumstances: LaunchCircumstances)
    -> LaunchDecision
  {
    if case .impossible(let fault) = circumstances.opening { return .refuse(.cannotOpen(fault)) }
    switch circumstances.lock {
    case .unlocked: return .openApplication(reason)
    case .locked: return .authenticateThenOpenApplication(reason)
    }
  }
}
