// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@Suite struct PathLookupsTests {
  /// Runs a check with the real path of a tree that contains a directory, a file and links of every kind.
  static func withTree(_ body: (String) throws -> Void) throws {
    let made = "/var/tmp/darkroom-lookups-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectories("\(made)/directory/below", mode: 0o755)
    defer { try? FileSystem.removeTree(made) }
    let tree = try FileSystem.realPath(made)
    try FileSystem.replaceContents("\(tree)/file", with: [])
    for (name, target) in [
      ("relative", "directory"), ("absolute", "\(tree)/directory"), ("upwards", "directory/below/../../file"),
      ("dangling", "nowhere"), ("loop", "loop"), ("far", "relative/below/../../absolute/."),
      ("slash", "directory/"),
    ] {
      try FileSystem.makeSymbolicLink("\(tree)/\(name)", to: target)
    }
    try body(tree)
  }

  @Test(arguments: [
    "", "file", "directory", "directory/", "relative", "relative/below", "absolute", "absolute/below/..",
    "upwards", "dangling", "loop", "far", "far/below", "slash", "slash/below", "missing", "missing/below",
    "file/", "file/.", "file/..", "file/below", "directory/./below//../below", "../../../../../../usr",
    "loop/below",
  ])
  func `resolves a path like the C library`(path: String) throws {
    try Self.withTree { tree in
      let path = "\(tree)/\(path)"
      var lookups = PathLookups()
      let expected = Result { () throws(SystemCallError) in try FileSystem.realPath(path) }
      let found = Result { () throws(SystemCallError) in try lookups.resolve(path).path }
      #expect(found == expected)
      #expect(lookups.isCurrent)
    }
  }

  @Test func `reports the kind of a path without following its last link`() throws {
    try Self.withTree { tree in
      var lookups = PathLookups()
      let kinds: [(String, PathLookups.Kind)] = [
        ("file", .file), ("directory", .directory), ("relative", .link), ("relative/below", .directory),
        ("dangling", .link), ("missing", .missing), ("file/below", .missing), ("dangling/below", .missing),
      ]
      for (path, kind) in kinds {
        let found = try lookups.kind(of: "\(tree)/\(path)")
        #expect(found == kind, "\(path)")
      }
      let root = try lookups.kind(of: "/")
      #expect(root == .directory)
    }
  }

  /// Changes to a tree between two launches, each of which redirects a path of ``recordedLookups`` or changes its
  /// kind.
  static let redirections: [(name: String, @Sendable (String) throws -> Void)] = [
    ("a link leads elsewhere", { try replaceLink("\($0)/relative", to: "directory/below") }),
    (
      "a file becomes a link",
      {
        try FileSystem.unlink("\($0)/file")
        try FileSystem.makeSymbolicLink("\($0)/file", to: "directory")
      }
    ),
    (
      "a file becomes a directory",
      {
        try FileSystem.unlink("\($0)/file")
        try FileSystem.makeDirectory("\($0)/file")
      }
    ),
    (
      "a directory on the way becomes a link to itself",
      {
        try FileSystem.rename("\($0)/directory", to: "\($0)/moved", .noReplace)
        try FileSystem.makeSymbolicLink("\($0)/directory", to: "moved")
      }
    ),
    ("a missing directory is created", { try FileSystem.makeDirectory("\($0)/missing") }),
    ("an existing directory is removed", { try FileSystem.removeDirectory("\($0)/directory/below") }),
    ("two names are exchanged", { try FileSystem.rename("\($0)/file", to: "\($0)/directory", .exchange) }),
  ]

  private static func replaceLink(_ path: String, to target: String) throws {
    try FileSystem.makeSymbolicLink("\(path).new", to: target)
    try FileSystem.rename("\(path).new", to: path, .replace)
  }

  /// Returns the recorded lookups of several paths of a tree.
  static func recordedLookups(at tree: String) throws -> PathLookups {
    var lookups = PathLookups()
    for path in ["file", "relative/below", "missing"] { _ = try lookups.kind(of: "\(tree)/\(path)") }
    _ = try lookups.resolve("\(tree)/far")
    return lookups
  }

  @Test(arguments: redirections.indices)
  func `detects every change that redirects a path`(index: Int) throws {
    let (name, redirect) = Self.redirections[index]
    try Self.withTree { tree in
      let lookups = try Self.recordedLookups(at: tree)
      #expect(lookups.isCurrent)
      // Unrelated changes do not invalidate the lookups.
      try FileSystem.makeDirectory("\(tree)/other")
      try FileSystem.replaceContents("\(tree)/file", with: [1])
      #expect(lookups.isCurrent)
      try redirect(tree)
      #expect(!lookups.isCurrent, "\(name)")
    }
  }

  @Test(arguments: redirections.indices)
  func `the kernel watch reports every change that redirects a path`(index: Int) throws {
    let (name, redirect) = Self.redirections[index]
    try Self.withTree { tree in
      let watch = NameWatch()
      try #require(
        try watch.watch(Self.recordedLookups(at: tree)),
        "/var/tmp is on a file system that is not watched"
      )
      let before = watch.changes
      try FileSystem.makeDirectory("\(tree)/other")
      try FileSystem.replaceContents("\(tree)/directory/below/new", with: [1])
      #expect(watch.changes == before)
      try FileSystem.unlink("\(tree)/directory/below/new")
      try redirect(tree)
      #expect(watch.changes > before, "\(name)")
      // The counter increases once and then stays the same.
      #expect(watch.changes == watch.changes)
    }
  }

  @Test func `distinguishes canonically equivalent names and detects changes of either`() throws {
    try Self.withTree { tree in
      let (composed, decomposed) = ("\(tree)/\u{E9}", "\(tree)/e\u{301}")
      try #require(composed == decomposed)
      try FileSystem.makeDirectory(composed)
      try FileSystem.makeSymbolicLink(decomposed, to: "directory")
      var lookups = PathLookups()
      let kinds = try [lookups.kind(of: composed), lookups.kind(of: decomposed)]
      #expect(kinds == [.directory, .link])
      let watch = NameWatch()
      try #require(watch.watch(lookups))
      let before = watch.changes
      try Self.replaceLink(decomposed, to: "file")
      #expect(!lookups.isCurrent)
      #expect(watch.changes > before)
    }
  }

  @Test func `reports a path as changed if its lookup cannot be verified`() throws {
    var lookups = PathLookups()
    _ = try lookups.resolve(".")
    #expect(!lookups.isCurrent)
    #expect(!NameWatch().watch(lookups))
    var withKernelValues = PathLookups()
    _ = try withKernelValues.resolve("/proc/self")
    // The kernel generates the names in procfs and sends no events for them.
    #expect(!NameWatch().watch(withKernelValues))
  }
}
