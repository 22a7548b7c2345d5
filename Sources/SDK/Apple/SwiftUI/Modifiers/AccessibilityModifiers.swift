// SPDX-License-Identifier: Apache-2.0

// Modifiers that describe views for assistive technologies. The host reads no descriptions of views, so each returns the view as
// it is.

public import LockedCameraCapture

/// The descriptions of the views in a view; SwiftUI's name.
public enum AccessibilityChildBehavior: Hashable, Sendable {
  /// The description of the view replaces those of the views in it.
  case ignore
  /// The views in the view have their own descriptions.
  case contain
  /// The descriptions of the views in the view are joined.
  case combine
}

/// The properties of a view; SwiftUI's name.
public struct AccessibilityTraits: OptionSet, Sendable {
  /// The bits of the properties.
  public let rawValue: Int

  /// Creates properties from bits.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// The view is a button.
  public static let isButton = AccessibilityTraits(rawValue: 1)
  /// The view is selected.
  public static let isSelected = AccessibilityTraits(rawValue: 2)
  /// The view is a header.
  public static let isHeader = AccessibilityTraits(rawValue: 4)
  /// The view is an image.
  public static let isImage = AccessibilityTraits(rawValue: 8)
}

extension View {
  /// Leaves the view as it is: the host reads no descriptions of views.
  public func accessibilityElement(children: AccessibilityChildBehavior = .ignore) -> some View { self }

  /// Leaves the view as it is: the host reads no descriptions of views.
  public func accessibilityLabel(_ label: Text) -> some View { self }

  /// Leaves the view as it is: the host reads no descriptions of views.
  public func accessibilityValue(_ value: Text) -> some View { self }

  /// Leaves the view as it is: the host reads no descriptions of views.
  public func accessibilityValue(_ value: some StringProtocol) -> some View { self }

  /// Leaves the view as it is: the host reads no descriptions of views.
  public func accessibilityIdentifier(_ identifier: String) -> some View { self }

  /// Leaves the view as it is: the host reads no descriptions of views.
  public func accessibilityHidden(_ isHidden: Bool) -> some View { self }

  /// Leaves the view as it is: the host reads no descriptions of views.
  public func accessibilityAddTraits(_ traits: AccessibilityTraits) -> some View { self }
}
