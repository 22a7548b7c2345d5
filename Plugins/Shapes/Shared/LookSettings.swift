// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// How pictures are to look: what the app and the extension both set and both obey.
public struct LookSettings: Codable, Sendable, Hashable {
  /// Whether pictures are without colour.
  public var isGrey: Bool
  /// The quality of JPEG, from 1 to 100.
  public var quality: Int

  /// Names the settings; the standard ones where nothing is said.
  public init(isGrey: Bool = false, quality: Int = 90) {
    self.isGrey = isGrey
    self.quality = quality
  }
}

/// Brings a person to the camera whose pictures look as they like.
public struct LookIntent: CameraCaptureIntent {
  /// What both of them know.
  public typealias AppContext = LookSettings

  /// What stands on the control.
  public static let title: LocalizedStringResource = "Camera"

  /// Makes the intent.
  public init() {}

  /// The app has no screen to bring anybody to.
  public func perform() async throws -> some IntentResult { .result() }

  /// The store that both of them use.
  public static let settings = SharedSettings(LookIntent.self, defaults: LookSettings())
}
