// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of presses of controls, and of the conditions of a launch from the lock screen.
@Suite(.timeLimit(.minutes(20))) struct ControlTests {
  /// A control of the extension Notes, which uses no camera.
  private static let notes = """
    , "controls": [{"id": "note", "title": "Note", "extension": "org.darkroom.sample.notes"}]
    """
  /// A control of the extension FrameLogger, which uses a camera.
  private static let shutter = """
    , "controls": [{"id": "shutter", "title": "Shoot", "extension": "org.darkroom.sample.framelogger"}]
    """

  @Test func `a control launches its extension on the lock screen`() async throws {
    let fixture = try HostFixture { $0.lockState = .fixed(.locked) }
    let id = try await fixture.install("Notes", members: Self.notes)
    let controls = try await fixture.host.apps.find(HostFixture.app).controls
    #expect(controls.map(\.id) == ["note"] && controls.first?.extensionID == id)
    // The lock state determines the place.
    let effect = try await fixture.host.press("note", of: HostFixture.app)
    guard case .session(let session) = effect else {
      Issue.record("\(effect)")
      return
    }
    let active = try await fixture.host.activeSessions()
    #expect(active.map(\.id) == [session.id] && active.first?.extensionID == id)
    #expect(active.first?.hostProcess == CurrentProcess.processID && active.first?.isPrewarmed == false)
    let occupied = await #expect(throws: HostError.self) {
      try await fixture.host.press("note", of: HostFixture.app, LaunchOptions(place: .lockScreen))
    }
    guard case .refused(.foregroundOccupied, let failure) = occupied else {
      Issue.record("\(String(describing: occupied))")
      return
    }
    #expect(failure.message.contains("dismiss it first"))
    session.dismiss()
    #expect(try await session.result.outcome == .dismissed(by: .user))
    #expect(try await fixture.host.activeSessions().isEmpty)
  }

  @Test func `a control opens its app elsewhere, with a delivery in the mailbox`() async throws {
    let fixture = try HostFixture()
    try await fixture.install("Notes", members: Self.notes + #", "open": ["true"]"#)
    let effect = try await fixture.host.press("note", of: HostFixture.app)
    guard case .applicationOpened(let opening) = effect else {
      Issue.record("\(effect)")
      return
    }
    #expect(opening.reason == .control)
    let mailbox = "\(fixture.host.statePath)/apps/\(HostFixture.app)/container/Activities"
    #expect(try FileSystem.names(in: mailbox).contains { $0.contains(opening.delivery) })
  }

  @Test func `refuses a press without a camera, without an app command and without an authenticator`()
    async throws
  {
    let fixture = try HostFixture { $0.authenticator = .none }
    try await fixture.install("FrameLogger", program: "FrameLogger", members: Self.shutter)
    func refusal(_ place: LaunchPlace) async -> ControlRefusal? {
      do throws(HostError) {
        _ = try await fixture.host.press("shutter", of: HostFixture.app, LaunchOptions(place: place))
      } catch {
        if case .refused(let reason, let failure) = error, !failure.message.isEmpty { return reason }
      }
      return nil
    }
    // The app cannot be opened, so that it cannot request the permission for the camera either.
    #expect(await refusal(.lockScreen) == .cameraNotPermitted)
    #expect(await refusal(.elsewhere) == .cannotOpen)
    try await fixture.host.apps.find(HostFixture.app).permissions.set(.camera, to: .authorized)
    #expect(await refusal(.lockScreen) == .cameraMissing)
    let locked = try HostFixture { ($0.authenticator, $0.lockState) = (.none, .fixed(.locked)) }
    try await locked.install("Notes", members: Self.notes + #", "open": ["true"]"#)
    let error = await #expect(throws: HostError.self) {
      try await locked.host.press("note", of: HostFixture.app, LaunchOptions(place: .elsewhere))
    }
    guard case .refused(.notAuthenticated, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `reports an unknown control and an unknown app`() async throws {
    let fixture = try HostFixture()
    try await fixture.install("Notes", members: Self.notes)
    await #expect { try await fixture.host.press("none", of: HostFixture.app) } throws: { error in
      if case .argument = error as? HostError { true } else { false }
    }
    await #expect { try await fixture.host.press("note", of: "org.example.none") } throws: { error in
      if case .notInstalled("org.example.none", _) = error as? HostError { true } else { false }
    }
  }

  @Test func `reports each condition that prevents a launch from the lock screen`() async throws {
    let fixture = try HostFixture()
    let id = try await fixture.install("FrameLogger", program: "FrameLogger", members: Self.shutter)
    let report = try await fixture.host.readiness(of: id)
    #expect(!report.isReady && report.checks.map(\.condition) == ReadinessReport.Condition.allCases)
    let unmet = report.checks.filter { $0.refusal != nil }
    #expect(unmet.map(\.condition) == [.permitted, .cameraPresent, .appOpenable])
    #expect(unmet.allSatisfy { $0.message?.isEmpty == false })
    try await fixture.host.apps.find(HostFixture.app).permissions.set(.camera, to: .authorized)
    #expect(try await fixture.host.readiness(of: id, camera: .testPattern()).isReady)
    #expect(try await !fixture.host.readiness(of: "org.example.none.extension").isReady)
  }
}
