// SPDX-License-Identifier: Apache-2.0

internal import QuartzCore

/// The way in which a preview fills its bounds.
public struct AVLayerVideoGravity: RawRepresentable, Hashable, Sendable {
  /// Apple's name.
  public let rawValue: String

  /// Creates a value from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The whole frame is visible; its shape is kept.
  public static let resizeAspect = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspect")
  /// The bounds are filled; the shape of the frame is kept, and its edges may be cut off.
  public static let resizeAspectFill = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResizeAspectFill")
  /// The bounds are filled; the frame is stretched.
  public static let resize = AVLayerVideoGravity(rawValue: "AVLayerVideoGravityResize")

  /// The gravity of the drawing; that of ``resizeAspect`` for an unknown name.
  var fitGravity: FrameFit.Gravity {
    switch self {
    case .resizeAspectFill: .aspectFill
    case .resize: .stretch
    default: .aspect
    }
  }
}
