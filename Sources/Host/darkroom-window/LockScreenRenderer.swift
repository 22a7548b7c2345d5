// SPDX-License-Identifier: Apache-2.0

internal import ViewfinderLink

/// Draws a lock screen: the clock, the prompt, dots for typed characters, and the camera button. The color of
/// the dots shows the phase of authentication. The image of an extension has a frame that nothing else has.
struct LockScreenRenderer {
  /// The content of the screen.
  let content: LockScreenContent
  /// The renderer for text, or `nil` without fonts.
  let textRenderer: TextRenderer?
  /// The time of day as text.
  let clock: String

  /// Colors as RGB values.
  private static let background: UInt32 = 0x10_18_20
  private static let ring: UInt32 = 0xE0_E0_E0
  private static let empty: UInt32 = 0x48_50_58
  private static let idle: UInt32 = 0xFF_FF_FF
  private static let checking: UInt32 = 0x40_90_FF
  private static let wrong: UInt32 = 0xFF_40_40
  private static let frame: UInt32 = 0x30_D1_58
  /// The color of an app's text, which no text of the lock screen has.
  private static let app: UInt32 = 0xFF_C0_40
  /// The color of the lock screen's own text.
  private static let own: UInt32 = 0xA0_A8_B0
  /// The maximum number of dots.
  private static let maximumDots = 24

  /// Draws the lock screen over a whole image.
  func draw(in canvas: WindowMemory.Canvas) {
    let pixels = canvas.bytes.bindMemory(to: UInt32.self)
    pixels.update(repeating: Self.background)
    let size = canvas.size
    write(in: canvas)
    // Visible input replaces the dots.
    if textRenderer == nil || content.words.typed.isEmpty { drawDots(pixels, size) }
    guard content.mode == .camera else { return }
    let button = Self.button(size)
    Self.disc(pixels, size, button.column, button.row, button.radius, Self.ring)
    Self.disc(pixels, size, button.column, button.row, button.radius * 4 / 5, Self.background)
    Self.disc(pixels, size, button.column, button.row, button.radius * 3 / 5, Self.ring)
  }

  private func drawDots(_ pixels: UnsafeMutableBufferPointer<UInt32>, _ size: ImageSize) {
    let colour =
      switch content.phase {
      case .idle: Self.idle
      case .checking: Self.checking
      case .wrong: Self.wrong
      }
    let radius = max(2, min(size.width, size.height) / 60)
    let dots = min(content.characters, Self.maximumDots)
    let row = LockLayout.dotRow(height: size.height)
    if dots == 0 {
      Self.disc(pixels, size, size.width / 2, row, radius, content.phase == .idle ? Self.empty : colour)
    }
    for dot in 0..<dots {
      let column = size.width / 2 + (2 * dot - dots + 1) * radius * 3 / 2
      Self.disc(pixels, size, column, row, radius, colour)
    }
  }

  /// Draws the texts.
  private func write(in canvas: WindowMemory.Canvas) {
    guard let textRenderer else { return }
    let layout = LockLayout(
      width: canvas.size.width,
      height: canvas.size.height,
      measure: textRenderer.width(of:size:)
    )
    for line in layout.lines(content, clock: clock) {
      let colour =
        switch line.tone {
        case .clock, .question, .typed: Self.idle
        case .own: Self.own
        case .app: Self.app
        case .notice: content.phase == .wrong ? Self.wrong : Self.own
        }
      textRenderer.draw(
        line.text,
        size: line.size,
        column: (canvas.size.width - textRenderer.width(of: line.text, size: line.size)) / 2,
        baseline: line.baseline,
        colour: colour,
        in: canvas
      )
    }
  }

  /// Draws the frame that marks an extension's image, so that an image that imitates the lock screen can be
  /// recognized.
  static func drawFrame(in canvas: WindowMemory.Canvas) {
    let pixels = canvas.bytes.bindMemory(to: UInt32.self)
    let size = canvas.size
    let width = max(2, min(size.width, size.height) / 60)
    for row in 0..<size.height {
      let line = pixels.extracting(row * size.width..<(row + 1) * size.width)
      if row < width || row >= size.height - width {
        line.update(repeating: frame)
      } else {
        line.extracting(..<min(width, size.width)).update(repeating: frame)
        line.extracting(max(0, size.width - width)...).update(repeating: frame)
      }
    }
  }

  /// Returns the position and radius of the camera button in an image size.
  static func button(_ size: ImageSize) -> (column: Int, row: Int, radius: Int) {
    (size.width / 2, size.height * 4 / 5, max(8, min(size.width, size.height) / 10))
  }

  /// Returns whether a position is on the camera button.
  static func isOnButton(_ column: Int, _ row: Int, _ size: ImageSize) -> Bool {
    let button = button(size)
    let (right, down) = (column - button.column, row - button.row)
    return right * right + down * down <= button.radius * button.radius
  }

  /// Draws a filled circle, clipped to the image.
  private static func disc(
    _ pixels: UnsafeMutableBufferPointer<UInt32>,
    _ size: ImageSize,
    _ column: Int,
    _ row: Int,
    _ radius: Int,
    _ colour: UInt32
  ) {
    for y in max(0, row - radius)...max(0, min(size.height - 1, row + radius)) {
      for x in max(0, column - radius)...max(0, min(size.width - 1, column + radius)) {
        let (right, down) = (x - column, y - row)
        if right * right + down * down <= radius * radius { pixels[y * size.width + x] = colour }
      }
    }
  }
}
