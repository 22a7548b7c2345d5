// SPDX-License-Identifier: Apache-2.0

public import Foundation
internal import LockedCameraCapture

/// The viewfinder as a screen; UIKit's name.
@MainActor
public final class UIScreen {
  /// The length of the shorter side of the viewfinder in points, as the display of an iPhone.
  package static let shorterSide = 390.0
  /// The viewfinder of the session.
  public static let main = UIScreen()

  private init() {}

  /// The rectangle of the viewfinder in points; empty without a session or a viewfinder.
  public var bounds: CGRect {
    CGRect(x: 0, y: 0, width: nativeBounds.width / scale, height: nativeBounds.height / scale)
  }

  /// The rectangle of the viewfinder in pixels; empty without a session or a viewfinder.
  public var nativeBounds: CGRect {
    guard let size = CurrentSession.session?.viewfinderSize else { return .zero }
    return CGRect(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// The number of pixels per point.
  public var scale: CGFloat {
    let shorter = min(nativeBounds.width, nativeBounds.height)
    return shorter > 0 ? shorter / Self.shorterSide : 1
  }
}
