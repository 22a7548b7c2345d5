// SPDX-License-Identifier: Apache-2.0

/// What is said of a session below its picture, where the compositor writes no title: nothing of the picture is covered.
struct WindowStatus {
  /// What writes it.
  let pen: LetterPen
  /// What it says.
  let text: String

  private static let colour: UInt32 = 0xE0_E0_E0

  /// How many rows it has in a window.
  static func rows(in window: PictureSize) -> Int {
    min(window.height / 2, max(16, min(window.height / 20, 40)))
  }

  /// How large a window is that has room for it below a picture.
  static func around(_ picture: PictureSize) -> PictureSize {
    PictureSize(width: picture.width, height: picture.height + max(16, min(picture.height / 19, 40)))
  }

  /// Draws it over the last rows of a picture; gives what is above them.
  func draw(in canvas: WindowMemory.Canvas) -> WindowMemory.Canvas {
    let rows = Self.rows(in: canvas.size)
    var above = canvas
    above.size.height -= rows
    let length = 4 * above.size.width * above.size.height
    above.bytes = UnsafeMutableRawBufferPointer(rebasing: canvas.bytes[..<length])
    canvas.bytes[length...].initializeMemory(as: UInt8.self, repeating: 0)
    let size = rows * 5 / 8
    pen.write(
      text,
      size: size,
      column: rows / 3,
      baseline: canvas.size.height - (rows - size) / 2 - size / 6,
      colour: Self.colour,
      in: canvas
    )
    return above
  }
}
