// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A request from an extension.
package enum ExtensionRequest: Equatable, Sendable {
  /// Start the delivery of frames. The result is ``CameraStream``.
  case cameraStart(FrameDelivery)
  /// Stop the delivery of frames. The result is ``EmptyResult``.
  case cameraStop
  /// Query the camera's settings. The result is ``CameraSettingsResult``.
  case cameraSettings
  /// Change a setting of the camera. The result is ``CameraSettingResult``.
  case cameraSet(CameraSettingRequest)
  /// Subscribe to capture events. The result is ``EmptyResult``.
  ///
  /// An extension that disables the default sound must play a sound for remote events itself.
  case captureSubscribe(defaultSoundDisabled: Bool = false)
  /// Unsubscribe from capture events. The result is ``EmptyResult``.
  case captureUnsubscribe
  /// Play a sound for a capture event. The result is ``SoundResult``.
  case capturePlaySound(SoundRequest)
  /// Subscribe to pointer events until the end of the session. The result is ``EmptyResult``.
  case pointerSubscribe
  /// Read the app context. The result is ``ContextResult``.
  case contextGet
  /// Replace the app context, or clear it with null. The result is ``ContextUpdateResult``.
  ///
  /// With `ifContext`, the context is replaced only if the stored one is equal; null stands for no context.
  /// If `ifContext` is `nil`, the context is always replaced.
  case contextUpdate(JSONValue, ifContext: JSONValue? = nil)
  /// End the session. The result is ``EmptyResult``.
  case sessionDismiss
  /// Open the app with this activity, which ends the session. The result is ``EmptyResult``.
  case sessionOpenApplication(UserActivity)
  /// Erase the contents of the session directory. The result is ``InvalidationResult``.
  case sessionInvalidateContent
  /// Begin an activity that should finish before the session ends. The result is ``ActivityResult``.
  case sessionBeginActivity(reason: String)
  /// End the activity with this name. The result is ``EmptyResult``.
  case sessionEndActivity(String)
  /// Use the photo library. ``PhotoRequest`` documents the results.
  case photos(PhotoRequest)
  /// Replace the declared camera controls. The result is ``EmptyResult``.
  case controlsDeclare(CameraControlDeclaration)
  /// Start the delivery of sound. The result is ``MicrophoneStream``.
  case microphoneStart(FrameDelivery)
  /// Stop the delivery of sound. The result is ``EmptyResult``.
  case microphoneStop

  /// The method of the request.
  package var method: ExtensionMethod {
    switch self {
    case .cameraStart: .cameraStart
    case .cameraStop: .cameraStop
    case .cameraSettings: .cameraSettings
    case .cameraSet: .cameraSet
    case .captureSubscribe: .captureSubscribe
    case .captureUnsubscribe: .captureUnsubscribe
    case .capturePlaySound: .capturePlaySound
    case .pointerSubscribe: .pointerSubscribe
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

  /// The parameters of the message.
  var parameters: JSONValue {
    switch self {
    case .cameraStart(let delivery), .microphoneStart(let delivery):
      .object(["delivery": .string(delivery.rawValue)])
    case .cameraSet(let request): request.json
    case .captureSubscribe(let isSoundDisabled): .object(["defaultSoundDisabled": .bool(isSoundDisabled)])
    case .capturePlaySound(let request): request.json
    case .contextUpdate(let context, let expected):
      .object(["context": context, "ifContext": expected])
    case .sessionOpenApplication(let activity): .object(["activity": activity.json])
    case .sessionBeginActivity(let reason): .object(["reason": .string(reason)])
    case .sessionEndActivity(let activity): .object(["activity": .string(activity)])
    case .photos(let request): request.parameters
    case .controlsDeclare(let declaration): declaration.json
    case .cameraStop, .cameraSettings, .captureUnsubscribe, .pointerSubscribe, .contextGet, .sessionDismiss,
      .sessionInvalidateContent, .microphoneStop:
      [:]
    }
  }

  /// Creates a request from its method and parameters.
  init(_ method: ExtensionMethod, _ fields: FieldReader) throws(ProtocolViolation) {
    switch method {
    case .cameraStart: self = .cameraStart(try fields.choice("delivery"))
    case .cameraStop: self = .cameraStop
    case .cameraSettings: self = .cameraSettings
    case .cameraSet: self = .cameraSet(try CameraSettingRequest(from: fields))
    case .captureSubscribe:
      let isSoundDisabled = try fields.ifPresent("defaultSoundDisabled", FieldReader.flag)
      self = .captureSubscribe(defaultSoundDisabled: isSoundDisabled ?? false)
    case .captureUnsubscribe: self = .captureUnsubscribe
    case .capturePlaySound: self = .capturePlaySound(try SoundRequest(from: fields))
    case .pointerSubscribe: self = .pointerSubscribe
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
