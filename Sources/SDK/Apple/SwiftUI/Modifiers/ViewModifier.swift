// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// A change of a view that several views can share; SwiftUI's name and requirement.
///
/// Properties such as ``LockedCameraCapture/State`` belong to the place of the changed view.
@MainActor @preconcurrency
public protocol ViewModifier: DynamicProperty {
  /// The type of the changed view.
  associatedtype Body: View
  /// The view that is changed.
  typealias Content = ViewModifierContent

  /// Returns the changed view.
  @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

/// The view that a ``ViewModifier`` changes.
public struct ViewModifierContent: View {
  /// The view.
  public let body: AnyView
}

/// A view with a ``ViewModifier``; SwiftUI's name.
public struct ModifiedContent<Content: View, Modifier: ViewModifier>: View {
  /// The view.
  public let content: Content
  /// The change.
  public let modifier: Modifier

  /// Creates a changed view.
  public init(content: Content, modifier: Modifier) { (self.content, self.modifier) = (content, modifier) }

  /// The changed view.
  public var body: some View { modifier.body(content: ViewModifierContent(body: AnyView(content))) }
}

extension View {
  /// Changes the view.
  public func modifier<Modifier: ViewModifier>(_ modifier: Modifier) -> ModifiedContent<Self, Modifier> {
    ModifiedContent(content: self, modifier: modifier)
  }
}
