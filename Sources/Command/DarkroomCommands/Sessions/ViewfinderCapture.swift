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
        "\(matches.count) running sessions begin with \(shown); write more of the one that is meant"
      )
    }
    if let session = matches.first {
      guard session.stage == .running else {
        throw CommandFailure(
          .unavailable,
          "session \(session.id) waits for its launch and shows nothing; launch \(session.extensionID) first"
        )
      }
      return session.id
    }
    guard let id = SessionID(word) else {
      throw CommandFailure(
        .missing,
        "no running session is \"\(shown)\", and none begins so; 'darkroom ps' names those that run"
      )
    }
    throw try ended(id, in: root)
      ?? CommandFailure(
        .missing,
        "there is no session \(id) in \(root.path); 'darkroom ps' names those that run"
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
        "the extension of session \(id) draws over its frames faster than one can be copied; try again"
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
        "session \(id) has shown no viewfinder yet; an extension shows one by drawing in the ring 'preview', which it "
          + "has if the session has a camera: try again when it has, or run it with --camera"
      )
    case .otherUser(let user):
      return CommandFailure(
        .unavailable,
        "session \(id) is run by the user with the number \(user); look at it as that user"
      )
    case .timedOut:
      return CommandFailure(
        .unavailable,
        "the host of session \(id) does not answer; is it stopped? 'darkroom ps' names its process"
      )
    case .malformed:
      return CommandFailure(
        .unavailable,
        "the host of session \(id) is of another version than this \(DarkroomCommandLine.version); use its own darkroom"
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
        "session \(id) has ended, at \(when) UTC (\(TextTable.printable(noted.outcome))); only a session that runs "
          + "has a viewfinder"
      )
    }
    guard (try? FileSystem.status(root.session(id).directory))?.flatMap({ $0 }) != nil else { return nil }
    return CommandFailure(
      .missing,
      "session \(id) has ended and is not handed over yet; only a session that runs has a viewfinder"
    )
  }
}
