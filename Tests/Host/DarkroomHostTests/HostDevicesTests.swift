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

  @Test(arguments: [("a.jpg", 5), ("b.png", 5), ("c.y4m", 30)])
  func `saves frames of a camera to a file`(name: String, frames: Int) async throws {
    let fixture = try HostFixture()
    let path = fixture.file(name)
    let camera = CameraSelection.testPattern(width: 64, height: 48, rate: 1000)
    let capture = try await fixture.host.capture(from: camera, to: path)
    #expect(capture.frames == frames && capture.width == 64 && capture.height == 48)
    #expect(capture.frameRate == 1000 && capture.path == path)
    #expect(Int(try #require(try FileSystem.status(path)).size) == capture.bytes)
    #expect(try await fixture.host.capture(from: camera, to: path, frames: 2).frames == 2)
  }

  @Test func `reports why frames cannot be saved, and keeps the file`() async throws {
    let fixture = try HostFixture()
    let path = fixture.file("a.jpg")
    try FileSystem.replaceContents(path, with: [1])
    let (pipe, link) = (fixture.file("pipe.y4m"), fixture.file("link.y4m"))
    try runShell("mkfifo '\(pipe)' && ln -s pipe.y4m '\(link)'")
    let header = fixture.file("empty.y4m")
    try FileSystem.replaceContents(header, with: Array("YUV4MPEG2 W64 H48 F30:1 C420jpeg\n".utf8))
    let video = fixture.file("old.y4m")
    try FileSystem.replaceContents(video, with: [1])
    let attempts: [(CameraSelection, String, Int?, [String: Int], (HostError?) -> Bool)] = [
      (.file(header), video, nil, [:], { if case .camera = $0 { true } else { false } }),
      (.testPattern(), pipe, nil, [:], { if case .argument = $0 { true } else { false } }),
      (.testPattern(), link, nil, [:], { if case .argument = $0 { true } else { false } }),
      (.testPattern(), fixture.file("a.txt"), nil, [:], { if case .argument = $0 { true } else { false } }),
      (.testPattern(), path, 0, [:], { if case .argument = $0 { true } else { false } }),
      (.testPattern(), path, nil, ["zoom": 1], { if case .argument = $0 { true } else { false } }),
      (.device("/dev/video999"), path, nil, [:], { if case .camera = $0 { true } else { false } }),
      (.file(fixture.file("none.jpg")), path, nil, [:], { if case .camera = $0 { true } else { false } }),
      (CameraSelection("-"), path, nil, [:], { if case .camera = $0 { true } else { false } }),
      (
        .testPattern(rate: 1000), "/nonexistent/a.jpg", nil, [:],
        { if case .system(let failure) = $0 { failure.errno == Errno.noSuchFile.rawValue } else { false } }
      ),
    ]
    for (camera, file, frames, settings, isExpected) in attempts {
      let error = await #expect(throws: HostError.self) {
        try await fixture.host.capture(from: camera, to: file, frames: frames, settings: settings)
      }
      #expect(isExpected(error), "\(camera) \(file): \(String(describing: error))")
    }
    #expect(try FileSystem.contents(path) == [1])
    #expect(try FileSystem.contents(video) == [1])
    // A link to a file is not replaced, but its target.
    try runShell("ln -s old.y4m '\(fixture.file("new.y4m"))'")
    let camera = CameraSelection.testPattern(width: 64, height: 48, rate: 1000)
    _ = try await fixture.host.capture(from: camera, to: fixture.file("new.y4m"), frames: 1)
    #expect(try FileSystem.status(video)?.size == FileSystem.contents(video).map { Int64($0.count) })
  }

  @Test func `a cancelled capture keeps the file`() async throws {
    let fixture = try HostFixture()
    let path = fixture.file("a.y4m")
    let host = fixture.host
    let capture = Task { try await host.capture(from: .testPattern(rate: 1), to: path, frames: 1000) }
    try await Task.sleep(for: .milliseconds(50))
    capture.cancel()
    await #expect(throws: HostError.cancelled) { try await capture.value }
    #expect(try FileSystem.status(path) == nil)
  }
}
