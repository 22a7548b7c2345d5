// SPDX-License-Identifier: Apache-2.0

/// The result of a session that has ended, and whose content is migrated.
public struct SessionResult: Sendable, Hashable {
  /// The ID of the session.
  public let session: String
  /// The ID of the app.
  public let appID: String
  /// The ID of the extension.
  public let extensionID: String
  /// The outcome.
  public let outcome: Outcome
  /// The outcome as text without a final period. The text of a failure contains the fix.
  public let summary: String
  /// The exit code of a command that runs the session, as `darkroom run` returns it.
  public let exitCode: Int32
  /// The layers of the sandbox, or `nil` if the program was never started.
  public let sandbox: SandboxReport?
  /// The path of the content directory in the app container, or `nil` if the session has no content.
  public let contentPath: String?
  /// The files of the content.
  public let files: [File]
  /// The entries that were not migrated.
  public let quarantined: [QuarantinedEntry]
  /// The refused calls.
  public let refusals: [RefusalReport]
  /// The counts of camera frames, or `nil` if the session had none.
  public let frames: FrameCounts?
  /// The path of the session record.
  public let recordPath: String
  /// The session record as JSON, in the format of `darkroom inspect`.
  public let recordJSON: String
  /// The end of the extension's standard output and error.
  public let outputTail: String
  /// Further messages for the user, such as the reason why the app could not be opened.
  public let notices: [String]

  /// A file of the content.
  public struct File: Sendable, Hashable {
    /// The path relative to the content directory.
    public let path: String
    /// The size in bytes.
    public let size: Int64
    /// The digest, `sha256:…`, or `nil` unless ``LaunchOptions/recordsDigests`` is set.
    public let sha256: String?
  }

  /// The counts of camera frames of a session.
  public struct FrameCounts: Sendable, Hashable {
    /// The number of frames that the camera produced.
    public let produced: Int64
    /// The number of frames that the extension consumed.
    public let consumed: Int64
    /// The number of frames that did not reach the extension.
    public let dropped: Int64
  }
}

/// An entry of a session's content that was not migrated.
public struct QuarantinedEntry: Sendable, Hashable {
  /// The former path relative to the content directory. Bytes that cannot be displayed are written as `\xNN`.
  public let path: String
  /// The identifier of the reason, such as `symbolicLink`.
  public let reason: String
  /// The reason as text.
  public let explanation: String
}

extension SessionResult {
  /// The end of a session. The first cause determines the outcome.
  public enum Outcome: Sendable, Hashable {
    /// The extension exited with a code.
    case completed(exitCode: Int32)
    /// The extension was terminated by a signal that the host did not send.
    case signaled(Int32)
    /// The extension violated its policy. The rule is an identifier such as `sessionBytes`.
    case violated(rule: String)
    /// A deadline passed: `launch` or `wallClock`.
    case timedOut(deadline: String)
    /// The extension did not meet the requirements of a capture extension in time: `cameraAccess`,
    /// `viewfinder` or `captureEvents`.
    case watchdog(missing: [String])
    /// The extension sent an invalid message.
    case protocolViolation
    /// The session was dismissed.
    case dismissed(by: Dismisser)
    /// The host could not start the extension, or not continue the session. The error number is a name such
    /// as `EPERM`.
    case hostFailure(step: String, errno: String?)
  }

  /// The initiator of a dismissal.
  public enum Dismisser: String, Sendable, Hashable, CaseIterable {
    /// The user: ``HostedSession/dismiss()``.
    case user
    /// The extension.
    case `extension`
    /// The app was opened.
    case applicationOpened
    /// The lock state changed.
    case lockChanged
    /// There was no user input for some time.
    case idle
    /// The user pressed the power key.
    case powerKey
    /// The task of the session was cancelled, or the host was closed.
    case hostStopped
    /// The host died, and recovery found the session.
    case hostDied
  }
}
