// SPDX-License-Identifier: Apache-2.0

/// Settings that an app and its capture extension share, stored in the app context of their intent.
///
/// The same code reads and changes them in both processes. Changes apply to the currently stored settings, so
/// concurrent changes of different members do not overwrite each other. All members may be used on any
/// thread.
public struct SharedSettings<Intent: CameraCaptureIntent>: Sendable {
  private let defaults: Intent.AppContext

  /// Creates access to the settings of an intent.
  ///
  /// - Parameters:
  ///   - intent: The type of the intent.
  ///   - defaults: The settings while none are stored.
  public init(_ intent: Intent.Type = Intent.self, defaults: Intent.AppContext) { self.defaults = defaults }

  /// The current settings, or the defaults if none are stored or the stored ones cannot be read.
  public var value: Intent.AppContext {
    get async { ((try? await Intent.appContext) ?? nil) ?? defaults }
  }

  /// Changes the settings and stores them.
  ///
  /// - Parameter change: Changes the settings that it receives. It is called again with the newer settings if
  ///   another process or task has stored some meanwhile.
  /// - Returns: The stored settings.
  /// - Throws: The error of `change` or of ``CameraCaptureIntent/updateAppContext(_:)``; the stored settings
  ///   are then unchanged.
  @discardableResult
  public func update(
    _ change: @Sendable (inout Intent.AppContext) throws -> Void
  ) async throws -> Intent.AppContext {
    while true {
      let state = try await Intent.currentAppContext
      var settings = state.context ?? defaults
      try change(&settings)
      if try await Intent.updateAppContext(settings, ifAt: state.revision) { return settings }
      try Task.checkCancellation()
    }
  }

  /// The settings: the current ones, then each change by any process.
  public var updates: some AsyncSequence<Intent.AppContext, Never> {
    let defaults = defaults
    return Intent.appContextUpdates.map { $0.context ?? defaults }
  }
}
