// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// A copy of a frame whose pixels can be changed before it is encoded.
///
/// The samples are the frame's: 8 bits each, planes Y, U and V, chroma halved both ways (I420). It is a value, and may
/// be used in any thread.
public struct EditablePicture: Sendable, Hashable {
  /// Pixels in a row.
  public let width: Int
  /// Rows.
  public let height: Int
  /// The samples of the three planes, row after row.
  private var samples: [[UInt8]]

  /// Copies a frame.
  ///
  /// Of a frame that is lent, and not a copy, ask afterwards whether it ``LockedCameraCapture/CaptureFrame/isIntact``.
  public init(_ frame: borrowing CaptureFrame) {
    width = frame.width
    height = frame.height
    samples = []
    for plane in CaptureFrame.Plane.allCases {
      let layout = frame.layout(of: plane)
      samples.append(frame.withPlane(plane) { Self.tight($0, layout) })
    }
  }

  /// The samples of a plane without what lies between its rows.
  private static func tight(_ bytes: RawSpan, _ layout: PlaneLayout) -> [UInt8] {
    bytes.withUnsafeBytes { bytes in
      var tight: [UInt8] = []
      tight.reserveCapacity(layout.width * layout.height)
      for row in 0..<layout.height {
        tight.append(contentsOf: bytes[row * layout.stride..<row * layout.stride + layout.width])
      }
      return tight
    }
  }

  /// How a plane lies in ``bytes(of:)``: row after row, and nothing between.
  public func layout(of plane: CaptureFrame.Plane) -> PlaneLayout {
    let isChroma = plane != .luma
    let (columns, rows) = isChroma ? ((width + 1) / 2, (height + 1) / 2) : (width, height)
    return PlaneLayout(width: columns, height: rows, stride: columns)
  }

  /// The samples of a plane, row after row.
  public func bytes(of plane: CaptureFrame.Plane) -> [UInt8] { samples[plane.rawValue] }

  /// One sample of a plane, by its column and row in that plane; reading or writing outside of it ends the program.
  public subscript(plane: CaptureFrame.Plane, column column: Int, row row: Int) -> UInt8 {
    get { samples[plane.rawValue][offset(plane, column, row)] }
    set { samples[plane.rawValue][offset(plane, column, row)] = newValue }
  }

  /// Where a sample is in its plane.
  private func offset(_ plane: CaptureFrame.Plane, _ column: Int, _ row: Int) -> Int {
    let layout = layout(of: plane)
    precondition(
      (0..<layout.width).contains(column) && (0..<layout.height).contains(row),
      "column \(column), row \(row) is outside of the plane, which has \(layout.width) by \(layout.height) samples"
    )
    return row * layout.stride + column
  }
}
