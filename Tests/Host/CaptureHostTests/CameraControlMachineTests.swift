// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import JSONText
import SessionSimulation
import Testing

/// Availability of the camera controls in a session.
@Suite struct CameraControlMachineTests {
  private typealias Sample = CameraControlTests

  /// Returns the reply of the machine to a declaration.
  private static func outcome(
    _ machine: inout SessionMachine,
    _ controls: [CameraControl]
  ) -> Reply.Outcome? {
    let declaration = CameraControlDeclaration(revision: 8, controls)
    let actions = machine.received(.request(id: .integer(9), .controlsDeclare(declaration)), now: 2)
    for case .send(.reply(let reply)) in actions { return reply.outcome }
    return nil
  }

  private static func code(_ outcome: Reply.Outcome?) -> ProtocolErrorCode? {
    guard case .failure(let error) = outcome else { return nil }
    return error.knownCode
  }

  @Test func `a new declaration replaces the previous controls and is logged once`() {
    var machine = Sample.machine([Sample.zoom])
    var zoom = Sample.zoom
    zoom.value = 3
    let again = CameraControlDeclaration(revision: 8, [zoom])
    let done = SessionAction.send(.reply(Reply(id: .integer(3), result: EmptyResult())))
    #expect(machine.received(.request(id: .integer(3), .controlsDeclare(again)), now: 2) == [done])
    #expect(machine.cameraControls.list == [zoom])
    let both = CameraControlDeclaration(revision: 9, [zoom, Sample.filter])
    let text =
      "camera controls: Zoom (zoom) is 3× of 1× to 5×; Filter (filter) is None of None, Mono, 3, Two words"
    #expect(
      machine.received(.request(id: .integer(3), .controlsDeclare(both)), now: 2) == [
        done, .log(.notice, text),
      ]
    )
  }

  @Test func `rejects invalid control declarations and keeps the previous controls`() {
    var machine = Sample.machine([Sample.zoom])
    var reversed = Sample.zoom
    reversed.choices = .slider(SliderScale(.range(lower: 5, upper: 1, step: nil)))
    let many = (0..<5).map { number in
      var control = Sample.filter
      control.id = "c\(number)"
      return control
    }
    for controls in [[reversed], many, [Sample.zoom, Sample.zoom]] {
      #expect(Self.code(Self.outcome(&machine, controls)) == .invalidControls)
      #expect(machine.cameraControls.list == [Sample.zoom])
    }
    guard case .failure(let error) = Self.outcome(&machine, many) else {
      Issue.record("too many controls should be refused")
      return
    }
    #expect(
      error.message
        == "there are 5 camera controls, but the host shows at most 4; declare fewer; no control was changed"
    )
    // The session continues.
    #expect(!machine.isEnding)
  }

  @Test func `rejects controls if no user interface can adjust them`() {
    var machine = Sample.machine([], most: 0)
    #expect(Self.code(Self.outcome(&machine, [Sample.zoom])) == .invalidControls)
    #expect(Self.outcome(&machine, []) == .success([:]))
    _ = machine.commanded(.dismiss, now: 3)
    #expect(Self.code(Self.outcome(&machine, [])) == .notInSession)
  }

  @Test func `hides the controls when the camera, scene or session ends or no control remains`()
    throws
  {
    let away = SessionAction.send(.notification(.controlsAppearance(.inactive)))
    func machine() throws -> SessionMachine {
      var machine = Sample.machine([Sample.zoom])
      #expect(try Sample.sent(&machine, "controls fullscreen") == [.controlsAppearance(.fullscreen)])
      return machine
    }
    var stopped = try machine()
    #expect(stopped.received(.request(id: .integer(5), .cameraStop), now: 3).contains(away))
    #expect(try Sample.sent(&stopped, "adjust zoom to 2") == [])
    #expect(
      try Sample.logged(&stopped, "controls active")
        == ["the camera controls cannot be adjusted now: the camera is not running"]
    )
    var ended = try machine()
    #expect(ended.cameraEnded(now: 3).first == away)
    var revoked = try machine()
    #expect(revoked.permissionsChanged(Permissions(camera: .denied), now: 3).contains(away))
    var dismissed = try machine()
    let farewell = dismissed.commanded(.dismiss, now: 3)
    #expect(farewell.first == away)
    #expect(farewell.filter { $0 == away }.count == 1)
    #expect(try Sample.sent(&dismissed, "adjust zoom to 2") == [])
    var asked = Sample.machine([Sample.zoom], lockedWith: "shutter")
    #expect(try Sample.sent(&asked, "controls active") == [.controlsAppearance(.active)])
    let request = ExtensionRequest.sessionOpenApplication(UserActivity(activityType: "a"))
    #expect(asked.received(.request(id: .integer(5), request), now: 3) == [.checkApplication])
    #expect(asked.applicationChecked(nil, now: 3).contains(away))
    #expect(
      try Sample.logged(&asked, "adjust zoom to 2")
        == ["the camera controls cannot be adjusted now: the session is in the background"]
    )
    var emptied = try machine()
    let none = CameraControlDeclaration(revision: 9, [])
    #expect(emptied.received(.request(id: .integer(5), .controlsDeclare(none)), now: 3).contains(away))
    #expect(
      try Sample.logged(&emptied, "adjust zoom to 2")
        == ["the camera controls cannot be adjusted now: the extension has declared no controls"]
    )
  }

  @Test func `adjusting the camera resets the idle timeout but does not permit opening the app`() throws {
    var terms = SessionMachineTests.terms()
    (terms.devices.maximumCameraControls, terms.times.idleTimeout) = (4, 10)
    var machine = SessionMachine(terms, launchedAt: 0)
    let start = Reply(id: .integer(1), result: SessionStartResult(protocolVersion: 1))
    _ = machine.received(.reply(start), now: 1)
    _ = machine.received(.request(id: .integer(1), .cameraStart(.latest)), now: 1)
    let declaration = CameraControlDeclaration(revision: 1, [Sample.zoom])
    _ = machine.received(.request(id: .integer(2), .controlsDeclare(declaration)), now: 1)
    _ = machine.commanded(.cameraControl(.set("zoom", 2)), now: 9)
    #expect(machine.timePassed(now: 12) == [])
    let request = ExtensionRequest.sessionOpenApplication(UserActivity(activityType: "a"))
    guard case .send(.reply(let reply))? = machine.received(.request(id: .integer(3), request), now: 12).first
    else {
      Issue.record("the request should be answered")
      return
    }
    #expect(Self.code(reply.outcome) == .interactionRequired)
  }

  @Test(arguments: [
    "adjust zoom", "adjust zoom to", "adjust zoom to x", "adjust zoom to nan", "adjust zoom to inf",
    "adjust zoom by 1.5", "adjust zoom by 10001", "adjust zoom at 2", "select filter", "controls",
    "controls hidden", "controls active now",
  ])
  func `reports the line and the fix for a script step with invalid syntax`(step: String) {
    let error = #expect(throws: ScriptError.self) { try SessionScript("\n\(step)", name: "s") }
    let verb = step.prefix { $0 != " " }
    #expect(error?.description.hasPrefix("s:2: wrong operands for '\(verb)'; write \(verb) ") == true)
  }
}
