// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import JSONText

/// An app context with a versioned type: it is stored together with the version of its type.
///
/// A context that was stored with another version is passed to ``migrate(from:json:)`` instead of failing to
/// decode. That includes contexts from before the type had versions, as version 0, and newer ones from before
/// a downgrade of the app.
public protocol VersionedAppContext: Codable, Sendable {
  /// The version of the type: at least 1, and increased with each incompatible change.
  static var contextVersion: Int { get }

  /// Converts a context that was stored with another version.
  ///
  /// - Parameters:
  ///   - version: The version of the stored context.
  ///   - json: The stored context.
  /// - Returns: The context, or `nil` to start without one.
  /// - Throws: An error that is passed on to the reader of the context.
  static func migrate(from version: Int, json: Data) throws -> Self?
}

extension VersionedAppContext {
  /// Decodes the stored context if it is compatible; otherwise returns `nil`.
  public static func migrate(from version: Int, json: Data) throws -> Self? {
    try? JSONDecoder().decode(Self.self, from: json)
  }
}

/// The JSON encoding of app contexts.
enum AppContextCoding<Context: Codable & Sendable> {
  /// The name of the member that contains the version.
  private static var versionKey: String { "contextVersion" }
  /// The name of the member that contains the context.
  private static var valueKey: String { "context" }

  /// Decodes a stored context; null results in `nil`.
  static func decode(_ value: JSONValue) throws -> Context? {
    if value.isNull { return nil }
    guard let versioned = Context.self as? any VersionedAppContext.Type else { return try json(value) }
    // Either an envelope, or a context from before the type had versions.
    guard let version = value[versionKey]?.integer, let context = value[valueKey], value.members?.count == 2
    else {
      return try versioned.migrate(from: 0, json: Data(value.bytes())) as? Context
    }
    if version == versioned.contextVersion { return try json(context) }
    return try versioned.migrate(from: Int(clamping: version), json: Data(context.bytes())) as? Context
  }

  private static func json(_ value: JSONValue) throws -> Context {
    try JSONDecoder().decode(Context.self, from: Data(value.bytes()))
  }

  /// Encodes a context for storage.
  ///
  /// - Throws: ``AppContextTooLarge`` if the context exceeds the size limit.
  static func encode(_ context: Context?) throws -> JSONValue {
    guard let context else { return .null }
    let value = try encodeAnySize(context)
    let size = value.bytes().count
    guard size <= AppContextLimits.bytes else {
      throw AppContextTooLarge(bytes: size, limit: AppContextLimits.bytes)
    }
    return value
  }

  /// Encodes a context without checking its size.
  static func encodeAnySize(_ context: Context) throws -> JSONValue {
    let encoder = JSONEncoder()
    // Equal contexts must have equal texts, because a revision is compared by its text.
    encoder.outputFormatting = .sortedKeys
    let limits = JSONLimits(bytes: .max, depth: AppContextLimits.depth)
    let value: JSONValue
    do { value = try JSONNode.parse(Array(encoder.encode(context)), limits: limits).value } catch let error
      as JSONSyntaxError
    {
      throw LockedCameraCaptureError(.invalidContext, "the app context cannot be stored: \(error.reason)")
    }
    guard let versioned = Context.self as? any VersionedAppContext.Type else { return value }
    return [versionKey: .integer(Int64(versioned.contextVersion)), valueKey: value]
  }
}
