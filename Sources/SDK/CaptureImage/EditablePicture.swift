// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// A copy of a frame with modifiable pixels, for processing before encoding.
///
/// The samples are those of the frame: 8 bits each, planes Y, U and V, chroma subsampled 2x2 (I420). It is a
/// value type and may be used on any thread.
public struct EditablePicture: Sendable, Hashable {
  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// The samples of the three planes in row order.
  private var samples: [[UInt8]]

  /// Copies a frame.
  ///
  /// If the frame is borrowed and not a copy, check ``LockedCameraCapture/CaptureFrame/isIntact`` afterwards.
  public init(_ frame: borrowing CaptureFrame) {
    width = frame.width
    height = frame.height
    samples = []
    for plane in CaptureFrame.Plane.allCases {
      let layout = frame.layout(of: plane)
      samples.append(frame.withPlane(plane) { Self.packed($0, layout) })
    }
  }

  /// Returns the samples of a plane without the padding between rows.
  private static func packed(_ bytes: RawSpan, _ layout: PlaneLayout) -> [UInt8] {
    bytes.withUnsafeBytes { bytes in
      var packed: [UInt8] = []
      packed.reserveCapacity(layout.width * layout.height)
      for row in 0..<layout.height {
        packed.append(contentsOf: bytes[row * layout.stride..<row * layout.stride + layout.width])
      }
      return packed
    }
  }

  /// Returns the layout of a plane in ``bytes(of:)``: rows without padding.
  public func layout(of plane: CaptureFrame.Plane) -> PlaneLayout {
    let isChroma = plane != .luma
    let (columns, rows) = isChroma ? ((width + 1) / 2, (height + 1) / 2) : (width, height)
    return PlaneLayout(width: columns, height: rows, stride: columns)
  }

  /// Returns the samples of a plane in row order.
  public func bytes(of plane: CaptureFrame.Plane) -> [UInt8] { samples[plane.rawValue] }

  /// The sample of a plane at a column and row of that plane; an index outside the plane traps.
  public subscript(plane: CaptureFrame.Plane, column column: Int, row row: Int) -> UInt8 {
    get { samples[plane.rawValue][offset(plane, column, row)] }
    set { samples[plane.rawValue][offset(plane, column, row)] = newValue }
  }

  /// Returns the offset of a sample in its plane.
  private func offset(_ plane: CaptureFrame.Plane, _ column: Int, _ row: Int) -> Int {
    let layout = layout(of: plane)
    precondition(
      (0..<layout.width).contains(column) && (0..<layout.height).contains(row),
      "column \(column), row \(row) is outside the plane, which has \(layout.width) by \(layout.height) samples"
    )
    return row * layout.stride + column
  }
}
