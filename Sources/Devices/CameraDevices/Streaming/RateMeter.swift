// SPDX-License-Identifier: Apache-2.0

internal import CameraSource

/// A meter of a camera's actual frame rate: many cameras become slower in the dark without reporting it. A
/// value without a clock.
struct RateMeter: Equatable {
  /// The minimum duration of a measurement, in nanoseconds.
  static let window: UInt64 = 2_000_000_000
  /// The minimum number of frames of a measurement.
  static let frames: UInt32 = 8
  /// The difference from the last reported rate, in percent, above which a new rate is reported.
  static let tolerance = 20

  /// The last reported rate.
  private(set) var reportedRate: FrameRate
  /// The first frame of the measurement, or `nil` before it.
  private var first: (sequence: UInt32, time: UInt64)?

  /// Creates a meter with the rate that the driver reports.
  init(_ reportedRate: FrameRate) { self.reportedRate = reportedRate }

  /// Restarts the measurement, because frames have stopped or the driver reports another rate.
  mutating func restart(with reportedRate: FrameRate? = nil) {
    self.reportedRate = reportedRate ?? self.reportedRate
    first = nil
  }

  /// Records a frame with the driver's frame counter, which includes lost frames. Returns the rate if it
  /// changed, or `nil`.
  mutating func record(_ sequence: UInt32, at time: UInt64) -> FrameRate? {
    guard let begin = first, time > begin.time else {
      first = (sequence, time)
      return nil
    }
    let (count, elapsed) = (sequence &- begin.sequence, time - begin.time)
    guard elapsed >= Self.window, count >= Self.frames else { return nil }
    first = (sequence, time)
    // In hundredths of a frame per second.
    let measured = Int((UInt64(count) * 100_000_000_000 + elapsed / 2) / elapsed)
    let expected = 100 * Int(reportedRate.numerator) / Int(reportedRate.denominator)
    guard abs(measured - expected) * 100 > Self.tolerance * expected else { return nil }
    let rounded = (measured + 50) / 100
    let isWhole = rounded > 0 && abs(measured - 100 * rounded) * 50 <= measured
    guard let rate = isWhole ? FrameRate(rounded) : FrameRate(measured, 100) else { return nil }
    reportedRate = rate
    return rate
  }

  /// Whether both meters are in the same state.
  static func == (one: RateMeter, other: RateMeter) -> Bool {
    one.reportedRate == other.reportedRate && one.first?.sequence == other.first?.sequence
      && one.first?.time == other.first?.time
  }
}
