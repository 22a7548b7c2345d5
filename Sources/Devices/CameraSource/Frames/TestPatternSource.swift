// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

/// A test pattern without an end: color bars, a moving box, and the frame number in black and white cells at
/// the top.
package final class TestPatternSource: FrameSource {
  /// The minimum width of the pattern, in pixels.
  package static let minimumWidth = 64
  /// The minimum height of the pattern, in pixels.
  package static let minimumHeight = 32
  /// The number of cells of the frame number; the first is the most significant bit.
  private static let cells = 32

  /// The name of the source.
  package let name = "pattern"
  /// The name that the extension receives.
  package let title = "Test pattern"
  /// The size, rate and range of the frames.
  package let geometry: FrameGeometry
  /// One row of the bars for each plane. All rows of the bars are identical.
  private var bars: [[UInt8]] = []
  /// The requested brightness of the bars.
  private let brightness = PatternSettings.Brightness()
  /// The brightness of the bars in ``bars``.
  private var drawnBrightness = 0
  /// The number of the newest frame; the first is 1.
  private var number: UInt32 = 0
  /// The frame numbers that the slots contain.
  private var drawnSlots = SlotContents<(number: UInt32, layout: FrameRingGeometry)>()

  /// Creates a pattern.
  ///
  /// Only one row of the bars is drawn here: drawing a whole frame would delay the start of a session
  /// noticeably.
  package init(_ geometry: FrameGeometry) throws(FrameSourceError) {
    guard geometry.width >= Self.minimumWidth, geometry.height >= Self.minimumHeight else {
      let fault = PatternFault.tooSmall(minimumWidth: Self.minimumWidth, minimumHeight: Self.minimumHeight)
      throw FrameSourceError(name, .pattern(fault))
    }
    self.geometry = FrameGeometry(
      width: geometry.width,
      height: geometry.height,
      frameRate: geometry.frameRate
    )
    let layout: FrameRingGeometry
    do { layout = try geometry.ringGeometry() } catch { throw FrameSourceError(name, .size(error)) }
    bars = layout.planes.map { [UInt8](repeating: 0, count: $0.rowBytes) }
    drawBars()
  }

  /// Draws the bars, the frame number and the box. A slot that already contains the bars gets them redrawn
  /// only under its previous box.
  package func next(
    into slot: UnsafeMutableRawBufferPointer,
    layout: FrameRingGeometry,
    stop: StopSignal
  ) throws(FrameSourceError) -> FrameOutcome {
    number &+= 1
    updateBrightness()
    if let old = drawnSlots.content(of: slot), old.layout == layout {
      let box = box(ofFrame: old.number)
      drawBars(slot, layout, x: box.x, y: box.y)
    } else {
      drawBars(slot, layout, x: 0..<geometry.width, y: 0..<geometry.height)
      // The frame number has neutral chroma.
      let rows = 0..<Self.numberHeight(layout.height)
      fill(slot, layout, x: 0..<geometry.width, y: rows, [0, 128, 128])
    }
    drawNumber(slot, layout)
    let box = box(ofFrame: number)
    fill(slot, layout, x: box.x, y: box.y, [255, 128, 128])
    drawnSlots.set((number, layout), in: slot)
    return .frame
  }

  /// Returns the setting of the bars' brightness.
  package func settings() -> sending (any CameraSettings)? { PatternSettings(brightness) }

  /// Redraws the row of the bars if the brightness changed.
  private func updateBrightness() {
    let wanted = brightness.value
    guard wanted != drawnBrightness else { return }
    drawnBrightness = wanted
    drawBars()
    drawnSlots.removeAll()
  }

  /// Causes all slots to be redrawn in full.
  package func slotsWereErased() { drawnSlots.removeAll() }

  /// Returns the frame number that a frame of this pattern shows. It can be read even after JPEG compression.
  package static func frameNumber(in slot: UnsafeRawBufferPointer, layout: FrameRingGeometry) -> UInt32 {
    let luma = layout.planes[0]
    let row = luma.offset + numberHeight(layout.height) / 2 * luma.stride
    return (0..<cells).reduce(0) { number, cell in
      let middle = (cell * layout.width + layout.width / 2) / cells
      return number << 1 | (slot[row + middle] >= 128 ? 1 : 0)
    }
  }

  /// Returns the height of the frame number in rows. It is even, so that no chroma row covers both the number
  /// and the bars.
  private static func numberHeight(_ height: Int) -> Int { height / 32 * 2 }

  /// Returns the position of the box in a frame. All bounds are even.
  private func box(ofFrame number: UInt32) -> (x: Range<Int>, y: Range<Int>) {
    let side = geometry.height / 8 / 2 * 2
    let x = Int(number) * 4 % (geometry.width - side + 1) / 2 * 2
    let y = geometry.height / 2 / 2 * 2
    return (x..<(x + side), y..<(y + side))
  }

  /// Calls `body` with each row of each plane that intersects a rectangle of even pixels.
  private func forEachRow(
    _ layout: FrameRingGeometry,
    x: Range<Int>,
    y: Range<Int>,
    _ body: (_ plane: Int, _ row: Int, _ columns: Range<Int>) -> Void
  ) {
    for (index, plane) in layout.planes.enumerated() {
      let scale = index == 0 ? 1 : 2
      let columns = (x.lowerBound / scale)..<min(plane.rowBytes, (x.upperBound + scale - 1) / scale)
      for row in (y.lowerBound / scale)..<min(plane.rows, (y.upperBound + scale - 1) / scale) {
        body(index, row, columns)
      }
    }
  }

  /// Returns the byte range of a part of a row, from the start of the slot.
  private static func bytes(_ layout: FrameRingGeometry, _ plane: Int, _ row: Int, _ columns: Range<Int>)
    -> Range<Int>
  {
    let start = layout.planes[plane].offset + row * layout.planes[plane].stride
    return (start + columns.lowerBound)..<(start + columns.upperBound)
  }

  /// Fills a rectangle, in even pixels, with one color.
  private func fill(
    _ slot: UnsafeMutableRawBufferPointer,
    _ layout: FrameRingGeometry,
    x: Range<Int>,
    y: Range<Int>,
    _ colour: [UInt8]
  ) {
    forEachRow(layout, x: x, y: y) { plane, row, columns in
      slot.part(Self.bytes(layout, plane, row, columns))
        .initializeMemory(as: UInt8.self, repeating: colour[plane])
    }
  }

  /// Draws the bars in a rectangle of even pixels.
  private func drawBars(
    _ slot: UnsafeMutableRawBufferPointer,
    _ layout: FrameRingGeometry,
    x: Range<Int>,
    y: Range<Int>
  ) {
    forEachRow(layout, x: x, y: y) { plane, row, columns in
      bars[plane].withUnsafeBytes { bars in
        slot.part(Self.bytes(layout, plane, row, columns)).copyMemory(from: bars.part(columns))
      }
    }
  }

  /// Draws a row of eight bars at 75 % intensity: white, yellow, cyan, green, magenta, red, blue, black.
  private func drawBars() {
    let colours: [[UInt8]] = [
      [191, 128, 128], [169, 32, 143], [134, 160, 32], [112, 64, 47],
      [79, 192, 209], [57, 96, 224], [22, 224, 113], [0, 128, 128],
    ]
    let width = geometry.width
    for (index, colour) in colours.enumerated() {
      let left = index * width / 8 / 2 * 2
      let right = index == 7 ? width : (index + 1) * width / 8 / 2 * 2
      for plane in bars.indices {
        let scale = plane == 0 ? 1 : 2
        let value = plane == 0 ? UInt8(clamping: Int(colour[0]) + drawnBrightness) : colour[plane]
        for column in (left / scale)..<min(bars[plane].count, (right + scale - 1) / scale) {
          bars[plane][column] = value
        }
      }
    }
  }

  /// Draws the frame number, one cell per bit.
  private func drawNumber(_ slot: UnsafeMutableRawBufferPointer, _ layout: FrameRingGeometry) {
    let luma = layout.planes[0]
    for cell in 0..<Self.cells {
      let value: UInt8 = number >> UInt32(Self.cells - 1 - cell) & 1 == 1 ? 255 : 0
      let columns = (cell * layout.width / Self.cells)..<((cell + 1) * layout.width / Self.cells)
      for row in 0..<Self.numberHeight(layout.height) {
        let start = luma.offset + row * luma.stride
        slot.part((start + columns.lowerBound)..<(start + columns.upperBound))
          .initializeMemory(as: UInt8.self, repeating: value)
      }
    }
  }
}
