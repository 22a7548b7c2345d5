// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import QuartzCore

/// A rectangle of the interface, which draws with its layer; UIKit's name.
///
/// A view is visible while a `UIViewRepresentable` or a `UIViewControllerRepresentable` of the module `SwiftUI` shows it, or a
/// view around it. Its rectangle is set by the view around it: by the property ``frame``, or by the autoresizing mask.
@MainActor @preconcurrency
open class UIView: UIResponder {
  /// The class of the layer of a view, a subclass of `CALayer`; by default `CALayer`.
  open class var layerClass: AnyClass { CALayer.self }

  /// A length without an intrinsic value.
  public static let noIntrinsicMetric: CGFloat = -1

  /// The layer that draws the view.
  public let layer: CALayer
  /// The views in this view, bottom view first.
  public private(set) var subviews: [UIView] = []
  /// The view around this view, or `nil` if there is none.
  public private(set) weak var superview: UIView?
  /// The interactions of the view.
  public internal(set) var interactions: [any UIInteraction] = []
  /// The changes of the frame when the size of the view around this view changes; initially none.
  public var autoresizingMask: AutoresizingMask = []
  /// A number that identifies the view, which the library does not use.
  public var tag = 0
  /// The owner of the outermost view, or `nil` if the view is not visible.
  package weak var host: (any UIViewHost)?
  /// The size of the view in the last layout.
  private var arrangedSize = CGSize.zero
  private var needsLayout = true

  /// Creates a view with a frame in points.
  public init(frame: CGRect) {
    layer = Self.makeLayer()
    super.init()
    layer.frame = frame
  }

  /// Creates a view with an empty frame.
  public convenience override init() { self.init(frame: .zero) }

  /// Creates a view with an empty frame; there are no archives of views.
  public required init?(coder: NSCoder) {
    layer = Self.makeLayer()
    super.init()
  }

  /// Creates the layer of a view of this class. A class that is not a subclass of `CALayer` is a programming error.
  private static func makeLayer() -> CALayer {
    guard let type = layerClass as? CALayer.Type else {
      preconditionFailure("\(layerClass) is not a layer; return a subclass of CALayer as layerClass")
    }
    return type.init()
  }

  // MARK: Hierarchy

  /// Adds a view above the other views in this view, and removes it from its former place.
  open func addSubview(_ view: UIView) { insertSubview(view, at: subviews.count) }

  /// Adds a view below the view that has an index, and removes it from its former place.
  open func insertSubview(_ view: UIView, at index: Int) {
    view.removeFromSuperview()
    let index = min(max(index, 0), subviews.count)
    // Layers that are not those of views keep their place among the layers of views.
    let above = index < subviews.count ? layer.sublayers?.firstIndex { $0 === subviews[index].layer } : nil
    subviews.insert(view, at: index)
    view.superview = self
    layer.insertSublayer(view.layer, at: above.map(UInt32.init) ?? .max)
    needsLayout = true
    view.didMoveToSuperview()
    root.host?.interactionsChanged()
  }

  /// Removes the view from the view around it.
  open func removeFromSuperview() {
    guard let superview else { return }
    let host = root.host
    superview.subviews.removeAll { $0 === self }
    self.superview = nil
    layer.removeFromSuperlayer()
    didMoveToSuperview()
    host?.interactionsChanged()
  }

  /// Moves a view in this view above the others.
  open func bringSubviewToFront(_ view: UIView) {
    if view.superview === self { addSubview(view) }
  }

  /// Moves a view in this view below the others.
  open func sendSubviewToBack(_ view: UIView) {
    if view.superview === self { insertSubview(view, at: 0) }
  }

  /// Called after the view was added to another view or removed from it; by default does nothing.
  open func didMoveToSuperview() {}

  /// The outermost view around this view.
  var root: UIView { superview?.root ?? self }

  // MARK: Layout

  /// The natural size of the view, with ``noIntrinsicMetric`` for a length without one; by default it has none.
  open var intrinsicContentSize: CGSize {
    CGSize(width: Self.noIntrinsicMetric, height: Self.noIntrinsicMetric)
  }

  /// Arranges the views and layers in this view; by default does nothing.
  open func layoutSubviews() {}

  /// Makes the view arrange its content before it is drawn again.
  open func setNeedsLayout() {
    needsLayout = true
    layer.setNeedsDisplay()
  }

  /// Draws the view again.
  open func setNeedsDisplay() { layer.setNeedsDisplay() }

  /// Arranges the content of the view and of the views in it, where the size has changed or a layout was requested.
  open func layoutIfNeeded() {
    if bounds.size != arrangedSize || needsLayout {
      (arrangedSize, needsLayout) = (bounds.size, false)
      layer.layoutSublayers()
      arrange()
    }
    for view in subviews { view.layoutIfNeeded() }
  }

  /// The view controller that owns the view, or `nil` if there is none.
  weak var controller: UIViewController?

  private func arrange() {
    controller?.viewWillLayoutSubviews()
    layoutSubviews()
    controller?.viewDidLayoutSubviews()
  }
}

/// The place in a viewfinder in which a view is shown.
@MainActor
package protocol UIViewHost: AnyObject {
  /// Updates the interactions of the session after interactions or views were added or removed.
  func interactionsChanged()
}
