// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// The size of controls; SwiftUI's name. All controls have the regular size.
public enum ControlSize: Hashable, Sendable, CaseIterable {
  /// The smallest size.
  case mini
  /// A size below the regular size.
  case small
  /// The regular size.
  case regular
  /// A size above the regular size.
  case large
  /// The largest size.
  case extraLarge
}

extension View {
  /// Leaves the view as it is: all controls have the regular size.
  public func controlSize(_ size: ControlSize) -> some View { self }
}
