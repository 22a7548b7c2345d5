// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of an extension that adds its pictures to the photo library and passes only their IDs to its app.
@Suite(.timeLimit(.minutes(20)), .waiting) struct LibraryFirstTests {
  private static let app = "org.darkroom.shapes"
  /// A script with two presses and a dismissal.
  private static let presses = "wait 300ms\npress\nwait 1200ms\npress\nwait 1200ms\ndismiss\n"

  /// Returns a command prefix that sets the environment of the app.
  private func environmentPrefix(_ home: TestHome) -> [String] {
    [
      "/usr/bin/env", "DARKROOM_ROOT=\(home.root)", "DARKROOM_APP_ID=\(Self.app)",
      "PATH=\(home.programs.directory)/bin:/usr/bin:/bin",
    ]
  }

  /// Runs the app.
  private func reconcile(_ home: TestHome) throws -> Command.Result {
    try home.start(environmentPrefix(home) + ["darkroom-shapes-app", "reconcile", home.file("index")]).end()
  }

  /// Runs a command on the user's photo library.
  private func photos(_ home: TestHome, _ arguments: String...) throws -> Command.Result {
    try home.start(environmentPrefix(home) + ["darkroom", "photos"] + arguments).end()
  }

  /// Returns the number of sessions that the app has not discarded.
  private func pending(_ home: TestHome) throws -> Int {
    try home.names("apps/\(Self.app)/container/SessionContent").count
  }

  @Test(arguments: TestUser.available)
  func `the app indexes each asset once, and a partial reconcile keeps the session`(user: TestUser) throws {
    let home = try TestHome(user)
    try home.install(home.programs.shapes("LibraryFirst"))
    for (subject, state) in [("camera", "authorized"), ("photos", "authorized")] {
      let result = try home.darkroom("permission", ["set", Self.app, subject, state])
      #expect(result.code == 0, "\(result.errors)")
    }
    let session = try home.run(
      "libraryfirst",
      of: Self.app,
      script: Self.presses,
      options: ["--camera", "pattern:64x48@30"]
    )
    #expect(session.files == ["manifest.json"], "the pictures were moved: \(session.command.errors)")
    let manifest = try JSONNode.parse(try session.bytes("manifest.json")).value
    let assets = (manifest["assets"]?.elements ?? []).compactMap(\.string)
    try #require(assets.count == 2)
    for asset in assets {
      let path = try photos(home, "show", asset).text.split(separator: "\n").first.map(String.init)
      try runShell("[ \"$(identify -format %m '\(try #require(path))')\" = JPEG ]")
    }

    // One asset is missing: the app indexes the other and keeps the session.
    #expect(try photos(home, "delete", assets[1]).code == 0)
    #expect(try reconcile(home).text.hasPrefix("kept "))
    #expect(try FileSystem.names(in: home.file("index")) == ["asset-\(assets[0])"])
    #expect(try pending(home) == 1)
    // A second run without changes has the same result.
    #expect(try reconcile(home).text.hasPrefix("kept "))
    #expect(try FileSystem.names(in: home.file("index")) == ["asset-\(assets[0])"])

    let whole = try home.run(
      "libraryfirst",
      of: Self.app,
      script: Self.presses,
      options: ["--camera", "pattern:64x48@30"]
    )
    #expect(whole.files == ["manifest.json"])
    #expect(try reconcile(home).text.contains("reconciled "))
    #expect(try FileSystem.names(in: home.file("index")).count == 3)
    #expect(try pending(home) == 1)
  }

  @Test func `without photo permission the app imports the pictures from the session content`() throws {
    let home = try TestHome(TestUser.available[0])
    try home.install(home.programs.shapes("LibraryFirst"))
    #expect(try home.darkroom("permission", ["set", Self.app, "photos", "denied"]).code == 0)
    let session = try home.run(
      "libraryfirst",
      of: Self.app,
      script: Self.presses,
      options: ["--camera", "pattern:64x48@30"]
    )
    #expect(session.files == ["manifest.json", "IMG_1.jpg", "IMG_2.jpg"])
    #expect(try reconcile(home).text.hasPrefix("reconciled "))
    #expect(try FileSystem.names(in: home.file("index")).count == 2)
    #expect(try pending(home) == 0)
  }
}
