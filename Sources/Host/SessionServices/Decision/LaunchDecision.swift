// SPDX-License-Identifier: Apache-2.0

internal import AppBundles
internal import CaptureHost
package import ExtensionProtocol

/// What a press of a control does.
package enum LaunchDecision: Hashable, Sendable {
  /// The extension is launched.
  case launchExtension
  /// The app is opened.
  case openApplication(AppDeliveryReason)
  /// The person is asked who they are; if they prove it, the app is opened.
  case authenticateThenOpenApplication(AppDeliveryReason)
  /// Nothing happens.
  case refuse(LaunchRefusal)

  /// Decides. At the lock screen the extension is launched, whether the person is authenticated or not; elsewhere the
  /// app is opened.
  package init(_ circumstances: LaunchCircumstances) {
    guard circumstances.firstUnlock == .happened else {
      self = .refuse(.beforeFirstUnlock)
      return
    }
    switch circumstances.surface {
    case .lockScreen: self = Self.atLockScreen(circumstances)
    case .elsewhere: self = Self.open(.control, circumstances)
    }
  }

  private static func atLockScreen(_ circumstances: LaunchCircumstances) -> LaunchDecision {
    if let prohibition = circumstances.prohibition { return .refuse(.forbidden(prohibition)) }
    // Such a control leads to the same place whether the person was recognised already or not.
    if circumstances.control == .required { return open(.control, circumstances) }
    if case .faulty(let error) = circumstances.installation { return .refuse(.notInstalled(error)) }
    if let other = withoutCamera(circumstances) { return other }
    if case .taken(let session) = circumstances.seat { return .refuse(.seatTaken(session: session)) }
    if let refusal = circumstances.roomRefusal { return .refuse(.noRoom(refusal)) }
    return .launchExtension
  }

  /// What happens because the extension could not have frames; nil: it can, or needs none.
  private static func withoutCamera(_ circumstances: LaunchCircumstances) -> LaunchDecision? {
    guard case .needed(let permission, let presence) = circumstances.camera else { return nil }
    // Some are allowed, and which one this is shows when it is opened.
    guard permission.isUsable else { return withoutPermission(permission, circumstances) }
    return presence == .missing ? .refuse(.cameraMissing) : nil
  }

  /// The app can ask the person, but not for what neither of them can change.
  private static func withoutPermission(
    _ permission: ResolvedPermission,
    _ circumstances: LaunchCircumstances
  ) -> LaunchDecision {
    switch permission.ground {
    case .administrator(let prohibition): .refuse(.cameraRestricted(prohibition))
    case .undescribed(let manifests): .refuse(.cameraUndescribed(manifests))
    case .unreadable(let error): .refuse(.permissionsUnreadable(error))
    // Who has just said no is not led to the app, which would ask again.
    case .answer: .refuse(.cameraNotPermitted(permission.status))
    case .notSelected(let device): .refuse(.cameraNotSelected(device))
    case .person, .undecided, .unasked, .commandLine, .fixed:
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
