// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// Controls in a column; SwiftUI's name.
///
/// The form does not scroll: show as many controls as the viewfinder has space for.
public struct Form<Content: View>: View {
  private let content: Content

  /// Creates a form.
  public init(@ViewBuilder content: () -> Content) { self.content = content() }

  /// The controls with space around them.
  public var body: some View {
    VStack(alignment: .leading, spacing: 16) { content }.padding(20)
  }
}

/// A value with a label before it; SwiftUI's name.
public struct LabeledContent<Content: View>: View {
  private let title: String
  private let content: Content

  /// Creates a view with a title.
  public init(_ title: some StringProtocol, @ViewBuilder content: () -> Content) {
    self.title = String(title)
    self.content = content()
  }

  /// The title, and the value at the right.
  public var body: some View {
    HStack {
      Text(title)
      Spacer()
      content
    }
  }
}

extension LabeledContent where Content == Text {
  /// Creates a view with a title and a text.
  public init(_ title: some StringProtocol, value: some StringProtocol) {
    self.init(title) { Text(String(value)).foregroundStyle(.gray) }
  }
}
