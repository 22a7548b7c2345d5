// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of hosts that are killed while an extension adds a video to the photo library.
@Suite(.timeLimit(.minutes(20)), .waiting) struct PhotoCrashTests {
  /// The size of the video in bytes.
  private static let videoSize: Int64 = 24 << 20

  /// The time at which the host is killed.
  enum KillPoint: String, CaseIterable {
    /// Before the extension sends the request.
    case requesting = "asked"
    /// After the first bytes are in the library.
    case copying
    /// After all bytes are in the library.
    case copied
    /// After the video has its final name in the library.
    case renamed = "placed"
    /// After the session's copy is removed.
    case sourceRemoved = "taken"
    /// After the extension has received the answer.
    case answered
  }

  @Test(arguments: TestUser.available, KillPoint.allCases)
  func `a video that is being added when the host is killed exists exactly once`(
    user: TestUser,
    killPoint: KillPoint
  ) throws {
    let fixture = try PhotoFixture(user)
    let host = try fixture.start("film=24 photos-add=film.mov hang")
    try host.wait { try isReached(.requesting, fixture) }
    // Polls without a pause, because the next steps take milliseconds.
    var polls = 0
    while try !isReached(killPoint, fixture), polls < 1_000_000 { polls += 1 }
    try #require(try isReached(killPoint, fixture))
    host.signal(SIGKILL)
    #expect(try host.end().code == 137)
    try fixture.home.waitForNoProcess()

    let recovery = try fixture.home.darkroom("recover", ["--library", fixture.library])
    #expect(recovery.code == 0, "\(recovery.errors)")
    let videos = try fixture.assets().filter { $0["id"]?.string != fixture.olderAsset }
    let sessions = "apps/\(TestHome.app)/container/SessionContent"
    let delivered = try fixture.home.names(sessions).flatMap { session in
      try fixture.home.names("\(sessions)/\(session)").map { "\(sessions)/\(session)/\($0)" }
    }
    #expect(videos.count + delivered.count == 1, "\(videos) \(delivered)")
    let paths = videos.compactMap { $0["path"]?.string } + delivered.map { "\(fixture.home.root)/\($0)" }
    #expect(try paths.map { try FileSystem.status($0)?.size } == [Self.videoSize])
    if killPoint == .answered || killPoint == .sourceRemoved { #expect(videos.count == 1) }
    try expectRecord(fixture, videos)
    #expect(try fixture.home.darkroom("photos", ["verify", "--library", fixture.library]).code == 0)
    #expect(try FileSystem.names(in: "\(fixture.library)/.darkroom/incoming") == [])
    try fixture.home.expectNothingLeft()
  }

  /// Checks that the record lists the assets of the library.
  private func expectRecord(_ fixture: PhotoFixture, _ videos: [JSONValue]) throws {
    let records = "apps/\(TestHome.app)/container/SessionRecords"
    let names = try fixture.home.names(records)
    #expect(names.count == 1)
    let path = "\(fixture.home.root)/\(records)/\(names.first ?? "")"
    let record = try fixture.home.json(try #require(try FileSystem.contents(path)))
    #expect(
      (record["ingested"]?.elements ?? []).compactMap { $0["asset"]?.string }
        == videos.compactMap { $0["id"]?.string }
    )
  }

  private func isReached(_ killPoint: KillPoint, _ fixture: PhotoFixture) throws -> Bool {
    switch killPoint {
    case .requesting: return try fixture.printedText().contains("film=24: ok")
    case .copying, .copied:
      let bytes = try incomingBytes(fixture)
      // The state can begin and end between two polls.
      let isOver = try isReached(.renamed, fixture)
      return isOver || (killPoint == .copying ? bytes > 0 : bytes == Self.videoSize)
    case .renamed: return try fixture.library(has: ".mov")
    case .sourceRemoved: return try !fixture.sessionHas("film.mov")
    case .answered: return try fixture.printedText().contains("photos-add=film.mov: ")
    }
  }

  /// Returns the number of bytes in the library's incoming directory.
  private func incomingBytes(_ fixture: PhotoFixture) throws -> Int64 {
    let directory = "\(fixture.library)/.darkroom/incoming"
    let names = try FileSystem.names(in: directory)
    return try names.reduce(0) { try $0 + (FileSystem.status("\(directory)/\($1)")?.size ?? 0) }
  }
}

extension PhotoFixture {
  /// Returns whether the visible part of the library has a file with a suffix.
  func library(has ending: String) throws -> Bool {
    try FileSystem.names(in: library).filter { $0 != ".darkroom" }.contains { year in
      try FileSystem.names(in: "\(library)/\(year)").contains { month in
        try FileSystem.names(in: "\(library)/\(year)/\(month)").contains { $0.hasSuffix(ending) }
      }
    }
  }

  /// Returns whether a running session has a file with a name.
  func sessionHas(_ name: String) throws -> Bool {
    try home.names("sessions").contains { session in
      try FileSystem.status("\(home.root)/sessions/\(session)/content/\(name)") != nil
    }
  }
}
