// SPDX-License-Identifier: Apache-2.0

/// The result of a conformance check.
package enum ConformanceVerdict: Sendable, Hashable {
  /// The extension conforms. The associated value is the observation.
  case passed(String)
  /// The extension does not conform. The associated values are the observation and a fix.
  case failed(String, fix: String)
  /// The check does not apply to this kind of extension. The associated value is the reason.
  case notApplicable(String)
  /// The check could not be made on this machine. The associated value is the reason.
  case untried(String)

  /// The keyword for programs.
  package var keyword: String {
    switch self {
    case .passed: "pass"
    case .failed: "fail"
    case .notApplicable: "notApplicable"
    case .untried: "untried"
    }
  }

  /// The observation, or the reason why there is none.
  package var reason: String {
    switch self {
    case .passed(let text), .failed(let text, _), .notApplicable(let text), .untried(let text): text
    }
  }

  /// The fix, or `nil` if the extension did not fail.
  package var fix: String? { if case .failed(_, let fix) = self { fix } else { nil } }
}

/// A requirement for every capture extension.
package enum ConformanceCheck: String, Sendable, CaseIterable {
  /// The extension follows the protocol.
  case `protocol`
  /// The extension shows a viewfinder before its deadline.
  case viewfinder
  /// The extension ends when it is dismissed.
  case dismissal
  /// All handed-over files are complete, even if the extension is dismissed or terminated while it is
  /// writing.
  case midWrite = "mid-write"
  /// The extension starts with an app context of the maximum size and an unknown structure.
  case context
  /// The extension neither hangs nor crashes without permission for the camera.
  case denied
  /// The extension neither hangs nor crashes when the user revokes the permission.
  case revoked
  /// The extension neither hangs nor crashes when the camera is unplugged.
  case unplugged
  /// The extension neither hangs nor crashes when the camera delivers no frames.
  case stalled
  /// The extension neither hangs nor crashes when the file system is full.
  case full
  /// The extension can run in two concurrent sessions.
  case twice
  /// The extension makes no call that its policy refuses.
  case calls
  /// No attempt gets out of a sandbox with the extension's policy.
  case attack

  /// A short description of the requirement.
  package var requirement: String {
    switch self {
    case .protocol: "answers session/start, and sends only valid messages"
    case .viewfinder: "uses camera, viewfinder and capture events before its launch deadline"
    case .dismissal: "exits in time after its dismissal"
    case .midWrite: "leaves no incomplete file if it is terminated while writing"
    case .context: "accepts the largest app context, with an unknown structure"
    case .denied: "neither hangs nor crashes without permission for the camera"
    case .revoked: "neither hangs nor crashes when the permission is revoked"
    case .unplugged: "neither hangs nor crashes when the camera is unplugged"
    case .stalled: "neither hangs nor crashes when the camera delivers no frames"
    case .full: "neither hangs nor crashes without free space, and leaves no incomplete file"
    case .twice: "runs in two sessions at the same time"
    case .calls: "makes no call that its policy refuses"
    case .attack: "cannot escape from a sandbox with its policy"
    }
  }
}
