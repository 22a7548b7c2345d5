// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import QuartzCore

extension UIView {
  // MARK: Geometry

  /// The rectangle in the coordinates of the view around this view, in points.
  public var frame: CGRect {
    get { layer.frame }
    set { resizeSubviews { layer.frame = newValue } }
  }

  /// The rectangle in the coordinates of this view.
  public var bounds: CGRect {
    get { layer.bounds }
    set { resizeSubviews { layer.bounds = newValue } }
  }

  /// The center in the coordinates of the view around this view.
  public var center: CGPoint {
    get { layer.position }
    set { layer.position = newValue }
  }

  /// Calls `change`, and changes the frames of the views in this view by their autoresizing masks.
  private func resizeSubviews(_ change: () -> Void) {
    let former = bounds.size
    change()
    let growth = CGSize(width: bounds.width - former.width, height: bounds.height - former.height)
    for view in subviews where growth != .zero {
      view.frame = view.autoresizingMask.resized(view.frame, growth)
    }
  }

  // MARK: Appearance

  /// The color of the background, or `nil` for none.
  public var backgroundColor: UIColor? {
    get { layer.backgroundColor.map(UIColor.init(cgColor:)) }
    set { layer.backgroundColor = newValue?.cgColor }
  }

  /// The opacity, from 0 to 1; initially 1.
  public var alpha: CGFloat {
    get { CGFloat(layer.opacity) }
    set { layer.opacity = Float(newValue) }
  }

  /// Whether the view is hidden; initially `false`.
  public var isHidden: Bool {
    get { layer.isHidden }
    set { layer.isHidden = newValue }
  }

  /// Whether the views in this view are clipped to its bounds; initially `false`.
  public var clipsToBounds: Bool {
    get { layer.masksToBounds }
    set { layer.masksToBounds = newValue }
  }
}
