// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import JSONText
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct SessionMachineTests {
  static let second: UInt64 = 1_000_000_000

  static let camera = CameraDescription(width: 64, height: 48, frameRate: .init(30), name: "pattern")

  static func terms(
    _ conversation: SessionTerms.Conversation = .messages,
    camera: CameraDescription? = camera,
    permission: PermissionStatus = .authorized
  ) -> SessionTerms {
    SessionTerms(
      conversation: conversation,
      times: .init(launchDeadline: 10 * second, dismissalGrace: 5 * second, wallClock: 100 * second),
      content: .init(bytes: 1000, files: 10),
      launch: .init(permissions: Permissions(camera: permission)),
      devices: .init(camera: camera)
    )
  }

  /// Returns a machine whose extension has answered the first message.
  static func running(
    camera: CameraDescription? = camera,
    permission: PermissionStatus = .authorized
  ) -> SessionMachine {
    var machine = SessionMachine(terms(camera: camera, permission: permission), launchedAt: 0)
    let actions = machine.received(
      .reply(Reply(id: .integer(1), result: SessionStartResult(protocolVersion: 1))),
      now: 1
    )
    #expect(actions == [])
    return machine
  }

  /// Returns a machine whose extension is subscribed and has the camera running.
  static func listening() -> SessionMachine {
    var machine = running()
    _ = machine.received(.request(id: .integer(1), .captureSubscribe()), now: 1)
    _ = machine.received(.request(id: .integer(2), .cameraStart(.latest)), now: 1)
    return machine
  }

  @Test func `kills an extension that does not reply before the launch deadline`() {
    var machine = SessionMachine(Self.terms(), launchedAt: 0)
    #expect(machine.nextDeadline == 10 * Self.second)
    #expect(machine.timePassed(now: 9 * Self.second) == [])
    #expect(machine.timePassed(now: 10 * Self.second) == [.kill])
    #expect(machine.outcome(.signaled(.kill)) == .timedOut(.launch))
  }

  @Test func `the first cause of termination is the outcome`() {
    var machine = Self.running()
    #expect(machine.measured(bytes: 1001, files: 1) == [.kill])
    #expect(machine.commanded(.quit, now: 2) == [])
    #expect(machine.timePassed(now: 1000 * Self.second) == [])
    guard case .violated(let violation) = machine.outcome(.signaled(.kill)) else {
      Issue.record("the outcome should be a violation")
      return
    }
    #expect(violation.rule == .sessionBytes)
  }

  @Test func `counts unlinked files towards the session quota and reports their share in the outcome`() {
    var machine = Self.running()
    #expect(machine.measured(bytes: 600, files: 1, nameless: 400) == [])
    #expect(machine.measured(bytes: 600, files: 1, nameless: 401) == [.kill])
    guard case .violated(let violation) = machine.outcome(.signaled(.kill)) else {
      Issue.record("the outcome should be a violation")
      return
    }
    #expect(violation.rule == .sessionBytes)
    #expect(violation.detail == "1001 bytes of 1000, 401 of them in unlinked files")
    machine = Self.running()
    let largest = "800 in /session/film, which process 7 keeps open"
    #expect(machine.measured(bytes: 1, files: 1, nameless: 1000, largest: largest) == [.kill])
    let named = "1001 bytes of 1000, 1000 of them in unlinked files (\(largest))"
    #expect(machine.outcome(.signaled(.kill)) == .violated(.init(.sessionBytes, detail: named)))
    machine = Self.running()
    #expect(machine.measured(bytes: .max, files: 1, nameless: 1) == [.kill])
    machine = Self.running()
    #expect(machine.measured(bytes: 1, files: 1, nameless: 1000, doubt: .timedOut) == [.kill])
    let reason = "the inspection of the processes exceeded its time limit"
    let detail =
      "1001 bytes of 1000, 1000 of them in unlinked files, estimated from the file system because \(reason)"
    #expect(machine.outcome(.signaled(.kill)) == .violated(.init(.sessionBytes, detail: detail)))
  }

  @Test(arguments: [
    (LinuxPrimitives.ExitStatus.exited(0), SessionOutcome.Ending.exited(0)), (.exited(9), .exited(9)),
    (.signaled(.abort), .signaled(.abort)), (.signaled(.kill), .signaled(.kill)),
    (.signaled(.badSystemCall), .signaled(.badSystemCall)),
  ])
  func `a dismissal is the outcome regardless of how the extension terminates afterwards`(
    status: LinuxPrimitives.ExitStatus,
    ending: SessionOutcome.Ending
  ) {
    var machine = Self.running()
    _ = machine.commanded(.dismiss, now: 1)
    #expect(machine.outcome(status) == .dismissed(.init(by: .user, ending: ending)))
  }

  @Test func `logs a violation after a dismissal without changing the outcome`() {
    var machine = Self.running()
    _ = machine.commanded(.dismiss, now: 1)
    let actions = machine.measured(bytes: 1001, files: 1)
    #expect(actions.last == .kill)
    guard case .log(_, let text)? = actions.first else {
      Issue.record("the violation should be logged")
      return
    }
    #expect(text.contains("1001 bytes of 1000"))
    #expect(machine.outcome(.signaled(.kill)) == .dismissed(.init(by: .user)))
  }

  @Test func `the quit command kills the extension at once`() {
    var machine = Self.running()
    #expect(machine.commanded(.quit, now: 2) == [.kill])
    #expect(machine.outcome(.signaled(.kill)) == .dismissed(.init(by: .user)))
    #expect(machine.outcome(.exited(3)) == .dismissed(.init(by: .user, ending: .exited(3))))
  }

  @Test func `an extension that requests its dismissal is dismissed by itself`() {
    var machine = Self.running()
    _ = machine.received(.request(id: .integer(4), .sessionDismiss), now: 2)
    #expect(machine.outcome(.exited(0)) == .dismissed(.init(by: .extension, ending: .exited(0))))
  }

  @Test func `too many refused calls are a violation`() {
    var machine = Self.running()
    #expect(machine.refusalsFlooded(5000) == [.kill])
    #expect(
      machine.outcome(.signaled(.kill)) == .violated(.init(.refusals, detail: "5000 refused calls"))
    )
  }

  @Test func `a host failure kills the extension and reports the failed call`() {
    var machine = Self.running()
    #expect(machine.hostFailed(SystemCallError("ppoll", errno: .noSpace)) == [.kill])
    guard case .hostFailure(let fault) = machine.outcome(.signaled(.kill)) else {
      Issue.record("the outcome should be a failure of the host")
      return
    }
    #expect(fault.stage == .session)
    #expect(fault.step == "ppoll")
    #expect(fault.errno == "ENOSPC")
  }

  @Test func `refuses an unsupported protocol version and reports both versions`() {
    var machine = SessionMachine(Self.terms(), launchedAt: 0)
    let reply = Reply(id: .integer(1), result: SessionStartResult(protocolVersion: 7))
    #expect(machine.received(.reply(reply), now: 1) == [.kill])
    guard case .protocolViolation(let fault) = machine.outcome(.signaled(.kill)) else {
      Issue.record("the outcome should be a protocol violation")
      return
    }
    #expect(fault.sentence.contains("version 1") && fault.sentence.contains("version 7"))
  }

  @Test func `any message before the reply to the first message violates the protocol`() {
    var machine = SessionMachine(Self.terms(), launchedAt: 0)
    #expect(machine.received(.request(id: .integer(9), .captureSubscribe()), now: 1) == [.kill])
    #expect(machine.outcome(.exited(0)) != .completed(exitCode: 0))
  }

  @Test func `user control starts when the extension is able to receive presses`() {
    var machine = Self.running()
    let subscribed = machine.received(.request(id: .integer(1), .captureSubscribe()), now: 1)
    #expect(!subscribed.contains(.beginControl))
    let started = machine.received(.request(id: .string("c"), .cameraStart(.every)), now: 1)
    #expect(started.first == .startCamera(.every))
    #expect(started.last == .beginControl)
  }

  @Test func `user control starts without a camera once the extension subscribes`() {
    var machine = Self.running(camera: nil)
    #expect(machine.received(.request(id: .integer(1), .captureSubscribe()), now: 1).contains(.beginControl))
  }

  @Test func `delivers a press only while the extension is subscribed and the camera is running`() {
    let press = CaptureEvent(.primary, .began)
    var deaf = Self.running()
    guard case .log = deaf.commanded(.capture(press), now: 2).first else {
      Issue.record("a press without a receiver should be logged")
      return
    }
    var machine = Self.listening()
    var told = press
    told.id = 1
    #expect(machine.commanded(.capture(press), now: 2) == [.send(.notification(.captureEvent(told)))])
  }

  @Test func `a dismissal cancels a pressed button`() {
    var machine = Self.listening()
    _ = machine.commanded(.capture(CaptureEvent(.secondary, .began)), now: 2)
    let actions = machine.commanded(.dismiss, now: 3)
    #expect(actions.first == .send(.notification(.captureEvent(CaptureEvent(.secondary, .cancelled, id: 2)))))
    #expect(actions.last == .stopCamera)
    #expect(machine.outcome(.exited(0)) == .dismissed(.init(by: .user, ending: .exited(0))))
  }

  @Test func `kills an extension that exceeds the grace period`() {
    var machine = Self.listening()
    _ = machine.commanded(.dismiss, now: 0)
    #expect(machine.nextDeadline == 5 * Self.second)
    #expect(machine.timePassed(now: 5 * Self.second) == [.kill])
    #expect(machine.outcome(.signaled(.kill)) == .dismissed(.init(by: .user, ending: .timedOut)))
  }

  @Test func `refuses the camera without permission or without a camera`() {
    let cases: [(SessionMachine, ProtocolErrorCode)] = [
      (Self.running(permission: .denied), .permissionDenied), (Self.running(camera: nil), .cameraUnavailable),
    ]
    for (given, code) in cases {
      var machine = given
      let actions = machine.received(.request(id: .integer(3), .cameraStart(.latest)), now: 1)
      guard case .send(.reply(let reply)) = actions.first, case .failure(let error) = reply.outcome else {
        Issue.record("the request should be answered with an error")
        continue
      }
      #expect(error.knownCode == code)
    }
  }

  @Test func `a dismissal ends the frames of a silent program and sends SIGTERM at half the grace period`() {
    var machine = SessionMachine(Self.terms(.silent), launchedAt: 0)
    #expect(machine.commanded(.dismiss, now: 0) == [.stopCamera])
    #expect(machine.nextDeadline == 5 * Self.second / 2)
    #expect(machine.timePassed(now: 5 * Self.second / 2) == [.signal(.terminate)])
    #expect(machine.timePassed(now: 5 * Self.second) == [.kill])
  }

  @Test func `a dismissal sends SIGTERM at once to a silent program without frames`() {
    var machine = SessionMachine(Self.terms(.silent, camera: nil), launchedAt: 0)
    #expect(machine.commanded(.dismiss, now: 0) == [.signal(.terminate)])
  }

  @Test func `user control starts once and no later than the launch deadline`() {
    var machine = Self.running()
    #expect(machine.nextDeadline == 10 * Self.second)
    #expect(machine.timePassed(now: 10 * Self.second) == [.beginControl])
    #expect(machine.nextDeadline == 100 * Self.second)
    _ = machine.received(.request(id: .integer(1), .captureSubscribe()), now: 11 * Self.second)
    let started = machine.received(.request(id: .integer(2), .cameraStart(.latest)), now: 11 * Self.second)
    #expect(!started.contains(.beginControl))
  }

  @Test
  func `an exit before the reply is a completion and a mere channel close violates the protocol`() {
    var machine = SessionMachine(Self.terms(), launchedAt: 0)
    #expect(machine.outputClosed(now: 0) == [])
    #expect(machine.outcome(.exited(127)) == .completed(exitCode: 127))
    #expect(machine.timePassed(now: Self.second) == [.kill])
    #expect(machine.outcome(.exited(127)) != .completed(exitCode: 127))
  }

  @Test func `delivers presses to a subscribed extension without a camera`() {
    var machine = Self.running(camera: nil)
    _ = machine.received(.request(id: .integer(1), .captureSubscribe()), now: 1)
    let press = CaptureEvent(.primary, .began)
    var told = press
    told.id = 1
    #expect(machine.commanded(.capture(press), now: 2) == [.send(.notification(.captureEvent(told)))])
  }

  @Test func `passes terminal signals to a silent program and dismisses it on SIGTERM`() {
    var machine = SessionMachine(Self.terms(.silent), launchedAt: 0)
    #expect(machine.hostSignaled(.interrupt, now: 1) == [.signal(.interrupt)])
    #expect(machine.hostSignaled(.terminate, now: 1) == [.stopCamera])
    #expect(
      machine.outcome(.signaled(.terminate))
        == .dismissed(.init(by: .hostStopped, ending: .signaled(.terminate)))
    )
    // With frames, the signal is sent later. Only then does it come from the host.
    _ = machine.timePassed(now: 3 * Self.second)
    #expect(
      machine.outcome(.signaled(.terminate))
        == .dismissed(.init(by: .hostStopped, ending: .requested(.terminate)))
    )
  }

  @Test(arguments: [
    (Signal.badSystemCall, SessionOutcome.Rule.systemCall), (.fileSizeExceeded, .fileSize),
    (.processorTimeExceeded, .processorTime),
  ])
  func `termination by the signal of a resource limit is a violation`(
    signal: Signal,
    rule: SessionOutcome.Rule
  ) {
    guard case .violated(let violation) = Self.running().outcome(.signaled(signal)) else {
      Issue.record("the outcome should be a violation")
      return
    }
    #expect(violation.rule == rule)
  }

  @Test func `reports a changed app context once and not to the extension that changed it`() {
    var machine = Self.running()
    #expect(
      machine.contextChanged(["mode": "video"]) == [.send(.notification(.contextChanged(["mode": "video"])))]
    )
    #expect(machine.contextChanged(["mode": "video"]) == [])
    machine.contextIsKnown(["mode": "photo"])
    #expect(machine.contextChanged(["mode": "photo"]) == [])
  }

  @Test(arguments: [JSONValue?.none, .some(.null), .some(["mode": "photo"])])
  func `forwards an app context update with the expected context`(expected: JSONValue?) {
    var machine = Self.running()
    let request = ExtensionRequest.contextUpdate(["mode": "video"], ifContext: expected)
    #expect(
      machine.received(.request(id: .integer(9), request), now: 0)
        == [.writeContext(["mode": "video"], ifStored: expected, .integer(9))]
    )
    // The context is known only after it is stored.
    #expect(
      machine.contextChanged(["mode": "video"]) == [.send(.notification(.contextChanged(["mode": "video"])))]
    )
  }

  @Test func `answers an unknown request with an error and ignores an unknown notification`() {
    var machine = Self.running()
    let actions = machine.received(.unknownRequest(id: .string("x"), method: "photos/add"), now: 1)
    guard case .send(.reply(let reply)) = actions.first, case .failure(let error) = reply.outcome else {
      Issue.record("the request should be answered with an error")
      return
    }
    #expect(reply.id == .string("x"))
    #expect(error.knownCode == .methodNotFound)
    #expect(machine.received(.unknownNotification(method: "later/idea"), now: 1) == [])
  }
}
