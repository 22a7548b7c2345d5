// SPDX-License-Identifier: Apache-2.0

import AppBundles
import LinuxPrimitives
import Synchronization
import TestSupport
import Testing

@Suite(.waiting) struct AppCatalogTests {
  private let id = "org.example.camera"
  private let extensionID = "org.example.camera.capture"

  /// Returns all paths below a directory with their permissions, in order.
  private func tree(_ path: String, _ prefix: String = "") throws -> [String] {
    try FileSystem.names(in: path).flatMap { name -> [String] in
      let status = try #require(try FileSystem.status("\(path)/\(name)"))
      let line = "\(prefix)\(name) \(String(status.permissions, radix: 8))"
      return status.kind == .directory ? [line] + (try tree("\(path)/\(name)", "\(prefix)\(name)/")) : [line]
    }
  }

  @Test func `installs a read-only copy and creates the directories of the app`() throws {
    let sample = try SampleBundle()
    let installation = try sample.catalog.install(sample.path)
    #expect(installation.origin == .new)
    #expect(installation.warnings == [])
    #expect(
      try tree("\(sample.root)/state") == [
        "apps 700", "apps/.lock 600", "apps/org.example.camera 700", "apps/org.example.camera/bundle 700",
        "apps/org.example.camera/bundle/1 555", "apps/org.example.camera/bundle/1/Extensions 555",
        "apps/org.example.camera/bundle/1/Extensions/Capture 555",
        "apps/org.example.camera/bundle/1/Extensions/Capture/bin 555",
        "apps/org.example.camera/bundle/1/Extensions/Capture/bin/capture 555",
        "apps/org.example.camera/bundle/1/Extensions/Capture/extension.json 444",
        "apps/org.example.camera/bundle/1/app.json 444", "apps/org.example.camera/container 700",
        "apps/org.example.camera/container/SessionContent 700",
        "apps/org.example.camera/container/SessionRecords 700", "apps/org.example.camera/context 700",
        "apps/org.example.camera/installation.json 600", "apps/org.example.camera/quarantine 700",
        "groups 700", "groups/group.org.example 700",
      ]
    )
  }

  @Test func `installing preserves the modification time of a file`() throws {
    let sample = try SampleBundle()
    let file = "Extensions/Capture/bin/capture"
    try runShell("touch -d '2 days ago' '\(sample.path)/\(file)'")
    _ = try sample.catalog.install(sample.path)
    let copy = "\(try sample.catalog.find(extensionID).path)/bin/capture"
    let times = try [copy, "\(sample.path)/\(file)"].map { try FileSystem.status($0)?.modified }
    #expect(times[0] != nil && times[0] == times[1])
  }

  @Test func `finds an installed extension and its paths after the bundle is removed`() throws {
    let sample = try SampleBundle()
    _ = try sample.catalog.install(sample.path)
    try FileSystem.removeTree(sample.path)
    let found = try sample.catalog.find(extensionID)
    #expect(found.app.id == id)
    #expect(found.path == "\(sample.root)/state/apps/\(id)/bundle/1/Extensions/Capture")
    #expect(found.executablePath == "\(found.path)/bin/capture")
    #expect(found.manifest.program.arguments == ["--fast", ""])
    #expect(throws: Never.self) { try found.verifyDigest() }
    #expect(try sample.catalog.list().apps.map(\.manifest.id) == [id])
  }

  @Test func `reports an extension that is not installed and suggests the nearest ID`() throws {
    let sample = try SampleBundle()
    _ = try sample.catalog.install(sample.path)
    let error = #expect(throws: CatalogError.self) { try sample.catalog.find("org.example.camera.captuer") }
    #expect(error == .extensionNotInstalled(id: "org.example.camera.captuer", nearest: extensionID))
    for odd in ["", "..", "org.example.camera", "org.example.camera./../x"] {
      let error = #expect(throws: CatalogError.self) { try sample.catalog.find(odd) }
      guard case .extensionNotInstalled = error else {
        Issue.record("\(odd): \(String(describing: error))")
        continue
      }
    }
  }

  @Test func `refuses a faulty bundle with all faults and creates nothing`() throws {
    let sample = try SampleBundle()
    try sample.change("app.json", #""Camera""#, to: "7")
    let error = #expect(throws: CatalogError.self) { _ = try sample.catalog.install(sample.path) }
    #expect(
      error?.description == """
        app.json:3:11: name: expected a string, found an integer; write a string
        \(sample.path) was not installed: 1 error
        """
    )
    #expect(try FileSystem.status("\(sample.root)/state") == nil)
  }

  @Test func `reinstalling replaces the copy and keeps pending content`() throws {
    let sample = try SampleBundle()
    _ = try sample.catalog.install(sample.path)
    let waiting = "\(sample.root)/state/apps/\(id)/container/SessionContent/one"
    try FileSystem.makeDirectory(waiting)
    try sample.write("Extensions/Capture/bin/capture", "#!/bin/sh\nexit 1\n", mode: 0o755)
    let again = try sample.catalog.install(sample.path)
    #expect(again.origin == .replaced)
    #expect(try FileSystem.names(in: "\(sample.root)/state/apps/\(id)/bundle") == ["2"])
    #expect(try FileSystem.status(waiting) != nil)
    let found = try sample.catalog.find(extensionID)
    #expect(try FileSystem.contents(found.executablePath) == Array("#!/bin/sh\nexit 1\n".utf8))
    #expect(throws: Never.self) { try found.verifyDigest() }
  }

  @Test func `keeps an installed copy until the session that runs from it ends`() throws {
    let sample = try SampleBundle()
    _ = try sample.catalog.install(sample.path)
    let running = try sample.catalog.find(extensionID)
    do {
      let hold = try running.hold()
      _ = try sample.catalog.install(sample.path)
      #expect(throws: Never.self) { try running.verifyDigest() }
      let error = #expect(throws: CatalogError.self) { try sample.catalog.uninstall(id) }
      #expect(error == .extensionRunning(app: id))
      _ = hold
    }
    _ = try sample.catalog.install(sample.path)
    #expect(try FileSystem.names(in: "\(sample.root)/state/apps/\(id)/bundle") == ["3"])
    #expect(try running.hold() == nil)
  }

  @Test func `refuses to uninstall an app while a session uses its shared assets`() throws {
    let sample = try SampleBundle()
    _ = try sample.catalog.install(sample.path)
    let set = "\(sample.root)/state/apps/\(id)/assets/1"
    try FileSystem.makeDirectories("\(set)/files")
    do {
      let hold = try DirectoryLock.attempt(set, for: .use)
      let error = #expect(throws: CatalogError.self) { try sample.catalog.uninstall(id) }
      #expect(error == .extensionRunning(app: id))
      _ = hold
    }
    try sample.catalog.uninstall(id)
    #expect(try FileSystem.status(set) == nil)
  }

  @Test func `uninstalling waits for a concurrent publication of shared assets`() throws {
    let sample = try SampleBundle()
    _ = try sample.catalog.install(sample.path)
    let directory = "\(sample.root)/state/apps/\(id)/assets"
    try FileSystem.makeDirectory(directory)
    let opened = try FileSystem.open(directory, [.directory])
    let inode = try opened.status().inode
    let lock = try FileLock.lock(owning: opened)
    let (resultBox, catalog, id) = (ResultBox(), sample.catalog, id)
    let thread = try PlainThread.start(name: "uninstalls") {
      // Outside the lock, because the test polls the result in the meantime.
      let result = Result { try catalog.uninstall(id) }
      resultBox.result.withLock { $0 = result }
    }
    while try !isLockAwaited(inode) {
      try #require(resultBox.result.withLock { $0 == nil })
    }
    try FileSystem.makeDirectory("\(directory)/.new-0123")
    _ = consume lock
    thread.join()
    try resultBox.result.withLock(\.self)?.get()
    #expect(try FileSystem.names(in: "\(sample.root)/state/apps") == [".lock"])
  }

  /// The result of an uninstallation in another thread.
  private final class ResultBox: Sendable {
    /// The result, or `nil` while the uninstallation is running.
    let result = Mutex<Result<Void, any Error>?>(nil)
  }

  @Test(arguments: ["bin/capture", "extension.json", "own.json"])
  func `refuses a modified file and reports both digests`(name: String) throws {
    let sample = try SampleBundle()
    try sample.write("Extensions/Capture/own.json", "{}")
    try sample.change(
      "Extensions/Capture/extension.json",
      #""policy": "capture""#,
      to: #""policy": "own.json""#
    )
    _ = try sample.catalog.install(sample.path)
    let found = try sample.catalog.find(extensionID)
    let path = "\(found.path)/\(name)"
    let before = try digestLine(of: path)
    try runShell("chmod u+w '\(path)' && echo >> '\(path)'")
    let error = #expect(throws: CatalogError.self) { try found.verifyDigest() }
    let text = try #require(error).description
    #expect(text.contains(before))
    #expect(text.contains(try digestLine(of: path)))
    #expect(text.hasSuffix("if you trust the change, install the app again"))
    _ = try sample.catalog.install(sample.path)
    try sample.catalog.find(extensionID).verifyDigest()
  }

  /// Returns the digest of a file as computed by sha256sum(1).
  private func digestLine(of path: String) throws -> String {
    let output = "/tmp/darkroom-digest-\(Randomness.hexadecimal(bytes: 8))"
    try runShell("sha256sum < '\(path)' > \(output)")
    defer { try? FileSystem.unlink(output) }
    return "sha256:"
      + String(decoding: try #require(try FileSystem.contents(output)).prefix(64), as: UTF8.self)
  }

  @Test func `reports a damaged installation, lists other apps, and reinstalling repairs the record`() throws
  {
    let sample = try SampleBundle()
    _ = try sample.catalog.install(sample.path)
    let other = try SampleBundle()
    try other.change("app.json", #"org.example.camera""#, to: #"org.example.camera.capture.more""#)
    try other.change(
      "app.json",
      #""org.example.camera.capture" }"#,
      to: #""org.example.camera.capture.more.x" }"#
    )
    try other.change("Extensions/Capture/extension.json", "camera.capture", to: "camera.capture.more.x")
    _ = try sample.catalog.install(other.path)
    try FileSystem.replaceContents("\(sample.root)/state/apps/\(id)/installation.json", with: Array("{".utf8))
    let listing = try sample.catalog.list()
    #expect(listing.apps.map(\.manifest.id) == ["org.example.camera.capture.more"])
    #expect(
      listing.failures.map(\.description).first?.contains("installation.json: 1:2: the text ends") == true
    )
    _ = try sample.catalog.install(sample.path)
    #expect(try sample.catalog.list().apps.count == 2)
  }

  @Test func `refuses to uninstall an app with pending content unless the content is discarded`() throws {
    let sample = try SampleBundle()
    _ = try sample.catalog.install(sample.path)
    try FileSystem.makeDirectory("\(sample.root)/state/apps/\(id)/container/SessionContent/one")
    let error = #expect(throws: CatalogError.self) { try sample.catalog.uninstall(id) }
    #expect(error?.description.contains("has pending content of 1 session;") == true)
    #expect(try sample.catalog.app(id) != nil)
    try sample.catalog.uninstall(id, content: .discard)
    #expect(try tree("\(sample.root)/state") == ["apps 700", "apps/.lock 600", "groups 700"])
  }

  @Test func `keeps a nonempty group container after its last app is uninstalled`() throws {
    let sample = try SampleBundle()
    _ = try sample.catalog.install(sample.path)
    try FileSystem.replaceContents("\(sample.root)/state/groups/group.org.example/kept", with: [1])
    try sample.catalog.uninstall(id)
    #expect(try FileSystem.status("\(sample.root)/state/groups/group.org.example/kept") != nil)
    let error = #expect(throws: CatalogError.self) { try sample.catalog.uninstall(id) }
    #expect(error == .appNotInstalled(id: id, nearest: nil))
  }

  @Test func `refuses an installed copy as the source of an installation`() throws {
    let sample = try SampleBundle()
    let app = try sample.catalog.install(sample.path).app
    let error = #expect(throws: CatalogError.self) { _ = try sample.catalog.install(app.bundlePath) }
    #expect(error == .bundleInsideCatalog(path: app.bundlePath))
  }
}
