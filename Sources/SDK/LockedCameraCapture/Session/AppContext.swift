// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
internal import FoundationEssentials
internal import JSONText

extension LockedCameraCaptureSession {
  /// Returns the current app context.
  ///
  /// The host has sent the context before, so this does not send a request.
  ///
  /// - Parameter type: The type to decode.
  /// - Returns: The context, or `nil` if none is stored.
  /// - Throws: The error of the decoder.
  @MainActor
  public func appContext<Context: Decodable>(_ type: Context.Type = Context.self) throws -> Context? {
    if runtime.context.isNull { return nil }
    return try JSONDecoder().decode(type, from: Data(runtime.context.bytes()))
  }

  /// Replaces the app context.
  ///
  /// The call blocks until the host has stored the context.
  ///
  /// - Parameter newContext: The new context, or `nil` to clear it.
  /// - Throws: ``AppContextTooLarge`` if the context exceeds 4096 bytes of JSON.
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
    // The message that contains the context takes two levels of nesting.
    let limits = JSONLimits(bytes: .max, depth: ProtocolLimits.depth - 2)
    do {
      return try JSONNode.parse(Array(JSONEncoder().encode(context)), limits: limits).value
    } catch let error as JSONSyntaxError {
      throw LockedCameraCaptureError(.invalidContext, "the app context cannot be sent: \(error.reason)")
    }
  }
}
