// SPDX-License-Identifier: Apache-2.0

// Modifiers of sources for iOS that have nothing to change in a viewfinder: each returns the view as it is.

public import Foundation
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

  /// Leaves the view as it is: shadows are not drawn.
  public func shadow(
    color: Color = .black,
    radius: CGFloat,
    x: CGFloat = 0,
    y: CGFloat = 0
  ) -> some View { self }
}
