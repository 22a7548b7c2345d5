// SPDX-License-Identifier: Apache-2.0

import LaunchPlanning
import LinuxPrimitives
import SandboxLaunch
import SandboxPolicy
import SessionStore
import TestSupport
import Testing

@Suite struct ProgramFinderTests {
  private typealias Program = LaunchTarget.Program

  /// The standard `PATH` of a session.
  private static let path = ["/usr/local/bin", "/usr/bin", "/bin"]

  /// Runs `body` with a directory that contains the given programs.
  private func withPrograms(_ names: String..., body: (String) throws -> Void) throws {
    let made = "/var/tmp/darkroom-programs-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(made, mode: 0o755)
    defer { try? FileSystem.removeTree(made) }
    let directory = try FileSystem.realPath(made)
    for name in names {
      try FileSystem.makeDirectories(FileSystem.directoryName("\(directory)/\(name)"), mode: 0o755)
      try FileSystem.replaceContents("\(directory)/\(name)", with: [0x23], mode: 0o755)
    }
    try body(directory)
  }

  private func find(
    _ argument: String,
    readOnly: [String] = [],
    path: String? = nil,
    stateRoot: String? = nil
  ) throws -> Program {
    let finder = ProgramFinder(
      try PolicyFinder.find("capture").policy,
      readOnly: readOnly,
      environment: path.map { [.init("PATH", $0)] } ?? [],
      stateRoot: stateRoot
    )
    return try finder.find(argument).program
  }

  /// Expects that an argument resolves to a program.
  private func expect(
    _ argument: String,
    readOnly: [String] = [],
    path: String? = nil,
    _ program: Program,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let found = try find(argument, readOnly: readOnly, path: path)
    #expect(found == program, sourceLocation: sourceLocation)
  }

  /// Returns the path of a file relative to the working directory, with a `..` for each of its components.
  private func relative(_ file: String) throws -> String {
    let depth = try CurrentProcess.workingDirectory().split(separator: "/").count
    return String(repeating: "../", count: depth) + file.dropFirst()
  }

  @Test func `a program in a path of the policy runs under the path that the user typed`() throws {
    try expect("/usr/bin/true", .shown("/usr/bin/true"))
    try expect("/usr//bin/./true", .shown("/usr/bin/true"))
    try expect("/usr/lib/../bin/true", .shown("/usr/bin/true"))
    let relative = try relative("/usr/bin/true")
    try expect(relative, .shown("/usr/bin/true"))
    let merged = try FileSystem.status("/bin")?.kind
    try #require(merged == .symbolicLink, "this system is not merged")
    try expect("/bin/sh", .shown("/bin/sh"))
  }

