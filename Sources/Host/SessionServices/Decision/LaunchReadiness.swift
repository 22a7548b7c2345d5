// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol

/// The conditions for launching an extension on the lock screen.
package struct LaunchReadiness: Hashable, Sendable {
  /// A condition.
  package struct Condition: Hashable, Sendable {
    /// The name of the condition.
    package var name: Name
    /// The reason why the condition is not met, or `nil` if it is met.
    package var obstacle: LaunchRefusal?
  }

  /// The name of a condition.
  package enum Name: String, CaseIterable, Sendable {
    /// The extension matches its installation.
    case installed
    /// The user has unlocked the machine since it started.
    case unlockedOnce
    /// The administrator does not forbid capture on the lock screen.
    case allowedByAdministrator
    /// The camera may be used.
    case permitted
    /// A camera is present.
    case cameraPresent
    /// No other session is in the foreground.
    case foregroundFree
    /// There is space for captures.
    case spaceAvailable
    /// The app can be opened.
    case appOpenable
  }

  /// The conditions in the order in which they are checked.
  package let conditions: [Condition]

  /// Whether a control press on the lock screen would launch the extension. The app need not be openable for
  /// a launch.
  package var isReady: Bool { conditions.allSatisfy { $0.obstacle == nil || $0.name == .appOpenable } }

  /// Checks all conditions, independently of each other.
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
    case .foregroundFree:
      if case .taken(let session) = circumstances.foreground {
        .foregroundOccupied(session: session)
      } else {
        nil
      }
    case .spaceAvailable: circumstances.storageRefusal.map { .insufficientSpace($0) }
    case .appOpenable:
      if case .impossible(let error) = circumstances.opening { .cannotOpen(error) } else { nil }
    }
  }

  private static func permission(_ circumstances: LaunchCircumstances) -> LaunchRefusal? {
    guard case .needed(let permission, _) = circumstances.camera, !permission.isUsable else {
      return nil
    }
    return switch permission.reason {
    case .administrator(let prohibition): .cameraRestricted(prohibition)
    case .missingUsageDescription(let manifests): .cameraUsageDescriptionMissing(manifests)
    case .unreadable(let error): .permissionsUnreadable(error)
    case .notSelected(let device): .cameraNotSelected(device)
    case .promptRequired: .cameraPromptRequired
    case .user, .prompted, .undecided, .commandLine, .fixed: .cameraNotPermitted(permission.status)
    }
  }
}
