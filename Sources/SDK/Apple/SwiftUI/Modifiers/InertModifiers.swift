// SPDX-License-Identifier: Apache-2.0

// Modifiers of sources for iOS that have nothing to change in a viewfinder: each returns the view as it is.

public import LockedCameraCapture

extension View {
  /// Leaves the view as it is: contacts already reach the whole frame of a view.
  public func contentShape(_ shape: some Shape) -> some View { self }

  /// Leaves the view as it is: the color scheme is always dark.
  public func preferredColorScheme(_ scheme: ColorScheme?) -> some View { self }

  /// Leaves the view as it is: the viewfinder has no status bar.
  public func statusBarHidden(_ isHidden: Bool = true) -> some View { self }

  /// Leaves the view as it is: the host reads no descriptions of views.
  public func accessibilityLabel(_ label: some StringProtocol) -> some View { self }

  /// Leaves the view as it is: the host reads no descriptions of views.
  public func accessibilityHint(_ hint: some StringProtocol) -> some View { self }

  /// Leaves the view as it is: machines have no haptic feedback.
  public func sensoryFeedback(_ feedback: SensoryFeedback, trigger: some Equatable) -> some View { self }

  /// Leaves the view as it is: changed content replaces the former content at once.
  public func contentTransition(_ transition: ContentTransition) -> some View { self }

  /// Leaves the view as it is: the viewfinder has no overlays of a system.
  public func persistentSystemOverlays(_ visibility: Visibility) -> some View { self }

  /// Leaves the view as it is: each area of a view is drawn for itself.
  public func compositingGroup() -> some View { self }

  /// Leaves the view as it is: views are drawn by the processor.
  public func drawingGroup(opaque: Bool = false) -> some View { self }

  /// Leaves the view as it is: the viewfinder has no status bar.
  public func statusBar(hidden: Bool) -> some View { self }

  /// Leaves the view as it is: a title is drawn over the content, without a bar of its own.
  public func navigationBarHidden(_ hidden: Bool) -> some View { self }

  /// Leaves the view as it is: the viewfinder has no gestures of a system.
  public func defersSystemGestures(on edges: Edge.Set) -> some View { self }

  /// Leaves the view as it is: only an app, not a gesture, dismisses a sheet.
  public func interactiveDismissDisabled(_ isDisabled: Bool = true) -> some View { self }

  /// Leaves the view as it is: the size of texts does not depend on settings of the user.
  public func dynamicTypeSize(_ size: DynamicTypeSize) -> some View { self }

  /// Leaves the view as it is: the size of texts does not depend on settings of the user.
  public func dynamicTypeSize(_ range: some RangeExpression<DynamicTypeSize>) -> some View { self }

  /// Leaves the view as it is: the frame of a view already changes together with its contents.
  public func geometryGroup() -> some View { self }

  /// Leaves the view as it is: scroll views have no indicators.
  public func scrollIndicators(_ visibility: ScrollIndicatorVisibility) -> some View { self }
}

/// A size of texts that a user of Apple's systems selects; SwiftUI's name and members.
public enum DynamicTypeSize: Int, Comparable, Hashable, Sendable, CaseIterable {
  /// The sizes from the smallest to the largest; `large` is the usual one.
  case xSmall, small, medium, large, xLarge, xxLarge, xxxLarge
  /// The sizes for users with impaired vision.
  case accessibility1, accessibility2, accessibility3, accessibility4, accessibility5

  /// Returns whether a size is smaller than another one.
  public static func < (smaller: DynamicTypeSize, larger: DynamicTypeSize) -> Bool {
    smaller.rawValue < larger.rawValue
  }
}

/// A haptic feedback; SwiftUI's name and members.
public enum SensoryFeedback: Hashable, Sendable {
  /// A selection has changed.
  case selection
  /// A task is complete.
  case success
  /// A task produces a warning.
  case warning
  /// A task has failed.
  case error
  /// Two objects meet.
  case impact
}

/// A transition between the contents of one view; SwiftUI's name and members.
public enum ContentTransition: Hashable, Sendable {
  /// No transition.
  case identity
  /// A change of the opacity.
  case opacity
  /// A change of the shapes of characters.
  case interpolate
  /// A movement of digits.
  case numericText(countsDown: Bool = false)
}

/// Whether scroll views show their positions; SwiftUI's name and members.
public enum ScrollIndicatorVisibility: Hashable, Sendable {
  /// The usual visibility.
  case automatic
  /// Indicators are visible.
  case visible
  /// Indicators are hidden.
  case hidden
  /// Indicators are hidden, even during a movement.
  case never
}
