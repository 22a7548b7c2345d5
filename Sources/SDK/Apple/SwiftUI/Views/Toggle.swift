// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// A control for a Boolean value; SwiftUI's name.
public struct Toggle<Label: View>: View {
  @Binding private var isOn: Bool
  private let label: Label
  @Environment(\.toggleStyle) private var style
  @Environment(\.areLabelsHidden) private var isLabelHidden

  /// Creates a toggle with a label.
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
    _isOn = isOn
    self.label = label()
  }

  /// The toggle in the style of the enclosing views.
  public var body: some View {
    let label = isLabelHidden ? AnyView(EmptyView()) : AnyView(label)
    style.anyBody(ToggleStyleConfiguration(label: label, isOn: $isOn))
  }
}

extension Toggle where Label == Text {
  /// Creates a toggle with a title.
  public init(_ title: some StringProtocol, isOn: Binding<Bool>) {
    self.init(isOn: isOn) { Text(String(title)) }
  }
}

extension Toggle where Label == SwiftUI.Label {
  /// Creates a toggle with a title and a symbol.
  public init(_ title: some StringProtocol, systemImage: String, isOn: Binding<Bool>) {
    self.init(isOn: isOn) { SwiftUI.Label(title, systemImage: systemImage) }
  }
}
