// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// One side has sent what the protocol does not allow.
package struct ProtocolViolation: Error, Equatable, Sendable, CustomStringConvertible {
  /// The message's method, or nil if it could not be told which it was.
  package var method: String?
  /// The request's identifier, if it has one that could be read: whom to answer before the session ends.
  package var id: RequestID?
  /// What is wrong.
  package var reason: Reason

  /// The ways to leave the protocol.
  package enum Reason: Equatable, Sendable {
    /// A line is longer than the limit, in bytes.
    case lineTooLong(limit: Int)
    /// A line was begun and not ended in time.
    case lineTooSlow(seconds: Int)
    /// More messages than the rate allows.
    case tooManyMessages(perSecond: Int)
    /// A line is not JSON, or nested too deep.
    case notJSON(JSONSyntaxError)
    /// An array of messages; JSON-RPC has them, this protocol does not.
    case batch
    /// The other side closed in the middle of a line.
    case unfinishedLine
    /// A field is not there.
    case missing(field: String, expected: String)
    /// A field is there and wrong.
    case wrong(field: String, expected: String, found: String)
    /// A request came without an identifier.
    case requestWithoutID
    /// A notification came with an identifier.
    case idOnNotification
    /// A reply to a request that was not made, or that has been answered.
    case unexpectedReply
    /// More messages wait for the extension than the host keeps.
    case notReading
    /// A message came before `session/start`, or that came twice.
    case outOfOrder(expected: String)
  }

  /// Describes a violation.
  package init(method: String? = nil, id: RequestID? = nil, _ reason: Reason) {
    self.method = method
    self.id = id
    self.reason = reason
  }

  /// The code with which to answer before the session ends.
  package var code: ProtocolErrorCode {
    switch reason {
    case .notJSON, .lineTooLong, .unfinishedLine: .parseError
    case .missing(let field, _) where field.hasPrefix("params"): .invalidParams
    case .wrong(let field, _, _) where field.hasPrefix("params"): .invalidParams
    default: .invalidRequest
    }
  }

  /// The answer that says what was wrong.
  package var reply: Reply { Reply(id: id, error: code, description) }

  /// A sentence that names the message, the field, what was expected, and the mend.
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
      "a line was begun and not ended within \(seconds) seconds; end each message with a newline and flush"
    case .tooManyMessages(let rate):
      "more than \(rate) messages a second were sent; send fewer, or put the data into a file"
    case .notJSON(let error): "the line is not a JSON value at \(error); send one JSON object a line"
    case .batch: "an array of messages was sent; send each message as an object on a line of its own"
    case .unfinishedLine: "the pipe was closed in the middle of a line; end each message with a newline"
    case .missing(let field, let expected):
      "the field \"\(field)\" is missing; it has to be \(expected)"
    case .wrong(let field, let expected, let found):
      "the field \"\(field)\" is \(clipped(found, 80)); it has to be \(expected)"
    case .requestWithoutID: "this is a request and has no \"id\"; give it a number or a string"
    case .idOnNotification: "this is a notification and has an \"id\"; leave the \"id\" out"
    case .unexpectedReply:
      "this answers no open request; answer each request once, with the \"id\" it came with"
    case .notReading: "it does not read its messages; read host-in whenever there is something"
    case .outOfOrder(let expected): "this came at the wrong time; expected \(expected)"
    }
  }
}

/// A text for a sentence, cut off where it gets long: it may come from somebody who means ill.
private func clipped(_ text: String, _ length: Int) -> String {
  text.count <= length ? text : text.prefix(length) + "…"
}
