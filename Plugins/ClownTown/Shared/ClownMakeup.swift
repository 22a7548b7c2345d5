// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// A face full of paint: where each colour goes in a picture of any size.
///
/// It is the same in the viewfinder and on the portrait, so that a clown gets what they have seen.
public struct ClownMakeup: Sendable {
  /// A round spot of paint.
  public struct Spot: Sendable, Hashable {
    /// The column of its centre.
    public let x: Int
    /// The row of its centre.
    public let y: Int
    /// Pixels from the centre to the edge.
    public let radius: Int
    /// Its paint.
    public let color: PreviewColor

    /// The rows of the spot, each as the rectangle that it covers.
    public var rows: [PixelRectangle] {
      (-radius...radius).map { row in
        let half = Int(Double(radius * radius - row * row).squareRoot())
        return PixelRectangle(x: x - half, y: y + row, width: 2 * half + 1, height: 1)
      }
    }
  }

  /// The spots; a later one is painted over an earlier one.
  public let spots: [Spot]

  /// The make-up for a picture with a face in its middle.
  public init(width: Int, height: Int) {
    let unit = max(1, min(width, height) / 40)
    let (x, y) = (width / 2, height / 2)
    let rose = PreviewColor(luma: 140, blue: 115, red: 175)
    let blue = PreviewColor(luma: 60, blue: 200, red: 110)
    spots = [
      Spot(x: x - 8 * unit, y: y + 3 * unit, radius: 3 * unit, color: rose),
      Spot(x: x + 8 * unit, y: y + 3 * unit, radius: 3 * unit, color: rose),
      Spot(x: x - 6 * unit, y: y - 7 * unit, radius: 2 * unit, color: blue),
      Spot(x: x + 6 * unit, y: y - 7 * unit, radius: 2 * unit, color: blue),
      // Nobody is a clown without it.
      Spot(x: x, y: y, radius: 4 * unit, color: .red),
    ]
  }
}
