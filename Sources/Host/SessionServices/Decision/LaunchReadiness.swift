// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol

/// Everything that has to be so before an extension can be launched at the lock screen, whether it is or not.
package struct LaunchReadiness: Hashable, Sendable {
  /// One thing that has to be so.
  package struct Condition: Hashable, Sendable {
    /// Which.
    package var name: Name
    /// What is wrong; nil: nothing.
    package var obstacle: LaunchRefusal?
  }

  /// What has to be so.
  package enum Name: String, CaseIterable, Sendable {
    /// The extension is there, and is what was installed.
    case installed
    /// The person has unlocked the machine since it was started.
    case unlockedOnce
    /// The administrator does not forbid it.
    case allowedByAdministrator
    /// The camera may be used.
    case permitted
    /// There is a camera.
    case cameraPresent
    /// No other session is in front of the person.
    case seatFree
    /// There is room for what can be captured.
    case roomLeft
    /// The app can be opened.
    case appOpenable
  }

  /// The conditions, in the order in which they are asked for.
  package let conditions: [Condition]

  /// Whether a press of a control at the lock screen would launch the extension. That the app cannot be opened hinders
  /// only what needs the app.
  package var isReady: Bool { conditions.allSatisfy { $0.obstacle == nil || $0.name == .appOpenable } }

  /// Looks at each part of the circumstances, whatever the others are.
  package init(_ circumstances: LaunchCircumstances) {
    conditions = Name.allCases.map { Condition(name: $0, obstacle: Self.obstacle($0, circumstances)) }
  }

  private static func obstacle(_ name: Name, _ circumstances: LaunchCircumstances) -> LaunchRefusal? {
    switch name {
    case .installed:
      if case .faulty(let error) = circumstances.installation { .notInstalled(error) } else { nil }
    case .unlockedOnce: circumstances.firstUnlock == .pending ? .beforeFirstUnlock : nil
    case .allowedByAdministrator: circumstances.prohibition.map { .forbidden($0) }
    case .permitted: permission(circumstances)
    case .cameraPresent:
      if case .needed(_, .missing) = circumstances.camera { .cameraMissing } else { nil }
    case .seatFree:
      if case .taken(let session) = circumstances.seat { .seatTaken(session: session) } else { nil }
    case .roomLeft: circumstances.roomRefusal.map { .noRoom($0) }
    case .appOpenable:
      if case .impossible(let error) = circumstances.opening { .cannotOpen(error) } else { nil }
    }
  }

  private static func permission(_ circumstances: LaunchCircumstances) -> LaunchRefusal? {
    guard case .needed(let permission, _) = circumstances.camera, !permission.isUsable else {
      return nil
    }
    return switch permission.ground {
    case .administrator(let prohibition): .cameraRestricted(prohibition)
    case .undescribed(let manifests): .cameraUndescribed(manifests)
    case .unreadable(let error): .permissionsUnreadable(error)
    case .notSelected(let device): .cameraNotSelected(device)
    case .unasked: .cameraUnasked
    case .person, .answer, .undecided, .commandLine, .fixed: .cameraNotPermitted(permission.status)
    }
  }
}
