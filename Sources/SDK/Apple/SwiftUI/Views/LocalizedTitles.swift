// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

// Titles with formatted numbers, for values of `LocalizedStringKey`. A literal selects the initializers for strings.

extension Button where Label == Text {
  /// Creates a button with a title.
  public init(_ title: LocalizedStringKey, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void) {
    self.init(role: role, action: action) { Text(title) }
  }
}

extension Label {
  /// Creates a label with the name of a symbol.
  public init(_ title: LocalizedStringKey, systemImage: String) {
    self.init(title.text, systemImage: systemImage)
  }
}

extension Toggle where Label == Text {
  /// Creates a toggle with a title.
  public init(_ title: LocalizedStringKey, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(title) } }
}
