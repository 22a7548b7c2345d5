// SPDX-License-Identifier: Apache-2.0

import AppBundles
import CaptureHost
import ExtensionProtocol
import LinuxPrimitives
import SessionServices
import SessionStore
import TestSupport
import Testing

/// Permissions that change while they are monitored.
@Suite(.timeLimit(.minutes(20))) struct PermissionMonitorTests {
  private let directory: ScratchDirectory
  private let app: AppStore
  private let files: AdministrationFiles

  init() throws {
    directory = try ScratchDirectory()
    let root = StateRoot(path: "\(directory.path)/root")
    try root.prepare()
    app = try root.app("org.example.camera")
    try app.prepare()
    files = AdministrationFiles(machine: "\(directory.path)/etc/darkroom/administration.json")
  }

  private func monitor(granted: Set<PermissionSubject> = []) -> PermissionMonitor {
    let resolution = PermissionResolution(app: app.id, reasons: .notNeeded, granted: granted)
    return PermissionMonitor(app, resolution, files: files, watching: .immediate)
  }

  /// Waits for a change notification and refreshes the monitor, like the session driver.
  private func awaitChange(_ monitor: PermissionMonitor) throws {
    let descriptor = try #require(monitor.descriptor)
    let found = try Poller.wait([(descriptor, .readable)], until: TestTimeout.deadline)
    try #require(found.first?.contains(.readable) == true)
    monitor.refresh()
  }

  /// Whether a change notification is pending.
  private func hasChange(_ monitor: PermissionMonitor) throws -> Bool {
    let descriptor = try #require(monitor.descriptor)
    return try Poller.wait([(descriptor, .readable)], until: 0).first?.contains(.readable) == true
  }

  private func set(_ subject: PermissionSubject, _ setting: PermissionSetting) throws {
    try PermissionStore(app).change { all throws(PermissionSettingError) in try all.set(subject, setting) }
  }

  @Test func `reports a revoked permission at once`() throws {
    let monitor = monitor(granted: [.camera])
    #expect(monitor.permissions.camera == .authorized)
    #expect(monitor.resolved[.camera].reason == .commandLine)
    #expect(try !hasChange(monitor))
    try set(.camera, .denied)
    #expect(monitor.permissions.camera == .authorized)
    try awaitChange(monitor)
    #expect(monitor.resolved[.camera] == ResolvedPermission(.denied, .user))
    #expect(try !hasChange(monitor))
    try set(.camera, .authorized)
    try awaitChange(monitor)
    #expect(monitor.resolved[.camera] == ResolvedPermission(.authorized, .user))
  }

  @Test func `resolves the permission again if another device is attached`() throws {
    try PermissionStore(app).change { all throws(PermissionSettingError) in
      try all.set(.camera, .limited, devices: ["this"])
    }
    var resolution = PermissionResolution(app: app.id, reasons: .notNeeded)
    resolution.devices[.camera] = "this"
    let monitor = PermissionMonitor(app, resolution, files: files, watching: .immediate)
    #expect(monitor.permissions.camera == .authorized)
    monitor.attach(.camera, "that")
    #expect(monitor.resolved[.camera] == ResolvedPermission(.denied, .notSelected("that")))
    monitor.attach(.camera, "this")
    #expect(monitor.permissions.camera == .authorized)
    let withoutDevice = self.monitor()
    withoutDevice.attach(.camera, "that")
    #expect(withoutDevice.permissions.camera == .denied)
  }

  @Test func `a damaged file denies every permission until it is reset`() throws {
    try set(.camera, .authorized)
    let monitor = monitor()
    try FileSystem.replaceContents(app.permissionsFile, with: Array("{".utf8))
    try awaitChange(monitor)
    #expect(monitor.permissions.camera == .denied)
    try PermissionStore(app).clear()
    try awaitChange(monitor)
    #expect(monitor.permissions.camera == .notDetermined)
  }

  @Test func `follows an administration file that is created later or edited in place`() throws {
    try set(.camera, .authorized)
    let monitor = monitor()
    #expect(monitor.permissions.camera == .authorized)
    try FileSystem.makeDirectories(FileSystem.directoryName(files.machine))
    let rule = Array(#"{"version":1,"rules":[{"restrict":["camera"]}]}"#.utf8)
    try FileSystem.replaceContents(files.machine, with: rule)
    while monitor.permissions.camera != .restricted { try awaitChange(monitor) }
    let none = Array(#"{"version":1,"rules":[]}"#.utf8)
    // Some editors write the existing file, so that no name in its directory changes.
    try FileSystem.open(files.machine, [.write, .truncate]).writeAll(none)
    while monitor.permissions.camera != .authorized { try awaitChange(monitor) }
  }

  @Test func `detects a permission that was revoked before the watch started`() throws {
    let monitor = PermissionMonitor(
      app,
      PermissionResolution(app: app.id, reasons: .notNeeded, granted: [.camera]),
      files: files
    )
    #expect(monitor.permissions.camera == .authorized)
    try set(.camera, .denied)
    // Without a watch, the monitor polls the file.
    while monitor.permissions.camera != .denied { try awaitChange(monitor) }
    #expect(monitor.resolved[.camera] == ResolvedPermission(.denied, .user))
  }
}
