// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// The make-up: the position and the color of each spot, for any picture size.
///
/// The viewfinder and the portrait share it, so that they look the same.
public struct ClownMakeup: Sendable {
  /// A round spot of paint.
  public struct Spot: Sendable, Hashable {
    /// The column of the center.
    public let x: Int
    /// The row of the center.
    public let y: Int
    /// The radius in pixels.
    public let radius: Int
    /// The color.
    public let color: PreviewColor

    /// The rows of the spot, as rectangles.
    public var rows: [PixelRectangle] {
      (-radius...radius).map { row in
        let half = Int(Double(radius * radius - row * row).squareRoot())
        return PixelRectangle(x: x - half, y: y + row, width: 2 * half + 1, height: 1)
      }
    }
  }

  /// The spots; later spots are painted over earlier ones.
  public let spots: [Spot]

  /// Creates the make-up for a picture with a face in its center.
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
      // The red nose.
      Spot(x: x, y: y, radius: 4 * unit, color: .red),
    ]
  }
}
