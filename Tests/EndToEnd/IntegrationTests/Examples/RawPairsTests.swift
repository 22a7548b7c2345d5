// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of an extension that writes two files for each press, and of an interruptible importer.
@Suite(.timeLimit(.minutes(20)), .waiting) struct RawPairsTests {
  private static let app = "org.darkroom.shapes"
  /// A script with two presses and a dismissal.
  private static let presses = "wait 300ms\npress\nwait 1s\npress\nwait 3s\ndismiss\n"
  /// The camera options.
  private static let camera = ["--camera", "pattern:64x48@30"]

  /// The importer's library and its operations.
  private struct Library {
    let home: TestHome
    let container: String
    var directory: String { "\(container).library" }

    /// The command line of the importer, with its environment variable first.
    var arguments: [String] {
      let importer = "\(home.programs.directory)/bin/darkroom-shapes-app"
      return ["DARKROOM_APP_CONTAINER=\(container)", importer, "import-pairs", directory]
    }

    /// Runs the importer, optionally under a tracer.
    func importAll(under tracer: [String] = []) throws -> Command.Result {
      try home.start(["/usr/bin/env"] + [arguments[0]] + tracer + arguments.dropFirst()).end()
    }

    /// Returns the names in a part of the library without the session ID.
    func names(_ part: String) throws -> [String] {
      try FileSystem.names(in: "\(directory)/\(part)").map { String($0.dropFirst(37)) }.sorted()
    }

    /// The sessions that are not yet imported.
    var pending: [String] {
      get throws { try FileSystem.names(in: "\(container)/SessionContent") }
    }
  }

  /// Returns the library of the app in a test home.
  private func library(_ home: TestHome) -> Library {
    Library(home: home, container: "\(home.root)/apps/\(Self.app)/container")
  }

  @Test(arguments: TestUser.available)
  func `each press imports one pair, and both of its files show the same picture`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.install(home.programs.shapes("RawPairs"))
    let session = try home.run("rawpairs", of: Self.app, script: Self.presses, options: Self.camera)
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.files == ["IMG_1.y4m", "IMG_1.jpg", "IMG_2.y4m", "IMG_2.jpg"])

    let library = library(home)
    let result = try library.importAll()
    #expect(result.code == 0, "\(result.errors)")
    #expect(try library.names("pairs") == ["IMG_1", "IMG_2"])
    #expect(try library.names("orphans") == [])
    #expect(try library.pending == [])
    for pair in try FileSystem.names(in: "\(library.directory)/pairs") {
      let pair = "\(library.directory)/pairs/\(pair)"
      try runShell(
        """
        ffmpeg -v error -y -i '\(pair)/raw.y4m' -pix_fmt gray '\(pair)/raw.png' </dev/null
        psnr=$(compare -metric PSNR '\(pair)/raw.png' '(' '\(pair)/photo.jpg' -colorspace Gray ')' null: 2>&1) || [ $? = 1 ]
        echo "$psnr"; [ "${psnr%%.*}" = inf ] || [ "${psnr%%.*}" -ge 25 ]
        """
      )
    }
    #expect(try library.importAll().text == "")
  }

  @Test(.enabled(if: TestPrograms.has("strace")))
  func `an extension killed between two files leaves an orphan, which is imported separately`() throws {
    let home = try TestHome(TestUser.available[0])
    try home.install(home.programs.shapes("RawPairs"))
    let renames = "rename,renameat,renameat2"
    let session = try home.run(
      "rawpairs",
      of: Self.app,
      script: Self.presses,
      options: Self.camera,
      under: [
        "/usr/bin/strace", "-f", "-qq", "-o", home.file("trace"), "-P", "/session/IMG_2.jpg",
        "-e", "trace=\(renames)", "-e", "inject=\(renames):signal=KILL",
      ]
    )
    #expect(session.outcome == "signaled", "\(session.record)")
    #expect(session.files.isSuperset(of: ["IMG_1.y4m", "IMG_1.jpg", "IMG_2.y4m"]))
    #expect(!session.files.contains("IMG_2.jpg"))

    let library = library(home)
    let result = try library.importAll()
    #expect(result.code == 0, "\(result.errors)")
    #expect(try library.names("pairs") == ["IMG_1"])
    #expect(try library.names("orphans") == ["IMG_2"])
    #expect(try library.pending == [])
  }

  @Test(.enabled(if: TestPrograms.has("strace")))
  func `an importer killed at any call and restarted imports each pair once`() throws {
    let home = try TestHome(TestUser.available[0])
    try home.install(home.programs.shapes("RawPairs"))
    let session = try home.run("rawpairs", of: Self.app, script: Self.presses, options: Self.camera)
    let raw = try session.bytes("IMG_1.y4m")
    var kills = 0
    // strace(1) counts calls per thread and the importer has several threads, so each kind of call is tested
    // separately.
    for step in ["mkdir", "rename", "renameat2", "unlink", "unlinkat", "rmdir", "sync", "copy_file_range"] {
      var count = 1
      while try killImporter(home, step, count, raw: raw) { count += 1 }
      kills += count - 1
    }
    // At least three mkdir, two syncs per pair, two renames and one removal; fewer kills mean that a call was
    // missed.
    #expect(kills >= 8)
  }

  /// Kills an importer at the `count`th call of a kind and runs it again. Returns false if there are fewer
  /// calls.
  private func killImporter(_ home: TestHome, _ step: String, _ count: Int, raw: [UInt8]) throws -> Bool {
    // Each case needs a separate state root, because the trash is next to the apps.
    let root = home.file("state-\(step)-\(count)")
    try runShell("mkdir -p '\(root)' && cp -a '\(home.root)/apps' '\(home.root)/trash' '\(root)/'")
    let library = Library(home: home, container: "\(root)/apps/\(Self.app)/container")
    let tracer = [
      "/usr/bin/strace", "-f", "-qq", "-o", home.file("trace"), "-e", "trace=\(step)",
      "-e", "inject=\(step):signal=KILL:when=\(count)",
    ]
    let result = try library.importAll(under: tracer)
    if result.code == 0 { return false }
    let title: Comment = "\(step) \(count)"
    #expect(result.code == 128 + 9, "\(step) \(count): \(result.errors)")
    let again = try library.importAll()
    #expect(again.code == 0, "\(step) \(count): \(again.errors)")
    #expect(try library.names("pairs") == ["IMG_1", "IMG_2"], title)
    #expect(try library.names("orphans") == [], title)
    #expect(try library.pending == [], title)
    let first = try #require(try FileSystem.names(in: "\(library.directory)/pairs").min())
    #expect(try FileSystem.contents("\(library.directory)/pairs/\(first)/raw.y4m") == raw, title)
    return true
  }
}
