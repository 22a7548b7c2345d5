// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// The space that is left for a capture extension in its session content directory.
///
/// When no space is left, writing more than 4 KiB to any file fails with `EFBIG` ("File too large"), or with
/// `ENOSPC` if the disk itself is full. An extension can handle both errors; deleting files frees space. The
/// host eventually ends an extension that keeps creating files; its captures are still migrated.
public struct SessionContentRoom: Sendable, Hashable {
  /// The states of the remaining space.
  public enum State: Sendable, Hashable, CaseIterable {
    /// Space is available.
    case free
    /// Little space is left.
    case low
    /// No space is left.
    case full
  }

  /// The limit that is reached first.
  public enum Reason: Sendable, Hashable, CaseIterable {
    /// The limit of the session.
    case session
    /// The limit for content that is pending for the app.
    case app
    /// The disk.
    case disk
  }

  /// The state of the remaining space.
  public let state: State
  /// The limit that is reached first, or `nil` if the host has not reported it yet.
  public let reason: Reason?
  /// The number of bytes that could be written at the last report of the host, or `nil` before the first
  /// report.
  public let remainingBytes: Int64?
  /// The number of files and directories that could be created at the last report, or `nil` before the first
  /// report.
  public let remainingFiles: Int64?

  /// Creates the value at launch, before the host reports the remaining space.
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
  /// The remaining space: the current value, then a value whenever the state becomes free, low or full.
  ///
  /// The sequence ends with the session. Each iteration is independent, so several may run at the same time.
  /// Apple's framework has no counterpart.
  @MainActor
  public var contentRoom: some AsyncSequence<SessionContentRoom, Never> & Sendable {
    runtime.contentRoom.values()
  }
}
