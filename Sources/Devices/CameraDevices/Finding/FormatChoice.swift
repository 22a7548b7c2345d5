// SPDX-License-Identifier: Apache-2.0

internal import CameraSource

/// The format, size and rate that come nearest to what is wanted. A value without I/O.
struct FormatChoice: Hashable {
  /// How the pixels are laid out.
  let pixels: PixelFormat
  /// Pixels in a row, an even number.
  let width: Int
  /// Rows, an even number.
  let height: Int
  /// The rate; what was wanted where the device does not list any.
  let rate: FrameRate

  /// The best of all that a device has; nil: it has nothing that can be converted.
  ///
  /// The size counts first, then a rate that is reached to nine tenths, then how little the conversion costs.
  static func best(_ formats: [CameraFormat], for wanted: CameraSpecification) -> FormatChoice? {
    var best: (choice: FormatChoice, score: [Int])?
    for format in formats where wanted.pixels.map({ $0 == format.pixels }) ?? true {
      guard let cost = PixelFormat.preferred.firstIndex(of: format.pixels) else { continue }
      for size in candidates(format.sizes, wanted) where size.width % 2 == 0 && size.height % 2 == 0 {
        let rate = nearest(size.rates, to: wanted.rate)
        let score = [
          abs(size.width - wanted.width) + abs(size.height - wanted.height), lack(of: rate, wanted.rate),
          cost,
        ]
        if let best, !score.lexicographicallyPrecedes(best.score) { continue }
        let choice = FormatChoice(pixels: format.pixels, width: size.width, height: size.height, rate: rate)
        best = (choice, score)
      }
    }
    return best?.choice
  }

  /// The sizes that come into question.
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

  /// The number of a range that is even and nearest to another.
  private static func nearest(_ wanted: Int, from least: Int, to most: Int, step: Int) -> Int {
    // Of an odd step every second is even, if the first is.
    let step = max(1, step)
    let even = step % 2 == 0 ? step : 2 * step
    let start = least % 2 == 0 ? least : least + step
    guard most > start else { return start }
    let steps = (min(max(wanted, start), most) - start + even / 2) / even
    return min(start + steps * even, start + (most - start) / even * even)
  }

  /// The rate of a list that is nearest to another; that one if the list is empty.
  private static func nearest(_ rates: [FrameRate], to wanted: FrameRate) -> FrameRate {
    rates.min { abs($0.hundredths - wanted.hundredths) < abs($1.hundredths - wanted.hundredths) } ?? wanted
  }

  /// By how much a rate falls short, in hundredths of a frame a second; a tenth is no matter.
  private static func lack(of rate: FrameRate, _ wanted: FrameRate) -> Int {
    rate.hundredths * 10 >= wanted.hundredths * 9 ? 0 : wanted.hundredths - rate.hundredths
  }
}

extension FrameRate {
  /// Frames in a hundred seconds.
  var hundredths: Int { 100 * Int(numerator) / Int(denominator) }
}
