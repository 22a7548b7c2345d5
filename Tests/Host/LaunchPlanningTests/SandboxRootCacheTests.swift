// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LaunchPlanning
import LinuxPrimitives
import SandboxLaunch
import SandboxPolicy
import SessionStore
import TestSupport
import Testing

/// A cached plan equals the plan of a new planner.
@Suite struct SandboxRootCacheTests {
  /// A directory with a state root, a bundle and shown paths.
  private struct PlanningFixture {
    let directory: String
    let planner: LaunchPlanner
    let policy: ResolvedPolicy

    init(_ directory: String) throws {
      self.directory = directory
      for name in ["root/apps/other", "bundle", "shown", "content"] {
        try FileSystem.makeDirectories("\(directory)/\(name)", mode: 0o755)
      }
      // Proofs are stored only in an initialized state root, where new planners find them.
      try FileSystem.replaceContents("\(directory)/root/version", with: [])
      planner = LaunchPlanner(stateRoot: StateRoot(path: "\(directory)/root"))
      var policy = try PolicyFinder.find("base").policy
      let origin = PolicyOrigin(source: "test", position: .init(line: 1, column: 1))
      policy.readOnly += ["shown", "link", "absent"].map {
        ReadOnlyPath("\(directory)/\($0)", .optional, origin: origin)
      }
      self.policy = policy
    }

    /// Returns a plan of the planner with a cache and compares it with the plan of a new planner.
    func plan(_ change: (inout LaunchTarget, inout LaunchPlanner.Session) -> Void = { _, _ in }) throws
      -> LaunchPlan
    {
      var (subject, session) = (subject, session)
      change(&subject, &session)
      let plan = try planner.plan(subject, session)
      // A planner without a cache is the oracle.
      let first = try LaunchPlanner(stateRoot: StateRoot(path: "\(directory)/root")).plan(subject, session)
      #expect(plan.root == first.root)
      #expect(plan.restrictions.landlock == first.restrictions.landlock)
      #expect(plan.program.environment == first.program.environment)
      #expect(plan.limits.resources == first.limits.resources)
      return plan
    }

    var subject: LaunchTarget {
      LaunchTarget(
        program: .bundled(directory: "\(directory)/bundle", executable: "program"),
        arguments: [],
        environment: [],
        policy: policy
      )
    }

    /// A session of the target.
    var session: LaunchPlanner.Session {
      LaunchPlanner.Session(
        id: .random(),
        files: .init(content: "\(directory)/content"),
        context: Array("null".utf8),
        standard: [0, 1, 2],
        named: [],
        identity: .caller
      )
    }

    /// Plans repeatedly until the kernel watch for changes is active.
    func planUntilCached() throws { for _ in 0..<3 { _ = try plan() } }

    /// Returns the root items of a path below the directory.
    func items(_ name: String) throws -> [RootItem] {
      try plan().root.filter { $0.target == "\(directory)/\(name)" }
    }
  }

  private func withFixture(_ body: (PlanningFixture) throws -> Void) throws {
    let made = "/var/tmp/darkroom-roots-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(made, mode: 0o755)
    defer { try? FileSystem.removeTree(made) }
    let place = try PlanningFixture(try FileSystem.realPath(made))
    try place.planUntilCached()
    try body(place)
  }

