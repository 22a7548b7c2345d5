// SPDX-License-Identifier: Apache-2.0

public import LockedCameraCapture

/// Brings a clown to the portrait booth, in the extension at the lock screen and in the app elsewhere.
public struct ClownTownCaptureIntent: CameraCaptureIntent {
  /// What both of them know.
  public typealias AppContext = ClownTownContext

  /// What stands on the control.
  public static let title: LocalizedStringResource = "Clown portrait"
  /// What the control does.
  public static let description: IntentDescription? = IntentDescription("Takes your profile photo.")

  /// Makes the intent.
  public init() {}

  /// Prepares the app's booth: with make-up, if the clown wanted that the last time, wherever that was.
  @MainActor
  public func perform() async throws -> some IntentResult {
    let context = try await Self.appContext
    BoothState.shared.open(addsMakeup: context?.addsMakeup ?? false)
    return .result()
  }
}

/// What the app shows of the booth.
@MainActor
public final class BoothState {
  /// The booth of this process.
  public static let shared = BoothState()
  /// Whether the person was brought to the booth.
  public private(set) var isOpen = false
  /// Whether the booth adds make-up.
  public private(set) var addsMakeup = false

  /// Opens the booth.
  public func open(addsMakeup: Bool) {
    isOpen = true
    self.addsMakeup = addsMakeup
  }

  /// Closes it, when it was shown.
  public func close() { isOpen = false }
}
