// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
internal import CaptureHost
internal import Microphones

/// The listener to a session's sound that passes the blocks to tasks of the embedding program.
///
/// Neither the microphone nor the extension waits for a task. A task that is too slow misses blocks.
final class SoundGate: SoundListening {
  private struct State: Sendable {
    /// The ring, or `nil` while the session has no microphone, and after the session.
    var ring: SoundRing?
    /// The sequence number of the newest block, or 0 before the first one.
    var published: UInt64 = 0
    /// Whether no block follows.
    var isClosed = false
  }

  private let state = WatchedValue(State())

  /// The ring, or `nil` while the session has no microphone, and after the session.
  var currentRing: SoundRing? { state.current.ring }

  /// Waits for the ring of the session. Returns `nil` if the session has no microphone or has ended, or the
  /// task is cancelled.
  func ring() async -> SoundRing? {
    let found = await state.next { state -> SoundRing?? in
      if let ring = state.ring { return .some(ring) }
      return state.isClosed ? .some(nil) : nil
    }
    return found ?? nil
  }

  /// Waits for a block after the one with a sequence number.
  ///
  /// - Returns: The sequence number of the newest block, or `nil` if no block follows, or the task is
  ///   cancelled.
  func published(after last: UInt64) async -> UInt64? {
    let found = await state.next { state -> UInt64?? in
      if state.published > last { return .some(state.published) }
      return state.isClosed ? .some(nil) : nil
    }
    return found ?? nil
  }

  /// Notes that the program was started. A session without a ring receives none later.
  func noteStart() { state.change { if $0.ring == nil { $0.isClosed = true } } }

  func begin(_ ring: SoundRing) { state.change { $0.ring = ring } }
  func blockWasPublished() { state.change { if let ring = $0.ring { $0.published = ring.published } } }
  func finish() { state.change { $0.isClosed = true } }

  /// Releases the recorded sound at the end of the session. Tasks that read the sound keep it.
  func close() {
    state.change { state in
      state.ring = nil
      state.isClosed = true
    }
  }
}
