// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the devices of the machine, and of the keys that press controls.
@Suite(.timeLimit(.minutes(20))) struct HostDevicesTests {
  @Test func `lists the devices of the machine as they are named in a launch`() async throws {
    let host = try HostFixture().host
    for camera in try await host.cameras() {
      let name = camera.selection.description
      #expect(name.hasPrefix("/dev/video") || name.hasPrefix("pipewire"))
      if case .unavailable(let reason) = camera.status { #expect(!reason.isEmpty) }
    }
    for microphone in try await host.microphones() {
      #expect(microphone.selection.description.hasPrefix("alsa:"))
    }
  }

  @Test func `binds a key to a control of an installed app, and replaces its binding`() async throws {
    let fixture = try HostFixture()
    let members = """
      , "controls": [{"id": "shoot", "title": "Shoot", "extension": "org.darkroom.sample.notes"},
      {"id": "record", "title": "Record", "extension": "org.darkroom.sample.notes"}]
      """
    try await fixture.install("Notes", members: members)
    let keys = fixture.host.keyBindings
    #expect(try await keys.list().isEmpty)
    try await keys.bind("KEY_CAMERA", to: "shoot", of: HostFixture.app)
    try await keys.bind("KEY_CAMERA", to: "record", of: HostFixture.app)
    let bound = try await keys.bind("KEY_POWER:double", to: "shoot", of: HostFixture.app)
    #expect(bound.key == "KEY_POWER:double" && bound.appID == HostFixture.app && bound.control == "shoot")
    #expect(
      try await keys.list().map { "\($0.key) \($0.control)" } == [
        "KEY_CAMERA record", "KEY_POWER:double shoot",
      ]
    )
    #expect(try await keys.unbind("KEY_POWER") == bound)
    #expect(try await fixture.secondHost().keyBindings.list().map(\.key) == ["KEY_CAMERA"])
  }

  @Test(arguments: [
    ("KEY_NONE", "shoot", "is not a key name"), ("KEY_CAMERA:triple", "shoot", "is not a key name"),
    ("KEY_CAMERA", "none", "none"),
  ])
  func `refuses an unknown key, and an unknown control`(key: String, control: String, reason: String)
    async throws
  {
    let fixture = try HostFixture()
    let members = """
      , "controls": [{"id": "shoot", "title": "Shoot", "extension": "org.darkroom.sample.notes"}]
      """
    try await fixture.install("Notes", members: members)
    let error = await #expect(throws: HostError.self) {
      try await fixture.host.keyBindings.bind(key, to: control, of: HostFixture.app)
    }
    guard case .argument(let failure) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.message.contains(reason))
    #expect(try await fixture.host.keyBindings.list().isEmpty)
  }
}
