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
  private func setting(_ place: Place) -> [String] {
    [
      "/usr/bin/env", "DARKROOM_ROOT=\(place.root)", "DARKROOM_APP_ID=\(Self.app)",
      "PATH=\(place.programs.directory)/bin:/usr/bin:/bin",
    ]
  }

  /// Runs the app.
  private func reconcile(_ place: Place) throws -> Command.Result {
    try place.start(setting(place) + ["darkroom-shapes-app", "reconcile", place.file("index")]).end()
  }

  /// Runs a command on the user's photo library.
  private func photos(_ place: Place, _ words: String...) throws -> Command.Result {
    try place.start(setting(place) + ["darkroom", "photos"] + words).end()
  }

  /// Returns the number of sessions that the app has not discarded.
  private func pending(_ place: Place) throws -> Int {
    try place.names("apps/\(Self.app)/container/SessionContent").count
  }

  @Test(arguments: Person.available)
  func `the app learns of each asset once, and a partial reconcile gives nothing away`(person: Person) throws
  {
    let place = try Place(person)
    try place.install(place.programs.shapes("LibraryFirst"))
    for (subject, state) in [("camera", "authorized"), ("photos", "authorized")] {
      let result = try place.darkroom("permission", ["set", Self.app, subject, state])
      #expect(result.code == 0, "\(result.errors)")
    }
    let session = try place.run(
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
      let path = try photos(place, "show", asset).text.split(separator: "\n").first.map(String.init)
      try runShell("[ \"$(identify -format %m '\(try #require(path))')\" = JPEG ]")
    }

    // One asset is missing: the app indexes the other and keeps the session.
    #expect(try photos(place, "delete", assets[1]).code == 0)
    #expect(try reconcile(place).text.hasPrefix("kept "))
    #expect(try FileSystem.names(in: place.file("index")) == ["asset-\(assets[0])"])
    #expect(try pending(place) == 1)
    // A second run without changes has the same result.
    #expect(try reconcile(place).text.hasPrefix("kept "))
    #expect(try FileSystem.names(in: place.file("index")) == ["asset-\(assets[0])"])

    let whole = try place.run(
      "libraryfirst",
      of: Self.app,
      script: Self.presses,
      options: ["--camera", "pattern:64x48@30"]
    )
    #expect(whole.files == ["manifest.json"])
    #expect(try reconcile(place).text.contains("reconciled "))
    #expect(try FileSystem.names(in: place.file("index")).count == 3)
    #expect(try pending(place) == 1)
  }

  @Test func `without permission the pictures stay in the session, and the app has them from there`() throws {
    let place = try Place(Person.available[0])
    try place.install(place.programs.shapes("LibraryFirst"))
    #expect(try place.darkroom("permission", ["set", Self.app, "photos", "denied"]).code == 0)
    let session = try place.run(
      "libraryfirst",
      of: Self.app,
      script: Self.presses,
      options: ["--camera", "pattern:64x48@30"]
    )
    #expect(session.files == ["manifest.json", "IMG_1.jpg", "IMG_2.jpg"])
    #expect(try reconcile(place).text.hasPrefix("reconciled "))
    #expect(try FileSystem.names(in: place.file("index")).count == 2)
    #expect(try pending(place) == 0)
  }
}
