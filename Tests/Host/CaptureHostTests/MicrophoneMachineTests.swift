// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import Testing

/// Session behavior for microphone requests.
@Suite struct MicrophoneMachineTests {
  /// The format of the ring.
  private static let stream = MicrophoneStream(
    MicrophoneDescription(sampleRate: 48000, channels: 2),
    blockFrames: 480,
    slots: 128
  )
  /// A request to start the microphone.
  private static let startRequest = ExtensionMessage.request(id: .integer(9), .microphoneStart(.latest))

  /// Returns a machine whose extension has answered the first message.
  private func running(
    _ permission: PermissionStatus = .authorized,
    _ stream: MicrophoneStream? = stream
  ) -> SessionMachine {
    var terms = SessionMachineTests.terms(camera: nil)
    terms.launch.permissions.microphone = permission
    terms.devices.microphone = stream
    var machine = SessionMachine(terms, launchedAt: 0)
    let answer = Reply(id: .integer(1), result: SessionStartResult(protocolVersion: 1))
    _ = machine.received(.reply(answer), now: 1)
    return machine
  }

  /// Returns the error of a refused request, or `nil` if there are other actions.
  private func refusal(_ machine: inout SessionMachine) -> ErrorObject? {
    let actions = machine.received(Self.startRequest, now: 2)
    guard actions.count == 1, case .send(.reply(let reply)) = actions[0],
      case .failure(let error) = reply.outcome
    else { return nil }
    return error
  }

  @Test func `starts the microphone on request and stops it on request`() {
    var machine = running()
    #expect(
      machine.received(Self.startRequest, now: 2) == [
        .startMicrophone(.latest), .send(.reply(Reply(id: .integer(9), result: Self.stream))),
      ]
    )
    #expect(
      machine.received(.request(id: .integer(10), .microphoneStop), now: 3) == [
        .stopMicrophone, .send(.reply(Reply(id: .integer(10), result: EmptyResult()))),
      ]
    )
  }

  @Test(arguments: [PermissionStatus.denied, .notDetermined, .restricted, .limited])
  func `refuses the microphone without permission with an error code`(permission: PermissionStatus) {
    var machine = running(permission)
    let error = refusal(&machine)
    #expect(error?.knownCode == .permissionDenied && error?.message.contains(permission.rawValue) == true)
  }

  @Test func `reports that the microphone is unavailable if the session has none`() {
    var machine = running(.authorized, nil)
    #expect(refusal(&machine)?.knownCode == .microphoneUnavailable)
  }

  @Test func `stops the microphone before reporting a revoked permission to the extension`() {
    var machine = running()
    _ = machine.received(Self.startRequest, now: 2)
    var denied = machine.permissions
    denied.microphone = .denied
    let actions = machine.permissionsChanged(denied, now: 3)
    #expect(actions.first == .revokeMicrophone)
    #expect(actions.last == .send(.notification(.permissionChanged(denied))))
    #expect(!actions.contains(.revokeCamera))
    #expect(refusal(&machine)?.knownCode == .permissionDenied)
    denied.microphone = .authorized
    #expect(!machine.permissionsChanged(denied, now: 4).contains(.revokeMicrophone))
    #expect(machine.received(Self.startRequest, now: 5).first == .startMicrophone(.latest))
  }

  @Test func `revoking the camera does not stop the microphone`() {
    var machine = running()
    var denied = machine.permissions
    denied.camera = .denied
    #expect(!machine.permissionsChanged(denied, now: 3).contains(.revokeMicrophone))
  }

  @Test func `reports a lost microphone and refuses a restart except for a sound file`() {
    for reason in MicrophoneEndNotice.Reason.allCases {
      var machine = running()
      let ending = MicrophoneEndNotice(reason)
      #expect(machine.microphoneEnded(ending).first == .send(.notification(.microphoneEnded(ending))))
      #expect(refusal(&machine)?.knownCode == (reason == .finished ? nil : .microphoneUnavailable))
    }
  }

  @Test func `a dismissal stops the microphone`() {
    var machine = running()
    #expect(machine.commanded(.dismiss, now: 3).contains(.stopMicrophone))
    #expect(refusal(&machine)?.knownCode == .microphoneUnavailable)
  }
}
