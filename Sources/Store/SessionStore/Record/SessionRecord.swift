// SPDX-License-Identifier: Apache-2.0

/// Everything that is kept of a session besides its content.
package struct SessionRecord: Hashable, Sendable {
  /// The version of the document that this code writes; it also reads the one before.
  ///
  /// Version 2 has the dismissal in the outcome; in version 1 it stood beside it, and two outcomes had other names.
  package static let version: Int64 = 2

  /// The session.
  package var sessionID: SessionID
  /// The app's id.
  package var app: String
  /// The extension's id.
  package var extensionID: String
  /// When the session began, in milliseconds since 1970.
  package var startedAt: Int64
  /// When no process of the session was left.
  package var endedAt: Int64
  /// How it ended.
  package var outcome: SessionOutcome
  /// The policy that it ran under; nil if none was loaded any more.
  package var policy: Policy?
  /// The digest of the executable, `sha256:…`.
  package var executableDigest: String?
  /// What the app was allowed when the session began, and why; none if the host died before the record was written.
  package var permissions: [Permission] = []
  /// What the kernel enforced; nil if the extension was never started.
  package var enforcement: Enforcement?
  /// Whether the session was there to be debugged, when none of its times is what it would have been; nil: it was not.
  package var debugging: Debugging?
  /// How long each step took.
  package var steps: [Step] = []
  /// What became of the camera's frames; nil if the session had none.
  package var frames: Frames?
  /// What became of the microphone's blocks; nil if the session had none.
  package var sound: Sound?
  /// Which cameras and microphones gave the session anything.
  package var uses: [Use] = []
  /// What of the camera the person could adjust at the end.
  package var cameraControls: [CameraControl] = []
  /// The files that were handed over.
  package var files: [File] = []
  /// What the session has added to the photo library.
  package var ingested: [Ingested] = []
  /// What was kept from the app.
  package var quarantined: [Quarantined] = []
  /// What was made ordinary without touching the data.
  package var normalised: [Normalised] = []
  /// What was handed over, in sum.
  package var content = Content()
  /// What went wrong on the way without ending the session.
  package var violations: [String] = []
  /// The calls that were refused, equal ones folded, in the order of the first of each kind.
  package var refusals: [Refusal] = []
  /// How many refused calls there was no room for.
  package var refusalsOmitted: Int64 = 0
  /// What the extension wrote to its standard output and error.
  package var log: Log?
  /// What was erased.
  package var erased: [Erasure] = []

  /// A record that says who, when and how.
  package init(
    sessionID: SessionID,
    app: String,
    extensionID: String,
    startedAt: Int64,
    endedAt: Int64,
    outcome: SessionOutcome
  ) {
    self.sessionID = sessionID
    self.app = app
    self.extensionID = extensionID
    self.startedAt = startedAt
    self.endedAt = endedAt
    self.outcome = outcome
  }
}
