// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The answer to a request.
package struct Reply: Equatable, Sendable {
  /// The request that is answered; nil if the request was so broken that its identifier could not be read.
  package var id: RequestID?
  /// What came of it.
  package var outcome: Outcome

  /// What came of a request.
  package enum Outcome: Equatable, Sendable {
    /// It was done; ``WireValue/init(result:of:)`` reads the typed result.
    case success(JSONValue)
    /// It was not done.
    case failure(ErrorObject)
  }

  /// Makes an answer.
  package init(id: RequestID?, _ outcome: Outcome) {
    self.id = id
    self.outcome = outcome
  }

  /// Makes the answer that a request was done, with its typed result.
  package init(id: RequestID, result: some WireValue) {
    self.init(id: id, .success(result.json))
  }

  /// Makes the answer that a request was not done.
  package init(id: RequestID?, error code: ProtocolErrorCode, _ message: String, data: JSONValue? = nil) {
    self.init(id: id, .failure(ErrorObject(code: code.rawValue, message: message, data: data)))
  }
}

/// Why a request was not done.
package struct ErrorObject: Error, Equatable, Sendable, CustomStringConvertible {
  /// The number; ones that ``ProtocolErrorCode`` does not know are allowed.
  package var code: Int
  /// A sentence for people.
  package var message: String
  /// More for programs.
  package var data: JSONValue?

  /// Makes an error.
  package init(code: Int, message: String, data: JSONValue? = nil) {
    self.code = code
    self.message = message
    self.data = data
  }

  /// The code if it is one of the protocol's.
  package var knownCode: ProtocolErrorCode? { ProtocolErrorCode(rawValue: code) }

  /// The sentence and the code.
  package var description: String { "\(message) (\(code))" }

  /// The app context was too large.
  package static func contextTooLarge(bytes: Int) -> ErrorObject {
    let limit = ProtocolLimits.contextBytes
    return ErrorObject(
      code: ProtocolErrorCode.contextTooLarge.rawValue,
      message: "the app context has \(bytes) bytes and may have \(limit); store less, the old one is kept",
      data: .object(["bytes": .integer(Int64(bytes)), "limit": .integer(Int64(limit))])
    )
  }

  /// The app context is another one than the sender believed.
  package static func contextChanged(present: JSONValue) -> ErrorObject {
    ErrorObject(
      code: ProtocolErrorCode.contextChanged.rawValue,
      message: "somebody else has changed the app context; begin with the one in \"data\" and try again",
      data: present
    )
  }

  /// The app context that is stored instead of the one that the sender believed, null for none; nil in other errors.
  package var presentContext: JSONValue? { knownCode == .contextChanged ? data ?? .null : nil }

  /// The extension speaks none of the host's versions.
  package static func unsupportedVersion(_ mismatch: VersionMismatch) -> ErrorObject {
    ErrorObject(
      code: ProtocolErrorCode.unsupportedVersion.rawValue,
      message: mismatch.description,
      data: .object(["spoken": .array(mismatch.spoken.map { .integer(Int64($0)) })])
    )
  }

  /// The versions that the other side speaks, if this error says it.
  package var spokenVersions: [Int] {
    data?["spoken"]?.elements?.compactMap { $0.integer.flatMap(Int.init(exactly:)) } ?? []
  }
}
