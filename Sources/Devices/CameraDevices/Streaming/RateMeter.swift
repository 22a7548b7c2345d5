// SPDX-License-Identifier: Apache-2.0

internal import CameraSource

/// How fast a camera really is: many become slower in the dark and tell nobody. A value without a clock.
struct RateMeter: Equatable {
  /// How long frames are counted before anything is said, in nanoseconds.
  static let window: UInt64 = 2_000_000_000
  /// The least number of frames of a window.
  static let frames: UInt32 = 8
  /// By how many hundredths a rate has to differ from what was said before it is said anew.
  static let tolerance = 20

  /// What was said last.
  private(set) var told: FrameRate
  /// The first frame of the window; nil: the next one is.
  private var first: (sequence: UInt32, time: UInt64)?

  /// Begins with what the driver says.
  init(_ told: FrameRate) { self.told = told }

  /// Frames have stopped, or something else is known of the rate.
  mutating func restart(with told: FrameRate? = nil) {
    self.told = told ?? self.told
    first = nil
  }

  /// A frame was taken; the driver's count also counts those that were lost. Returns the rate if it is another.
  mutating func note(_ sequence: UInt32, at time: UInt64) -> FrameRate? {
    guard let begin = first, time > begin.time else {
      first = (sequence, time)
      return nil
    }
    let (count, elapsed) = (sequence &- begin.sequence, time - begin.time)
    guard elapsed >= Self.window, count >= Self.frames else { return nil }
    first = (sequence, time)
    // In hundredths of a frame a second.
    let measured = Int((UInt64(count) * 100_000_000_000 + elapsed / 2) / elapsed)
    let expected = 100 * Int(told.numerator) / Int(told.denominator)
    guard abs(measured - expected) * 100 > Self.tolerance * expected else { return nil }
    let rounded = (measured + 50) / 100
    let isWhole = rounded > 0 && abs(measured - 100 * rounded) * 50 <= measured
    guard let rate = isWhole ? FrameRate(rounded) : FrameRate(measured, 100) else { return nil }
    told = rate
    return rate
  }

  /// Whether both would go on alike.
  static func == (one: RateMeter, other: RateMeter) -> Bool {
    one.told == other.told && one.first?.sequence == other.first?.sequence
      && one.first?.time == other.first?.time
  }
}
