// SPDX-License-Identifier: Apache-2.0

internal import CLinux

/// How large a terminal is (ioctl_tty(2), `TIOCGWINSZ`).
package struct TerminalSize: Hashable, Sendable {
  /// Characters in a line.
  package var columns: Int
  /// Lines.
  package var rows: Int
  /// The pixels of a character; nil where the terminal does not say.
  package var cell: Cell?

  /// The size of a character.
  package struct Cell: Hashable, Sendable {
    /// Pixels in a row.
    package var width: Int
    /// Rows of pixels.
    package var height: Int

    /// Makes a size.
    package init(width: Int, height: Int) {
      self.width = width
      self.height = height
    }
  }

  /// Makes a size.
  package init(columns: Int, rows: Int, cell: Cell? = nil) {
    self.columns = columns
    self.rows = rows
    self.cell = cell
  }

  /// Whether two numbers mean one terminal.
  package static func areOneTerminal(_ one: Int32, _ other: Int32) -> Bool {
    var (first, second) = (stat(), stat())
    return isatty(one) == 1 && isatty(other) == 1 && fstat(one, &first) == 0 && fstat(other, &second) == 0
      && first.st_rdev == second.st_rdev
  }

  /// The size now of the terminal that is open under a number; nil: it is none, or does not know.
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
