// SPDX-License-Identifier: Apache-2.0

internal import CPipeWire
internal import CameraSource

extension darkroom_pipewire_format {
  /// Whether it is of one size only.
  var isOneSize: Bool { width.0 == width.1 && height.0 == height.1 }

  /// The sizes.
  var sizes: CameraSizes {
    if isOneSize { return .listed([size(0)]) }
    return .range(
      from: size(0),
      to: size(1),
      widthStep: max(1, Int(width.2)),
      heightStep: max(1, Int(height.2))
    )
  }

  /// The least size, or the greatest.
  func size(_ end: Int) -> CameraSize {
    CameraSize(
      width: Int(end == 0 ? width.0 : width.1),
      height: Int(end == 0 ? height.0 : height.1),
      rates: frameRates
    )
  }

  /// The rates that are some: a camera whose rate varies says 0.
  var frameRates: [FrameRate] {
    withUnsafeBytes(of: rates) { bytes in
      let numbers = bytes.bindMemory(to: UInt32.self)
      return (0..<Int(rate_count)).compactMap { FrameRate(Int(numbers[2 * $0]), Int(numbers[2 * $0 + 1])) }
    }
  }
}

extension CameraPicture {
  /// What was settled; rows and planes follow each other without gaps where they are copied to.
  init(_ settled: darkroom_pipewire_format) {
    let pixels = PixelFormat(code: settled.pixels)
    self.init(
      withoutGaps: pixels,
      width: Int(settled.width.0),
      height: Int(settled.height.0),
      range: Self.range(pixels, isFull: settled.is_full_range)
    )
  }

  /// A picture whose rows and planes follow each other.
  init(withoutGaps pixels: PixelFormat, width: Int, height: Int, range: ColorRange) {
    self.init(pixels, width: width, height: height, range: range)
    // Of planes the rows of the first count.
    stride = pixels.bitsPerPixel.map { $0 == 12 ? width : width * $0 / 8 } ?? 0
    bytes = leastBytes ?? 0
  }

  /// Which numbers frames use as they come out of the conversion; `isFull` is 1, 0, or -1 where nobody says.
  static func range(_ pixels: PixelFormat, isFull: Int32) -> ColorRange {
    // What libv4lconvert makes of RGB has the limited range.
    if pixels.isRGB { return .limited }
    return isFull == 1 || (isFull < 0 && pixels.isCompressed) ? .full : .limited
  }
}
