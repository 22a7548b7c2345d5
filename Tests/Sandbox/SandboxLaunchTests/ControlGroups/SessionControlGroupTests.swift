// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Testing

@testable import SandboxLaunch

/// Groups below the real hierarchy, which only root can create. The limits need controllers, which the
/// virtual machine of the tests has.
@Suite(
  .enabled(if: TestControlGroup.isAvailable, "only root can make a control group outside of its own subtree")
)
struct SessionControlGroupTests {
  @Test func `a process joins the group and is killed and removed with it`() throws {
    let testGroup = try TestControlGroup()
    var path = ""
    var child = pid_t()
    do {
      let group = try SessionControlGroup.make(
        "one",
        in: testGroup.subtree,
        .init(memory: 1 << 30, tasks: 10)
      )
      path = group.path
      child = try TestControlGroup.startSleeper()
      try group.members.writeAll(Array("\(child)".utf8))
      let members = try #require(try FileSystem.contents("\(path)/cgroup.procs"))
      #expect(String(decoding: members, as: UTF8.self) == "\(child)\n")
      // The group waits for the exit of the child, which this process must reap concurrently.
      let reaped = child
      let thread = try PlainThread.start(name: "reaper") { waitpid(reaped, nil, 0) }
      extendLifetime(group)
      _ = consume group
      thread.join()
    }
    #expect(try FileSystem.status(path) == nil)
    #expect(kill(child, 0) != 0)
  }

  @Test func `removes an abandoned group with its processes and keeps one in use`() throws {
    let testGroup = try TestControlGroup()
    let used = try SessionControlGroup.make("used", in: testGroup.subtree, .init(memory: 1 << 30, tasks: 10))
    let left = "\(testGroup.subtree.path)/darkroom-left"
    try FileSystem.makeDirectory(left)
    let other = "\(testGroup.subtree.path)/other"
    try FileSystem.makeDirectory(other)
    let child = try TestControlGroup.startSleeper()
    try ControlGroupSubtree.write("\(child)", to: "\(left)/cgroup.procs")
    let thread = try PlainThread.start(name: "reaper") { waitpid(child, nil, 0) }
    #expect(SessionControlGroup.removeAbandoned(in: testGroup.subtree) == 1)
    thread.join()
    #expect(try FileSystem.status(left) == nil)
    #expect(try FileSystem.status(used.path) != nil)
    #expect(try FileSystem.status(other) != nil)
    extendLifetime(used)
  }

  @Test func `rejects a directory that is not a group or lacks controllers with a fix`() throws {
    let testGroup = try TestControlGroup()
    #expect(throws: ControlGroupFault.notAGroup(path: "/tmp")) { try ControlGroupSubtree.find(given: "/tmp") }
    let controllers = ControlGroupSubtree.words("\(testGroup.subtree.path)/cgroup.controllers")
    if !controllers.contains("memory") {
      let fault = #expect(throws: ControlGroupFault.self) {
        try ControlGroupSubtree.find(given: testGroup.subtree.path)
      }
      #expect(fault?.description.contains("the controller memory") == true)
      #expect(fault?.fix.contains("cgroup_no_v1") == true)
    }
    // Even root must not use the root group of the machine.
    guard let own = try? ControlGroupSubtree.find(given: nil) else { return }
    #expect(own.path != "/sys/fs/cgroup")
  }
}

/// A temporary control group of the tests.
final class TestControlGroup {
  /// The group.
  let subtree: ControlGroupSubtree

  /// The mount point of cgroup2.
  private static let mount: String? = {
    guard let mounts = try? FileSystem.contents("/proc/self/mountinfo") else { return nil }
    return try? ControlGroupPath.directory(
      membership: "0::/",
      mounts: String(decoding: mounts, as: UTF8.self)
    )
  }()

  /// Whether a group can be created.
  static var isAvailable: Bool { geteuid() == 0 && mount != nil }

  init() throws {
    let path = "\(try #require(Self.mount))/darkroom-tests-\(Randomness.hexadecimal(bytes: 6))"
    try FileSystem.makeDirectory(path)
    subtree = ControlGroupSubtree(unchecked: path)
  }

  deinit {
    for name in (try? FileSystem.names(in: subtree.path)) ?? [] {
      try? FileSystem.removeDirectory("\(subtree.path)/\(name)")
    }
    try? FileSystem.removeDirectory(subtree.path)
  }

  /// Starts a process that sleeps.
  static func startSleeper() throws -> pid_t {
    var process = pid_t()
    let arguments = (["/bin/sleep", "100"] as [String]).map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    try #require(posix_spawn(&process, "/bin/sleep", nil, nil, arguments, environ) == 0)
    return process
  }
}
