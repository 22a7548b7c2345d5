// SPDX-License-Identifier: Apache-2.0

/// What a check of an extension has come to.
package enum ConformanceVerdict: Sendable, Hashable {
  /// It is as it should be; what was seen.
  case passed(String)
  /// It is not; what was seen, and how to mend it.
  case failed(String, mend: String)
  /// An extension of this kind cannot be checked for it; why.
  case notApplicable(String)
  /// It could not be tried here; why.
  case untried(String)

  /// The word for programs.
  package var word: String {
    switch self {
    case .passed: "pass"
    case .failed: "fail"
    case .notApplicable: "notApplicable"
    case .untried: "untried"
    }
  }

  /// What was seen, or why nothing was.
  package var reason: String {
    switch self {
    case .passed(let text), .failed(let text, _), .notApplicable(let text), .untried(let text): text
    }
  }

  /// How to mend it; nil: nothing is to be mended.
  package var mend: String? { if case .failed(_, let mend) = self { mend } else { nil } }
}

/// One thing that every capture extension should get right.
package enum ConformanceCheck: String, Sendable, CaseIterable {
  /// It speaks the protocol.
  case `protocol`
  /// It becomes a camera in time.
  case viewfinder
  /// It ends when it is told to.
  case dismissal
  /// What it hands over is whole, also when it is told to end, or is ended, while it writes.
  case midWrite = "mid-write"
  /// It starts with the largest app context that there is, which it has never seen.
  case context
  /// It neither hangs nor crashes where the app may not use the camera.
  case denied
  /// Nor when the camera is taken away by the person.
  case revoked
  /// Nor when the camera is unplugged.
  case unplugged
  /// Nor when the camera gives no frames.
  case stalled
  /// Nor when there is no room.
  case full
  /// It can be launched twice at once.
  case twice
  /// It needs no call that its policy refuses.
  case calls
  /// Nothing gets out of a sandbox with its policy.
  case attack

  /// What is checked, in a few words.
  package var asks: String {
    switch self {
    case .protocol: "answers session/start, and sends nothing that is no message"
    case .viewfinder: "has camera, viewfinder and capture events before its launch deadline"
    case .dismissal: "ends in time when it is told to"
    case .midWrite: "hands over no half of a file when it is ended while it writes"
    case .context: "bears the largest app context, of a shape that it does not know"
    case .denied: "neither hangs nor crashes without permission for the camera"
    case .revoked: "neither hangs nor crashes when that permission is taken away"
    case .unplugged: "neither hangs nor crashes when the camera is unplugged"
    case .stalled: "neither hangs nor crashes when the camera gives no frames"
    case .full: "neither hangs nor crashes when there is no room, and hands over no half of a file"
    case .twice: "runs twice at the same time"
    case .calls: "makes no call that its policy refuses"
    case .attack: "is kept in by its policy, whatever it tries"
    }
  }
}
