// SPDX-License-Identifier: Apache-2.0

public import FoundationEssentials
internal import JSONText

/// An app context whose type changes over time: it is stored with the version of its type.
///
/// What an older app has stored, also before its type had versions (then as version 0), is given to
/// ``migrate(from:json:)`` instead of failing to decode; and a newer one, which an update that was taken back has left.
public protocol VersionedAppContext: Codable, Sendable {
  /// The version of the type; 1 or more, and more with every change that decoding does not survive.
  static var contextVersion: Int { get }

  /// Makes a context of what another version has stored, as JSON; nil begins without one.
  static func migrate(from version: Int, json: Data) throws -> Self?
}

extension VersionedAppContext {
  /// Decodes what is stored if it fits all the same; else there is no context.
  public static func migrate(from version: Int, json: Data) throws -> Self? {
    try? JSONDecoder().decode(Self.self, from: json)
  }
}

/// App contexts as JSON.
enum AppContextCoding<Context: Codable & Sendable> {
  /// The name of the member that holds the version.
  private static var versionKey: String { "contextVersion" }
  /// The name of the member that holds the context.
  private static var valueKey: String { "context" }

  /// A context from what is stored; null is none.
  static func decode(_ value: JSONValue) throws -> Context? {
    if value.isNull { return nil }
    guard let versioned = Context.self as? any VersionedAppContext.Type else { return try json(value) }
    // An envelope, or what was stored before the type had versions.
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

  /// What is stored for a context.
  static func encode(_ context: Context?) throws -> JSONValue {
    guard let context else { return .null }
    let value = try encodeAnySize(context)
    let size = value.bytes().count
    guard size <= AppContextLimits.bytes else {
      throw AppContextTooLarge(bytes: size, limit: AppContextLimits.bytes)
    }
    return value
  }

  /// The same, however large it is.
  static func encodeAnySize(_ context: Context) throws -> JSONValue {
    let encoder = JSONEncoder()
    // Equal contexts have equal texts, by which revisions are told apart.
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
