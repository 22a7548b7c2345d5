// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A message from the host to the extension.
package enum HostMessage: Equatable, Sendable {
  /// A request, which the extension answers.
  case request(id: RequestID, HostRequest)
  /// A notification, which the extension does not answer.
  case notification(HostNotification)
  /// The reply to a request of the extension.
  case reply(Reply)
  /// A request of a later protocol version; the answer is ``ProtocolErrorCode/methodNotFound``.
  case unknownRequest(id: RequestID, method: String)
  /// A notification of a later protocol version, which is ignored.
  case unknownNotification(method: String)
}

/// A request from the host.
package enum HostRequest: Equatable, Sendable {
  /// Start the session. The result is ``SessionStartResult``. This is the first message of every session.
  case sessionStart(SessionStart)
}

/// A notification from the host.
package enum HostNotification: Equatable, Sendable {
  /// The session is about to end.
  case sessionWillDismiss(DismissalNotice)
  /// A capture button changed its state.
  case captureEvent(CaptureEvent)
  /// A contact with the viewfinder changed.
  case pointerEvent(PointerEvent)
  /// Another process changed the app context to this value.
  case contextChanged(JSONValue)
  /// The camera has stopped, and cannot be started again.
  case cameraEnded(CameraEndNotice)
  /// The camera's properties changed.
  case cameraChanged(CameraChange)
  /// The phase or the orientation of the session's scene changed.
  case sceneChanged(SceneState)
  /// The screen was locked or unlocked.
  case lockChanged(LockState)
  /// The permissions of the app changed; the message contains all of them.
  case permissionChanged(Permissions)
  /// The watchdog's missing requirements changed.
  case requirementsChanged(RequirementStatus)
  /// The photo library changed.
  case photosChanged
  /// The user adjusted a camera control.
  case controlsChanged(CameraControlChange)
  /// The appearance of the camera controls changed.
  case controlsAppearance(ControlsAppearance)
  /// The space for captured content changed.
  case contentRoom(ContentRoom)
  /// The microphone has stopped.
  case microphoneEnded(MicrophoneEndNotice)

  /// The method of the notification.
  package var method: HostMethod {
    switch self {
    case .sessionWillDismiss: .sessionWillDismiss
    case .captureEvent: .captureEvent
    case .pointerEvent: .pointerEvent
    case .contextChanged: .contextChanged
    case .cameraEnded: .cameraEnded
    case .cameraChanged: .cameraChanged
    case .sceneChanged: .sceneChanged
    case .lockChanged: .lockChanged
    case .permissionChanged: .permissionChanged
    case .requirementsChanged: .requirementsChanged
    case .photosChanged: .photosChanged
    case .controlsChanged: .controlsChanged
    case .controlsAppearance: .controlsAppearance
    case .contentRoom: .contentRoom
    case .microphoneEnded: .microphoneEnded
    }
  }

  /// The parameters of the message.
  var parameters: JSONValue {
    switch self {
    case .sessionWillDismiss(let notice): notice.json
    case .captureEvent(let event): event.json
    case .pointerEvent(let event): event.json
    case .contextChanged(let context): .object(["context": context])
    case .cameraEnded(let ending): ending.json
    case .cameraChanged(let change): change.json
    case .sceneChanged(let scene): scene.json
    case .lockChanged(let state): .object(["lockState": .string(state.rawValue)])
    case .permissionChanged(let permissions): .object(["permissions": permissions.json])
    case .requirementsChanged(let status): status.json
    case .photosChanged: [:]
    case .controlsChanged(let change): change.json
    case .controlsAppearance(let appearance): .object(["appearance": .string(appearance.rawValue)])
    case .contentRoom(let room): room.json
    case .microphoneEnded(let ending): ending.json
    }
  }
}

extension HostMessage {
  /// The message as one line, with its newline.
  package var line: [UInt8] {
    switch self {
    case .request(let id, .sessionStart(let start)):
      Envelope.request(id, HostMethod.sessionStart.rawValue, start.json)
    case .notification(let notification):
      Envelope.notification(notification.method.rawValue, notification.parameters)
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
    guard method != .sessionStart else {
      return .request(id: try call.requireID(), .sessionStart(try SessionStart(from: call.parameters)))
    }
    return .notification(try notification(method, try call.notificationParameters()))
  }

  private static func notification(
    _ method: HostMethod,
    _ fields: FieldReader
  ) throws(ProtocolViolation) -> HostNotification {
    switch method {
    case .sessionWillDismiss: .sessionWillDismiss(try DismissalNotice(from: fields))
    case .captureEvent: .captureEvent(try CaptureEvent(from: fields))
    case .pointerEvent: .pointerEvent(try PointerEvent(from: fields))
    case .contextChanged: .contextChanged(try fields.value("context"))
    case .cameraEnded: .cameraEnded(try CameraEndNotice(from: fields))
    case .cameraChanged: .cameraChanged(try CameraChange(from: fields))
    case .sceneChanged: .sceneChanged(try SceneState(from: fields))
    case .lockChanged: .lockChanged(try fields.choice("lockState"))
    case .permissionChanged: .permissionChanged(try Permissions(from: try fields.object("permissions")))
    case .requirementsChanged: .requirementsChanged(try RequirementStatus(from: fields))
    case .photosChanged: .photosChanged
    case .controlsChanged: .controlsChanged(try CameraControlChange(from: fields))
    case .controlsAppearance: .controlsAppearance(try fields.choice("appearance"))
    case .contentRoom: .contentRoom(try ContentRoom(from: fields))
    case .microphoneEnded: .microphoneEnded(try MicrophoneEndNotice(from: fields))
    case .sessionStart: throw fields.violation(.requestWithoutID)
    }
  }
}
