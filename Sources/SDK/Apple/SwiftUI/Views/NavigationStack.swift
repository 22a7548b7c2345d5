// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// A view with a title and a toolbar; SwiftUI's name. There are no links to other views.
public struct NavigationStack<Root: View>: View {
  /// The view.
  public let body: Root

  /// Creates a stack with one view.
  public init(@ViewBuilder root: () -> Root) { body = root() }
}

/// A view with a title and a toolbar; SwiftUI's name before ``NavigationStack``.
public typealias NavigationView = NavigationStack

/// The size of the title of a view; SwiftUI's name. All titles have the same size.
public enum NavigationBarTitleDisplayMode: Sendable {
  /// The size of the view before.
  case automatic
  /// A small title in the bar.
  case inline
  /// A large title below the bar.
  case large
}

/// The place of controls in a toolbar; SwiftUI's name.
public struct ToolbarItemPlacement: Hashable, Sendable {
  /// The position in the viewfinder.
  let alignment: Alignment

  /// The upper right corner.
  public static let automatic = ToolbarItemPlacement(alignment: .topTrailing)
  /// The upper right corner.
  public static let primaryAction = automatic
  /// The upper right corner.
  public static let confirmationAction = automatic
  /// The upper right corner.
  public static let topBarTrailing = automatic
  /// The upper right corner.
  public static let navigationBarTrailing = automatic
  /// The upper left corner.
  public static let topBarLeading = ToolbarItemPlacement(alignment: .topLeading)
  /// The upper left corner.
  public static let navigationBarLeading = topBarLeading
  /// The upper left corner.
  public static let cancellationAction = topBarLeading
  /// The middle of the upper edge.
  public static let principal = ToolbarItemPlacement(alignment: .top)
  /// The middle of the lower edge.
  public static let bottomBar = ToolbarItemPlacement(alignment: .bottom)
}

/// A control of a toolbar; SwiftUI's name.
public struct ToolbarItem<Content: View>: View {
  private let placement: ToolbarItemPlacement
  private let content: Content

  /// Creates a control at a place.
  public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
    self.placement = placement
    self.content = content()
  }

  /// The control at its place over the view. A toggle looks like a button.
  public var body: some View {
    content
      .toggleStyle(.button)
      .padding(12)
      .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: placement.alignment)
  }
}

/// Controls of a toolbar at the same place; SwiftUI's name.
public struct ToolbarItemGroup<Content: View>: View {
  private let placement: ToolbarItemPlacement
  private let content: Content

  /// Creates controls at a place.
  public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
    self.placement = placement
    self.content = content()
  }

  /// The controls in a row at their place over the view.
  public var body: some View { ToolbarItem(placement: placement) { HStack { content } } }
}

extension View {
  /// Draws controls over the edges of the view: each `ToolbarItem` at its place.
  public func toolbar<Content: View>(@ViewBuilder content: () -> Content) -> some View {
    overlay(alignment: .center) { ZStack { content() } }
  }

  /// Draws a title over the upper edge of the view.
  public func navigationTitle(_ title: some StringProtocol) -> some View {
    overlay(alignment: .top) { Text(String(title)).font(.headline).padding(12) }
  }

  /// Leaves the view as it is: all titles have the same size.
  public func navigationBarTitleDisplayMode(_ mode: NavigationBarTitleDisplayMode) -> some View { self }
}
