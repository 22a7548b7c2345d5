// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import CaptureHost
internal import LinuxPrimitives
internal import PolicyExplanation
internal import SandboxAudit
internal import SessionStore
internal import Viewfinders

/// The capture of a frame from the viewfinder of a running session.
enum ViewfinderCapture {
  /// A copy of a frame, with its viewfinder.
  struct Snapshot {
    var viewfinder: SessionViewfinder
    /// The copy of the frame.
    var still: PreviewObserver.Still
  }

  /// The minimum number of characters that identify a session.
  private static let minimumPrefixLength = 4

  /// Returns the running session with an ID or a unique ID prefix.
  static func find(_ word: String, in root: StateRoot) throws(CommandFailure) -> SessionID {
    let shown = TextTable.printable(word)
    let live = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try LiveSessions.list(in: root)
    }
    let matches = word.count < minimumPrefixLength ? [] : live.filter { $0.id.description.hasPrefix(word) }
    guard matches.count < 2 else {
      throw CommandFailure(
        .usage,
        "the IDs of \(matches.count) running sessions start with '\(shown)'; give more characters of the ID"
      )
    }
    if let session = matches.first {
      guard session.stage == .running else {
        throw CommandFailure(
          .unavailable,
          "session \(session.id) is prewarmed and shows nothing; launch \(session.extensionID) first"
        )
      }
      return session.id
    }
    guard let id = SessionID(word) else {
      throw CommandFailure(
        .missing,
        "no ID of a running session starts with '\(shown)'; 'darkroom ps' lists the running sessions"
      )
    }
    throw try ended(id, in: root)
      ?? CommandFailure(
        .missing,
        "there is no session \(id) in \(root.path); 'darkroom ps' lists the running sessions"
      )
  }

  /// Returns a copy of the newest frame of a session.
  static func still(of id: SessionID, in root: StateRoot) throws(CommandFailure) -> Snapshot {
    let viewfinder: SessionViewfinder
    do { viewfinder = try SessionViewfinder.open(root.session(id)) } catch {
      throw try failure(error, id, root)
    }
    switch viewfinder.newest() {
    case .still(let still): return Snapshot(viewfinder: viewfinder, still: still)
    case .none: throw try failure(.absent, id, root)
    case .contended:
      throw CommandFailure(
        .unavailable,
        "the extension of session \(id) overwrites its frames faster than a frame can be copied; try again"
      )
    }
  }

  /// Returns the failure for a viewfinder that cannot be read.
  private static func failure(
    _ error: SessionViewfinderError,
    _ id: SessionID,
    _ root: StateRoot
  ) throws(CommandFailure) -> CommandFailure {
    switch error {
    case .absent:
      // The session may have ended since it was found.
      let live = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
        try LiveSessions.list(in: root)
      }
      if !live.contains(where: { $0.id == id }), let ended = try ended(id, in: root) { return ended }
      return CommandFailure(
        .unavailable,
        "session \(id) has not shown a viewfinder yet; try again later, or run the extension with --camera, which a "
          + "viewfinder requires"
      )
    case .otherUser(let user):
      return CommandFailure(
        .unavailable,
        "session \(id) belongs to UID \(user); run the command as that user"
      )
    case .timedOut:
      return CommandFailure(
        .unavailable,
        "the host of session \(id) does not answer and may be stopped; 'darkroom ps' prints its PID"
      )
    case .malformed:
      return CommandFailure(
        .unavailable,
        "the host of session \(id) is not darkroom \(DarkroomCommandLine.version); use the version that runs the session"
      )
    case .system(let error): return CommandFailure(.machine, "\(error)")
    }
  }

  /// Returns the failure for a session that has ended, or `nil` if the session is unknown.
  private static func ended(_ id: SessionID, in root: StateRoot) throws(CommandFailure) -> CommandFailure? {
    let entry = try CommandFailure.mappingStoreErrors { () throws(StoreError) in
      try SessionLog(root).entry(.session(id))
    }
    if let noted = entry?.note.session {
      let when = TimestampText.short(noted.endedAt)
      return CommandFailure(
        .missing,
        "session \(id) ended at \(when) UTC (\(TextTable.printable(noted.outcome))); only running sessions have a "
          + "viewfinder"
      )
    }
    guard (try? FileSystem.status(root.session(id).directory))?.flatMap({ $0 }) != nil else { return nil }
    return CommandFailure(
      .missing,
      "session \(id) has ended and is not migrated yet; only running sessions have a viewfinder"
    )
  }
}
