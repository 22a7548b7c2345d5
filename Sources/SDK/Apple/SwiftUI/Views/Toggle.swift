// SPDX-License-Identifier: Apache-2.0

internal import Foundation
public import LockedCameraCapture

/// A switch for a Boolean value; SwiftUI's name.
public struct Toggle<Label: View>: View {
  @Binding private var isOn: Bool
  private let label: Label
  @Environment(\.style) private var style

  /// Creates a switch with a label before it.
  public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) {
    _isOn = isOn
    self.label = label()
  }

  /// The label and the switch.
  public var body: some View {
    HStack {
      label
      Spacer()
      Capsule()
        .fill(isOn ? style.tint : Color(white: 0.4, opacity: 0.8))
        .frame(width: 51, height: 31)
        .overlay(alignment: isOn ? .trailing : .leading) {
          Circle().fill(.white).frame(width: 27, height: 27).padding(2)
        }
    }
    .onTapGesture { isOn.toggle() }
  }
}

extension Toggle where Label == Text {
  /// Creates a switch with a title before it.
  public init(_ title: some StringProtocol, isOn: Binding<Bool>) {
    self.init(isOn: isOn) { Text(String(title)) }
  }
}
