// SPDX-License-Identifier: Apache-2.0

/// When frames are due: a value without a clock.
///
/// Each moment is computed from the frame's number, so that waiting a little too long never adds up.
struct FrameSchedule: Equatable {
  /// How late a frame may be before the schedule begins anew with it; less is caught up with.
  static let patience: UInt64 = 500_000_000

  /// How many frames a second there are.
  let rate: FrameRate
  /// When the first frame was due; nil before it.
  private var origin: UInt64?
  /// How many frames were due since ``origin``.
  private var index: UInt64 = 0

  /// A schedule that begins with its first frame.
  init(rate: FrameRate) { self.rate = rate }

  /// When the next frame is due, given that it is there now.
  mutating func nextDeadline(now: UInt64) -> UInt64 {
    if let origin {
      let deadline = origin + rate.time(ofFrame: index)
      if deadline + Self.patience >= now {
        index += 1
        return deadline
      }
    }
    origin = now
    index = 1
    return now
  }

  /// Begins anew with the next frame, after a pause.
  mutating func restart() { origin = nil }
}
