// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// The intent that opens the portrait booth: in the extension while the screen is locked, otherwise in the
/// app.
public struct ClownTownCaptureIntent: CameraCaptureIntent {
  /// The type of the shared state.
  public typealias AppContext = ClownTownContext

  /// The title of the control.
  public static let title: LocalizedStringResource = "Clown portrait"
  /// The description of the control.
  public static let description: IntentDescription? = IntentDescription("Takes your profile photo.")

  /// Creates the intent.
  public init() {}

  /// Opens the app's booth with the make-up setting that the user chose last.
  @MainActor
  public func perform() async throws -> some IntentResult {
    let context = try await Self.appContext
    BoothState.shared.open(addsMakeup: context?.addsMakeup ?? false)
    return .result()
  }
}

/// The state of the booth in the app.
@MainActor
public final class BoothState {
  /// The booth of this process.
  public static let shared = BoothState()
  /// Whether the booth is open.
  public private(set) var isOpen = false
  /// Whether the booth adds make-up.
  public private(set) var addsMakeup = false

  /// Opens the booth.
  public func open(addsMakeup: Bool) {
    isOpen = true
    self.addsMakeup = addsMakeup
  }

  /// Closes the booth.
  public func close() { isOpen = false }
}
