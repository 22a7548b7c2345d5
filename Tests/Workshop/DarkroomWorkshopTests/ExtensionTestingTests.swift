// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import DarkroomWorkshop
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of simulated sessions, and of the checks of an extension.
@Suite(.timeLimit(.minutes(20))) struct ExtensionTestingTests {
  @Test func `runs a session with the user of a script, and keeps its content on request`() async throws {
    let fixture = try WorkshopFixture()
    let app = try await fixture.makeApp()
    var options = SimulationOptions()
    options.keptDirectory = fixture.file("kept")
    let script = try SimulationScript(contentsOf: "\(app)/shots.txt")
    let report = try await fixture.host.simulate(.bundle(app), script, options)
    #expect(report.isPassed && report.findings.count == 6, "\(report.findings)")
    #expect(report.session.outcome == .dismissed(by: .user) && report.session.files.count == 2)
    let content = try #require(report.session.contentPath)
    #expect(content.hasPrefix(fixture.file("kept")))
    #expect(try FileSystem.names(in: content).count == 2)
    // The state directory of the host is unchanged.
    #expect(try await fixture.host.apps.list().apps.isEmpty)
    #expect(try await fixture.host.history.entries().entries.isEmpty)
    let again = await #expect(throws: HostError.self) {
      try await fixture.host.simulate(.bundle(app), script, options)
    }
    #expect(again?.isArgument == true)
  }

  @Test func `reports the expectations that are not met and the lines that are not reached`() async throws {
    let fixture = try WorkshopFixture()
    let app = try await fixture.makeApp()
    _ = try await fixture.host.apps.install(bundleAt: "\(app)/bundle")
    let script = try SimulationScript(
      "await presented within 20s\ndismiss\nexpect files 3\n",
      name: "three"
    )
    let report = try await fixture.host.simulate(.installed("org.example.camera"), script)
    #expect(!report.isPassed)
    let missed = report.findings.filter { $0.verdict != .passed }
    #expect(missed.map(\.line) == [3] && missed.first?.text == "expect files 3")
    guard case .failed = missed.first?.verdict else {
      Issue.record("\(report.findings)")
      return
    }
  }

  @Test func `rejects a script with mistakes, a real camera and an unknown extension`() async throws {
    let fixture = try WorkshopFixture()
    let mistakes = #expect(throws: HostError.self) {
      try SimulationScript("press nothing\nexpect\n", name: "wrong")
    }
    let lines = (mistakes?.description ?? "").split(separator: "\n")
    #expect(lines.count == 2 && lines.allSatisfy { $0.hasPrefix("wrong:") }, "\(lines)")
    let script = try SimulationScript("dismiss\n")
    var options = SimulationOptions()
    options.camera = .device("/dev/video0")
    let camera = await #expect(throws: HostError.self) {
      try await fixture.host.simulate(.bundle("/tmp"), script, options)
    }
    #expect(camera?.isArgument == true && camera?.description.contains("/dev/video0") == true)
    let directory = await #expect(throws: HostError.self) {
      try await fixture.host.simulate(.bundle(fixture.file("none")), script)
    }
    #expect(directory?.isArgument == true)
    let id = await #expect(throws: HostError.self) {
      try await fixture.host.simulate(.installed("org.example.none"), script)
    }
    guard case .notInstalled("org.example.none", _) = id else {
      Issue.record("\(String(describing: id))")
      return
    }
  }

  @Test func `dismisses a simulated session if the task is cancelled`() async throws {
    let fixture = try WorkshopFixture()
    let app = try await fixture.makeApp()
    let script = try SimulationScript("await presented within 20s\nwait 600s\ndismiss\n")
    let task = Task { try await fixture.host.simulate(.bundle(app), script) }
    try await Task.sleep(for: .seconds(1))
    task.cancel()
    let error = await #expect(throws: HostError.self) { try await task.value }
    #expect(error == .cancelled)
  }

  @Test func `checks an extension, and reports each result at once`() async throws {
    let fixture = try WorkshopFixture()
    let app = try await fixture.makeApp()
    var options = ExtensionCheckOptions()
    options.checks = [.hostProtocol, .dismissal, .context]
    let (results, continuation) = AsyncStream<ExtensionCheckResult>.makeStream()
    let all = try await fixture.host.check(.bundle(app), options) { continuation.yield($0) }
    continuation.finish()
    #expect(all.map(\.check) == options.checks && all.allSatisfy { $0.verdict == .passed }, "\(all)")
    #expect(await results.reduce(into: []) { $0.append($1) } == all)
  }

  @Test func `reports an extension that violates a requirement, with a fix`() async throws {
    let fixture = try WorkshopFixture()
    let program = "\(try await fixture.makeApp())/bundle/Extensions/Capture/capture.sh"
    try FileSystem.replaceContents(program, with: Array("#!/bin/sh\nexit 3\n".utf8), mode: 0o755)
    var options = ExtensionCheckOptions()
    options.checks = [.hostProtocol]
    let result = try await fixture.host.check(.bundle(fixture.file("camera")), options).first
    guard case .failed(let fix) = result?.verdict else {
      Issue.record("\(String(describing: result))")
      return
    }
    #expect(!fix.isEmpty && result?.reason.isEmpty == false)
    options.checks = []
    let none = await #expect(throws: HostError.self) {
      try await fixture.host.check(.bundle(fixture.file("camera")), options)
    }
    #expect(none?.isArgument == true)
  }
}
