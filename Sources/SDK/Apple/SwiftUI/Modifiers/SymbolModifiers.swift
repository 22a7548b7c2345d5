// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// The layers of a symbol with colors of their own; SwiftUI's name. All symbols have one layer.
public struct SymbolRenderingMode: Hashable, Sendable {
  private let name: String

  /// One color.
  public static let monochrome = SymbolRenderingMode(name: "monochrome")
  /// One color with several opacities.
  public static let hierarchical = SymbolRenderingMode(name: "hierarchical")
  /// Several colors of the caller.
  public static let palette = SymbolRenderingMode(name: "palette")
  /// The colors of the symbol.
  public static let multicolor = SymbolRenderingMode(name: "multicolor")
}

extension View {
  /// Sets the size of symbols in the view, relative to the font.
  public func imageScale(_ scale: Image.Scale) -> some View { style { $0.imageScale = scale.factor } }

  /// Leaves the view as it is: all symbols have one layer.
  public func symbolRenderingMode(_ mode: SymbolRenderingMode?) -> some View { self }
}

extension Image {
  /// The size of a symbol relative to the font; SwiftUI's name and cases.
  public enum Scale: Hashable, Sendable, CaseIterable {
    /// Four fifths of the medium size.
    case small
    /// The size that fits the text.
    case medium
    /// Five quarters of the medium size.
    case large

    /// The multiple of the medium size.
    var factor: Double {
      switch self {
      case .small: 0.8
      case .medium: 1
      case .large: 1.25
      }
    }
  }
}
