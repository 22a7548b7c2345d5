// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// The size of a terminal (ioctl_tty(2), `TIOCGWINSZ`).
package struct TerminalSize: Hashable, Sendable {
  /// The number of columns.
  package var columns: Int
  /// The number of rows.
  package var rows: Int
  /// The size of a character cell in pixels, or `nil` if the terminal does not report it.
  package var cell: Cell?

  /// The size of a character cell.
  package struct Cell: Hashable, Sendable {
    /// The width in pixels.
    package var width: Int
    /// The height in pixels.
    package var height: Int

    /// Creates a size.
    package init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// Creates a size.
  package init(columns: Int, rows: Int, cell: Cell? = nil) {
    self.columns = columns
    self.rows = rows
    self.cell = cell
  }

  /// Returns whether two descriptors refer to the same terminal.
  package static func areOneTerminal(_ one: Int32, _ other: Int32) -> Bool {
    var (first, second) = (stat(), stat())
    return isatty(one) == 1 && isatty(other) == 1 && fstat(one, &first) == 0 && fstat(other, &second) == 0
      && first.st_rdev == second.st_rdev
  }

  /// Returns the current size of a terminal, or `nil` if the descriptor is not a terminal or the size is
  /// unknown.
  package static func of(_ descriptor: Int32) -> TerminalSize? {
    var size = winsize()
    guard darkroom_ioctl_pointer(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0
    else { return nil }
    let (columns, rows) = (Int(size.ws_col), Int(size.ws_row))
    let (width, height) = (Int(size.ws_xpixel) / columns, Int(size.ws_ypixel) / rows)
    let cell =
      (2...200).contains(width) && (2...200).contains(height) ? Cell(width: width, height: height) : nil
    return TerminalSize(columns: columns, rows: rows, cell: cell)
  }
}
