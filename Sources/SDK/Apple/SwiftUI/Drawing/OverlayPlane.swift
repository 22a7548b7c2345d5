// SPDX-License-Identifier: Apache-2.0

/// One component of a picture: samples multiplied by their opacity, and the opacity of each sample.
struct OverlayPlane {
  let width: Int
  private(set) var values: [UInt8] = []
  private(set) var opacities: [UInt8] = []
  /// The columns of each row that are not transparent.
  private(set) var spans: [Range<Int>]

  /// Creates a transparent plane, whose samples are allocated at the first change.
  init(width: Int, height: Int) {
    self.width = width
    spans = [Range<Int>](repeating: 0..<0, count: height)
  }

  /// Calls `write` with the values and the opacities of each of some rows, to change them.
  mutating func update(
    rows: Range<Int>,
    _ write: (_ row: Int, _ values: UnsafeMutablePointer<UInt8>, _ opacities: UnsafeMutablePointer<UInt8>) ->
      Void
  ) {
    if values.isEmpty {
      values = [UInt8](repeating: 0, count: width * spans.count)
      opacities = values
    }
    let width = width
    values.withUnsafeMutableBufferPointer { values in
      opacities.withUnsafeMutableBufferPointer { opacities in
        guard let values = values.baseAddress, let opacities = opacities.baseAddress else { return }
        for row in rows {
          write(row, values + row * width, opacities + row * width)
          spans[row] = Self.span(opacities + row * width, width)
        }
      }
    }
  }

  /// Returns the columns of a row between the first and the last one that are not transparent.
  private static func span(_ opacities: UnsafePointer<UInt8>, _ width: Int) -> Range<Int> {
    // Eight columns at a time: most rows of an interface are transparent.
    let bytes = UnsafeRawPointer(opacities)
    var (first, last) = (0, width)
    while first + 8 <= width, bytes.loadUnaligned(fromByteOffset: first, as: UInt64.self) == 0 { first += 8 }
    while first < width, opacities[first] == 0 { first += 1 }
    while last - 8 >= first, bytes.loadUnaligned(fromByteOffset: last - 8, as: UInt64.self) == 0 { last -= 8 }
    while last > first, opacities[last - 1] == 0 { last -= 1 }
    return first < last ? first..<last : 0..<0
  }

  /// Blends a row over the samples of a frame; columns without content cost nothing.
  func blend(_ row: Int, over target: UnsafeMutablePointer<UInt8>, stride: Int) {
    let span = spans[row].clamped(to: 0..<min(stride, width))
    guard !span.isEmpty else { return }
    let start = row * width + span.lowerBound
    values.withUnsafeBufferPointer { values in
      opacities.withUnsafeBufferPointer { opacities in
        guard let values = values.baseAddress, let opacities = opacities.baseAddress else { return }
        Self.blend(values + start, opacities + start, span.count, target + span.lowerBound)
      }
    }
  }

  /// Blends samples over others. The loop is simple enough that the compiler vectorizes it.
  private static func blend(
    _ values: UnsafePointer<UInt8>,
    _ opacities: UnsafePointer<UInt8>,
    _ count: Int,
    _ target: UnsafeMutablePointer<UInt8>
  ) {
    // A value is at most its opacity, so that the sum is at most 255.
    for index in 0..<count {
      target[index] = values[index] &+ target[index].multiplied(by: 255 &- opacities[index])
    }
  }
}
