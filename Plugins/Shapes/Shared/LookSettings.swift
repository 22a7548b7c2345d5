// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// The style of pictures: the settings that the app and the extension share.
public struct LookSettings: Codable, Sendable, Hashable {
  /// Whether pictures have no color.
  public var isGrey: Bool
  /// The JPEG quality, from 1 to 100.
  public var quality: Int

  /// Creates settings; by default in color, with quality 90.
  public init(isGrey: Bool = false, quality: Int = 90) {
    self.isGrey = isGrey
    self.quality = quality
  }
}

/// The intent that opens the camera with the chosen style.
public struct LookIntent: CameraCaptureIntent {
  /// The type of the shared state.
  public typealias AppContext = LookSettings

  /// The title of the control.
  public static let title: LocalizedStringResource = "Camera"

  /// Creates the intent.
  public init() {}

  /// Does nothing, because the app has no screen.
  public func perform() async throws -> some IntentResult { .result() }

  /// The settings that the app and the extension share.
  public static let settings = SharedSettings(LookIntent.self, defaults: LookSettings())
}
