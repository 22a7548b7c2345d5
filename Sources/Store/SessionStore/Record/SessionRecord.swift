// SPDX-License-Identifier: Apache-2.0

/// The record of a session, without its content.
package struct SessionRecord: Hashable, Sendable {
  /// The version of the format that this code writes. Versions 1 and 2 can be read as well.
  ///
  /// In version 1, the dismissal was a member outside the outcome, and two outcomes had other names. Versions
  /// 1 and 2 had other names for some members and values (`EarlierSpelling`).
  package static let version: Int64 = 3

  /// The first version with the current names of members and values.
  static let firstVersionWithCurrentSpelling: Int64 = 3

  /// The ID of the session.
  package var sessionID: SessionID
  /// The ID of the app.
  package var app: String
  /// The ID of the extension.
  package var extensionID: String
  /// The start of the session in milliseconds since 1970.
  package var startedAt: Int64
  /// The time in milliseconds since 1970 at which the last process of the session exited.
  package var endedAt: Int64
  /// The outcome of the session.
  package var outcome: SessionOutcome
  /// The policy of the session, or `nil` if none was loaded.
  package var policy: Policy?
  /// The digest of the executable, `sha256:…`.
  package var executableDigest: String?
  /// The permissions at the start of the session; empty if the host died before the record was written.
  package var permissions: [Permission] = []
  /// The enforcement by the kernel, or `nil` if the extension was never started.
  package var enforcement: Enforcement?
  /// The debugging state, or `nil` if the session was not launched for debugging. In a debugged session, all
  /// times are distorted.
  package var debugging: Debugging?
  /// The steps with their durations.
  package var steps: [Step] = []
  /// The counts of camera frames, or `nil` if the session had none.
  package var frames: Frames?
  /// The counts of audio blocks, or `nil` if the session had none.
  package var sound: Sound?
  /// The uses of cameras and microphones.
  package var uses: [Use] = []
  /// The camera controls that the user could adjust at the end.
  package var cameraControls: [CameraControl] = []
  /// The delivered files.
  package var files: [File] = []
  /// The files that the session added to the photo library.
  package var ingested: [Ingested] = []
  /// The quarantined entries.
  package var quarantined: [Quarantined] = []
  /// The sanitized entries.
  package var sanitized: [Sanitized] = []
  /// The totals of the delivered content.
  package var content = Content()
  /// The problems that did not end the session.
  package var violations: [String] = []
  /// The refused calls. Equal calls are merged and ordered by their first occurrence.
  package var refusals: [Refusal] = []
  /// The number of refused calls that are not in ``refusals`` because the list was full.
  package var refusalsOmitted: Int64 = 0
  /// The output of the extension on standard output and error.
  package var log: Log?
  /// The receipts of erasures.
  package var erased: [Erasure] = []

  /// Creates a record with the mandatory members.
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
