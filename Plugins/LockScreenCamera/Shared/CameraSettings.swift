// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// The settings of the camera, which the app and the extension store in the app context.
public struct CameraSettings: Codable, Hashable, Sendable {
  /// Whether photos are mirrored horizontally.
  public var isMirrored: Bool
  /// Whether the viewfinder shows a grid.
  public var showsGrid: Bool

  /// Creates settings; by default without mirroring and without a grid.
  public init(isMirrored: Bool = false, showsGrid: Bool = false) {
    self.isMirrored = isMirrored
    self.showsGrid = showsGrid
  }
}

extension CameraSettings: CustomStringConvertible {
  /// The settings as text, such as `mirror on, grid off`.
  public var description: String { "mirror \(isMirrored ? "on" : "off"), grid \(showsGrid ? "on" : "off")" }

  /// The stored settings of the process's app or session.
  public static let shared = SharedSettings(OpenCameraIntent.self, defaults: CameraSettings())
}
