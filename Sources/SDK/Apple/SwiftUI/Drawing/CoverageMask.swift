// SPDX-License-Identifier: Apache-2.0

internal import CFreeType

/// The share of each pixel that an area covers, from 0 to 255.
@MainActor
struct CoverageMask {
  let area: PixelArea
  private(set) var values: [UInt8]

  /// Rasterizes an outline in an area.
  init(_ outline: Outline, in area: PixelArea) {
    self.area = area
    let (width, height) = (area.columns.count, area.rows.count)
    values = [UInt8](repeating: 0, count: width * height)
    // FreeType's rows point up; the first row of a bitmap with a positive pitch is the upper one.
    let flip = Transform(
      y: Vector(0, -1),
      origin: Vector(-Double(area.columns.lowerBound), Double(area.rows.upperBound))
    )
    values.withUnsafeMutableBufferPointer { buffer in
      var bitmap = FT_Bitmap()
      bitmap.rows = UInt32(height)
      bitmap.width = UInt32(width)
      bitmap.pitch = Int32(width)
      bitmap.buffer = buffer.baseAddress
      bitmap.num_grays = 256
      bitmap.pixel_mode = UInt8(FT_PIXEL_MODE_GRAY.rawValue)
      // A failure, for lack of memory, leaves the area empty.
      _ = outline.transformed(by: flip).withFreeType { FT_Outline_Get_Bitmap(FreeType.library, &$0, &bitmap) }
    }
  }

  /// Calls `body` with the values, row by row.
  mutating func withValues(_ body: (UnsafeMutablePointer<UInt8>) -> Void) {
    values.withUnsafeMutableBufferPointer { values in
      if let start = values.baseAddress { body(start) }
    }
  }

  /// Multiplies the coverages of columns in a row of pixels by those of the mask.
  func reduce(_ coverages: UnsafeMutablePointer<UInt8>, _ row: Int, _ columns: Range<Int>) {
    let start = (row - area.rows.lowerBound) * area.columns.count - area.columns.lowerBound
    values.withUnsafeBufferPointer { values in
      for column in columns { coverages[column] = coverages[column].multiplied(by: values[start + column]) }
    }
  }
}
