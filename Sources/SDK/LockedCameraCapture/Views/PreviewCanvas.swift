// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// A rectangle of pixels. Drawing is clipped to the frame.
public struct PixelRectangle: Hashable, Sendable {
  /// The first column, counted from 0 at the left.
  public var x: Int
  /// The first row, counted from 0 at the top.
  public var y: Int
  /// The number of columns.
  public var width: Int
  /// The number of rows.
  public var height: Int

  /// Creates a rectangle.
  ///
  /// A rectangle with a width or height of at most 0 is empty.
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

/// A color in the color space of the viewfinder: YCbCr with 8 bits per component and full range, as in JPEG
/// files (JFIF).
public struct PreviewColor: Hashable, Sendable {
  /// The luma, Y: 0 is black, 255 is white.
  public var luma: UInt8
  /// The blue difference, U: 128 is gray.
  public var blue: UInt8
  /// The red difference, V: 128 is gray.
  public var red: UInt8

  /// Creates a color; with only a luma, creates a shade of gray.
  public init(luma: UInt8, blue: UInt8 = 128, red: UInt8 = 128) {
    (self.luma, self.blue, self.red) = (luma, blue, red)
  }

  /// Black.
  public static let black = PreviewColor(luma: 0)
  /// White.
  public static let white = PreviewColor(luma: 255)
  /// The red of a recording indicator.
  public static let red = PreviewColor(luma: 76, blue: 85, red: 255)
  /// Green.
  public static let green = PreviewColor(luma: 150, blue: 44, red: 21)
  /// Yellow.
  public static let yellow = PreviewColor(luma: 226, blue: 1, red: 149)
}

/// One frame of the viewfinder during drawing.
///
/// It is valid only during the call to which it is passed.
public struct PreviewCanvas: ~Copyable {
  /// The width in pixels, equal to the camera's.
  public let width: Int
  /// The height in pixels, equal to the camera's.
  public let height: Int
  private let slot: UnsafeMutableRawBufferPointer
  private let planes: [FramePlane]
  /// Whether all pixels that were copied from the camera's frame belong to that frame.
  private(set) var isIntact = true

  init(_ slot: UnsafeMutableRawBufferPointer, _ geometry: FrameRingGeometry) {
    self.slot = slot
    width = geometry.width
    height = geometry.height
    planes = geometry.planes
  }

  /// Draws the camera's frame over the whole canvas.
  mutating func draw(_ frame: borrowing CaptureFrame) {
    for plane in CaptureFrame.Plane.allCases {
      let target = planes[plane.rawValue]
      let source = frame.layout(of: plane)
      let rows = min(target.rows, source.height)
      let bytes = min(target.rowBytes, source.width)
      frame.withPlane(plane) { pixels in
        pixels.withUnsafeBytes { pixels in
          // One copy suffices if the rows are contiguous, as a host lays them out.
          if target.stride == bytes, source.stride == bytes {
            return copy(pixels[..<(rows * bytes)], to: target.offset)
          }
          for row in 0..<rows {
            let start = row * source.stride
            copy(pixels[start..<start + bytes], to: target.offset + row * target.stride)
          }
        }
      }
    }
    if !frame.isIntact { isIntact = false }
  }

  /// Draws the camera's frame in a part of the canvas.
  @MainActor mutating func draw(_ frame: borrowing CaptureFrame, in part: any FramePart) {
    part.draw(frame, on: &self)
    if !frame.isIntact { isIntact = false }
  }

  private func copy(_ pixels: Slice<UnsafeRawBufferPointer>, to offset: Int) {
    UnsafeMutableRawBufferPointer(rebasing: slot[offset..<offset + pixels.count]).copyMemory(
      from: UnsafeRawBufferPointer(rebasing: pixels)
    )
  }

  /// Fills a rectangle with a color.
  ///
  /// Chroma has half the resolution, so the chroma of odd edges extends by one pixel.
  ///
  /// - Parameters:
  ///   - rectangle: The rectangle, or `nil` to fill the whole frame.
  ///   - color: The color.
  public mutating func fill(_ rectangle: PixelRectangle? = nil, _ color: PreviewColor) {
    let whole = PixelRectangle(x: 0, y: 0, width: width, height: height)
    let rectangle = rectangle ?? whole
    let left = min(max(rectangle.x, 0), width)
    let top = min(max(rectangle.y, 0), height)
    let right = min(max(rectangle.x.addingClamped(rectangle.width), left), width)
    let bottom = min(max(rectangle.y.addingClamped(rectangle.height), top), height)
    guard left < right, top < bottom else { return }
    fill(.luma, left..<right, top..<bottom, color.luma)
    let columns = left / 2..<(right + 1) / 2
    let rows = top / 2..<(bottom + 1) / 2
    fill(.blue, columns, rows, color.blue)
    fill(.red, columns, rows, color.red)
  }

  /// Draws the border of a rectangle, inside its edges.
  ///
  /// - Parameters:
  ///   - rectangle: The rectangle.
  ///   - color: The color.
  ///   - lineWidth: The width of the border in pixels.
  public mutating func stroke(_ rectangle: PixelRectangle, _ color: PreviewColor, lineWidth: Int = 2) {
    let (x, y, width, height) = (rectangle.x, rectangle.y, rectangle.width, rectangle.height)
    guard width > 0, height > 0, lineWidth > 0 else { return }
    let across = min(lineWidth, width)
    let down = min(lineWidth, height)
    fill(PixelRectangle(x: x, y: y, width: width, height: down), color)
    fill(PixelRectangle(x: x, y: y.addingClamped(height - down), width: width, height: down), color)
    fill(PixelRectangle(x: x, y: y, width: across, height: height), color)
    fill(PixelRectangle(x: x.addingClamped(width - across), y: y, width: across, height: height), color)
  }

  /// Calls `body` with the samples of a plane, the number of bytes from row to row, and the number of rows.
  package mutating func withPlane(
    _ plane: CaptureFrame.Plane,
    _ body: (_ samples: UnsafeMutablePointer<UInt8>, _ stride: Int, _ rows: Int) -> Void
  ) {
    let plane = planes[plane.rawValue]
    guard let start = slot.baseAddress else { return }
    let samples = (start + plane.offset).assumingMemoryBound(to: UInt8.self)
    body(samples, plane.stride, plane.rows)
  }

  private func fill(_ plane: CaptureFrame.Plane, _ columns: Range<Int>, _ rows: Range<Int>, _ value: UInt8) {
    let plane = planes[plane.rawValue]
    for row in rows {
      let start = plane.offset + row * plane.stride
      UnsafeMutableRawBufferPointer(rebasing: slot[start + columns.lowerBound..<start + columns.upperBound])
        .initializeMemory(as: UInt8.self, repeating: value)
    }
  }
}

extension Int {
  /// Returns the sum, clamped to the range of `Int`.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }
}
