// SPDX-License-Identifier: Apache-2.0

internal import CameraSource

/// The format, size and rate nearest to a specification. A value without I/O.
struct FormatChoice: Hashable {
  let pixels: PixelFormat
  /// The width in pixels; even.
  let width: Int
  /// The height in pixels; even.
  let height: Int
  /// The rate; the requested one if the device lists none.
  let rate: FrameRate

  /// Returns the best choice of all formats of a device, or `nil` if none can be converted.
  ///
  /// The size has priority, then a rate of at least nine tenths of the requested one, then the cost of the
  /// conversion.
  static func best(_ formats: [CameraFormat], for wanted: CameraSpecification) -> FormatChoice? {
    var best: (choice: FormatChoice, score: [Int])?
    for format in formats where wanted.pixels.map({ $0 == format.pixels }) ?? true {
      guard let cost = PixelFormat.preferred.firstIndex(of: format.pixels) else { continue }
      for size in candidates(format.sizes, wanted) where size.width % 2 == 0 && size.height % 2 == 0 {
        let rate = nearest(size.rates, to: wanted.rate)
        let score = [
          abs(size.width - wanted.width) + abs(size.height - wanted.height), shortfall(of: rate, wanted.rate),
          cost,
        ]
        if let best, !score.lexicographicallyPrecedes(best.score) { continue }
        let choice = FormatChoice(pixels: format.pixels, width: size.width, height: size.height, rate: rate)
        best = (choice, score)
      }
    }
    return best?.choice
  }

  /// Returns the sizes to consider.
  private static func candidates(_ sizes: CameraSizes, _ wanted: CameraSpecification) -> [CameraSize] {
    switch sizes {
    case .listed(let listed): return listed
    case .range(let least, let most, let widthStep, let heightStep):
      let width = nearest(wanted.width, from: least.width, to: most.width, step: widthStep)
      let height = nearest(wanted.height, from: least.height, to: most.height, step: heightStep)
      let rates = [least, most].first { !$0.rates.isEmpty }?.rates ?? []
      return [CameraSize(width: width, height: height, rates: rates)]
    }
  }

  /// Returns the even number in a range that is nearest to another number.
  private static func nearest(_ wanted: Int, from least: Int, to most: Int, step: Int) -> Int {
    // With an odd step, every second number is even, if the first one is.
    let step = max(1, step)
    let even = step % 2 == 0 ? step : 2 * step
    let start = least % 2 == 0 ? least : least + step
    guard most > start else { return start }
    let steps = (min(max(wanted, start), most) - start + even / 2) / even
    return min(start + steps * even, start + (most - start) / even * even)
  }

  /// Returns the rate of a list that is nearest to the requested one, or the requested one if the list is
  /// empty.
  private static func nearest(_ rates: [FrameRate], to wanted: FrameRate) -> FrameRate {
    rates.min { abs($0.hundredths - wanted.hundredths) < abs($1.hundredths - wanted.hundredths) } ?? wanted
  }

  /// Returns by how much a rate is below the requested one, in hundredths of a frame per second. One tenth of
  /// the requested rate is tolerated.
  private static func shortfall(of rate: FrameRate, _ wanted: FrameRate) -> Int {
    rate.hundredths * 10 >= wanted.hundredths * 9 ? 0 : wanted.hundredths - rate.hundredths
  }
}

extension FrameRate {
  /// Frames in 100 seconds.
  var hundredths: Int { 100 * Int(numerator) / Int(denominator) }
}
