// SPDX-License-Identifier: Apache-2.0

package import ExtensionProtocol

extension SessionMachine {
  /// Handles a request for sound.
  mutating func startMicrophone(_ delivery: FrameDelivery, _ id: RequestID) -> [SessionAction] {
    guard phase == .running else {
      return [.refuse(id, .microphoneUnavailable, "the session is being dismissed")]
    }
    guard permissions.microphone == .authorized else {
      let text =
        "the app may not use the microphone (\(permissions.microphone.rawValue)); open the app to request permission"
      return [.refuse(id, .permissionDenied, text)]
    }
    guard let stream = terms.devices.microphone else {
      let text = "this session has no microphone; launch it with --microphone FILE.wav or --microphone tone"
      return [.refuse(id, .microphoneUnavailable, text)]
    }
    if let microphoneLoss { return [.refuse(id, .microphoneUnavailable, microphoneLoss.message)] }
    return [.startMicrophone(delivery), .send(.reply(Reply(id: id, result: stream)))]
  }

  /// Handles the end of the sound, because a file has ended or the microphone was lost.
  package mutating func microphoneEnded(_ ending: MicrophoneEndNotice) -> [SessionAction] {
    if ending.reason != .finished { microphoneLoss = ending }
    return notify(.microphoneEnded(ending)) + [.log(.notice, ending.message)]
  }
}
