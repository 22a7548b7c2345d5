// SPDX-License-Identifier: Apache-2.0

/// The status of a session below its image, for compositors that do not show a title. It does not cover the
/// image.
struct WindowStatusBar {
  /// The renderer for the text.
  let textRenderer: TextRenderer
  /// The text of the status.
  let text: String

  private static let colour: UInt32 = 0xE0_E0_E0

  /// Returns the height of the status bar in a window, in rows.
  static func rows(in window: ImageSize) -> Int {
    min(window.height / 2, max(16, min(window.height / 20, 40)))
  }

  /// Returns the size of a window with an image of the given size and a status bar below it.
  static func windowSize(_ image: ImageSize) -> ImageSize {
    ImageSize(width: image.width, height: image.height + max(16, min(image.height / 19, 40)))
  }

  /// Draws the status bar over the last rows of an image, and returns the part above it.
  func draw(in canvas: WindowMemory.Canvas) -> WindowMemory.Canvas {
    let rows = Self.rows(in: canvas.size)
    var above = canvas
    above.size.height -= rows
    let length = 4 * above.size.width * above.size.height
    above.bytes = UnsafeMutableRawBufferPointer(rebasing: canvas.bytes[..<length])
    canvas.bytes[length...].initializeMemory(as: UInt8.self, repeating: 0)
    let size = rows * 5 / 8
    textRenderer.draw(
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
