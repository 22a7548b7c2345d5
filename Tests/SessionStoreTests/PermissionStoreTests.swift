// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct PermissionStoreTests {
  let store: TemporaryStore
  let permissions: PermissionStore

  init() throws {
    store = try TemporaryStore()
    permissions = PermissionStore(store.app)
  }

  private func write(_ text: String) throws {
    try FileSystem.replaceContents(store.app.permissionsFile, with: Array(text.utf8))
  }

  @Test func `what is set is there, until it is reset`() throws {
    #expect(try permissions.read() == AppPermissions())
    try permissions.change { all throws(PermissionMistake) in try all.set(.camera, .authorized) }
    try permissions.change { all throws(PermissionMistake) in try all.set(.microphone, .denied) }
    let found = try permissions.read()
    #expect(PermissionSubject.allCases.map { found[$0] } == [.authorized, .denied, nil, nil])
    try permissions.change { all throws(PermissionMistake) in all.reset(.camera) }
    #expect(try permissions.read()[.camera] == nil)
    #expect(try permissions.read()[.microphone] == .denied)
    try permissions.clear()
    try permissions.clear()
    #expect(try permissions.read() == AppPermissions())
  }

  @Test func `photos can be limited to some assets, and nothing else can`() throws {
    let chosen: Set<String> = ["a", "b"]
    try permissions.change { all throws(PermissionMistake) in
      try all.set(.photos, .limited, selecting: chosen)
    }
    #expect(try permissions.read().selectedAssets == chosen)
    #expect(try permissions.read()[.photosAddOnly] == .authorized)
    for subject in PermissionSubject.allCases where subject != .photos {
      #expect(throws: StoreError.permissionMistake(.notLimitable(subject))) {
        try permissions.change { all throws(PermissionMistake) in try all.set(subject, .limited) }
      }
    }
    #expect(throws: StoreError.permissionMistake(.selectionWithoutLimit(.authorized))) {
      try permissions.change { all throws(PermissionMistake) in
        try all.set(.photos, .authorized, selecting: chosen)
      }
    }
    #expect(throws: StoreError.notAnAsset("a\u{1b}")) {
      try permissions.change { all throws(PermissionMistake) in
        try all.set(.photos, .limited, selecting: ["a\u{1b}"])
      }
    }
    #expect(try permissions.read().selectedAssets == chosen)
  }

  @Test func `who may read may add, and who may not add may not read`() throws {
    var all = AppPermissions()
    try all.set(.photos, .authorized)
    #expect(all[.photosAddOnly] == .authorized)
    try all.set(.photosAddOnly, .denied)
    #expect(all[.photos] == .denied)
    try all.set(.photos, .limited, selecting: ["a"])
    all.reset(.photosAddOnly)
    #expect(all == AppPermissions())
    try all.set(.photosAddOnly, .authorized)
    #expect(all[.photos] == nil)
  }

  @Test(arguments: [
    "", "{", "[]", #"{"version":2,"app":"org.example.camera","settings":{}}"#,
    #"{"version":1,"app":"org.example.other","settings":{}}"#,
    #"{"version":1,"app":"org.example.camera"}"#,
    #"{"version":1,"app":"org.example.camera","settings":{"camera":"yes"}}"#,
    #"{"version":1,"app":"org.example.camera","settings":{"camera":"limited"}}"#,
    #"{"version":1,"app":"org.example.camera","settings":{"kamera":"denied"}}"#,
    #"{"version":1,"app":"org.example.camera","settings":{"photosAddOnly":"denied","photos":"authorized"}}"#,
    #"{"version":1,"app":"org.example.camera","settings":{"photos":"limited"},"selectedAssets":[1]}"#,
  ])
  func `a damaged file allows nothing, is not written over, and can be reset`(text: String) throws {
    try write(text)
    func expectDamage(_ body: () throws -> Void) {
      #expect {
        try body()
      } throws: { error in
        guard
          case .permissionsDamaged("org.example.camera", store.app.permissionsFile, _)? = error as? StoreError
        else { return false }
        return "\(error)".contains("darkroom permission reset org.example.camera")
      }
    }
    expectDamage { _ = try permissions.read() }
    expectDamage {
      try permissions.change { all throws(PermissionMistake) in try all.set(.camera, .authorized) }
    }
    #expect(try FileSystem.contents(store.app.permissionsFile) == Array(text.utf8))
    try permissions.clear()
    #expect(try permissions.read() == AppPermissions())
  }

  @Test func `a link in the file's place is not followed`() throws {
    let elsewhere = "\(store.outside)/permissions.json"
    let text = #"{"version":1,"app":"org.example.camera","settings":{"camera":"authorized"}}"#
    try FileSystem.replaceContents(elsewhere, with: Array(text.utf8))
    try FileSystem.makeSymbolicLink(store.app.permissionsFile, to: elsewhere)
    #expect(throws: StoreError.self) { try permissions.read() }
  }
}
