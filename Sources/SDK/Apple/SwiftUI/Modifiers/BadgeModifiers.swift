// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// A view with a text at the end of its row.
private struct BadgedView<Content: View>: View {
  let content: Content
  let badge: String?
  @Environment(\.isInList) private var isInList

  var body: some View {
    HStack {
      content
      if isInList, let badge {
        Spacer()
        Text(badge).foregroundStyle(.gray)
      }
    }
  }
}

extension View {
  /// Shows a number at the end of the view in a row of a ``List``; 0 shows nothing.
  public func badge(_ count: Int) -> some View { badge(count == 0 ? nil : "\(count)") }

  /// Shows a text at the end of the view in a row of a ``List``; `nil` shows nothing.
  public func badge(_ label: String?) -> some View { BadgedView(content: self, badge: label) }

  /// Leaves the view as it is: symbols do not move.
  public func symbolEffect(_ effect: SymbolEffect, value: some Equatable) -> some View { self }

  /// Leaves the view as it is: symbols do not move.
  public func symbolEffect(_ effect: SymbolEffect, isActive: Bool = true) -> some View { self }
}

/// A movement of a symbol; members of the types of Apple's module Symbols.
public struct SymbolEffect: Hashable, Sendable {
  private let name: String

  /// A movement up and down.
  public static let bounce = SymbolEffect(name: "bounce")
  /// A change of the opacity.
  public static let pulse = SymbolEffect(name: "pulse")
  /// A change of the opacities of the layers.
  public static let variableColor = SymbolEffect(name: "variableColor")
  /// A change of the size.
  public static let scale = SymbolEffect(name: "scale")
  /// A rotation.
  public static let rotate = SymbolEffect(name: "rotate")
  /// A slow change of the size.
  public static let breathe = SymbolEffect(name: "breathe")
  /// A movement to the sides.
  public static let wiggle = SymbolEffect(name: "wiggle")
}
