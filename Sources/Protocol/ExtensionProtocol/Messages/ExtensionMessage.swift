// SPDX-License-Identifier: Apache-2.0

internal import JSONText

/// A message from the extension to the host.
package enum ExtensionMessage: Equatable, Sendable {
  /// A request, which the host answers.
  case request(id: RequestID, ExtensionRequest)
  /// A notification, which the host does not answer.
  case notification(ExtensionNotification)
  /// The reply to a request of the host.
  case reply(Reply)
  /// A request of a later protocol version; the answer is ``ProtocolErrorCode/methodNotFound``.
  case unknownRequest(id: RequestID, method: String)
  /// A notification of a later protocol version, which is ignored.
  case unknownNotification(method: String)
}

/// A notification from an extension.
package enum ExtensionNotification: Equatable, Sendable {
  /// The viewfinder displays the frame with this sequence number.
  case viewfinderPresented(frame: UInt64)
  /// A line for the session's log.
  case log(LogLevel, String)
}

extension ExtensionMessage {
  /// The message as one line, with its newline.
  package var line: [UInt8] {
    switch self {
    case .request(let id, let request):
      Envelope.request(id, request.method.rawValue, request.parameters)
    case .notification(.viewfinderPresented(let frame)):
      Envelope.notification(
        ExtensionMethod.viewfinderPresented.rawValue,
        .object(["frame": .integer(Int64(clamping: frame))])
      )
    case .notification(.log(let level, let message)):
      Envelope.notification(
        ExtensionMethod.log.rawValue,
        .object(["level": .string(level.rawValue), "message": .string(message)])
      )
    case .reply(let reply):
      Envelope.reply(reply)
    case .unknownRequest(let id, let method):
      Envelope.request(id, method, nil)
    case .unknownNotification(let method):
      Envelope.notification(method, nil)
    }
  }

  /// Creates a message from a line without its newline.
  package init(line: [UInt8]) throws(ProtocolViolation) {
    switch try Envelope(line: line) {
    case .reply(let reply):
      self = .reply(reply)
    case .call(let call):
      guard let method = ExtensionMethod(rawValue: call.method) else {
        self =
          call.id.map { .unknownRequest(id: $0, method: call.method) }
          ?? .unknownNotification(method: call.method)
        return
      }
      self = try Self.message(method, call)
    }
  }

  private static func message(
    _ method: ExtensionMethod,
    _ call: Envelope.Call
  ) throws(ProtocolViolation) -> Self {
    switch method {
    case .viewfinderPresented:
      let frame = try call.notificationParameters().integer("frame", in: 0...Int.max)
      return .notification(.viewfinderPresented(frame: UInt64(frame)))
    case .log:
      let fields = try call.notificationParameters()
      return .notification(.log(try fields.choice("level"), try fields.string("message")))
    default:
      return .request(id: try call.requireID(), try ExtensionRequest(method, call.parameters))
    }
  }
}
