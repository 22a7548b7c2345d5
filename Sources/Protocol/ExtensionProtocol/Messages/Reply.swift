// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A reply to a request.
package struct Reply: Equatable, Sendable {
  /// The ID of the request, or `nil` if the request was malformed and its ID could not be read.
  package var id: RequestID?
  /// The outcome of the request.
  package var outcome: Outcome

  /// The outcome of a request.
  package enum Outcome: Equatable, Sendable {
    /// The request succeeded; ``WireValue/init(result:of:)`` reads the typed result.
    case success(JSONValue)
    /// The request failed.
    case failure(ErrorObject)
  }

  /// Creates a reply.
  package init(id: RequestID?, _ outcome: Outcome) {
    self.id = id
    self.outcome = outcome
  }

  /// Creates a reply with a typed result.
  package init(id: RequestID, result: some WireValue) {
    self.init(id: id, .success(result.json))
  }

  /// Creates a reply with an error.
  package init(id: RequestID?, error code: ProtocolErrorCode, _ message: String, data: JSONValue? = nil) {
    self.init(id: id, .failure(ErrorObject(code: code.rawValue, message: message, data: data)))
  }
}

/// The error of a failed request.
package struct ErrorObject: Error, Equatable, Sendable, CustomStringConvertible {
  /// The error code. Codes that ``ProtocolErrorCode`` does not define are allowed.
  package var code: Int
  /// A sentence for the user.
  package var message: String
  /// Additional data for programs.
  package var data: JSONValue?

  /// Creates an error.
  package init(code: Int, message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// The code, or `nil` if the protocol does not define it.
  package var knownCode: ProtocolErrorCode? { ProtocolErrorCode(rawValue: code) }

  /// The sentence and the code.
  package var description: String { "\(message) (\(code))" }

  /// Returns the error that the app context is too large.
  package static func contextTooLarge(bytes: Int) -> ErrorObject {
    let limit = ProtocolLimits.contextBytes
    return ErrorObject(
      code: ProtocolErrorCode.contextTooLarge.rawValue,
      message:
        "the app context has \(bytes) bytes of JSON, more than the limit of \(limit); store less (the previous "
        + "context is kept)",
      data: .object(["bytes": .integer(Int64(bytes)), "limit": .integer(Int64(limit))])
    )
  }

  /// Returns the error that the stored app context differs from the expected one.
  package static func contextChanged(present: JSONValue) -> ErrorObject {
    ErrorObject(
      code: ProtocolErrorCode.contextChanged.rawValue,
      message:
        "another process has changed the app context; start with the context in \"data\" and try again",
      data: present
    )
  }

  /// The stored app context if it differed from the expected one, with null for no context; `nil` for other
  /// errors.
  package var currentContext: JSONValue? { knownCode == .contextChanged ? data ?? .null : nil }

  /// Returns the error that the extension supports none of the host's versions.
  package static func unsupportedVersion(_ mismatch: VersionMismatch) -> ErrorObject {
    ErrorObject(
      code: ProtocolErrorCode.unsupportedVersion.rawValue,
      message: mismatch.description,
      data: .object(["spoken": .array(mismatch.supported.map { .integer(Int64($0)) })])
    )
  }

  /// The versions that the other side supports; empty if the error does not contain them.
  package var supportedVersions: [Int] {
    data?["spoken"]?.elements?.compactMap { $0.integer.flatMap(Int.init(exactly:)) } ?? []
  }
}
