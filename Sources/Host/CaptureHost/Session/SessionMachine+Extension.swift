// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol
internal import JSONText
internal import SessionStore

extension SessionMachine {
  /// Handles a message from the extension.
  package mutating func received(_ message: ExtensionMessage, now: UInt64) -> [SessionAction] {
    switch message {
    case .reply(let reply): return replied(reply, now: now)
    case .request(let id, let request):
      guard phase != .starting else { return endForViolation(Self.tooEarly) }
      return requested(request, id, now: now)
    case .notification(.viewfinderPresented(let frame)):
      presentedFrame = max(presentedFrame, frame)
      return viewfinderPresented(now: now)
    case .notification(.log(let level, let text)): return [.log(level, text)]
    case .unknownRequest(let id, let method):
      let text = "unknown request '\(method)'; the protocol document lists all requests"
      return [.send(.reply(Reply(id: id, error: .methodNotFound, text)))]
    case .unknownNotification: return []
    }
  }

  /// Handles a protocol violation of the extension.
  package mutating func violated(_ violation: ProtocolViolation) -> [SessionAction] {
    endForViolation(violation.description)
  }

  /// Handles the end of the extension's messages. The extension may continue, but cannot send requests.
  package mutating func outputClosed(now: UInt64) -> [SessionAction] {
    // A failing program closes its descriptors before its exit is seen. That is not a protocol violation.
    if phase == .starting { exitDeadline = now + Self.exitTimeout }
    return []
  }

  /// The time that a program may take to exit after it has closed its descriptors, in nanoseconds.
  static let exitTimeout: UInt64 = 1_000_000_000

  static let closedTooEarly = "host-out was closed before the reply to session/start"

  private static let tooEarly =
    "the first message was not the reply to session/start; read host-in first, and reply with the same id"

  /// Terminates the session because of a protocol violation, which the sentence describes.
  mutating func endForViolation(_ sentence: String) -> [SessionAction] {
    end(.protocolViolation(.init(sentence: sentence)))
  }

  private mutating func replied(_ reply: Reply, now: UInt64) -> [SessionAction] {
    guard phase == .starting else {
      if case .dismissing = phase { return [] }
      return endForViolation("a reply was sent that belongs to no pending request")
    }
    guard reply.id == Self.startRequest else { return endForViolation(Self.tooEarly) }
    switch reply.outcome {
    case .success(let result): return accepted(result, now: now)
    case .failure(let error):
      let mismatch = VersionMismatch(offered: ProtocolVersion.supported, supported: error.supportedVersions)
      return endForViolation(
        error.knownCode == .unsupportedVersion ? mismatch.description : "session/start was refused: \(error)"
      )
    }
  }

  private mutating func accepted(_ result: JSONValue, now: UInt64) -> [SessionAction] {
    do throws(ProtocolViolation) {
      let answer = try SessionStartResult(result: result, of: HostMethod.sessionStart)
      guard ProtocolVersion.supported.contains(answer.protocolVersion) else {
        return endForViolation(
          VersionMismatch(offered: ProtocolVersion.supported, supported: [answer.protocolVersion]).description
        )
      }
    } catch { return endForViolation(error.description) }
    phase = .running
    hasAnswered = true
    lastActivity = now
    let sensor: [SessionAction] = terms.launch.orientations.count > 1 ? [.readOrientation] : []
    return reportMissedChanges() + updateRequirements(now) + sensor
  }

  private mutating func requested(
    _ request: ExtensionRequest,
    _ id: RequestID,
    now: UInt64
  ) -> [SessionAction] {
    lastActivity = now
    let done = SessionAction.send(.reply(Reply(id: id, result: EmptyResult())))
    switch request {
    case .cameraStart(let delivery): return startCamera(delivery, id, now: now)
    case .cameraStop:
      (isCameraRunning, wantsCamera) = (false, false)
      return cancelPresses(now) + hideControls() + [.stopCamera, done] + updateRequirements(now)
    case .cameraSettings: return adjustCamera(.readSettings, id)
    case .cameraSet(let wish): return adjustCamera(.set(wish), id)
    case .captureSubscribe(let isSoundDisabled):
      (isSubscribed, isDefaultSoundDisabled) = (true, isSoundDisabled)
      return [done] + updateRequirements(now) + beginControlIfListening()
    case .captureUnsubscribe:
      isSubscribed = false
      return cancelPresses(now) + [done] + updateRequirements(now)
    case .capturePlaySound(let request): return playSound(request, id, now: now)
    case .pointerSubscribe:
      isPointerSubscribed = true
      return [done]
    case .contextGet: return [.readContext(id)]
    case .contextUpdate(let context, let expected):
      return [.writeContext(context, ifStored: expected, id)]
    case .sessionDismiss: return [done] + dismiss(.extension, now: now)
    case .sessionOpenApplication(let activity): return openApplication(activity, id, now: now)
    case .sessionInvalidateContent: return [.eraseContent(id)]
    case .sessionBeginActivity(let reason): return beginActivity(reason, id)
    case .sessionEndActivity(let name): return endActivity(name, id, now: now)
    case .photos(let request): return [.requestPhotos(request, id)]
    case .controlsDeclare(let declaration): return declareControls(declaration, id)
    case .microphoneStart(let delivery): return startMicrophone(delivery, id)
    case .microphoneStop: return [.stopMicrophone, done]
    }
  }

  private mutating func startCamera(_ delivery: FrameDelivery, _ id: RequestID, now: UInt64)
    -> [SessionAction]
  {
    guard phase == .running else {
      return [.send(.reply(Reply(id: id, error: .cameraUnavailable, "the session is being dismissed")))]
    }
    guard permissions.camera == .authorized else {
      let text =
        "the app may not use the camera (\(permissions.camera.rawValue)); open the app to request permission"
      return [.send(.reply(Reply(id: id, error: .permissionDenied, text)))]
    }
    guard let camera = terms.devices.camera else {
      let text = "this session has no camera; launch it with --camera FILE or --camera pattern"
      return [.send(.reply(Reply(id: id, error: .cameraUnavailable, text)))]
    }
    if let cameraLoss {
      return [.send(.reply(Reply(id: id, error: .cameraUnavailable, cameraLoss.message)))]
    }
    (isCameraRunning, wantsCamera) = (true, true)
    let stream = CameraStream(
      width: camera.width,
      height: camera.height,
      format: camera.format,
      frameRate: camera.frameRate
    )
    return [.startCamera(delivery), .send(.reply(Reply(id: id, result: stream)))]
      + updateRequirements(now) + beginControlIfListening()
  }
}
