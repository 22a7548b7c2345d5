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
    return PermissionMonitor(app, resolution, files: files, watching: .atOnce)
  }

  /// Waits for a change notification and refreshes the monitor, like the session driver.
  private func takeNews(_ monitor: PermissionMonitor) throws {
    let descriptor = try #require(monitor.descriptor)
    let found = try Poller.wait([(descriptor, .readable)], until: TestPatience.deadline)
    try #require(found.first?.contains(.readable) == true)
    monitor.refresh()
  }

  /// Whether a change notification is pending.
  private func hasNews(_ monitor: PermissionMonitor) throws -> Bool {
    let descriptor = try #require(monitor.descriptor)
    return try Poller.wait([(descriptor, .readable)], until: 0).first?.contains(.readable) == true
  }

  private func set(_ subject: PermissionSubject, _ setting: PermissionSetting) throws {
    try PermissionStore(app).change { all throws(PermissionMistake) in try all.set(subject, setting) }
  }

  @Test func `a permission that is taken away is told at once`() throws {
    let monitor = monitor(granted: [.camera])
    #expect(monitor.permissions.camera == .authorized)
    #expect(monitor.resolved[.camera].ground == .commandLine)
    #expect(try !hasNews(monitor))
    try set(.camera, .denied)
    #expect(monitor.permissions.camera == .authorized)
    try takeNews(monitor)
    #expect(monitor.resolved[.camera] == ResolvedPermission(.denied, .person))
    #expect(try !hasNews(monitor))
    try set(.camera, .authorized)
    try takeNews(monitor)
    #expect(monitor.resolved[.camera] == ResolvedPermission(.authorized, .person))
  }

  @Test func `a device that is not the one that was looked at is judged anew`() throws {
    try PermissionStore(app).change { all throws(PermissionMistake) in
      try all.set(.camera, .limited, devices: ["this"])
    }
    var resolution = PermissionResolution(app: app.id, reasons: .notNeeded)
    resolution.devices[.camera] = "this"
    let monitor = PermissionMonitor(app, resolution, files: files, watching: .atOnce)
    #expect(monitor.permissions.camera == .authorized)
    monitor.attach(.camera, "that")
    #expect(monitor.resolved[.camera] == ResolvedPermission(.denied, .notSelected("that")))
    monitor.attach(.camera, "this")
    #expect(monitor.permissions.camera == .authorized)
    let unknowing = self.monitor()
    unknowing.attach(.camera, "that")
    #expect(unknowing.permissions.camera == .denied)
  }

  @Test func `a file that becomes damaged denies everything, until it is reset`() throws {
    try set(.camera, .authorized)
    let monitor = monitor()
    try FileSystem.replaceContents(app.permissionsFile, with: Array("{".utf8))
    try takeNews(monitor)
    #expect(monitor.permissions.camera == .denied)
    try PermissionStore(app).clear()
    try takeNews(monitor)
    #expect(monitor.permissions.camera == .notDetermined)
  }

  @Test func `the administrator's file may come later, and change in its place`() throws {
    try set(.camera, .authorized)
    let monitor = monitor()
    #expect(monitor.permissions.camera == .authorized)
    try FileSystem.makeDirectories(FileSystem.directoryName(files.machine))
    let rule = Array(#"{"version":1,"rules":[{"restrict":["camera"]}]}"#.utf8)
    try FileSystem.replaceContents(files.machine, with: rule)
    while monitor.permissions.camera != .restricted { try takeNews(monitor) }
    let none = Array(#"{"version":1,"rules":[]}"#.utf8)
    // Some editors write the existing file, so that no name in its directory changes.
    try FileSystem.open(files.machine, [.write, .truncate]).writeAll(none)
    while monitor.permissions.camera != .authorized { try takeNews(monitor) }
  }

  @Test func `a permission that is taken away before there is a watch is noticed all the same`() throws {
    let monitor = PermissionMonitor(
      app,
      PermissionResolution(app: app.id, reasons: .notNeeded, granted: [.camera]),
      files: files
    )
    #expect(monitor.permissions.camera == .authorized)
    try set(.camera, .denied)
    // Without a watch, the monitor polls the file.
    while monitor.permissions.camera != .denied { try takeNews(monitor) }
    #expect(monitor.resolved[.camera] == ResolvedPermission(.denied, .person))
  }
}
