// SPDX-License-Identifier: Apache-2.0

public import Foundation
public import LockedCameraCapture

/// The height of a sheet; SwiftUI's name. A sheet has the height of its content.
public struct PresentationDetent: Hashable, Sendable {
  private enum Height: Hashable {
    case share(CGFloat)
    case points(CGFloat)
  }

  private let height: Height

  /// Half of the viewfinder.
  public static let medium = PresentationDetent(height: .share(0.5))
  /// The whole viewfinder.
  public static let large = PresentationDetent(height: .share(1))

  /// Returns a share of the viewfinder, from 0 to 1.
  public static func fraction(_ fraction: CGFloat) -> PresentationDetent {
    PresentationDetent(height: .share(fraction))
  }

  /// Returns a height in points.
  public static func height(_ height: CGFloat) -> PresentationDetent {
    PresentationDetent(height: .points(height))
  }
}

extension View {
  /// Leaves the view as it is: a sheet has the height of its content.
  public func presentationDetents(_ detents: Set<PresentationDetent>) -> some View { self }
}
