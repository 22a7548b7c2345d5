// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

/// Mounts over the content directory of a session or inside it.
@Suite(
  .timeLimit(.minutes(20)),
  .enabled(if: CurrentProcess.effectiveUserID == 0, "only root can mount")
) struct MountedContentTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static let mounts = ["-t tmpfs tmpfs", "--bind beside"]

  /// Mounts a file system over a directory; the source of a bind mount is `beside`.
  private func mount(_ mount: String, _ target: String) throws {
    try FileSystem.makeDirectories("\(store.outside)/beside")
    try runShell("cd '\(store.outside)' && mount \(mount) '\(target)'")
  }

  @Test(arguments: mounts)
  func `copies content on its own file system and unmounts it`(_ mount: String) throws {
    let workspace = try store.workspace()
    let content = workspace.places.contentDirectory
    try self.mount(mount, content)
    defer { try? runShell("umount '\(content)' 2>&1 || true") }
    try FileSystem.makeDirectories("\(content)/d/e")
    try write("inside", to: "\(content)/d/e/\n")
    try write("x", to: "\(content)/file")
    succeed(symlink("/etc/shadow", "\(content)/link"), "symlink")
    succeed(mkfifo("\(content)/fifo", 0o600), "mkfifo")
    let draft = store.draft(workspace)
    let result = try Migration(workspace, draft: draft).run()
    #expect(try TemporaryStore.tree(try #require(result.contentPath)) == ["d/e/%0A": "inside", "file": "x"])
    #expect(
      result.record.quarantined == [
        .init(path: "fifo", reason: .fifo), .init(path: "link", reason: .symbolicLink),
      ]
    )
    let items = "\(store.app.quarantine(result.record.sessionID))/items"
    #expect(try FileSystem.linkTarget("\(items)/1") == "/etc/shadow")
    #expect(try store.leftovers() == [])
    #expect(try FileSystem.names(in: "\(store.outside)/beside") == [])
    #expect(try FileSystem.names(in: store.app.incomingDirectory) == [])
  }

  @Test(arguments: mounts)
  func `reports a mount inside the content and delivers nothing until it is unmounted`(_ mount: String) throws
  {
    let workspace = try store.workspace()
    let places = workspace.places
    try FileSystem.makeDirectory("\(places.contentDirectory)/d")
    try write("good", to: "\(places.contentDirectory)/good")
    try self.mount(mount, "\(places.contentDirectory)/d")
    var isMounted = true
    defer { if isMounted { try? runShell("umount '\(places.contentDirectory)/d' 2>&1 || true") } }
    try write("foreign", to: "\(places.contentDirectory)/d/foreign")
    let draft = store.draft(workspace)
    do {
      _ = try Migration(workspace, draft: draft).run()
      Issue.record("a mount was moved")
    } catch { #expect(error == .mountedInside(path: "\(places.contentDirectory)/d")) }
    #expect(try DeliveredContent(store.app).list().isEmpty)
    try runShell("umount '\(places.contentDirectory)/d'")
    isMounted = false
    #expect(try Recovery.run(in: store.root).isClean)
    #expect(
      try DeliveredContent(store.app).list().map { try TemporaryStore.tree($0.path) } == [["good": "good"]]
    )
    #expect(try store.leftovers() == [])
  }
}
