// SPDX-License-Identifier: Apache-2.0

internal import CPipeWire
internal import CameraSource

extension darkroom_pipewire_format {
  /// Whether the format has a single size.
  var isSingleSize: Bool { width.0 == width.1 && height.0 == height.1 }

  /// The sizes of the format.
  var sizes: CameraSizes {
    if isSingleSize { return .listed([size(0)]) }
    return .range(
      from: size(0),
      to: size(1),
      widthStep: max(1, Int(width.2)),
      heightStep: max(1, Int(height.2))
    )
  }

  /// Returns the minimum (0) or the maximum size.
  func size(_ end: Int) -> CameraSize {
    CameraSize(
      width: Int(end == 0 ? width.0 : width.1),
      height: Int(end == 0 ? height.0 : height.1),
      rates: frameRates
    )
  }

  /// The valid rates: a camera with a variable rate reports 0.
  var frameRates: [FrameRate] {
    withUnsafeBytes(of: rates) { bytes in
      let numbers = bytes.bindMemory(to: UInt32.self)
      return (0..<Int(rate_count)).compactMap { FrameRate(Int(numbers[2 * $0]), Int(numbers[2 * $0 + 1])) }
    }
  }
}

extension ActiveCameraFormat {
  /// Creates the negotiated format. Rows and planes are copied without gaps.
  init(_ settled: darkroom_pipewire_format) {
    let pixels = PixelFormat(code: settled.pixels)
    self.init(
      packed: pixels,
      width: Int(settled.width.0),
      height: Int(settled.height.0),
      range: Self.range(pixels, isFull: settled.is_full_range)
    )
  }

  /// Creates a format without gaps between rows and planes.
  init(packed pixels: PixelFormat, width: Int, height: Int, range: ColorRange) {
    self.init(pixels, width: width, height: height, range: range)
    // The stride of a planar format is that of its first plane.
    stride = pixels.bitsPerPixel.map { $0 == 12 ? width : width * $0 / 8 } ?? 0
    bytes = minimumBytes ?? 0
  }

  /// Returns the range of the frames after their conversion. `isFull` is 1, 0, or -1 if it is unknown.
  static func range(_ pixels: PixelFormat, isFull: Int32) -> ColorRange {
    // libv4lconvert converts RGB to the limited range.
    if pixels.isRGB { return .limited }
    return isFull == 1 || (isFull < 0 && pixels.isCompressed) ? .full : .limited
  }
}
