// SPDX-License-Identifier: Apache-2.0

internal import Foundation
internal import Synchronization

/// The state of a recording that any thread can read.
final class RecordingProgress: Sendable {
  /// The values of the state.
  struct Values: Sendable {
    /// The file of the current recording, or `nil` if there is none.
    var url: URL?
    /// The duration of the current recording in microseconds.
    var duration = 0
    /// The number of bytes that were written.
    var size = 0
    /// The number of frames that wait for the encoder.
    var pendingFrames = 0
    /// The limits of the next recording.
    var limits = MovieRecording.Limits()
    /// The codec and the bit rate of the next recording.
    var settings = MovieSettings()
  }

  private let state = Mutex(Values())

  init() {}

  /// The current values.
  var values: Values { state.withLock { $0 } }

  /// Changes the values in one step, and returns the result of `body`.
  @discardableResult
  func update<Result: Sendable>(_ body: (inout Values) -> Result) -> Result { state.withLock { body(&$0) } }
}
