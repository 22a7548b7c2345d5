// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of the resources that a failed command leaves in its server.
@Suite(.timeLimit(.minutes(20)), .waiting) struct ServerFailureTests {
  @Test(arguments: TestUser.available)
  func `releases the camera of a session that fails before its start`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.install()
    let server = try RunningServer(home)
    try runFailingSession(home)
    try server.wait(for: "ended")
    // Descriptors that remain after the first failure belong to the server.
    let before = try descriptors(server)
    for _ in 0..<3 { try runFailingSession(home) }
    try server.wait(for: "ended", 4)
    // Some resources are released in the background.
    try server.command.wait { try threads(server).allSatisfy { !$0.contains("frame-pump") } }
    try server.command.wait { try descriptors(server) <= before + 3 }
    try server.stop()
  }

  @Test(arguments: TestUser.available)
  func `applies lowered limits of the server, or fails with the limit's name`(
    user: TestUser
  ) throws {
    let home = try TestHome(user)
    let server = try RunningServer(home)
    let lockable = ["--app", TestHome.app, "--", "sh", "-c", "ulimit -H -l"]
    #expect(try home.darkroom("exec", lockable).text == "64\n")
    try lowerLimit(server, "--memlock=8192:8192", home)
    #expect(try home.darkroom("exec", lockable).text == "8\n")
    #expect(try home.darkroom("exec", lockable).text == "8\n")
    try server.wait(for: "ended", 3)
    #expect(try server.refusals() == [])
    // A limit of the policy is applied exactly or the launch fails.
    try lowerLimit(server, "--nofile=300:300", home)
    for _ in 0..<2 {
      let result = try home.darkroom("exec", ["--app", TestHome.app, "--", "true"])
      #expect(result.code == 126, "\(result.errors)")
      #expect(result.errors.contains("limit 'descriptors' is 1024"), "\(result.errors)")
      #expect(result.errors.contains("the hard limit of this process is 300"), "\(result.errors)")
    }
    try server.wait(for: "ended", 5)
    #expect(try server.refusals() == [])
    try server.stop()
  }

  /// Lowers a limit of the server, which still serves clients with the limits it started with.
  private func lowerLimit(_ server: RunningServer, _ limit: String, _ home: TestHome) throws {
    let arguments = ["/usr/bin/prlimit", "--pid", "\(server.command.process)", limit]
    try #require(try home.start(arguments).end().code == 0)
  }

  /// Runs a session whose preview file cannot be created.
  private func runFailingSession(_ home: TestHome) throws {
    let preview = ["--camera", "pattern:64x48", "--preview", "/nowhere/film.y4m"]
    let result = try home.darkroom("run", preview + ["\(TestHome.app).snapshot"])
    #expect(result.code == 74, "\(result.errors)")
  }

  /// Returns the names of the server's threads.
  private func threads(_ server: RunningServer) throws -> [String] {
    let tasks = "/proc/\(server.command.process)/task"
    return try FileSystem.names(in: tasks).compactMap { thread in
      (try? FileSystem.contents("\(tasks)/\(thread)/comm")).flatMap { $0 }.map {
        String(decoding: $0, as: UTF8.self)
      }
    }
  }

  /// Returns the number of the server's descriptors.
  private func descriptors(_ server: RunningServer) throws -> Int {
    try FileSystem.names(in: "/proc/\(server.command.process)/fd").count
  }
}
