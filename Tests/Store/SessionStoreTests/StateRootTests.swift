// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct StateRootTests {
  /// Returns the path of the root for an option and an environment.
  private func path(_ option: String?, _ environment: [String: String]) throws -> String {
    try StateRoot.resolve(option: option) { environment[$0] }.path
  }

  /// Runs a body with a directory that is removed afterwards.
  private func withDirectory(_ body: (String) throws -> Void) throws {
    let path = "/tmp/darkroom-root-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(path)
    defer { try? FileSystem.removeTree(path) }
    try body(path)
  }

  @Test func `resolves the root by option, then by the variables in order`() throws {
    let all = ["DARKROOM_ROOT": "/a", "XDG_STATE_HOME": "/b", "HOME": "/c"]
    #expect(try path("/o/./p/", all) == "/o/p")
    #expect(try path(nil, all) == "/a")
    #expect(try path(nil, ["XDG_STATE_HOME": "/b", "HOME": "/c"]) == "/b/darkroom")
    #expect(try path(nil, ["XDG_STATE_HOME": "relative", "HOME": "/c"]) == "/c/.local/state/darkroom")
    #expect(try path(nil, ["DARKROOM_ROOT": "", "HOME": "/c"]) == "/c/.local/state/darkroom")
  }

  @Test func `resolves a relative option against the current directory`() throws {
    #expect(try path("x/y", [:]) == "\(CurrentProcess.workingDirectory())/x/y")
  }

  @Test func `resolves process-specific paths to paths that other processes can use`() throws {
    let here = try CurrentProcess.workingDirectory()
    #expect(try path("/proc/self/cwd/x/y", [:]) == "\(here)/x/y")
    #expect(try path(nil, ["HOME": "/proc/thread-self/cwd"]) == "\(here)/.local/state/darkroom")
    try withDirectory { directory in
      let open = try FileSystem.open(directory, [.directory])
      #expect(try path("/dev/fd/\(open.rawValue)/state", [:]) == "\(directory)/state")
      #expect(try path("/proc/self/fd/\(open.rawValue)", [:]) == directory)
    }
  }

  @Test(arguments: ["/proc/darkroom", "/proc/darkroom/state", "/tmp/\(String(repeating: "0", count: 300))"])
  func `suggests the root option if the directory cannot be created`(location: String) throws {
    let error = #expect(throws: StoreError.self) { try StateRoot(path: try path(location, [:])).prepare() }
    #expect("\(try #require(error))".hasSuffix("; use another directory with --root DIR"))
  }

  @Test func `suggests the root option if no state root is configured`() {
    let error = #expect(throws: StoreError.self) { try path(nil, [:]) }
    #expect(error == .noStateRoot)
    #expect(error?.description.contains("--root DIR") == true)
  }

  @Test func `preparing creates private directories and is idempotent`() throws {
    try withDirectory { directory in
      let root = StateRoot(path: "\(directory)/deep/down")
      try root.prepare()
      try root.prepare()
      for path in [
        root.path, root.appsDirectory, root.groupsDirectory, root.sessionsDirectory, root.trashDirectory,
      ] {
        #expect(try FileSystem.status(path)?.permissions == 0o700)
      }
      #expect(try FileSystem.contents(root.versionFile) == Array("1\n".utf8))
    }
  }

  @Test func `refuses a file in place of a directory`() throws {
    try withDirectory { directory in
      try write("", to: "\(directory)/file")
      #expect(throws: StoreError.notADirectory(path: "\(directory)/file")) {
        try StateRoot(path: "\(directory)/file").prepare()
      }
      #expect(throws: StoreError.notADirectory(path: "\(directory)/file/below")) {
        try StateRoot(path: "\(directory)/file/below").prepare()
      }
    }
  }

  @Test func `refuses a directory that others can write to and prints the chmod command`() throws {
    try withDirectory { directory in
      succeed(chmod(directory, 0o770), "chmod")
      let error = #expect(throws: StoreError.self) { try StateRoot(path: directory).prepare() }
      #expect(error == .writableByOthers(path: directory, permissions: 0o770))
      #expect(error?.description.contains("chmod go-w \(directory)") == true)
    }
  }

  @Test(.enabled(if: CurrentProcess.effectiveUserID == 0, "only root can give a directory away"))
  func `refuses a directory of another user`() throws {
    try withDirectory { directory in
      succeed(chown(directory, 65534, 65534), "chown")
      #expect(throws: StoreError.foreignOwner(path: directory, owner: 65534, user: 0)) {
        try StateRoot(path: directory).prepare()
      }
    }
  }

  @Test func `refuses a state root of an unknown layout`() throws {
    try withDirectory { directory in
      let root = StateRoot(path: directory)
      try write("2\n", to: root.versionFile)
      #expect(throws: StoreError.unknownLayout(path: root.versionFile, found: "2\n", known: "1")) {
        try root.prepare()
      }
      #expect(try FileSystem.contents(root.versionFile) == Array("2\n".utf8))
    }
  }

  @Test func `follows a symbolic link to the state root`() throws {
    try withDirectory { directory in
      try FileSystem.makeDirectory("\(directory)/real")
      succeed(symlink("\(directory)/real", "\(directory)/link"), "symlink")
      try StateRoot(path: "\(directory)/link").prepare()
      #expect(try FileSystem.status("\(directory)/real/sessions") != nil)
    }
  }

  @Test(arguments: ["", ".", "..", "a/b", "a b", "-a", ".hidden", "ä", String(repeating: "a", count: 201)])
  func `rejects app and group IDs that are not plain names`(_ id: String) {
    #expect(throws: StoreError.invalidIdentifier(id)) { try StateRoot(path: "/x").app(id) }
    #expect(throws: StoreError.invalidIdentifier(id)) { try StateRoot(path: "/x").groupDirectory(id) }
  }
}
