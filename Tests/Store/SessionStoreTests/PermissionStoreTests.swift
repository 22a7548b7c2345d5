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

  @Test func `stores a permission until it is reset`() throws {
    #expect(try permissions.read() == AppPermissions())
    try permissions.change { all throws(PermissionSettingError) in try all.set(.camera, .authorized) }
    try permissions.change { all throws(PermissionSettingError) in try all.set(.microphone, .denied) }
    let found = try permissions.read()
    #expect(PermissionSubject.allCases.map { found[$0] } == [.authorized, .denied, nil, nil])
    try permissions.change { all throws(PermissionSettingError) in all.reset(.camera) }
    #expect(try permissions.read()[.camera] == nil)
    #expect(try permissions.read()[.microphone] == .denied)
    try permissions.clear()
    try permissions.clear()
    #expect(try permissions.read() == AppPermissions())
  }

  @Test(arguments: [PermissionSubject.camera, .microphone])
  func `device permissions can be limited to devices or set to ask`(subject: PermissionSubject) throws {
    let devices: Set<String> = ["usb-1 Webcam", "/home/film.y4m"]
    try permissions.change { all throws(PermissionSettingError) in
      try all.set(subject, .limited, devices: devices)
    }
    #expect(try permissions.read().selectedDevices == [subject: devices])
    try permissions.change { all throws(PermissionSettingError) in try all.set(subject, .ask) }
    #expect(try permissions.read()[subject] == .ask)
    #expect(try permissions.read().selectedDevices == [:])
    for (setting, names, settingError) in [
      (.limited, [], .nothingSelected(subject)),
      (.authorized, devices, .selectionWithoutLimit(subject, .authorized)),
    ] as [(PermissionSetting, Set<String>, PermissionSettingError)] {
      #expect(throws: StoreError.invalidPermissionSetting(settingError)) {
        try permissions.change { all throws(PermissionSettingError) in
          try all.set(subject, setting, devices: names)
        }
      }
    }
    #expect(throws: StoreError.invalidDeviceName("a\u{1b}")) {
      try permissions.change { all throws(PermissionSettingError) in
        try all.set(subject, .limited, devices: ["a\u{1b}"])
      }
    }
    #expect(try permissions.read()[subject] == .ask)
  }

  @Test func `photo permissions can be limited to assets but add-only ones cannot`() throws {
    let chosen: Set<String> = ["a", "b"]
    try permissions.change { all throws(PermissionSettingError) in
      try all.set(.photos, .limited, selecting: chosen)
    }
    #expect(try permissions.read().selectedAssets == chosen)
    #expect(try permissions.read()[.photosAddOnly] == .authorized)
    #expect(throws: StoreError.invalidPermissionSetting(.cannotBeLimited(.photosAddOnly))) {
      try permissions.change { all throws(PermissionSettingError) in try all.set(.photosAddOnly, .limited) }
    }
    #expect(throws: StoreError.invalidPermissionSetting(.noAssets(.camera))) {
      try permissions.change { all throws(PermissionSettingError) in
        try all.set(.camera, .limited, selecting: chosen)
      }
    }
    #expect(throws: StoreError.invalidPermissionSetting(.cannotPrompt(.photos))) {
      try permissions.change { all throws(PermissionSettingError) in try all.set(.photos, .ask) }
    }
    #expect(throws: StoreError.invalidPermissionSetting(.selectionWithoutLimit(.photos, .authorized))) {
      try permissions.change { all throws(PermissionSettingError) in
        try all.set(.photos, .authorized, selecting: chosen)
      }
    }
    #expect(throws: StoreError.invalidAssetID("a\u{1b}")) {
      try permissions.change { all throws(PermissionSettingError) in
        try all.set(.photos, .limited, selecting: ["a\u{1b}"])
      }
    }
    #expect(try permissions.read().selectedAssets == chosen)
  }

  @Test func `reading photos implies adding them and denied adding implies denied reading`() throws {
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
  func `a damaged permissions file grants nothing, is not overwritten, and can be reset`(text: String) throws
  {
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
      try permissions.change { all throws(PermissionSettingError) in try all.set(.camera, .authorized) }
    }
    #expect(try FileSystem.contents(store.app.permissionsFile) == Array(text.utf8))
    try permissions.clear()
    #expect(try permissions.read() == AppPermissions())
  }

  @Test func `does not follow a symbolic link in place of the permissions file`() throws {
    let elsewhere = "\(store.outside)/permissions.json"
    let text = #"{"version":1,"app":"org.example.camera","settings":{"camera":"authorized"}}"#
    try FileSystem.replaceContents(elsewhere, with: Array(text.utf8))
    try FileSystem.makeSymbolicLink(store.app.permissionsFile, to: elsewhere)
    #expect(throws: StoreError.self) { try permissions.read() }
  }
}
