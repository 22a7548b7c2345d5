// SPDX-License-Identifier: Apache-2.0

internal import LockedCameraCapture

/// The drawing of one plane of a frame through a transform: each pixel shows the nearest sample.
struct PlaneSampler {
  /// From pixels of the target to samples of the source.
  private let transform: Transform
  private let layout: PlaneLayout
  /// The distance between source and target if the transform is a translation by whole samples, or `nil`.
  private let shift: (columns: Int, rows: Int)?

  init(_ transform: Transform, _ layout: PlaneLayout) {
    (self.transform, self.layout) = (transform, layout)
    // A deviation of a hundredth of a sample, as of rounded numbers, is invisible.
    let shift = transform.origin.rounded(.toNearestOrAwayFromZero)
    let size = Vector(Double(layout.width), Double(layout.height))
    let corner = transform.apply(size) - size - shift
    let side = transform.apply(Vector(size.x, 0)) - Vector(size.x, 0) - shift
    let deviations = [transform.origin - shift, corner, side].flatMap { [abs($0.x), abs($0.y)] }
    self.shift = deviations.allSatisfy { $0 < 0.01 } ? (Int(shift.x), Int(shift.y)) : nil
  }

  /// Draws the samples of a source in columns of a row of a target.
  func draw(
    _ source: UnsafeRawBufferPointer,
    _ row: Int,
    _ columns: Range<Int>,
    _ target: UnsafeMutablePointer<UInt8>
  ) {
    guard let source = source.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
    if !copy(row, columns, source, target) { sample(row, columns, source, target) }
  }

  /// Copies a row, if the transform is a translation and all samples of the row exist.
  private func copy(
    _ row: Int,
    _ columns: Range<Int>,
    _ source: UnsafePointer<UInt8>,
    _ target: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    guard let shift, (0..<layout.height).contains(row + shift.rows),
      columns.lowerBound + shift.columns >= 0, columns.upperBound + shift.columns <= layout.width
    else { return false }
    let start = (row + shift.rows) * layout.stride + columns.lowerBound + shift.columns
    (target + columns.lowerBound).update(from: source + start, count: columns.count)
    return true
  }

  /// Draws the nearest samples, and the samples at the edge outside the source.
  private func sample(
    _ row: Int,
    _ columns: Range<Int>,
    _ source: UnsafePointer<UInt8>,
    _ target: UnsafeMutablePointer<UInt8>
  ) {
    // Numbers with 16 binary places: adding them is faster than converting floating-point numbers for each pixel.
    let start = transform.apply(Vector(Double(columns.lowerBound) + 0.5, Double(row) + 0.5)) * 65536
    var (x, y) = (Int(start.x), Int(start.y))
    let (stepX, stepY) = (Int(transform.x.x * 65536), Int(transform.x.y * 65536))
    let (lastX, lastY) = (layout.width - 1, layout.height - 1)
    let steps = columns.count - 1
    let isInside =
      [x, x + steps * stepX].allSatisfy { (0...lastX).contains($0 &>> 16) }
      && [y, y + steps * stepY].allSatisfy { (0...lastY).contains($0 &>> 16) }
    let stride = layout.stride
    for column in columns {
      let (line, sample) =
        isInside ? (y &>> 16, x &>> 16) : (min(max(y &>> 16, 0), lastY), min(max(x &>> 16, 0), lastX))
      target[column] = source[line &* stride &+ sample]
      x &+= stepX
      y &+= stepY
    }
  }
}