  @Test func `each session has its own content, context, library, assets and user`() throws {
    try withFixture { place in
      for number in 0..<3 {
        let plan = try place.plan { subject, session in
          session.files.content = "/content-\(number)"
          session.context = [UInt8(number)]
          session.files.library = "/library-\(number)"
          session.files.assets = "/assets-\(number)"
          session.identity = .other(user: 70_000 + UInt32(number), group: 80_000 + UInt32(number))
          subject.policy.scratchBytes = 65536 * (number + 1)
        }
        let sources = plan.root.compactMap { item in
          switch item {
          case .bind(let source, let target, _), .layer(let source, let target, _): "\(source) \(target)"
          case .scratch(_, let scratch): scratch.options
          case .file("app-context.json", let contents, _): "\(contents)"
          default: nil
          }
        }
        for expected in [
          "/content-\(number) session", "/library-\(number) library", "/assets-\(number) assets",
          "[\(number)]",
          "mode=700,size=\(65536 * (number + 1)),nr_inodes=65536,uid=\(70_000 + number),gid=\(80_000 + number)",
        ] {
          #expect(sources.contains(expected), "\(expected)")
        }
        #expect(
          plan.session.map { plan.program.environment.contains(.init("DARKROOM_SESSION_ID", $0)) } == true
        )
      }
      _ = try place.plan { $1.contextFile = "/context-file" }
      _ = try place.plan { $1.files.assets = "/assets" }
    }
  }

  @Test func `a changed policy, program or path is not served from the cache`() throws {
    try withFixture { place in
      try FileSystem.makeDirectories("\(place.directory)/second", mode: 0o755)
      try FileSystem.makeDirectories("\(place.directory)/\u{E9}", mode: 0o755)
      try FileSystem.makeDirectories("\(place.directory)/e\u{301}", mode: 0o755)
      let directory = place.directory
      let second = try place.plan { subject, _ in
        subject.program = .bundled(directory: "\(directory)/second", executable: "program")
      }
      #expect(
        second.root.contains {
          if case .layer("\(directory)/second", "extension", _) = $0 { true } else { false }
        }
      )
      let less = try place.plan { subject, _ in
        subject.policy.readOnly.removeAll { $0.path.hasSuffix("/shown") }
      }
      #expect(!less.root.contains { $0.target == "\(directory)/shown" })
      let without = try place.plan { subject, _ in subject.policy.devices = [] }
      #expect(!without.root.contains { $0.target == "/dev/null" })
      for name in ["\u{E9}", "e\u{301}"] {
        let plan = try place.plan { subject, _ in
          subject.program = .bundled(directory: "\(directory)/\(name)", executable: "program")
        }
        let sources = plan.root.compactMap {
          if case .layer(let source, "extension", _) = $0 { source } else { nil }
        }
        #expect(sources.map { Array($0.utf8) } == [Array("\(directory)/\(name)".utf8)])
      }
    }
  }

  @Test func `a replaced path is shown with its current kind`() throws {
    try withFixture { place in
      let shown = "\(place.directory)/shown"
      guard case .layer = try place.items("shown").last else {
        Issue.record("the last item is not a layer")
        return
      }
      try FileSystem.removeDirectory(shown)
      try FileSystem.replaceContents(shown, with: [])
      guard case .bind = try place.items("shown").last else {
        Issue.record("a file is shown as a directory")
        return
      }
      try FileSystem.unlink(shown)
      #expect(try place.items("shown").isEmpty)
      try FileSystem.makeSymbolicLink(shown, to: "/usr/bin")
      #expect(try place.items("shown") == [.symbolicLink(String(shown.dropFirst()), to: "/usr/bin")])
      try FileSystem.unlink(shown)
      try FileSystem.makeSymbolicLink(shown, to: "/usr/lib")
      #expect(try place.items("shown") == [.symbolicLink(String(shown.dropFirst()), to: "/usr/lib")])
    }
  }

  @Test(.enabled(if: geteuid() == 0, "only root can mount something on the host"))
  func `a temporary mount keeps the cached root and names are checked again`() throws {
    try withFixture { place in
      let aside = "\(place.directory)/aside"
      try FileSystem.makeDirectory(aside)
      defer { umount2(aside, 2) }
      func common() throws -> CommonRoot? {
        guard case .shared(let common, _) = try place.plan().files.contents else { return nil }
        return common
      }
      // Mounts of concurrent tests discard the cache.
      let isKept = try TestTimeout.waitUntil {
        let before = try #require(try common())
        try #require(mount("none", aside, "tmpfs", 0, "size=64k") == 0 && umount2(aside, 0) == 0)
        return try common() === before
      }
      #expect(isKept == MountState.isAvailable)
      let known = try #require(try common())
      try FileSystem.makeDirectory("\(place.directory)/absent", mode: 0o755)
      try #require(mount("none", aside, "tmpfs", 0, "size=64k") == 0 && umount2(aside, 0) == 0)
      #expect(try common() !== known && !place.items("absent").isEmpty)
    }
  }

  @Test func `a path that appears later is shown`() throws {
    try withFixture { place in
      #expect(try place.items("absent").isEmpty)
      try FileSystem.makeDirectory("\(place.directory)/absent", mode: 0o755)
      #expect(try !place.items("absent").isEmpty)
    }
  }

  @Test(arguments: ["a link", "a directory on the way", "the state root"])
  func `rejects a path that has moved into the state root`(relocation: String) throws {
    try withFixture { place in
      let directory = place.directory
      switch relocation {
      case "a link": try FileSystem.makeSymbolicLink("\(directory)/link", to: "root/apps")
      case "the state root":
        try FileSystem.rename("\(directory)/root", to: "\(directory)/moved", .noReplace)
        try FileSystem.makeSymbolicLink("\(directory)/root", to: "shown")
      default:
        // The directory has the same name as before, but is now in another app's container.
        try FileSystem.rename("\(directory)/shown", to: "\(directory)/root/apps/shown", .noReplace)
        try FileSystem.makeSymbolicLink("\(directory)/shown", to: "root/apps/shown")
      }
      for _ in 0..<2 {
        #expect(throws: PlanError.self) { try place.planner.plan(place.subject, place.session) }
      }
    }
  }

  @Test func `shows a single program through the current target of its symbolic link`() throws {
    try withFixture { place in
      let link = "\(place.directory)/alias"
      func shown() throws -> RootItem? {
        var items: [RootItem] = []
        for _ in 0..<3 {
          items = try place.plan { subject, _ in subject.program = .file(link) }.root
        }
        return items.last { $0.target == "/extension/alias" }
      }
      try FileSystem.makeSymbolicLink(link, to: "/usr/bin/env")
      #expect(try shown() == .symbolicLink("extension/alias", to: "/usr/bin/env"))
      try FileSystem.unlink(link)
      let file = "\(place.directory)/bundle/program"
      try FileSystem.replaceContents(file, with: [])
      try FileSystem.makeSymbolicLink(link, to: "bundle/program")
      guard case .bind(file, "extension/alias", _) = try shown() else {
        Issue.record("\(String(describing: try shown()))")
        return
      }
    }
  }

  @Test func `a replaced program directory is inspected again`() throws {
    try withFixture { place in
      try FileSystem.rename("\(place.directory)/bundle", to: "\(place.directory)/was", .noReplace)
      #expect(throws: PlanError.self) { try place.planner.plan(place.subject, place.session) }
      try FileSystem.replaceContents("\(place.directory)/bundle", with: [])
      let plan = try place.plan()
      #expect(
        plan.root.contains {
          if case .bind("\(place.directory)/bundle", "extension", _) = $0 { true } else { false }
        }
      )
    }
  }
}
