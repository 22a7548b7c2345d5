// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of photo library access by a sandboxed extension.
@Suite(.timeLimit(.minutes(20)), .waiting) struct PhotoSessionTests {
  /// Returns the results of an order in the output.
  private func found(_ order: String, _ text: String) -> [String] { PhotoSetting.found(order, text) }

  @Test(arguments: Person.available)
  func `while locked a session sees what it has added, and nothing else by any call`(person: Person) throws {
    let setting = try PhotoSetting(person)
    #expect(try setting.place.darkroom("lock", []).code == 0)
    let text = try setting.play(
      "leave=file photos-add=file photos=list photos-open=own photos-open=OLD photos-delete=OLD library"
    )
    let added = try #require(found("photos-add=file", text).first)
    let own = try #require(try setting.place.json(Array(added.dropLast().utf8))["asset"]?["id"]?.string)
    let listed = try #require(found("photos=list", text).first)
    #expect(listed.contains(own) && !listed.contains(setting.old))
    #expect(found("photos-open=own", text) == ["6 bytes"])
    for order in ["photos-open", "photos-delete"] {
      let answer = try #require(found("\(order)=\(setting.old)", text).first)
      #expect(answer.contains(#""code":4015"#), "\(answer)")
      #expect(!answer.contains(setting.place.directory), "an extension learns no path of the host")
    }
    #expect(found("library", text) == [own])
    #expect(Set(try setting.assets().compactMap { $0["id"]?.string }) == [own, setting.old])
  }

  @Test(arguments: Person.available)
  func `while unlocked everything can be read, and what is added is not handed over`(person: Person) throws {
    let setting = try PhotoSetting(person)
    let text = try setting.play(
      "leave=file film=1 photos-add=file photos=list photos-open=OLD photos-delete=OLD"
    )
    #expect(found("photos-open=\(setting.old)", text) == ["17 bytes"])
    #expect(found("photos=list", text).first?.contains(setting.old) == true)
    // Without a prompt, the user cannot confirm the deletion of another app's asset.
    #expect(found("photos-delete=\(setting.old)", text).first?.contains(#""code":4003"#) == true)
    let record = try setting.record()
    let ingested = record["ingested"]?.elements ?? []
    #expect(ingested.compactMap { $0["path"]?.string } == ["file"])
    let ids = try setting.assets().compactMap { $0["id"]?.string }
    #expect(ids.contains(try #require(ingested.first?["asset"]?.string)))
    let session = try #require(record["sessionID"]?.string)
    let content = "apps/\(Place.app)/container/SessionContent/\(session)"
    #expect(try setting.place.names(content) == ["film.mov"])
    #expect(record["files"]?.elements?.compactMap { $0["path"]?.string } == ["film.mov"])
  }

  @Test(arguments: Person.available)
  func `a lock in mid-session empties what is open of others, and nothing of the session's own`(
    person: Person
  )
    throws
  {
    let setting = try PhotoSetting(person)
    let host = try setting.start(
      """
      leave=file photos-add=file photos-open=own photos-open=OLD library await=lock/changed photos-read=OLD \
      photos-read=own library photos-open=OLD photos=list dismiss
      """
    )
    try host.wait { try setting.said().contains("library: ") }
    #expect(try setting.place.darkroom("lock", []).code == 0)
    let result = try host.end()
    let text = result.errors
    #expect(result.code == 0)
    #expect(found("photos-open=\(setting.old)", text).first == "17 bytes")
    #expect(found("photos-read=\(setting.old)", text) == ["0 bytes"])
    #expect(found("photos-read=own", text) == ["6 bytes"])
    let libraries = found("library", text)
    #expect(libraries.first?.contains(setting.old) == true)
    #expect(libraries.last?.contains(setting.old) == false && libraries.last != "nothing")
    #expect(found("photos-open=\(setting.old)", text).last?.contains(#""code":4015"#) == true)
    #expect(found("photos=list", text).first?.contains(setting.old) == false)
    // The file of the asset itself is unchanged.
    let path = try setting.assets().first { $0["id"]?.string == setting.old }?["path"]?.string
    #expect(try FileSystem.status(try #require(path))?.size == 17)
  }

  @Test(arguments: Person.available, LevelCase.all)
  func `without the permission to read nothing is read, and with that to add something is added`(
    person: Person,
    level: LevelCase
  ) throws {
    let setting = try PhotoSetting(person, level.permissions)
    let text = try setting.play(
      "leave=file photos-add=file photos=list photos-open=OLD photos-open=own library"
    )
    for order in ["photos=list", "photos-open=\(setting.old)", "photos-open=own"] {
      #expect(found(order, text).first?.contains(#""code":4003"#) == true, "\(order): \(text)")
    }
    #expect(found("library", text) == ["nothing"])
    #expect(found("photos-add=file", text).first?.contains(#""code":4003"#) == !level.adds)
    #expect(try setting.assets().count == (level.adds ? 2 : 1))
    #expect(try setting.record()["files"]?.elements?.count == (level.adds ? 0 : 1))
  }

  /// A combination of photo permissions.
  struct LevelCase: CustomTestStringConvertible, Sendable {
    /// The permission state by subject.
    var permissions: [String: String]
    /// Whether the extension can add assets.
    var adds: Bool
    var testDescription: String { permissions.map { "\($0): \($1)" }.joined(separator: ", ") }

    static let all = [
      LevelCase(permissions: [:], adds: false),
      LevelCase(permissions: ["photos": "denied"], adds: false),
      LevelCase(permissions: ["photosAddOnly": "authorized"], adds: true),
    ]
  }
}
