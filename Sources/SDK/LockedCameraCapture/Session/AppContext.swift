// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import FoundationEssentials
internal import JSONText

extension LockedCameraCaptureSession {
  /// The app context as it is now, or nil if there is none. Asks nobody: the host has sent it.
  @MainActor
  public func appContext<Context: Decodable>(_ type: Context.Type = Context.self) throws -> Context? {
    if runtime.context.isNull { return nil }
    return try JSONDecoder().decode(type, from: Data(runtime.context.bytes()))
  }

  /// Replaces the app context; nil clears it.
  ///
  /// Throws ``AppContextTooLarge`` if it has more than 4096 bytes as JSON.
  @MainActor
  public func updateAppContext<Context: Encodable>(_ newContext: Context?) throws {
    let value = try newContext.map(json) ?? .null
    let size = value.bytes().count
    guard value.isNull || size <= ProtocolLimits.contextBytes else {
      throw AppContextTooLarge(bytes: size, limit: ProtocolLimits.contextBytes)
    }
    _ = try runtime.request(.contextUpdate(value), ContextUpdateResult.self)
  }

  private func json(_ context: some Encodable) throws -> JSONValue {
    // The message itself takes two levels.
    let limits = JSONLimits(bytes: .max, depth: ProtocolLimits.depth - 2)
    do {
      return try JSONNode.parse(Array(JSONEncoder().encode(context)), limits: limits).value
    } catch let error as JSONSyntaxError {
      throw LockedCameraCaptureError(.invalidContext, "the app context cannot be sent: \(error.reason)")
    }
  }
}
