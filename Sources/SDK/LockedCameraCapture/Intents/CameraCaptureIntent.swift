// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// What a control means that begins to capture: on a locked machine the capture extension, elsewhere the app.
///
/// One type in a module that app and extension share; both read and write ``appContext``. Declare the context's type
/// nonisolated where the module's default isolation is the main actor, because it is decoded on any thread.
public protocol CameraCaptureIntent: SystemIntent {
  /// What app and extension share: the state that either of them begins with.
  associatedtype AppContext: Decodable, Encodable, Sendable = Never

  /// The context as it is now; nil if there is none.
  ///
  /// In the extension the host has sent it before, so that reading costs nothing. Throws the decoder's error if what is
  /// stored is not of this type any more, unless the type is a ``VersionedAppContext`` that can help.
  static var appContext: AppContext? { get async throws }

  /// Replaces the context, wholly or not at all; nil clears it.
  ///
  /// Throws ``AppContextTooLarge`` with both sizes if it has more than 4096 bytes as JSON; then the old one stays.
  static func updateAppContext(_ newContext: AppContext?) async throws
}

extension CameraCaptureIntent {
  /// Capturing is done in the app, so it comes forward.
  public static var openAppWhenRun: Bool { true }

  /// The context of this process's app, or of its session.
  public static var appContext: AppContext? {
    get async throws { try AppContextCoding<AppContext>.decode(try await AppContextAccess.current().read()) }
  }

  /// Replaces the context of this process's app, or of its session.
  public static func updateAppContext(_ newContext: AppContext?) async throws {
    _ = try await AppContextAccess.current().write(AppContextCoding<AppContext>.encode(newContext), nil)
  }

  /// How many bytes a context would take; at most ``appContextSizeLimit`` can be stored. Stores nothing.
  public static func appContextSize(_ context: AppContext) throws -> Int {
    try AppContextCoding<AppContext>.encodeAnySize(context).bytes().count
  }

  /// The largest context, in bytes of compact JSON: 4096.
  public static var appContextSizeLimit: Int { AppContextLimits.bytes }

  /// The context with its revision; the revision changes with every change of the context.
  public static var currentAppContext: AppContextState<AppContext> {
    get async throws {
      let value = try await AppContextAccess.current().read()
      return AppContextState(context: try AppContextCoding.decode(value), revision: AppContextRevision(value))
    }
  }

  /// Replaces the context if it is still at a revision; gives whether it was. Otherwise nothing is changed.
  ///
  /// This is one step among all processes that change the context, in the app as in the extension, where the host does
  /// it. Afterwards ``currentAppContext`` is what is stored instead.
  public static func updateAppContext(
    _ newContext: AppContext?,
    ifAt revision: AppContextRevision
  ) async throws -> Bool {
    try await AppContextAccess.current().write(AppContextCoding<AppContext>.encode(newContext), revision)
  }

  /// The context as it is, and then as it becomes, whoever changes it; what cannot be decoded is left out.
  public static var appContextUpdates: some AsyncSequence<AppContextState<AppContext>, Never> {
    AppContextUpdates<AppContext>()
  }
}
