// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// What an extension asks for.
package enum ExtensionRequest: Equatable, Sendable {
  /// Let frames flow; the result is ``CameraStream``.
  case cameraStart(FrameDelivery)
  /// Let no more frames flow; the result is ``Nothing``.
  case cameraStop
  /// What the camera can be set to; the result is ``CameraSettingsResult``.
  case cameraSettings
  /// Set something at the camera; the result is ``CameraSettingResult``.
  case cameraSet(CameraSettingWish)
  /// Send capture events; the result is ``Nothing``. Whoever disables the default sound plays one for remote events.
  case captureSubscribe(defaultSoundDisabled: Bool = false)
  /// Send no more capture events; the result is ``Nothing``.
  case captureUnsubscribe
  /// Play a sound for a capture event; the result is ``SoundResult``.
  case capturePlaySound(SoundRequest)
  /// Read the app context; the result is ``ContextResult``.
  case contextGet
  /// Replace the app context, with null to clear it; the result is ``ContextUpdateResult``.
  ///
  /// With `ifContext` only if that is stored, null being none; without, nil, whatever is.
  case contextUpdate(JSONValue, ifContext: JSONValue? = nil)
  /// End the session; the result is ``Nothing``.
  case sessionDismiss
  /// Open the app with this activity, which ends the session; the result is ``Nothing``.
  case sessionOpenApplication(UserActivity)
  /// Erase what is in the session directory now; the result is ``InvalidationResult``.
  case sessionInvalidateContent
  /// Something begins that should be finished before the session ends; the result is ``ActivityResult``.
  case sessionBeginActivity(reason: String)
  /// The activity of this name is finished; the result is ``Nothing``.
  case sessionEndActivity(String)
  /// Something of the photo library; ``PhotoRequest`` names the results.
  case photos(PhotoRequest)
  /// Show these camera controls instead of those that were declared before; the result is ``Nothing``.
  case controlsDeclare(CameraControlDeclaration)
  /// Let sound flow; the result is ``MicrophoneStream``.
  case microphoneStart(FrameDelivery)
  /// Let no more sound flow; the result is ``Nothing``.
  case microphoneStop

  /// The method's name.
  package var method: ExtensionMethod {
    switch self {
    case .cameraStart: .cameraStart
    case .cameraStop: .cameraStop
    case .cameraSettings: .cameraSettings
    case .cameraSet: .cameraSet
    case .captureSubscribe: .captureSubscribe
    case .captureUnsubscribe: .captureUnsubscribe
    case .capturePlaySound: .capturePlaySound
    case .contextGet: .contextGet
    case .contextUpdate: .contextUpdate
    case .sessionDismiss: .sessionDismiss
    case .sessionOpenApplication: .sessionOpenApplication
    case .sessionInvalidateContent: .sessionInvalidateContent
    case .sessionBeginActivity: .sessionBeginActivity
    case .sessionEndActivity: .sessionEndActivity
    case .photos(let request): request.method
    case .controlsDeclare: .controlsDeclare
    case .microphoneStart: .microphoneStart
    case .microphoneStop: .microphoneStop
    }
  }

  /// The parameters as they are sent.
  var parameters: JSONValue {
    switch self {
    case .cameraStart(let delivery), .microphoneStart(let delivery):
      .object(["delivery": .string(delivery.rawValue)])
    case .cameraSet(let wish): wish.json
    case .captureSubscribe(let isSoundDisabled): .object(["defaultSoundDisabled": .bool(isSoundDisabled)])
    case .capturePlaySound(let request): request.json
    case .contextUpdate(let context, let expected):
      .object(["context": context, "ifContext": expected])
    case .sessionOpenApplication(let activity): .object(["activity": activity.json])
    case .sessionBeginActivity(let reason): .object(["reason": .string(reason)])
    case .sessionEndActivity(let activity): .object(["activity": .string(activity)])
    case .photos(let request): request.parameters
    case .controlsDeclare(let declaration): declaration.json
    case .cameraStop, .cameraSettings, .captureUnsubscribe, .contextGet, .sessionDismiss,
      .sessionInvalidateContent, .microphoneStop:
      [:]
    }
  }

  /// Reads the parameters of a request.
  init(_ method: ExtensionMethod, _ fields: FieldReader) throws(ProtocolViolation) {
    switch method {
    case .cameraStart: self = .cameraStart(try fields.choice("delivery"))
    case .cameraStop: self = .cameraStop
    case .cameraSettings: self = .cameraSettings
    case .cameraSet: self = .cameraSet(try CameraSettingWish(from: fields))
    case .captureSubscribe:
      let isSoundDisabled = try fields.ifPresent("defaultSoundDisabled", FieldReader.flag)
      self = .captureSubscribe(defaultSoundDisabled: isSoundDisabled ?? false)
    case .captureUnsubscribe: self = .captureUnsubscribe
    case .capturePlaySound: self = .capturePlaySound(try SoundRequest(from: fields))
    case .contextGet: self = .contextGet
    case .contextUpdate:
      self = .contextUpdate(try fields.value("context"), ifContext: fields.valueIfPresent("ifContext"))
    case .sessionDismiss: self = .sessionDismiss
    case .sessionOpenApplication:
      self = .sessionOpenApplication(try UserActivity(from: try fields.object("activity")))
    case .sessionInvalidateContent: self = .sessionInvalidateContent
    case .sessionBeginActivity: self = .sessionBeginActivity(reason: try fields.string("reason"))
    case .sessionEndActivity: self = .sessionEndActivity(try fields.string("activity"))
    case .photosAuthorization, .photosAdd, .photosList, .photosOpen, .photosDelete:
      self = .photos(try PhotoRequest(method, fields))
    case .controlsDeclare: self = .controlsDeclare(try CameraControlDeclaration(from: fields))
    case .microphoneStart: self = .microphoneStart(try fields.choice("delivery"))
    case .microphoneStop: self = .microphoneStop
    case .viewfinderPresented, .log: throw fields.violation(.idOnNotification)
    }
  }
}
