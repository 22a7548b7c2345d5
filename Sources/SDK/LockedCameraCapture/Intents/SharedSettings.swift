// SPDX-License-Identifier: Apache-2.0

/// Settings that an app and its capture extension share, kept in the app context of their intent.
///
/// The same code reads and changes them in both processes, and a change is made to what is stored now: two that change
/// different members at once do not undo each other. All members may be used in any thread.
public struct SharedSettings<Intent: CameraCaptureIntent>: Sendable {
  private let defaults: Intent.AppContext

  /// The settings of an intent; `defaults` are those before anything was stored.
  public init(_ intent: Intent.Type = Intent.self, defaults: Intent.AppContext) { self.defaults = defaults }

  /// The settings as they are now: the stored ones, else the defaults, also where what is stored cannot be read.
  public var value: Intent.AppContext {
    get async { ((try? await Intent.appContext) ?? nil) ?? defaults }
  }

  /// Changes the settings and stores them; gives what was stored.
  ///
  /// `change` is called again with the newer settings if somebody else has stored some meanwhile. Throws what it throws,
  /// and what ``CameraCaptureIntent/updateAppContext(_:)`` throws; then nothing is changed.
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

  /// The settings as they are and as they become, whoever changes them.
  public var updates: some AsyncSequence<Intent.AppContext, Never> {
    let defaults = defaults
    return Intent.appContextUpdates.map { $0.context ?? defaults }
  }
}
