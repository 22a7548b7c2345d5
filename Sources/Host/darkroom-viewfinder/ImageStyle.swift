// SPDX-License-Identifier: Apache-2.0

internal import CChafa

/// The style of the output for a terminal, as libchafa constants.
struct ImageStyle {
  /// The output format: characters, sixels or kitty graphics.
  let mode: ChafaPixelMode
  /// The colors of characters.
  let colours: ChafaCanvasMode

  /// Creates a style from the host's arguments, or returns `nil` if they are unknown.
  init?(graphics: String, colours: String) {
    switch graphics {
    case "blocks": mode = CHAFA_PIXEL_MODE_SYMBOLS
    case "sixel": mode = CHAFA_PIXEL_MODE_SIXELS
    case "kitty": mode = CHAFA_PIXEL_MODE_KITTY
    default: return nil
    }
    switch colours {
    case "full": self.colours = CHAFA_CANVAS_MODE_TRUECOLOR
    case "palette256": self.colours = CHAFA_CANVAS_MODE_INDEXED_240
    case "palette16": self.colours = CHAFA_CANVAS_MODE_INDEXED_16
    default: return nil
    }
  }
}
