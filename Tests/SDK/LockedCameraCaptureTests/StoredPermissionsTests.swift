// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import Testing

/// The permissions that an app in a separate process reads.
@Suite(.timeLimit(.minutes(20))) struct StoredPermissionsTests {
  let state: FakeStateRoot
  let store: PermissionStore

  init() throws {
    state = try FakeStateRoot()
    store = PermissionStore(try StateRoot(path: state.root).app("org.example.camera"))
  }

  /// Returns the line that the app prints: status of camera and microphone, of adding and reading photos, and
  /// the results of its requests.
  private func reportedPermissions(_ environment: [String]) throws -> String {
    try ChildApp(["permissions"], environment: environment).line()
  }

  @Test func `reports the permission decisions of the user as the host stores them`() throws {
    let app = ["DARKROOM_APP_CONTAINER=\(state.container)"]
    #expect(try reportedPermissions(app) == "[0, 0] [0, 0] false 0 0")
    try store.change { (all) throws(PermissionSettingError) in
      try all.set(.camera, .authorized)
      try all.set(.microphone, .denied)
      try all.set(.photos, .limited, selecting: ["a"])
    }
    #expect(try reportedPermissions(app) == "[3, 2] [3, 4] true 4 3")
    #expect(
      try reportedPermissions(["DARKROOM_ROOT=\(state.root)", "DARKROOM_APP_ID=org.example.camera"])
        == reportedPermissions(app)
    )
    try store.change { (all) throws(PermissionSettingError) in try all.set(.photosAddOnly, .denied) }
    #expect(try reportedPermissions(app) == "[3, 2] [2, 2] true 2 2")
  }

  @Test func `grants no permission if the file is unreadable or the process is not an app`() throws {
    try store.change { (all) throws(PermissionSettingError) in try all.set(.camera, .authorized) }
    #expect(try reportedPermissions([]) == "[0, 0] [0, 0] false 0 0")
    let file = "\(FileSystem.directoryName(state.container))/permissions.json"
    try FileSystem.replaceContents(file, with: Array(#"{"settings": {"camera": "authorized"#.utf8))
    #expect(
      try reportedPermissions(["DARKROOM_APP_CONTAINER=\(state.container)"]) == "[0, 0] [0, 0] false 0 0"
    )
  }
}
