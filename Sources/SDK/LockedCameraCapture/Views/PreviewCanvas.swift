// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol

/// A rectangle of pixels; what is outside of the picture is not drawn.
public struct PixelRectangle: Hashable, Sendable {
  /// The first column, from 0 at the left.
  public var x: Int
  /// The first row, from 0 at the top.
  public var y: Int
  /// Columns.
  public var width: Int
  /// Rows.
  public var height: Int

  /// Makes a rectangle; one with no columns or rows, or fewer, is empty.
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

/// A colour as the viewfinder has it: brightness and two differences, 8 bits each, full range, as in JPEG files (JFIF).
public struct PreviewColor: Hashable, Sendable {
  /// Brightness, Y: 0 is black, 255 is white.
  public var luma: UInt8
  /// Blue difference, U: 128 is grey.
  public var blue: UInt8
  /// Red difference, V: 128 is grey.
  public var red: UInt8

  /// Makes a colour; a grey if only its brightness is given.
  public init(luma: UInt8, blue: UInt8 = 128, red: UInt8 = 128) {
    (self.luma, self.blue, self.red) = (luma, blue, red)
  }

  /// Black.
  public static let black = PreviewColor(luma: 0)
  /// White.
  public static let white = PreviewColor(luma: 255)
  /// The red of a recording that runs.
  public static let red = PreviewColor(luma: 76, blue: 85, red: 255)
  /// Green.
  public static let green = PreviewColor(luma: 150, blue: 44, red: 21)
  /// Yellow.
  public static let yellow = PreviewColor(luma: 226, blue: 1, red: 149)
}

/// One picture of the viewfinder while it is drawn; it is valid only during the call that it is given to.
public struct PreviewCanvas: ~Copyable {
  /// Pixels in a row, as the camera has them.
  public let width: Int
  /// Rows, as the camera has them.
  public let height: Int
  private let slot: UnsafeMutableRawBufferPointer
  private let planes: [FramePlane]
  /// Whether everything that was drawn of the camera's frame belongs to that frame.
  private(set) var isIntact = true

  init(_ slot: UnsafeMutableRawBufferPointer, _ geometry: FrameRingGeometry) {
    self.slot = slot
    width = geometry.width
    height = geometry.height
    planes = geometry.planes
  }

  /// Draws the camera's frame, over everything.
  mutating func draw(_ frame: borrowing CaptureFrame) {
    for plane in CaptureFrame.Plane.allCases {
      let target = planes[plane.rawValue]
      let source = frame.layout(of: plane)
      let rows = min(target.rows, source.height)
      let bytes = min(target.rowBytes, source.width)
      frame.withPlane(plane) { pixels in
        pixels.withUnsafeBytes { pixels in
          // One copy where the rows follow each other without gaps, as a host lays them out.
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

  private func copy(_ pixels: Slice<UnsafeRawBufferPointer>, to offset: Int) {
    UnsafeMutableRawBufferPointer(rebasing: slot[offset..<offset + pixels.count]).copyMemory(
      from: UnsafeRawBufferPointer(rebasing: pixels)
    )
  }

  /// Fills a rectangle; nil fills the whole picture. Chroma has half the resolution: odd edges bleed by a pixel.
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

  /// Draws the edge of a rectangle, inside of it, so many pixels wide.
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
  /// The sum, or the nearest number that there is.
  fileprivate func addingClamped(_ other: Int) -> Int {
    let (sum, overflow) = addingReportingOverflow(other)
    return overflow ? (other > 0 ? .max : .min) : sum
  }
}
