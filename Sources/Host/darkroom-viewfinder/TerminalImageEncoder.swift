// SPDX-License-Identifier: Apache-2.0

internal import CChafa
internal import LinuxPrimitives

/// Converts the pixels of an image to output for a terminal (libchafa).
struct TerminalImageEncoder {
  /// The style of the output.
  let style: ImageStyle

  /// The assumed cell size if the terminal does not report it, in pixels. It is rather small, because an
  /// image that is higher than the terminal would scroll.
  private static let cell = TerminalSize.Cell(width: 8, height: 16)
  /// The maximum size of an image in cells, whatever size the terminal reports.
  private static let maximumCells = (columns: 640, rows: 360)
  /// The maximum size of a pixel image (sixel or kitty), in pixels.
  private static let maximumPixels = (width: 1920, height: 1200)
  /// The effort to choose characters, from 0 to 1. It is low because a video needs less precision than a
  /// still image.
  private static let workFactor: Float = 0.2

  /// The pixels of an RGB image, row by row.
  struct Pixels {
    /// Three bytes per pixel.
    var bytes: UnsafeMutableRawBufferPointer
    /// The number of pixels in a row.
    var width: Int
    /// The number of rows.
    var height: Int
  }

  /// Initializes the tables of libchafa, and disables its threads.
  func prepare() {
    chafa_set_n_threads(1)
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: 48, alignment: 16)
    defer { bytes.deallocate() }
    bytes.initializeMemory(as: UInt8.self, repeating: 0)
    _ = text(Pixels(bytes: bytes, width: 4, height: 4), in: TerminalSize(columns: 4, rows: 3))
  }

  /// Returns the output that shows an image centered and as large as possible. The last line of the terminal
  /// stays free.
  func text(_ pixels: Pixels, in size: TerminalSize) -> [UInt8] {
    let cell = size.cell ?? Self.cell
    var (columns, rows) = maximumGeometry(size, cell)
    let ratio = Float(cell.width) / Float(cell.height)
    chafa_calc_canvas_geometry(Int32(pixels.width), Int32(pixels.height), &columns, &rows, ratio, 1, 0)
    (columns, rows) = (max(1, columns), max(1, rows))
    guard let config = configuration(columns, rows, cell), let canvas = chafa_canvas_new(config) else {
      return []
    }
    defer {
      chafa_canvas_unref(canvas)
      chafa_canvas_config_unref(config)
    }
    let start = pixels.bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
    let (width, height) = (Int32(pixels.width), Int32(pixels.height))
    chafa_canvas_draw_all_pixels(canvas, CHAFA_PIXEL_RGB8, start, width, height, 3 * width)
    guard let printed = chafa_canvas_print(canvas, nil) else { return [] }
    defer { g_string_free(printed, 1) }
    let bytes = Array(UnsafeRawBufferPointer(start: printed.pointee.str, count: Int(printed.pointee.len)))
    let place = (column: (size.columns - Int(columns)) / 2 + 1, row: (size.rows - 1 - Int(rows)) / 2 + 1)
    return placed(bytes, column: place.column, row: max(1, place.row))
  }

  /// Returns the maximum number of columns and rows of an image. The last line of the terminal stays free.
  private func maximumGeometry(_ size: TerminalSize, _ cell: TerminalSize.Cell) -> (Int32, Int32) {
    var (columns, rows) = (
      min(size.columns, Self.maximumCells.columns), min(size.rows - 1, Self.maximumCells.rows)
    )
    if style.mode != CHAFA_PIXEL_MODE_SYMBOLS {
      (columns, rows) = (
        min(columns, Self.maximumPixels.width / cell.width),
        min(rows, Self.maximumPixels.height / cell.height)
      )
    }
    return (Int32(max(1, columns)), Int32(max(1, rows)))
  }

  private func configuration(_ columns: Int32, _ rows: Int32, _ cell: TerminalSize.Cell) -> OpaquePointer? {
    guard let config = chafa_canvas_config_new(), let symbols = chafa_symbol_map_new() else { return nil }
    chafa_canvas_config_set_geometry(config, columns, rows)
    chafa_canvas_config_set_cell_geometry(config, Int32(cell.width), Int32(cell.height))
    chafa_canvas_config_set_pixel_mode(config, style.mode)
    chafa_canvas_config_set_canvas_mode(config, style.colours)
    chafa_canvas_config_set_work_factor(config, Self.workFactor)
    // Preprocessing would change the colors.
    chafa_canvas_config_set_preprocessing_enabled(config, 0)
    for tag in [CHAFA_SYMBOL_TAG_SPACE, CHAFA_SYMBOL_TAG_SOLID, CHAFA_SYMBOL_TAG_HALF, CHAFA_SYMBOL_TAG_QUAD]
    {
      chafa_symbol_map_add_by_tags(symbols, tag)
    }
    chafa_canvas_config_set_symbol_map(config, symbols)
    chafa_symbol_map_unref(symbols)
    return config
  }

  /// Returns output that shows lines of characters or a pixel image at a position.
  private func placed(_ bytes: [UInt8], column: Int, row: Int) -> [UInt8] {
    guard style.mode == CHAFA_PIXEL_MODE_SYMBOLS else {
      // A kitty terminal keeps every image until it is deleted.
      let before = style.mode == CHAFA_PIXEL_MODE_KITTY ? "\u{1B}_Ga=d,d=A,q=2\u{1B}\\" : ""
      return Array("\(before)\u{1B}[\(row);\(column)H".utf8) + bytes
    }
    var text: [UInt8] = []
    for (index, line) in bytes.split(separator: UInt8(ascii: "\n")).enumerated() {
      text += Array("\u{1B}[\(row + index);\(column)H".utf8) + line
    }
    return text
  }
}
