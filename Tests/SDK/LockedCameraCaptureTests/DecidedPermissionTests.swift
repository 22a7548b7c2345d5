// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import Testing

/// The permissions that an app in a separate process reads.
@Suite(.timeLimit(.minutes(20))) struct DecidedPermissionTests {
  let state: FakeState
  let store: PermissionStore

  init() throws {
    state = try FakeState()
    store = PermissionStore(try StateRoot(path: state.root).app("org.example.camera"))
  }

  /// Returns the line that the app prints: status of camera and microphone, of adding and reading photos, and
  /// the results of its requests.
  private func told(_ environment: [String]) throws -> String {
    try ChildApp(["permissions"], environment: environment).line()
  }

  @Test func `an app is told what the person has decided, as the host keeps it`() throws {
    let app = ["DARKROOM_APP_CONTAINER=\(state.container)"]
    #expect(try told(app) == "[0, 0] [0, 0] false 0 0")
    try store.change { (all) throws(PermissionMistake) in
      try all.set(.camera, .authorized)
      try all.set(.microphone, .denied)
      try all.set(.photos, .limited, selecting: ["a"])
    }
    #expect(try told(app) == "[3, 2] [3, 4] true 4 3")
    #expect(try told(["DARKROOM_ROOT=\(state.root)", "DARKROOM_APP_ID=org.example.camera"]) == told(app))
    try store.change { (all) throws(PermissionMistake) in try all.set(.photosAddOnly, .denied) }
    #expect(try told(app) == "[3, 2] [2, 2] true 2 2")
  }

  @Test func `nothing is allowed by a file that cannot be read, nor to a process that is no app`() throws {
    try store.change { (all) throws(PermissionMistake) in try all.set(.camera, .authorized) }
    #expect(try told([]) == "[0, 0] [0, 0] false 0 0")
    let file = "\(FileSystem.directoryName(state.container))/permissions.json"
    try FileSystem.replaceContents(file, with: Array(#"{"settings": {"camera": "authorized"#.utf8))
    #expect(try told(["DARKROOM_APP_CONTAINER=\(state.container)"]) == "[0, 0] [0, 0] false 0 0")
  }
}
