// SPDX-License-Identifier: Apache-2.0

public import AppIntents

/// The intent that opens the camera: the extension while the screen is locked, otherwise the app.
public struct OpenCameraIntent: CameraCaptureIntent {
  /// The type of the shared state.
  public typealias AppContext = CameraSettings

  /// The title of the intent.
  public static let title: LocalizedStringResource = "Open the camera"
  /// The description of the intent.
  public static let description = IntentDescription("Takes photos while the screen is locked.")

  /// Creates the intent.
  public init() {}

  /// Does nothing: the system opens the app before it performs the intent.
  public func perform() async throws -> some IntentResult { .result() }
}
