// SPDX-License-Identifier: Apache-2.0

import CLinux
import LinuxPrimitives
import Testing

@testable import PhotoLibrary

/// Files of malicious extensions.
@Suite struct HostileFileTests {
  let store: TemporaryLibrary
  let library: PhotoLibrary

  init() throws {
    store = try TemporaryLibrary()
    library = try PhotoLibrary(store.location)
  }

  /// Expects that a path cannot be added, and returns the reason.
  private func refusal(_ path: String, limit: Int64 = 1 << 20) throws -> PhotoLibraryError.FileFault? {
    do {
      let asset = try store.add(library, existing: store.ingest(path, source: .remove, limit: limit))
      Issue.record("\(asset) was added")
    } catch let error as PhotoLibraryError {
      #expect(try store.visibleFiles() == [])
      #expect(try FileSystem.names(in: store.location.incomingDirectory) == [])
      if case .unsuitableFile(_, let fault) = error { return fault }
      Issue.record("\(error)")
    }
    return nil
  }

  @Test func `accepts only regular files with one link and no special bits`() throws {
    let content = store.content
    try store.write("plain")
    try #require(symlink("plain", "\(content)/link") == 0)
    try #require(symlink("/etc/passwd", "\(content)/passwd") == 0)
    try #require(mkfifo("\(content)/fifo", 0o600) == 0)
    try FileSystem.makeDirectory("\(content)/directory")
    try store.write("set")
    try #require(chmod("\(content)/set", 0o4755) == 0)
    try store.write("empty", "")
    #expect(try refusal("link") == .notRegular(.symbolicLink))
    #expect(try refusal("passwd") == .notRegular(.symbolicLink))
    #expect(try refusal("fifo") == .notRegular(.fifo))
    #expect(try refusal("directory") == .notRegular(.directory))
    #expect(try refusal("set") == .specialBits)
    #expect(try refusal("empty") == .empty)
    #expect(try refusal("absent") == .unreachable(.noSuchFile))
    try #require(link("\(content)/plain", "\(content)/second") == 0)
    #expect(try refusal("plain") == .links(2))
    #expect(try FileSystem.contents("\(content)/plain") == Array("light".utf8))
  }

  @Test(arguments: ["../outside", "/etc/passwd", "", ".", "..", "way/outside", "a/../../outside"])
  func `refuses paths that leave the session directory`(_ path: String) throws {
    try FileSystem.open("\(store.directory)/outside", [.write, .create]).writeAll([1])
    try #require(symlink("..", "\(store.content)/way") == 0)
    #expect(try refusal(path) != nil)
    #expect(try FileSystem.contents("\(store.directory)/outside") == [1])
  }

  @Test func `refuses a sparse file of 1 TiB by its length`() throws {
    try store.write("sparse")
    try #require(truncate("\(store.content)/sparse", 1 << 40) == 0)
    #expect(try refusal("sparse") == .tooLarge(bytes: 1 << 40, limit: 1 << 20))
  }

  @Test func `refuses a file within the limit if the disk has too little free space`() throws {
    try store.write("sparse")
    let bytes = Int64(clamping: try FileSystem.freeSpace(store.directory)) + (1 << 30)
    try #require(truncate("\(store.content)/sparse", Int(bytes)) == 0)
    #expect(throws: PhotoLibraryError.noSpace(path: store.location.path)) {
      try store.add(library, existing: store.ingest("sparse", limit: .max))
    }
    #expect(try FileSystem.names(in: store.content) == ["sparse"])
  }

  @Test func `refuses a file that grows during the copy and reads no more than its initial size`() throws {
    try store.write("growing", "begin")
    let directory = try FileSystem.open(store.content, [.directory])
    let source = try SourceFile.open("growing", in: directory, limit: 100)
    try FileSystem.open("\(store.content)/growing", [.write, .append]).writeAll(Array("and more".utf8))
    let target = try FileSystem.open("\(store.directory)/copy", [.readWrite, .create])
    do {
      try source.copy(to: target)
      Issue.record("it was taken")
    } catch { #expect(error == .unsuitableFile(path: "growing", .changed)) }
    #expect(try FileSystem.contents("\(store.directory)/copy") == Array("begin".utf8))
  }

  @Test func `copies the opened file even if its name is replaced afterwards`() throws {
    try store.write("a", "first")
    let directory = try FileSystem.open(store.content, [.directory])
    let source = try SourceFile.open("a", in: directory, limit: 100)
    try store.write("b", "other")
    try FileSystem.rename("\(store.content)/b", to: "\(store.content)/a", .replace)
    let target = try FileSystem.open("\(store.directory)/copy", [.readWrite, .create])
    try source.copy(to: target)
    #expect(try FileSystem.contents("\(store.directory)/copy") == Array("first".utf8))
  }

  @Test(arguments: [
    ("a\nb.jpg", "a b.jpg"), ("\u{202E}gpj.exe", "gpj.exe"), (".hidden", "hidden"),
    ("x\u{1B}[2J.png", "x [2J.png"),
  ])
  func `removes control characters from the title of an asset`(_ name: String, _ title: String)
    throws
  {
    try store.write(name)
    let asset = try store.add(library, existing: store.ingest(name))
    #expect(asset.title == title)
    #expect(asset.path.hasSuffix("/\(title)"))
  }

  @Test(arguments: [
    "../../up.jpg", "/etc/x.jpg", "a/b.jpg", "..", "...", "", "\u{0}", "é".repeated(120) + ".jpg",
  ])
  func `limits a title to one path component in the directory of its month`(_ title: String) throws {
    try store.write("source.jpg")
    for _ in 1...2 {
      let asset = try store.add(library, existing: store.ingest("source.jpg", title: title))
      #expect(asset.path.split(separator: "/").count == 3)
      #expect(asset.path.split(separator: "/")[2].utf8.count <= 210)
      #expect(asset.path.hasSuffix(".jpg"))
      #expect(try store.text(library, asset) == "light")
    }
  }

  @Test func `shortens a 255-byte name and keeps its extension`() throws {
    let name = "n".repeated(251) + ".jpg"
    try store.write(name)
    let asset = try store.add(library, existing: store.ingest(name))
    #expect(asset.title == "n".repeated(196) + ".jpg")
    #expect(asset.sourcePath == name)
  }

  @Test func `treats SQL in names as text`() throws {
    try store.write("a.jpg")
    let asset = try store.add(library, existing: store.ingest("a.jpg", title: "'); DROP TABLE asset;--.jpg"))
    #expect(try library.list(for: .user, atMost: 9).assets == [asset])
    #expect(throws: PhotoLibraryError.noSuchAsset("' OR '1'='1")) {
      try library.asset("' OR '1'='1", for: .user)
    }
  }
}

extension String {
  /// Returns the text repeated `count` times.
  fileprivate func repeated(_ count: Int) -> String { String(repeating: self, count: count) }
}
