// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// A symbol and a title; SwiftUI's name.
public struct Label: View {
  private let text: String
  private let symbol: String
  @Environment(\.labelStyle) private var style

  /// Creates a label with the name of a symbol.
  public init(_ title: some StringProtocol, systemImage: String) {
    text = String(title)
    symbol = systemImage
  }

  /// The symbol and the title in the style of the enclosing views.
  public var body: some View {
    style.anyBody(
      LabelStyleConfiguration(icon: AnyView(Image(systemName: symbol)), title: AnyView(Text(text)))
    )
  }
}

/// A label is also the content of a control's button, outside of the viewfinder.
extension Label: ControlLabel {
  /// The title of the button.
  public nonisolated var title: LocalizedStringResource { LocalizedStringResource(text) }
  /// The name of the button's icon.
  public nonisolated var icon: String? { symbol }
}