  @Test func `finds a name in PATH and keeps it as the program name`() throws {
    try expect("true", .shown("/usr/bin/true", as: "true"))
    try withPrograms("own/tool", "own/true", "hidden/tool") { directory in
      let path = "relative::\(directory)/own:/usr/bin"
      let own = "\(directory)/own"
      try expect("tool", readOnly: [own], path: path, .shown("\(own)/tool", as: "tool"))
      try expect("true", readOnly: [own], path: path, .shown("\(own)/true", as: "true"))
      try expect("env", readOnly: [own], path: path, .shown("/usr/bin/env", as: "env"))
      // The session cannot find the program by name because the directory is not visible there.
      try expect("tool", path: "\(directory)/hidden", .file("\(directory)/hidden/tool"))
      #expect(throws: PlanError.programNotFound("tool", path: ["/usr/bin"])) {
        try find("tool", path: "/usr/bin")
      }
    }
  }

  @Test func `tries the next directory of PATH if the name is not a program in one`() throws {
    try withPrograms("second/tool") { directory in
      try FileSystem.makeDirectories("\(directory)/first/tool")
      try FileSystem.makeDirectories("\(directory)/dangling")
      try FileSystem.makeSymbolicLink("\(directory)/dangling/tool", to: "/no/such/program")
      let path = "\(directory)/first:\(directory)/dangling:\(directory)/second"
      let found = try find("tool", readOnly: [directory], path: path)
      #expect(found == .shown("\(directory)/second/tool", as: "tool"))
    }
  }

  @Test func `a program in a path that the user shows runs under its own path`() throws {
    try withPrograms("app/bin/tool") { directory in
      let tool = "\(directory)/app/bin/tool"
      for shown in [directory, "\(directory)/app", tool] {
        try expect(tool, readOnly: [shown], .shown(tool))
      }
      let relative = try relative(tool)
      try expect(relative, readOnly: [directory], .shown(tool))
      try expect("\(directory)/app/../app//bin/./tool", readOnly: [directory], .shown(tool))
      // A path that shares only a prefix with a shown path is not shown.
      try expect(tool, readOnly: ["\(directory)/ap"], .file(tool))
    }
  }

  @Test func `keeps a symbolic link that leads to a shown path`() throws {
    try withPrograms("app/bin/tool") { directory in
      let app = "\(directory)/app"
      try FileSystem.makeSymbolicLink("\(app)/bin/relative", to: "../bin/tool")
      try FileSystem.makeSymbolicLink("\(app)/bin/chain", to: "relative")
      try FileSystem.makeSymbolicLink("\(app)/bin/system", to: "/usr/bin/../bin/env")
      try FileSystem.makeSymbolicLink("\(app)/here", to: "bin")
      for name in ["bin/relative", "bin/chain", "bin/system", "here/tool", "here/chain"] {
        try expect("\(app)/\(name)", readOnly: [app], .shown("\(app)/\(name)"))
      }
    }
  }

  @Test func `a program in a directory shown under another name runs under that name`() throws {
    try withPrograms("real/bin/tool") { directory in
      try FileSystem.makeSymbolicLink("\(directory)/link", to: "real")
      let (real, link) = ("\(directory)/real", "\(directory)/link")
      try expect("\(real)/bin/tool", readOnly: [link], .shown("\(link)/bin/tool"))
      try expect("\(link)/bin/tool", readOnly: [real], .shown("\(real)/bin/tool"))
      try expect("\(link)/bin/tool", readOnly: [link], .shown("\(link)/bin/tool"))
      // Links above the shown directory are resolved as directories inside the session.
      try expect("\(link)/bin/tool", readOnly: ["\(link)/bin"], .shown("\(link)/bin/tool"))
    }
  }

  @Test func `a program that is not shown runs as a single file under its typed name`() throws {
    try withPrograms("real/tool") { directory in
      try FileSystem.makeSymbolicLink("\(directory)/alias", to: "real/tool")
      let alias = try find("\(directory)/alias")
      #expect(alias == .file("\(directory)/alias"))
      #expect(alias.sandboxPath == "/extension/alias" && alias.hostPath == "\(directory)/alias")
    }
    // In the child that executes it, /proc/self/exe refers to a different program.
    let own = try CurrentProcess.executablePath()
    if !own.hasPrefix("/usr/") { try expect("/proc/self/exe", .file(own)) }
  }

  @Test func `a link out of the shown paths is an error with a sufficient fix`() throws {
    try withPrograms("app/bin/tool", "python/bin/python3", "python/lib/os.py", "single/program") {
      directory in
      let app = "\(directory)/app"
      try FileSystem.makeSymbolicLink("\(directory)/python/bin/python", to: "python3")
      try FileSystem.makeSymbolicLink("\(app)/bin/absolute", to: "\(directory)/python/bin/python")
      try FileSystem.makeSymbolicLink("\(app)/bin/relative", to: "../../single/program")
      try FileSystem.makeSymbolicLink("\(app)/bin/indirect", to: "\(app)/bin/../../single/program")
      try FileSystem.makeSymbolicLink("\(app)/bin/chain", to: "absolute")
      for (name, link, show) in [
        ("absolute", "absolute", "python"), ("relative", "relative", "single"),
        ("indirect", "indirect", "single"),
        ("chain", "absolute", "python"),
      ] {
        let program = "\(app)/bin/\(name)"
        let error = #expect(throws: PlanError.self) { try find(program, readOnly: [app]) }
        guard case .program(.danglingLink(program, "\(app)/bin/\(link)", _, show: let fix?)) = error else {
          Issue.record("\(name): \(String(describing: error))")
          continue
        }
        #expect(fix == "\(directory)/\(show)")
        #expect("\(try #require(error))".hasSuffix("; add --read-only \(fix)"))
        try expect(program, readOnly: [app, fix], .shown(program))
      }
    }
  }

  @Test func `a fix never exposes the state root or a path that the sandbox provides`() throws {
    try withPrograms("app/tool", "home/bin/program", "home/lib/x", "home/state/x") { directory in
      let app = "\(directory)/app"
      func fix(for target: String) throws -> String? {
        try? FileSystem.unlink("\(app)/link")
        try FileSystem.makeSymbolicLink("\(app)/link", to: target)
        let error = #expect(throws: PlanError.self) {
          try find("\(app)/link", readOnly: [app], stateRoot: "\(directory)/home/state")
        }
        guard case .program(.danglingLink(_, _, _, let fix)) = error else {
          return "\(String(describing: error))"
        }
        return fix
      }
      #expect(try fix(for: "\(directory)/home/bin/program") == "\(directory)/home/bin")
      #expect(try fix(for: "\(directory)/home/state/x") == nil)
      let temporary = "/tmp/darkroom-tool-\(Randomness.hexadecimal(bytes: 8))"
      defer { try? FileSystem.unlink(temporary) }
      try FileSystem.replaceContents(temporary, with: [0x23], mode: 0o755)
      #expect(try fix(for: temporary) == temporary)
    }
  }

  @Test func `rejects an argument that does not name a program`() throws {
    for argument in ["no-such-program", ""] {
      #expect(throws: PlanError.programNotFound(argument, path: Self.path)) { try find(argument) }
    }
    try withPrograms("tool", "plain") { directory in
      try runShell("chmod 0644 '\(directory)/plain'")
      try FileSystem.makeSymbolicLink("\(directory)/round", to: "round")
      for readOnly in [[], [directory]] {
        for name in ["none", "tool/", "tool/.", "tool/x", "round"] {
          let argument = "\(directory)/\(name)"
          #expect(throws: PlanError.programNotFound(argument, path: Self.path)) {
            try find(argument, readOnly: readOnly)
          }
        }
        for argument in ["\(directory)/plain", directory, "\(directory)/", "\(directory)/..", "/"] {
          #expect(throws: PlanError.notExecutable(argument)) { try find(argument, readOnly: readOnly) }
        }
      }
    }
    #expect(throws: PlanError.notExecutable("/etc/passwd")) { try find("/etc/passwd") }
  }
}
