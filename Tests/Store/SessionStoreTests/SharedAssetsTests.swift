// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

/// The shared assets of an app: published completely or not at all, and removed when no session uses them.
@Suite struct SharedAssetsTests {
  let store: TemporaryStore
  let assets: SharedAssets

  init() throws {
    store = try TemporaryStore()
    assets = SharedAssets(store.app)
  }

  /// Creates a directory to publish, with a file in a subdirectory.
  private func source(_ name: String = "source", _ text: String = "one") throws -> String {
    let path = "\(store.outside)/\(name)"
    try FileSystem.makeDirectories("\(path)/luts")
    try write(text, to: "\(path)/presets.json")
    try write(text, to: "\(path)/luts/warm.cube", mode: 0o777)
    return path
  }

  /// Returns the files that a new session would see.
  private func current() throws -> [String: String]? {
    let held = try assets.hold()
    return try held.path.map(TemporaryStore.tree)
  }

  /// Returns the names in the assets directory and in the trash.
  private func names() throws -> [String] {
    try FileSystem.names(in: store.app.assetsDirectory) + FileSystem.names(in: store.root.trashDirectory)
  }

  @Test func `publishes a read-only copy that does not depend on the original`() throws {
    #expect(try current() == nil && assets.list() == [])
    let directory = try source()
    let set = try assets.publish(directory)
    #expect(set.generation == 1 && set.files == 2 && set.bytes == 6 && set.isCurrent)
    try FileSystem.removeTree(directory)
    #expect(try current() == ["presets.json": "one", "luts/warm.cube": "one"])
    let held = try assets.hold()
    let found = held.path
    let path = try #require(found)
    for (name, mode) in [("", 0o555), ("luts", 0o555), ("presets.json", 0o444), ("luts/warm.cube", 0o444)] {
      #expect(try FileSystem.status("\(path)/\(name)")?.permissions == UInt32(mode), "\(name)")
    }
    let listed = try #require(try assets.list().first)
    #expect(listed.files == 2 && listed.bytes == 6 && listed.isCurrent && listed.isInUse)
    #expect(abs(listed.publishedAt - set.publishedAt) < 60_000)
    _ = consume held
    #expect(try assets.list().first?.isInUse == false)
  }

  @Test func `a session keeps its asset set while newer ones are published`() throws {
    _ = try assets.publish(try source())
    let held = try assets.hold()
    let found = held.path
    let path = try #require(found)
    _ = try assets.publish(try source("second", "two"))
    _ = try assets.publish(try source("third", "three"))
    #expect(try TemporaryStore.tree(path)["presets.json"] == "one")
    #expect(try current()?["presets.json"] == "three")
    #expect(try assets.list().map(\.generation) == [3, 1] && names() == ["1", "3"])
    try assets.removeUnused()
    #expect(try names() == ["1", "3"])
    _ = consume held
    try assets.removeUnused()
    #expect(try names() == ["3"])
  }

  @Test func `recovery removes asset sets of dead hosts`() throws {
    _ = try assets.publish(try source())
    let held = try assets.hold()
    _ = try assets.publish(try source("second", "two"))
    try FileSystem.makeDirectory("\(store.app.assetsDirectory)/.new-0123")
    _ = consume held
    _ = try Recovery.run(in: store.root)
    #expect(try names() == ["2"])
  }

  @Test func `clearing hides the set from new sessions and generation numbers are not reused`() throws {
    #expect(try !assets.clear())
    _ = try assets.publish(try source())
    let held = try assets.hold()
    let found = held.path
    let path = try #require(found)
    #expect(try assets.clear())
    #expect(try current() == nil)
    #expect(try TemporaryStore.tree(path)["presets.json"] == "one")
    #expect(try !assets.clear())
    _ = consume held
    #expect(try !assets.clear())
    #expect(try assets.list() == [])
    #expect(try assets.publish(try source()).generation == 3)
    #expect(try names() == ["3"])
  }

  @Test func `publishes an empty directory`() throws {
    try FileSystem.makeDirectory("\(store.outside)/empty")
    _ = try assets.publish("\(store.outside)/empty")
    #expect(try current() == [:])
  }

  /// Commands that make a tree unshareable, and a part of the resulting error message.
  static let hostile: [(command: String, expected: String)] = [
    ("ln -s /etc/passwd luts/link", "luts/link is a symbolic link"),
    ("ln -s luts link", "link is a symbolic link"),
    ("mkfifo luts/pipe", "luts/pipe is a FIFO"),
    ("ln presets.json second", "has 2 hard links"),
    ("chmod u+s luts/warm.cube", "has the mode 4755"),
    ("touch \"$(printf 'a\\033[2Jb')\"", "control characters"),
    ("touch \"$(printf '\\377')\"", "is not UTF-8"),
    ("mkdir -p 1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17", "is more than 16 directories deep"),
    ("truncate -s 67108859 large", "have 67108865 bytes, more than the limit of 67108864"),
    ("truncate -s 1T one two", "have 2199023255558 bytes, more than the limit of 67108864"),
    ("seq -f file-%g 999 | xargs touch", "has 1001 or more files, and the limit is 1000"),
    ("seq -f directory-%g 1000 | xargs mkdir", "has 1001 or more directories, and the limit is 1000"),
  ]

