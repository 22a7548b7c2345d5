// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of cameras that the user has selected or wants to be asked for, and of the record of their use.
@Suite(.timeLimit(.minutes(20)), .waiting) struct DeviceGrantTests {
  @Test(arguments: TestUser.available)
  func `only the selected camera delivers frames, and its use is recorded`(user: TestUser) throws {
    let watcher = try CameraRequestApp(user)
    let front = watcher.home.file("front.y4m")
    let decided = try watcher.setPermission("limited", "--device", front)
    #expect(decided["selectedDevices"] == ["camera": [.string(front)]])
    #expect(decided["permissions"]?["camera"]?["state"]?.string == "limited")

    let allowed = try watcher.run("front.y4m")
    #expect(allowed.files == ["seen.txt"], "\(allowed.command.errors)")
    let use = try #require(allowed.record["uses"]?.elements?.first)
    #expect(use["resource"]?.string == "camera" && use["device"]?.string == front)
    #expect(use["milliseconds"]?.integer != nil && use["lastAt"]?.string != nil)

    let refused = try watcher.run("back.y4m")
    #expect(refused.command.errors.contains("refused 4003\n"), "\(refused.command.errors)")
    #expect(refused.command.errors.contains("because the user selected other devices"))
    #expect(refused.files.isEmpty && refused.record["uses"] == [])

    let uses = try watcher.uses()
    #expect(uses.count == 1)
    #expect(uses.first?["session"] == allowed.record["sessionID"] && uses.first?["running"] == false)
    // A program that reads frames without a request.
    let arguments = [
      "--app", CameraRequestApp.app, "--camera", watcher.home.file("back.y4m"), "--", "wc", "-c",
    ]
    let program = try watcher.home.darkroom("exec", arguments)
    #expect(program.text == "0\n", "\(program.errors)")
    #expect(program.errors.contains("because the user selected other devices"))
  }

  @Test(arguments: TestUser.available)
  func `deselecting a camera during a session revokes it`(user: TestUser) throws {
    let watcher = try CameraRequestApp(user)
    try watcher.setPermission("limited", "--device", watcher.home.file("front.y4m"))
    let session = try watcher.startLasting("front.y4m")
    let running = try watcher.uses()
    #expect(running.count == 1 && running.first?["running"] == true)
    try watcher.setPermission("limited", "--device", watcher.home.file("back.y4m"))
    let result = try session.end()
    #expect(result.errors.contains("changed to denied\n"), "\(result.errors)")
    #expect(try watcher.uses().first?["milliseconds"]?.integer != nil)
  }

  @Test(arguments: TestUser.available)
  func `keeps the record of a camera use if the host is killed`(user: TestUser) throws {
    let watcher = try CameraRequestApp(user)
    try watcher.setPermission("authorized")
    let session = try watcher.startLasting("front.y4m")
    session.signal(SIGKILL)
    _ = try session.end()
    let before = try #require(try watcher.uses().first)
    #expect(before["device"]?.string == watcher.home.file("front.y4m") && before["running"] == false)
    #expect(try watcher.home.darkroom("recover", []).code == 0)
    let use = try #require(try watcher.uses().first)
    #expect(use["device"]?.string == watcher.home.file("front.y4m"))
    #expect(use["running"] == false && use["lastAt"] == nil && use["milliseconds"] == nil)
  }

  @Test(arguments: TestUser.available)
  func `prompts in each session with the permission ask, and grants only that session`(user: TestUser) throws
  {
    let watcher = try CameraRequestApp(user)
    try watcher.setPermission("ask")
    let nobody = try watcher.run("front.y4m")
    #expect(nobody.command.errors.contains("refused 4003\n"), "\(nobody.command.errors)")
    #expect(nobody.command.errors.contains("or add --allow camera"))
    let allowed = try watcher.run("front.y4m", ["--allow", "camera"])
    #expect(allowed.command.errors.contains("granted\n"), "\(allowed.command.errors)")
    let permissions = allowed.record["permissions"]
    #expect(permissions?["camera"] == ["status": "authorized", "reason": "prompted"])

    let yes = try watcher.run("front.y4m", answering: "y\\r")
    #expect(yes.code == 0 && yes.text.contains("granted"), "\(yes.text)\(yes.errors)")
    #expect(yes.text.contains("Watcher (org.example.watcher) requests the camera"))
    let no = try watcher.run("front.y4m", answering: "\\r")
    #expect(no.text.contains("refused 4003"), "\(no.text)\(no.errors)")
    #expect(no.text.contains("because the user declined"))
    let sessions = try watcher.uses().count
    let cancelled = try watcher.run("front.y4m", answering: "\\x03")
    #expect(cancelled.text.contains("nothing was launched"), "\(cancelled.text)")
    #expect(cancelled.code != 0)
    #expect(try watcher.uses().count == sessions && sessions == 2)
  }
}
