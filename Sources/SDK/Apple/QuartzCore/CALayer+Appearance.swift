// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The appearance of a layer.
package struct LayerLook: Equatable, Sendable {
  package var backgroundColor: CGColor?
  package var cornerRadius: CGFloat = 0
  package var borderWidth: CGFloat = 0
  package var borderColor: CGColor? = CGColor(gray: 0, alpha: 1)
  package var opacity: Float = 1
  package var isHidden = false
  package var masksToBounds = false
}

extension CALayer {
  /// The color below the content of the layer, or `nil` for none.
  public var backgroundColor: CGColor? {
    get { look.backgroundColor }
    set { look.backgroundColor = newValue }
  }

  /// The radius of the corners of the background and the border in points; initially 0.
  ///
  /// The content has round corners if ``masksToBounds`` is `true`.
  public var cornerRadius: CGFloat {
    get { look.cornerRadius }
    set { look.cornerRadius = newValue }
  }

  /// The width of the border, which is inside the bounds, in points; initially 0.
  public var borderWidth: CGFloat {
    get { look.borderWidth }
    set { look.borderWidth = newValue }
  }

  /// The color of the border, or `nil` for no border; initially black.
  public var borderColor: CGColor? {
    get { look.borderColor }
    set { look.borderColor = newValue }
  }

  /// The opacity of the layer and the layers in it, from 0 to 1; initially 1.
  public var opacity: Float {
    get { look.opacity }
    set { look.opacity = newValue }
  }

  /// Whether the layer and the layers in it are hidden; initially `false`.
  public var isHidden: Bool {
    get { look.isHidden }
    set { look.isHidden = newValue }
  }

  /// Whether the content and the layers in this layer are clipped to its bounds; initially `false`.
  public var masksToBounds: Bool {
    get { look.masksToBounds }
    set { look.masksToBounds = newValue }
  }
}
