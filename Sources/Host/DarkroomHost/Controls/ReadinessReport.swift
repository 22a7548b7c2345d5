// SPDX-License-Identifier: Apache-2.0

internal import SessionServices

/// The conditions of a launch from the lock screen.
public struct ReadinessReport: Sendable, Hashable {
  /// Whether a press of a control on the lock screen would launch the extension. The app need not be openable
  /// for a launch.
  public let isReady: Bool
  /// The conditions, in the order in which a launch checks them.
  public let checks: [Check]

  /// A checked condition.
  public struct Check: Sendable, Hashable {
    /// The condition.
    public let condition: Condition
    /// The reason why the condition is not met, or `nil` if it is met.
    public let refusal: ControlRefusal?
    /// The message for the user with the fix, or `nil` if the condition is met.
    public let message: String?
  }

  /// A condition.
  public enum Condition: String, Sendable, Hashable, CaseIterable {
    /// The extension matches its installation.
    case installed
    /// The user has unlocked the machine since it started.
    case unlockedOnce
    /// The administrator does not forbid capture on the lock screen.
    case allowedByAdministrator
    /// The extension may use the camera.
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

  /// Creates a report about an extension of an app.
  init(_ readiness: LaunchReadiness, app: String) {
    isReady = readiness.isReady
    checks = readiness.conditions.map { found in
      Check(
        condition: Condition(found.name),
        refusal: found.obstacle.map { ControlRefusal($0) },
        message: found.obstacle.map { $0.message(for: app) }
      )
    }
  }
}

extension ReadinessReport.Condition {
  /// Creates a condition from its name.
  fileprivate init(_ name: LaunchReadiness.Name) {
    switch name {
    case .installed: self = .installed
    case .unlockedOnce: self = .unlockedOnce
    case .allowedByAdministrator: self = .allowedByAdministrator
    case .permitted: self = .permitted
    case .cameraPresent: self = .cameraPresent
    case .foregroundFree: self = .foregroundFree
    case .spaceAvailable: self = .spaceAvailable
    case .appOpenable: self = .appOpenable
    }
  }
}
