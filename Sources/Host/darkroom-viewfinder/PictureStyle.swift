// SPDX-License-Identifier: Apache-2.0

internal import CChafa

/// How pictures are shown: what libchafa is told of the terminal.
struct PictureStyle {
  /// Characters, sixels or kitty's graphics.
  let mode: ChafaPixelMode
  /// The colours of characters.
  let colours: ChafaCanvasMode

  /// The style that the host's words mean; nil: none.
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
