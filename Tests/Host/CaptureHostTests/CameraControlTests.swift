// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import SessionSimulation
import Testing

/// User commands for the camera controls that an extension has declared.
@Suite struct CameraControlTests {
  static let zoom = CameraControl(
    id: "zoom",
    title: "Zoom",
    symbol: "plus.magnifyingglass",
    .slider(SliderScale(.range(lower: 1, upper: 5, step: 0.5), format: "%@×")),
    value: 1
  )
  static let filter = CameraControl(
    id: "filter",
    title: "Filter",
    symbol: "",
    .picker(titles: ["None", "Mono", "3", "Two words"]),
    value: 0
  )
  static let lens = CameraControl(
    id: "lens",
    title: "Lens",
    symbol: "",
    .slider(SliderScale(.values([13, 24, 120]))),
    value: 24
  )

  /// Returns a machine with a running camera whose extension has declared controls.
  static func machine(
    _ controls: [CameraControl],
    most: Int = 4,
    revision: Int = 7,
    lockedWith control: String? = nil
  ) -> SessionMachine {
    var terms = SessionMachineTests.terms()
    terms.devices.maximumCameraControls = most
    if let control {
      terms.launch.lockState = .locked
      terms.launch.origin = LaunchOrigin(.lockScreen, control: control)
    }
    var machine = SessionMachine(terms, launchedAt: 0)
    let start = Reply(id: .integer(1), result: SessionStartResult(protocolVersion: 1))
    _ = machine.received(.reply(start), now: 1)
    _ = machine.received(.request(id: .integer(1), .cameraStart(.latest)), now: 1)
    let declaration = CameraControlDeclaration(revision: revision, controls)
    _ = machine.received(.request(id: .integer(2), .controlsDeclare(declaration)), now: 1)
    return machine
  }

  /// Returns the notifications that a script step sends to the extension.
  static func sent(_ machine: inout SessionMachine, _ step: String) throws -> [HostNotification] {
    try actions(&machine, step).compactMap { action in
      guard case .send(.notification(let notification)) = action else { return nil }
      return notification
    }
  }

  /// Returns the texts that a script step logs.
  static func logged(_ machine: inout SessionMachine, _ step: String) throws -> [String] {
    try actions(&machine, step).compactMap { action in
      guard case .log(.notice, let text) = action else { return nil }
      return text
    }
  }

  private static func actions(_ machine: inout SessionMachine, _ step: String) throws -> [SessionAction] {
    try SessionScript(step, name: "s").timedCommands.flatMap { machine.commanded($0.command, now: 2) }
  }

  static func change(_ control: String, _ value: Double) -> HostNotification {
    .controlsChanged(CameraControlChange(revision: 7, control: control, value: value))
  }

  @Test(arguments: [
    ("adjust zoom to 2.5", "zoom", 2.5), ("adjust zoom to 2.6", "zoom", 2.5), ("adjust zoom to 5", "zoom", 5),
    ("adjust zoom by 2", "zoom", 2), ("adjust zoom by +100", "zoom", 5), ("select filter Mono", "filter", 1),
    ("select filter 1", "filter", 1), ("select filter 3", "filter", 2),
    ("select filter Two words", "filter", 3), ("adjust filter by 10000", "filter", 3),
    ("adjust filter to 2", "filter", 2), ("adjust lens by 1", "lens", 120), ("adjust lens by -9", "lens", 13),
    ("adjust lens to 20", "lens", 24), ("adjust lens to 80", "lens", 120),
  ])
  func `rounds a requested value to the nearest value of the control`(
    step: String,
    id: String,
    value: Double
  ) throws {
    var machine = Self.machine([Self.zoom, Self.filter, Self.lens])
    let before = machine.cameraControls.list.first { $0.id == id }?.value
    // A value that is already set is not sent.
    let expected: [HostNotification] = before == value ? [] : [Self.change(id, value)]
    #expect(try Self.sent(&machine, step) == [.controlsAppearance(.active)] + expected)
    #expect(machine.cameraControls.list.first { $0.id == id }?.value == value)
    #expect(try Self.sent(&machine, "adjust \(id) to \(value)") == [])
  }

  @Test(arguments: [
    ("adjust zoom to 5.1", "Zoom does not have this value, only 1× to 5×"),
    ("adjust zoom to -1", "Zoom does not have this value, only 1× to 5×"),
    ("select zoom Mono", "Zoom does not have this value, only 1× to 5×"),
    ("select filter Sepia", "Filter does not have this value, only None, Mono, 3, Two words"),
    ("select filter 4", "Filter does not have this value, only None, Mono, 3, Two words"),
    ("adjust filter to 0.5", "Filter does not have this value, only None, Mono, 3, Two words"),
    ("adjust lens to 12", "Lens does not have this value, only 13, 24, 120"),
    ("adjust flash to 1", "no camera control has this name; controls: zoom, filter, lens"),
  ])
  func `rejects values outside the choices of a control and logs the reason`(step: String, sentence: String)
    throws
  {
    var machine = Self.machine([Self.zoom, Self.filter, Self.lens])
    let before = machine
    #expect(try Self.sent(&machine, step) == [])
    #expect(machine.cameraControls == before.cameraControls)
    #expect(try Self.logged(&machine, step) == [sentence])
  }

  @Test func `a step adds no floating-point noise and a range without a step has twenty steps`() throws {
    var bias = Self.zoom
    bias.choices = .slider(SliderScale(.range(lower: 0, upper: 1, step: 0.1)))
    bias.value = 0
    var machine = Self.machine([bias])
    for tenth in 1...10 {
      _ = try Self.sent(&machine, "adjust zoom by 1")
      #expect(machine.cameraControls.list[0].value == Double(tenth) / 10)
    }
    bias.choices = .slider(SliderScale(.range(lower: -2, upper: 2, step: nil)))
    machine = Self.machine([bias])
    #expect(try Self.sent(&machine, "adjust zoom by -3").last == Self.change("zoom", -0.6))
  }

  @Test func `a disabled control keeps its value`() throws {
    var still = Self.zoom
    still.isEnabled = false
    var machine = Self.machine([still])
    #expect(try Self.sent(&machine, "adjust zoom to 3") == [])
    #expect(try Self.logged(&machine, "adjust zoom to 3") == ["Zoom cannot be adjusted now"])
  }

  @Test func `keys select, adjust and hide the controls`() {
    var machine = Self.machine([Self.zoom, Self.filter])
    func press(_ command: CameraControlCommand) -> [SessionAction] {
      machine.commanded(.cameraControl(command), now: 2).filter { action in
        if case .send = action { true } else { false }
      }
    }
    func tell(_ notification: HostNotification) -> SessionAction { .send(.notification(notification)) }
    #expect(press(.next) == [tell(.controlsAppearance(.active))])
    #expect(press(.step(nil, steps: 1)) == [tell(Self.change("zoom", 1.5))])
    #expect(press(.next) == [])
    #expect(press(.step(nil, steps: 1)) == [tell(Self.change("filter", 1))])
    #expect(press(.toggleFullscreen) == [tell(.controlsAppearance(.fullscreen))])
    #expect(press(.toggleFullscreen) == [tell(.controlsAppearance(.active))])
    #expect(press(.next) == [])
    #expect(press(.step(nil, steps: -1)) == [tell(Self.change("zoom", 1))])
    #expect(press(.show(.inactive)) == [tell(.controlsAppearance(.inactive))])
    #expect(press(.show(.inactive)) == [])
  }
}
