// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// What the host sends and the extension receives.
package enum HostMessage: Equatable, Sendable {
  /// The extension has to answer.
  case request(id: RequestID, HostRequest)
  /// The extension does not answer.
  case notification(HostNotification)
  /// The answer to a request of the extension.
  case reply(Reply)
  /// A request of a later version: answer ``ProtocolErrorCode/methodNotFound``.
  case unknownRequest(id: RequestID, method: String)
  /// A notification of a later version: ignore it.
  case unknownNotification(method: String)
}

/// What the host asks for.
package enum HostRequest: Equatable, Sendable {
  /// The session begins; the result is ``SessionStartResult``. The first message of every session.
  case sessionStart(SessionStart)
}

/// What the host tells.
package enum HostNotification: Equatable, Sendable {
  /// The session is about to end.
  case sessionWillDismiss(DismissalNotice)
  /// A capture button moved.
  case captureEvent(CaptureEvent)
  /// Somebody else has changed the app context, to this.
  case contextChanged(JSONValue)
}

extension HostMessage {
  /// The message as one line, with its newline.
  package var line: [UInt8] {
    switch self {
    case .request(let id, .sessionStart(let start)):
      Envelope.request(id, HostMethod.sessionStart.rawValue, start.json)
    case .notification(.sessionWillDismiss(let notice)):
      Envelope.notification(HostMethod.sessionWillDismiss.rawValue, notice.json)
    case .notification(.captureEvent(let event)):
      Envelope.notification(HostMethod.captureEvent.rawValue, event.json)
    case .notification(.contextChanged(let context)):
      Envelope.notification(HostMethod.contextChanged.rawValue, .object(["context": context]))
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
      guard let method = HostMethod(rawValue: call.method) else {
        self =
          call.id.map { .unknownRequest(id: $0, method: call.method) }
          ?? .unknownNotification(method: call.method)
        return
      }
      self = try Self.message(method, call)
    }
  }

  private static func message(_ method: HostMethod, _ call: Envelope.Call) throws(ProtocolViolation) -> Self {
    switch method {
    case .sessionStart:
      .request(id: try call.requireID(), .sessionStart(try SessionStart(from: call.parameters)))
    case .sessionWillDismiss:
      .notification(.sessionWillDismiss(try DismissalNotice(from: try call.notificationParameters())))
    case .captureEvent:
      .notification(.captureEvent(try CaptureEvent(from: try call.notificationParameters())))
    case .contextChanged:
      .notification(.contextChanged(try call.notificationParameters().value("context")))
    }
  }
}
