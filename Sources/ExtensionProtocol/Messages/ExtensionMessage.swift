// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// What the extension sends and the host receives.
package enum ExtensionMessage: Equatable, Sendable {
  /// The host has to answer.
  case request(id: RequestID, ExtensionRequest)
  /// The host does not answer.
  case notification(ExtensionNotification)
  /// The answer to a request of the host.
  case reply(Reply)
  /// A request of a later version: answer ``ProtocolErrorCode/methodNotFound``.
  case unknownRequest(id: RequestID, method: String)
  /// A notification of a later version: ignore it.
  case unknownNotification(method: String)
}

/// What an extension asks for.
package enum ExtensionRequest: Equatable, Sendable {
  /// Let frames flow; the result is ``CameraStream``.
  case cameraStart(FrameDelivery)
  /// Let no more frames flow; the result is ``Nothing``.
  case cameraStop
  /// Send capture events; the result is ``Nothing``.
  case captureSubscribe
  /// Read the app context; the result is ``ContextResult``.
  case contextGet
  /// Replace the app context, with null to clear it; the result is ``ContextUpdateResult``.
  case contextUpdate(JSONValue)
  /// End the session; the result is ``Nothing``.
  case sessionDismiss

  /// The method's name.
  package var method: ExtensionMethod {
    switch self {
    case .cameraStart: .cameraStart
    case .cameraStop: .cameraStop
    case .captureSubscribe: .captureSubscribe
    case .contextGet: .contextGet
    case .contextUpdate: .contextUpdate
    case .sessionDismiss: .sessionDismiss
    }
  }

  var parameters: JSONValue {
    switch self {
    case .cameraStart(let delivery): .object(["delivery": .string(delivery.rawValue)])
    case .contextUpdate(let context): .object(["context": context])
    case .cameraStop, .captureSubscribe, .contextGet, .sessionDismiss: [:]
    }
  }
}

/// What an extension tells.
package enum ExtensionNotification: Equatable, Sendable {
  /// The frame with this sequence is on the viewfinder.
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

  /// Reads a line, without its newline.
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
      return .request(id: try call.requireID(), try request(method, call.parameters))
    }
  }

  private static func request(
    _ method: ExtensionMethod,
    _ fields: FieldReader
  ) throws(ProtocolViolation) -> ExtensionRequest {
    switch method {
    case .cameraStart: .cameraStart(try fields.choice("delivery"))
    case .cameraStop: .cameraStop
    case .captureSubscribe: .captureSubscribe
    case .contextGet: .contextGet
    case .contextUpdate: .contextUpdate(try fields.value("context"))
    case .sessionDismiss: .sessionDismiss
    case .viewfinderPresented, .log: throw fields.violation(.idOnNotification)
    }
  }
}
