// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import SandboxLaunch
import SessionStore
import TestSupport
import Testing

@testable import LaunchPlanning

@Suite struct MountTableTests {
  @Test(.enabled(if: geteuid() == 0, "only root can mount something on the host"))
  func `a mount between two launches of a host appears in the second plan`() throws {
    let directory = "/srv/darkroom-mounts-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories("\(directory)/below", mode: 0o755)
    defer {
      umount2("\(directory)/below", 2)
      try? FileSystem.removeTree(directory)
    }
    let planner = LaunchPlanner(stateRoot: StateRoot(path: "/var/lib"))
    #expect(try Self.isLayer(directory, planner))
    #expect(try Self.isLayer(directory, planner))
    try Self.mount("\(directory)/below")
    #expect(try !Self.isLayer(directory, planner))
    try #require(umount2("\(directory)/below", 0) == 0)
    #expect(try Self.isLayer(directory, planner))
  }

  @Test(.enabled(if: geteuid() == 0, "only root can mount something on the host"))
  func `a removed mount does not change the table and a replaced mount does`() throws {
    let directory = "/srv/darkroom-mounts-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories("\(directory)/below", mode: 0o755)
    defer {
      umount2("\(directory)/below", 2)
      try? FileSystem.removeTree(directory)
    }
    let table = MountTable()
    let first = try #require(table.reading)
    #expect(table.reading === first)
    try Self.mount("\(directory)/below")
    let mounted = try #require(table.reading)
    #expect(!mounted.isSame(as: first) && mounted.points.exist(below: directory))
    // The line in the mount table is identical, but the mount is a different one.
    let line = try Self.line(of: "\(directory)/below")
    try #require(umount2("\(directory)/below", 0) == 0)
    try Self.mount("\(directory)/below")
    let replaced = try #require(table.reading)
    let lineNow = try Self.line(of: "\(directory)/below")
    #expect(!replaced.isSame(as: mounted), "\(line) \(lineNow)")
    try #require(umount2("\(directory)/below", 0) == 0)
    let last = try #require(table.reading)
    // Mounts of concurrent tests also change the table, so that the check is repeated.
    let isUnchanged = TestTimeout.waitUntil {
      guard let (one, two) = try? Self.mountTemporarily("\(directory)/below", table) else { return false }
      return one !== two && one.isSame(as: two)
    }
    #expect(isUnchanged == MountState.isAvailable && last !== replaced)
  }

  private static func mount(_ path: String) throws {
    try #require(Glibc.mount("none", path, "tmpfs", 0, "size=64k") == 0)
  }

  private static func line(of path: String) throws -> String {
    let text = String(decoding: try FileSystem.contents("/proc/self/mountinfo") ?? [], as: UTF8.self)
    return text.split(separator: "\n").first { $0.contains(" \(path) ") }.map(String.init) ?? ""
  }

  /// Returns the table readings before and after a temporary mount.
  private static func mountTemporarily(
    _ path: String,
    _ table: MountTable
  ) throws -> (MountTable.Reading, MountTable.Reading) {
    let before = try #require(table.reading)
    try mount(path)
    try #require(umount2(path, 0) == 0)
    return (before, try #require(table.reading))
  }

  /// Whether a directory is shown as a separate file system, which does not include mounts below it.
  private static func isLayer(_ directory: String, _ planner: LaunchPlanner) throws -> Bool {
    let subject = LaunchTarget(
      program: .shown("/usr/bin/true"),
      arguments: [],
      environment: [],
      policy: try PolicyFinder.find("base").policy,
      readOnly: [directory]
    )
    let session = LaunchPlanner.Session(
      id: .random(),
      files: .init(content: "/tmp"),
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
