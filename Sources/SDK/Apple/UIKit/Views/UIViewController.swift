// SPDX-License-Identifier: Apache-2.0

public import Foundation

/// The owner of a view; UIKit's name. A `UIViewControllerRepresentable` of the module `SwiftUI` shows its view.
///
/// Presentations of other view controllers and navigation are not available.
@MainActor @preconcurrency
open class UIViewController: UIResponder {
  /// The view controllers in this view controller.
  public private(set) var children: [UIViewController] = []
  /// The view controller around this view controller, or `nil` if there is none.
  public private(set) weak var parent: UIViewController?
  /// The title, which is not shown.
  open var title: String?
  /// The view, or `nil` before the first access to ``view``.
  public private(set) var viewIfLoaded: UIView?

  /// Creates a view controller. There are no files of interfaces, so that both parameters have no effect.
  public init(nibName: String?, bundle: Bundle?) { super.init() }

  /// Creates a view controller.
  public convenience override init() { self.init(nibName: nil, bundle: nil) }

  /// Creates a view controller; there are no archives of view controllers.
  public required init?(coder: NSCoder) { super.init() }

  // MARK: The view

  /// The view, which the first access creates; `nil` only if ``loadView()`` sets none.
  // swift-format-ignore: NeverUseImplicitlyUnwrappedOptionals, overrides and optional chaining need UIKit's type.
  open var view: UIView! {
    get {
      loadViewIfNeeded()
      return viewIfLoaded
    }
    set {
      viewIfLoaded?.controller = nil
      viewIfLoaded = newValue
      newValue?.controller = self
    }
  }

  /// Whether the view was created.
  public var isViewLoaded: Bool { viewIfLoaded != nil }

  /// Creates the view, unless it exists.
  public func loadViewIfNeeded() {
    guard !isViewLoaded else { return }
    loadView()
    viewDidLoad()
  }

  /// Sets ``view``; by default to an empty view with the size of the viewfinder.
  open func loadView() { view = UIView(frame: UIScreen.main.bounds) }

  /// Called after the view was created; by default does nothing.
  open func viewDidLoad() {}

  /// Called before the view becomes visible; the default calls the method of the children.
  open func viewWillAppear(_ animated: Bool) { for child in children { child.viewWillAppear(animated) } }

  /// Called when the view becomes visible; the default calls the method of the children.
  open func viewIsAppearing(_ animated: Bool) { for child in children { child.viewIsAppearing(animated) } }

  /// Called after the view became visible; the default calls the method of the children.
  open func viewDidAppear(_ animated: Bool) { for child in children { child.viewDidAppear(animated) } }

  /// Called before the view is no longer visible; the default calls the method of the children.
  open func viewWillDisappear(_ animated: Bool) {
    for child in children { child.viewWillDisappear(animated) }
  }

  /// Called after the view was visible; the default calls the method of the children.
  open func viewDidDisappear(_ animated: Bool) {
    for child in children { child.viewDidDisappear(animated) }
  }

  /// Called before the view arranges its content; by default does nothing.
  open func viewWillLayoutSubviews() {}

  /// Called after the view has arranged its content; by default does nothing.
  open func viewDidLayoutSubviews() {}

  // MARK: Children

  /// Adds a view controller, whose view the caller adds to a view of this view controller.
  open func addChild(_ child: UIViewController) {
    child.removeFromParent()
    child.willMove(toParent: self)
    children.append(child)
    child.parent = self
  }

  /// Removes the view controller from the one around it.
  open func removeFromParent() {
    guard let parent else { return }
    parent.children.removeAll { $0 === self }
    self.parent = nil
    didMove(toParent: nil)
  }

  /// Called before the view controller is added to another one or removed; by default does nothing.
  open func willMove(toParent parent: UIViewController?) {}

  /// Called after the view controller was added to another one or removed; by default does nothing.
  open func didMove(toParent parent: UIViewController?) {}
}
