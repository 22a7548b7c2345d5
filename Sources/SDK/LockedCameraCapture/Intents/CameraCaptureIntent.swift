// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// The intent of a control that starts a capture: in the capture extension while the screen is locked,
/// otherwise in the app.
///
/// Declare one type in a module that app and extension share; both read and write ``appContext``. In a module
/// with main actor default isolation, declare the type of the context nonisolated, because it is decoded on
/// any thread.
public protocol CameraCaptureIntent: SystemIntent {
  /// The type of the state that the app and the extension share.
  associatedtype AppContext: Decodable, Encodable, Sendable = Never

  /// The current app context, or `nil` if there is none.
  ///
  /// In the extension, the host has sent it before, so reading sends no request. Reading throws the error of
  /// the decoder if the stored context does not match the type, unless the type is a ``VersionedAppContext``
  /// that can convert it.
  static var appContext: AppContext? { get async throws }

  /// Replaces the app context atomically.
  ///
  /// - Parameter newContext: The new context, or `nil` to clear it.
  /// - Throws: ``AppContextTooLarge`` if the context exceeds 4096 bytes of JSON; the stored context is then
  ///   unchanged.
  static func updateAppContext(_ newContext: AppContext?) async throws
}

extension CameraCaptureIntent {
  /// `true`: outside the extension, the capture takes place in the app.
  public static var openAppWhenRun: Bool { true }

  /// The context of this process's app or session.
  public static var appContext: AppContext? {
    get async throws { try AppContextCoding<AppContext>.decode(try await AppContextAccess.current().read()) }
  }

  /// Replaces the context of this process's app or session.
  public static func updateAppContext(_ newContext: AppContext?) async throws {
    _ = try await AppContextAccess.current().write(AppContextCoding<AppContext>.encode(newContext), nil)
  }

  /// Returns the size of a context in bytes of compact JSON, without storing it.
  ///
  /// At most ``appContextSizeLimit`` bytes can be stored.
  public static func appContextSize(_ context: AppContext) throws -> Int {
    try AppContextCoding<AppContext>.encodeAnySize(context).bytes().count
  }

  /// The maximum size of a context: 4096 bytes of compact JSON.
  public static var appContextSizeLimit: Int { AppContextLimits.bytes }

  /// The current context and its revision, which differs for each different context.
  public static var currentAppContext: AppContextState<AppContext> {
    get async throws {
      let value = try await AppContextAccess.current().read()
      return AppContextState(context: try AppContextCoding.decode(value), revision: AppContextRevision(value))
    }
  }

  /// Replaces the context if it still has the given revision.
  ///
  /// The host performs the comparison and the replacement as one step for all processes, both apps and
  /// extensions.
  ///
  /// - Parameters:
  ///   - newContext: The new context, or `nil` to clear it.
  ///   - revision: The expected revision of the stored context.
  /// - Returns: `false` if the stored context has another revision; it is then unchanged. Read it with
  ///   ``currentAppContext``.
  /// - Throws: ``AppContextTooLarge`` if the context exceeds 4096 bytes of JSON.
  public static func updateAppContext(
    _ newContext: AppContext?,
    ifAt revision: AppContextRevision
  ) async throws -> Bool {
    try await AppContextAccess.current().write(AppContextCoding<AppContext>.encode(newContext), revision)
  }

  /// The context: the current state, then each change by any process.
  ///
  /// A context that cannot be decoded is skipped.
  public static var appContextUpdates: some AsyncSequence<AppContextState<AppContext>, Never> {
    AppContextUpdates<AppContext>()
  }
}
