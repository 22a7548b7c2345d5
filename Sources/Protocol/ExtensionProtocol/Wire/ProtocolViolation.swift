// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A message or byte sequence that violates the protocol.
package struct ProtocolViolation: Error, Equatable, Sendable, CustomStringConvertible {
  /// The message's method, or `nil` if it is unknown.
  package var method: String?
  /// The ID of the request to answer before the session ends, or `nil` if it is unknown.
  package var id: RequestID?
  package var reason: Reason

  /// A kind of violation.
  package enum Reason: Equatable, Sendable {
    /// A line exceeds the maximum length, in bytes.
    case lineTooLong(limit: Int)
    /// A line was not completed in time.
    case lineTooSlow(seconds: Int)
    /// The rate of messages exceeds the limit.
    case tooManyMessages(perSecond: Int)
    /// A line is not JSON, or its nesting is too deep.
    case notJSON(JSONSyntaxError)
    /// A line is an array of messages (a batch of JSON-RPC), which this protocol does not allow.
    case batch
    /// The other side closed the pipe in the middle of a line.
    case unfinishedLine
    /// A required field is missing.
    case missing(field: String, expected: String)
    /// A field has an invalid value.
    case wrong(field: String, expected: String, found: String)
    /// A request has no ID.
    case requestWithoutID
    /// A notification has an ID.
    case idOnNotification
    /// A reply does not match a pending request.
    case unexpectedReply
    /// The extension does not read its messages, and the host's queue is full.
    case notReading
    /// A message precedes `session/start`, or `session/start` was sent twice.
    case outOfOrder(expected: String)
  }

  /// Creates a violation.
  package init(method: String? = nil, id: RequestID? = nil, _ reason: Reason) {
    self.method = method
    self.id = id
    self.reason = reason
  }

  /// The error code of the reply before the session ends.
  package var code: ProtocolErrorCode {
    switch reason {
    case .notJSON, .lineTooLong, .unfinishedLine: .parseError
    case .missing(let field, _) where field.hasPrefix("params"): .invalidParams
    case .wrong(let field, _, _) where field.hasPrefix("params"): .invalidParams
    default: .invalidRequest
    }
  }

  /// The error reply.
  package var reply: Reply { Reply(id: id, error: code, description) }

  /// A sentence with the message, the field, the expected value and the fix.
  package var description: String {
    let subject = method.map { "\(clipped($0, 64)): " } ?? ""
    return subject + reason.description
  }
}

extension ProtocolViolation.Reason: CustomStringConvertible {
  /// A sentence without the message's name.
  package var description: String {
    switch self {
    case .lineTooLong(let limit):
      "a line is longer than \(limit) bytes; put large data into a file in the session directory"
    case .lineTooSlow(let seconds):
      "a line was not completed within \(seconds) seconds; end each message with a newline and flush"
    case .tooManyMessages(let rate):
      "more than \(rate) messages per second were sent; send fewer, or put the data into a file"
    case .notJSON(let error): "the line is not valid JSON at \(error); send one JSON object per line"
    case .batch: "an array of messages was sent; send each message as an object on a separate line"
    case .unfinishedLine: "the pipe was closed in the middle of a line; end each message with a newline"
    case .missing(let field, let expected):
      "the field \"\(field)\" is missing; it must be \(expected)"
    case .wrong(let field, let expected, let found):
      "the field \"\(field)\" is \(clipped(found, 80)); it must be \(expected)"
    case .requestWithoutID: "the request has no \"id\"; add an integer or a string"
    case .idOnNotification: "the notification has an \"id\"; remove the \"id\""
    case .unexpectedReply:
      "the reply does not match an open request; answer each request once, with its \"id\""
    case .notReading: "the extension does not read its messages; read host-in whenever it is readable"
    case .outOfOrder(let expected): "the message is out of order; expected \(expected)"
    }
  }
}

/// Returns a text of limited length for a sentence, because the sender is not trusted.
private func clipped(_ text: String, _ length: Int) -> String {
  text.count <= length ? text : text.prefix(length) + "…"
}
