// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import Glibc
import LinuxPrimitives
import SandboxLaunch
import SessionStore
import Testing

@Suite struct MountTableTests {
  @Test(.enabled(if: geteuid() == 0, "only root can mount something on the host"))
  func `what is mounted between two launches of a host is in the second one's plan`() throws {
    let directory = "/srv/darkroom-mounts-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories("\(directory)/below", mode: 0o755)
    defer {
      umount2("\(directory)/below", 2)
      try? FileSystem.removeTree(directory)
    }
    let planner = LaunchPlanner(stateRoot: StateRoot(path: "/var/lib"))
    #expect(try Self.isLayer(directory, planner))
    #expect(try Self.isLayer(directory, planner))
    try #require(mount("none", "\(directory)/below", "tmpfs", 0, "size=64k") == 0)
    #expect(try !Self.isLayer(directory, planner))
    try #require(umount2("\(directory)/below", 0) == 0)
    #expect(try Self.isLayer(directory, planner))
  }

  /// Whether a directory is shown by a file system of its own, which shows nothing that is mounted below it.
  private static func isLayer(_ directory: String, _ planner: LaunchPlanner) throws -> Bool {
    let subject = LaunchSubject(
      program: .shown("/usr/bin/true"),
      arguments: [],
      environment: [],
      policy: try PolicyFinder.find("base").policy,
      readOnly: [directory]
    )
    let session = LaunchPlanner.Session(
      id: .random(),
      content: "/tmp",
      context: [],
      standard: [0, 1, 2],
      named: [],
      identity: .caller
    )
    return try planner.plan(subject, session).root.contains { item in
      if case .layer(directory, _, _) = item { true } else { false }
    }
  }
}
