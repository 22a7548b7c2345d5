// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of photo library access by a sandboxed extension.
@Suite(.timeLimit(.minutes(20)), .waiting) struct PhotoSessionTests {
  /// Returns the results of an order in the output.
  private func results(_ order: String, _ text: String) -> [String] { PhotoFixture.results(order, text) }

  @Test(arguments: TestUser.available)
  func `while locked, a session sees only the assets that it added`(user: TestUser) throws {
    let fixture = try PhotoFixture(user)
    #expect(try fixture.home.darkroom("lock", []).code == 0)
    let text = try fixture.run(
      "leave=file photos-add=file photos=list photos-open=own photos-open=OLD photos-delete=OLD library"
    )
    let added = try #require(results("photos-add=file", text).first)
    let own = try #require(try fixture.home.json(Array(added.dropLast().utf8))["asset"]?["id"]?.string)
    let listed = try #require(results("photos=list", text).first)
    #expect(listed.contains(own) && !listed.contains(fixture.olderAsset))
    #expect(results("photos-open=own", text) == ["6 bytes"])
    for order in ["photos-open", "photos-delete"] {
      let answer = try #require(results("\(order)=\(fixture.olderAsset)", text).first)
      #expect(answer.contains(#""code":4015"#), "\(answer)")
      #expect(!answer.contains(fixture.home.directory), "an extension learns no path of the host")
    }
    #expect(results("library", text) == [own])
    #expect(Set(try fixture.assets().compactMap { $0["id"]?.string }) == [own, fixture.olderAsset])
  }

  @Test(arguments: TestUser.available)
  func `while unlocked, a session reads all assets, and added files are not migrated`(user: TestUser) throws {
    let fixture = try PhotoFixture(user)
    let text = try fixture.run(
      "leave=file film=1 photos-add=file photos=list photos-open=OLD photos-delete=OLD"
    )
    #expect(results("photos-open=\(fixture.olderAsset)", text) == ["17 bytes"])
    #expect(results("photos=list", text).first?.contains(fixture.olderAsset) == true)
    // Without a prompt, the user cannot confirm the deletion of another app's asset.
    #expect(results("photos-delete=\(fixture.olderAsset)", text).first?.contains(#""code":4003"#) == true)
    let record = try fixture.record()
    let ingested = record["ingested"]?.elements ?? []
    #expect(ingested.compactMap { $0["path"]?.string } == ["file"])
    let ids = try fixture.assets().compactMap { $0["id"]?.string }
    #expect(ids.contains(try #require(ingested.first?["asset"]?.string)))
    let session = try #require(record["sessionID"]?.string)
    let content = "apps/\(TestHome.app)/container/SessionContent/\(session)"
    #expect(try fixture.home.names(content) == ["film.mov"])
    #expect(record["files"]?.elements?.compactMap { $0["path"]?.string } == ["film.mov"])
  }

  @Test(arguments: TestUser.available)
  func `locking during a session revokes open assets of others and keeps the session's own`(
    user: TestUser
  )
    throws
  {
    let fixture = try PhotoFixture(user)
    let host = try fixture.start(
      """
      leave=file photos-add=file photos-open=own photos-open=OLD library await=lock/changed photos-read=OLD \
      photos-read=own library photos-open=OLD photos=list dismiss
      """
    )
    try host.wait { try fixture.printedText().contains("library: ") }
    #expect(try fixture.home.darkroom("lock", []).code == 0)
    let result = try host.end()
    let text = result.errors
    #expect(result.code == 0)
    #expect(results("photos-open=\(fixture.olderAsset)", text).first == "17 bytes")
    #expect(results("photos-read=\(fixture.olderAsset)", text) == ["0 bytes"])
    #expect(results("photos-read=own", text) == ["6 bytes"])
    let libraries = results("library", text)
    #expect(libraries.first?.contains(fixture.olderAsset) == true)
    #expect(libraries.last?.contains(fixture.olderAsset) == false && libraries.last != "nothing")
    #expect(results("photos-open=\(fixture.olderAsset)", text).last?.contains(#""code":4015"#) == true)
    #expect(results("photos=list", text).first?.contains(fixture.olderAsset) == false)
    // The file of the asset itself is unchanged.
    let path = try fixture.assets().first { $0["id"]?.string == fixture.olderAsset }?["path"]?.string
    #expect(try FileSystem.status(try #require(path))?.size == 17)
  }

  @Test(arguments: TestUser.available, PermissionCase.all)
  func `without read permission nothing can be read, and add permission allows only adding`(
    user: TestUser,
    level: PermissionCase
  ) throws {
    let fixture = try PhotoFixture(user, level.permissions)
    let text = try fixture.run(
      "leave=file photos-add=file photos=list photos-open=OLD photos-open=own library"
    )
    for order in ["photos=list", "photos-open=\(fixture.olderAsset)", "photos-open=own"] {
      #expect(results(order, text).first?.contains(#""code":4003"#) == true, "\(order): \(text)")
    }
    #expect(results("library", text) == ["nothing"])
    #expect(results("photos-add=file", text).first?.contains(#""code":4003"#) == !level.canAdd)
    #expect(try fixture.assets().count == (level.canAdd ? 2 : 1))
    #expect(try fixture.record()["files"]?.elements?.count == (level.canAdd ? 0 : 1))
  }

  /// A combination of photo permissions.
  struct PermissionCase: CustomTestStringConvertible, Sendable {
    /// The permission state by subject.
    var permissions: [String: String]
    /// Whether the extension can add assets.
    var canAdd: Bool
    var testDescription: String { permissions.map { "\($0): \($1)" }.joined(separator: ", ") }

    static let all = [
      PermissionCase(permissions: [:], canAdd: false),
      PermissionCase(permissions: ["photos": "denied"], canAdd: false),
      PermissionCase(permissions: ["photosAddOnly": "authorized"], canAdd: true),
    ]
  }
}
