// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// How much room there is for what a capture extension puts into its session's directory.
///
/// Where there is none, writing more than 4 KiB to any file fails with `EFBIG` ("File too large"), or with `ENOSPC` where
/// the disk itself is full: an error that can be handled. What is deleted makes room again. An extension that goes on making
/// files is ended by the host in the end; what it has captured is handed over all the same.
public struct SessionContentRoom: Sendable, Hashable {
  /// How it stands.
  public enum State: Sendable, Hashable, CaseIterable {
    /// There is room.
    case free
    /// Little is left.
    case low
    /// There is none.
    case full
  }

  /// What the room ends at first.
  public enum Reason: Sendable, Hashable, CaseIterable {
    /// The limit of the session.
    case session
    /// What may wait for the app until it takes it.
    case app
    /// The disk.
    case disk
  }

  /// How it stands.
  public let state: State
  /// What it ends at first; nil: nobody has said so yet.
  public let reason: Reason?
  /// How many bytes could still be written when the host looked; nil: it has not said so yet.
  public let remainingBytes: Int64?
  /// How many files and directories could still be made; nil: it has not said so yet.
  public let remainingFiles: Int64?

  /// What is known before the host has said anything of it.
  init() {
    state = .free
    reason = nil
    remainingBytes = nil
    remainingFiles = nil
  }

  init(_ room: ContentRoom) {
    state =
      switch room.state {
      case .free: .free
      case .low: .low
      case .full: .full
      }
    reason =
      switch room.reason {
      case .session: .session
      case .app: .app
      case .disk: .disk
      }
    remainingBytes = room.bytes
    remainingFiles = room.files
  }
}

extension LockedCameraCaptureSession {
  /// How much room there is: as it is now, then whenever it becomes free, low or full; until the session ends.
  ///
  /// Each use follows it anew, so there may be several. Apple's framework has no such thing.
  @MainActor
  public var contentRoom: some AsyncSequence<SessionContentRoom, Never> & Sendable {
    runtime.contentRoom.values()
  }
}
