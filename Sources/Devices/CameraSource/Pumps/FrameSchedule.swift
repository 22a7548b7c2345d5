// SPDX-License-Identifier: Apache-2.0

/// The due times of frames. A value without a clock.
///
/// Each time is computed from the frame's index, so that late wake-ups do not accumulate.
struct FrameSchedule: Equatable {
  /// The maximum lag of a frame, in nanoseconds. A smaller lag is caught up; after a larger one, the schedule
  /// restarts.
  static let maximumLag: UInt64 = 500_000_000

  let rate: FrameRate
  /// The due time of frame 0, or `nil` before it.
  private var origin: UInt64?
  /// The number of frames since ``origin``.
  private var index: UInt64 = 0

  /// Creates a schedule that starts with its first frame.
  init(rate: FrameRate) { self.rate = rate }

  /// Returns the due time of the next frame, which is available at `now`.
  mutating func nextDeadline(now: UInt64) -> UInt64 {
    if let origin {
      let deadline = origin + rate.time(ofFrame: index)
      if deadline + Self.maximumLag >= now {
        index += 1
        return deadline
      }
    }
    origin = now
    index = 1
    return now
  }

  /// Restarts the schedule with the next frame, after a pause.
  mutating func restart() { origin = nil }
}
