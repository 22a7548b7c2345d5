// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// A message in place of missing content; SwiftUI's name.
public struct ContentUnavailableView<Title: View, Description: View, Actions: View>: View {
  private let title: Title
  private let description: Description
  private let actions: Actions

  /// Creates a message.
  ///
  /// - Parameters:
  ///   - label: The title, whose symbol is drawn above the text.
  ///   - description: The text below the title.
  ///   - actions: The buttons below the text.
  public init(
    @ViewBuilder label: () -> Title,
    @ViewBuilder description: () -> Description = { EmptyView() },
    @ViewBuilder actions: () -> Actions = { EmptyView() }
  ) {
    (title, self.description, self.actions) = (label(), description(), actions())
  }

  /// The message in the center of the available space.
  public var body: some View {
    VStack(spacing: 12) {
      title.labelStyle(StackedLabelStyle()).font(.title2.bold())
      if Description.self != EmptyView.self { description.font(.footnote).foregroundStyle(.gray) }
      if Actions.self != EmptyView.self { actions }
    }
    .multilineTextAlignment(.center)
    .padding(20)
    .frame(maxWidth: .infinity, maxHeight: .infinity)
  }
}

extension ContentUnavailableView where Title == Label, Description == Text?, Actions == EmptyView {
  /// Creates a message with a title, a symbol and a text.
  public init(_ title: some StringProtocol, systemImage name: String, description: Text? = nil) {
    self.init {
      Label(title, systemImage: name)
    } description: {
      description
    }
  }
}

/// A symbol above a title.
private struct StackedLabelStyle: LabelStyle {
  func makeBody(configuration: Configuration) -> some View {
    VStack(spacing: 12) {
      configuration.icon.font(.largeTitle).foregroundStyle(.gray)
      configuration.title
    }
  }
}

extension Optional: View, BuiltInView where Wrapped: View {
  package func update(_ node: ViewNode) throws { try node.setChildren(map { [(0, $0)] } ?? []) }
}
