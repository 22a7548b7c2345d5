// SPDX-License-Identifier: Apache-2.0

import CaptureImage
import ClownTown
import LockedCameraCapture

extension EditablePicture {
  /// Paints make-up on the picture.
  mutating func paint(_ makeup: ClownMakeup) {
    for spot in makeup.spots {
      for row in spot.rows {
        fill(.luma, row, spot.color.luma, scale: 1)
        fill(.blue, row, spot.color.blue, scale: 2)
        fill(.red, row, spot.color.red, scale: 2)
      }
    }
  }

  /// Fills a row of a plane with one sample per `scale` pixels.
  private mutating func fill(
    _ plane: CaptureFrame.Plane,
    _ rectangle: PixelRectangle,
    _ value: UInt8,
    scale: Int
  ) {
    let layout = layout(of: plane)
    let row = rectangle.y / scale
    guard rectangle.y >= 0, row < layout.height else { return }
    let first = max(0, rectangle.x / scale)
    let last = min(layout.width - 1, (rectangle.x + rectangle.width - 1) / scale)
    guard first <= last else { return }
    for column in first...last { self[plane, column: column, row: row] = value }
  }
}
