// SPDX-License-Identifier: Apache-2.0

/// A requirement for every capture extension.
public enum ExtensionCheck: String, Sendable, Hashable, CaseIterable {
  /// The extension answers `session/start`, and sends only valid messages.
  case hostProtocol = "protocol"
  /// The extension uses the camera, a viewfinder and capture events before its launch deadline.
  case viewfinder
  /// The extension exits in time after its dismissal.
  case dismissal
  /// The extension leaves no incomplete file if it is terminated while writing.
  case midWrite = "mid-write"
  /// The extension accepts the largest app context, with an unknown structure.
  case context
  /// The extension neither hangs nor crashes without permission for the camera.
  case denied
  /// The extension neither hangs nor crashes when the permission is revoked.
  case revoked
  /// The extension neither hangs nor crashes when the camera is unplugged.
  case unplugged
  /// The extension neither hangs nor crashes when the camera delivers no frames.
  case stalled
  /// The extension neither hangs nor crashes without free space, and leaves no incomplete file.
  case full
  /// The extension runs in two sessions at the same time.
  case twice
  /// The extension makes no call that its policy refuses.
  case calls
  /// No attempt of ``DarkroomHost/DarkroomHost/attack(_:_:)`` gets through a sandbox with the policy of the extension.
  case attack
}

/// The options of the checks of an extension.
public struct ExtensionCheckOptions: Sendable, Hashable {
  /// The checks, in their order.
  public var checks: [ExtensionCheck] = ExtensionCheck.allCases
  /// The time that the extension may take to exit after its dismissal.
  public var dismissalGrace: Duration = .seconds(5)
  /// The path of the program `darkroom-probe`, as in ``AttackOptions/probe``.
  public var probe: String?

  /// Creates the options for all checks.
  public init() {}
}

/// The result of a check of an extension.
public struct ExtensionCheckResult: Sendable, Hashable {
  /// The verdict about an extension.
  public enum Verdict: Sendable, Hashable {
    /// The extension meets the requirement.
    case passed
    /// The extension does not meet the requirement; the text is the fix.
    case failed(fix: String)
    /// The requirement does not apply to this kind of extension.
    case notApplicable
    /// The check cannot be made on this machine.
    case untried
  }

  /// The check.
  public let check: ExtensionCheck
  /// The verdict.
  public let verdict: Verdict
  /// The observation, or the reason why there is none.
  public let reason: String
}