  @Test(arguments: hostile)
  func `refuses unshareable content by name and keeps the current set`(command: String, expected: String)
    throws
  {
    _ = try assets.publish(try source("old", "old"))
    let directory = try source()
    succeed(system("cd '\(directory)' && { \(command); } 2>/dev/null"), "\(command)")
    let error = #expect(throws: StoreError.self) { try assets.publish(directory) }
    let sentence = error?.description ?? ""
    #expect(sentence.contains(expected) && sentence.hasPrefix(directory), "\(sentence)")
    #expect(try current()?["presets.json"] == "old" && names() == ["1"])
  }

  /// Special files, which have no content and can block or trigger a device when opened.
  static let special: [(kind: UInt32, expected: String)] = [
    (S_IFSOCK, "is a socket"), (S_IFCHR, "is a character device"), (S_IFBLK, "is a block device"),
  ]

  @Test(arguments: special)
  func `refuses sockets and devices by name and keeps the current set`(kind: UInt32, expected: String) throws
  {
    _ = try assets.publish(try source("old", "old"))
    let directory = try source()
    // No driver has device number 0, so opening the device would cause a different error.
    let made = mknod("\(directory)/luts/bad", kind | 0o600, 0)
    if made != 0, kind != S_IFSOCK {
      return print("SKIP: what \(expected) cannot be made here: only root can")
    }
    succeed(made, "mknod")
    let error = #expect(throws: StoreError.self) { try assets.publish(directory) }
    #expect(
      error?.description.contains("luts/bad \(expected), but only regular files") == true,
      "\(error as Any)"
    )
    #expect(try current()?["presets.json"] == "old" && names() == ["1"])
  }

  @Test func `accepts content at the exact limits`() throws {
    let directory = try source()
    succeed(
      system("cd '\(directory)' && truncate -s 67108858 large && seq -f f-%g 997 | xargs touch"),
      "made"
    )
    let set = try assets.publish(directory)
    #expect(set.files == 1000 && set.bytes == 64 << 20)
  }

  @Test func `reports a missing directory and a file in its place`() throws {
    let file = "\(try source())/presets.json"
    for (path, sentence) in [
      ("\(store.outside)/none", "No such file or directory (ENOENT)"), (file, "it is not a directory"),
    ] {
      let error = #expect(throws: StoreError.self) { try assets.publish(path) }
      #expect(error?.description.contains(sentence) == true && error?.description.contains(path) == true)
    }
  }

  @Test func `refuses to publish directories that overlap the store`() throws {
    _ = try assets.publish(try source())
    let own = store.app.assetsDirectory
    for path in [own, "\(own)/1/files", "\(own)/1", store.app.directory, store.root.path, "/"] {
      #expect(throws: StoreError.assets(app: store.app.id, directory: path, .overlapsStore)) {
        try assets.publish(path)
      }
    }
  }

  @Test func `refuses content that becomes hostile after the check`() throws {
    _ = try assets.publish(try source("old", "old"))
    let directory = try source()
    let changes = ["ln -s /etc/passwd link", "rm link; truncate -s 64M big", "rm big; mkfifo pipe"]
    for change in changes {
      #expect(throws: StoreError.self) {
        try assets.publish(directory) { step in
          if step == .cleaned { succeed(system("cd '\(directory)' && { \(change); }"), "\(change)") }
        }
      }
      #expect(try current()?["presets.json"] == "old" && names() == ["1"])
    }
  }

  @Test func `assets are not visible to other apps`() throws {
    _ = try assets.publish(try source())
    let other = SharedAssets(try store.root.app("org.example.other"))
    #expect(try other.list() == [])
    let found = try other.hold().path
    #expect(found == nil)
  }

  @Test(.waiting, arguments: SharedAssetsStep.allCases)
  func `after a crash at any step one complete set exists and the next publication cleans up`(
    step: SharedAssetsStep
  ) throws {
    _ = try assets.publish(try source("old", "old"))
    let directory = try source("new", "new")
    try crash("publish", of: directory, at: step.rawValue, in: store.root.path)
    let isNew = [SharedAssetsStep.published, .finished].contains(step)
    let text = isNew ? "new" : "old"
    #expect(try current() == ["presets.json": text, "luts/warm.cube": text])
    // Simulates the remains of a deletion that crashed as well.
    try FileSystem.makeDirectories("\(store.root.trashDirectory)/removed-0123/files")
    let next = try assets.publish(try source("next", "next"))
    #expect(try names() == ["\(next.generation)"])
  }

  @Test func `concurrent publishers exclude each other and readers see one complete set`() async throws {
    let app = store.app
    let sources = try (0..<3).map { try source("source-\($0)", "text-\($0)") }
    await withTaskGroup(of: Void.self) { group in
      for path in sources {
        group.addTask {
          #expect(throws: Never.self) { for _ in 0..<5 { _ = try SharedAssets(app).publish(path) } }
        }
      }
      group.addTask {
        #expect(throws: Never.self) {
          for _ in 0..<50 {
            let held = try SharedAssets(app).hold()
            guard let path = held.path else { continue }
            let tree = try TemporaryStore.tree(path)
            #expect(tree.count == 2 && Set(tree.values).count == 1)
            _ = consume held
          }
        }
      }
    }
    try assets.removeUnused()
    #expect(try names() == ["15"])
  }
}
