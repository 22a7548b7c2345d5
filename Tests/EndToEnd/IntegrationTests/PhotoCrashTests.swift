// SPDX-License-Identifier: Apache-2.0

import Glibc
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of hosts that are killed while an extension adds a video to the photo library.
@Suite(.timeLimit(.minutes(20)), .waiting) struct PhotoCrashTests {
  /// The size of the video in bytes.
  private static let bytes: Int64 = 24 << 20

  /// The time at which the host is killed.
  enum Moment: String, CaseIterable {
    /// Before the extension sends the request.
    case asked
    /// After the first bytes are in the library.
    case copying
    /// After all bytes are in the library.
    case copied
    /// After the video has its final name in the library.
    case placed
    /// After the session's copy is removed.
    case taken
    /// After the extension has received the answer.
    case answered
  }

  @Test(arguments: Person.available, Moment.allCases)
  func `what was being added is there exactly once, in the library or in the content`(
    person: Person,
    moment: Moment
  ) throws {
    let setting = try PhotoSetting(person)
    let host = try setting.start("film=24 photos-add=film.mov hang")
    try host.wait { try hasCome(.asked, setting) }
    // Polls without a pause, because the next steps take milliseconds.
    var looks = 0
    while try !hasCome(moment, setting), looks < 1_000_000 { looks += 1 }
    try #require(try hasCome(moment, setting))
    host.signal(SIGKILL)
    #expect(try host.end().code == 137)
    try setting.place.waitForNoProcess()

    let recovery = try setting.place.darkroom("recover", ["--library", setting.library])
    #expect(recovery.code == 0, "\(recovery.errors)")
    let films = try setting.assets().filter { $0["id"]?.string != setting.old }
    let sessions = "apps/\(Place.app)/container/SessionContent"
    let delivered = try setting.place.names(sessions).flatMap { session in
      try setting.place.names("\(sessions)/\(session)").map { "\(sessions)/\(session)/\($0)" }
    }
    #expect(films.count + delivered.count == 1, "\(films) \(delivered)")
    let paths = films.compactMap { $0["path"]?.string } + delivered.map { "\(setting.place.root)/\($0)" }
    #expect(try paths.map { try FileSystem.status($0)?.size } == [Self.bytes])
    if moment == .answered || moment == .taken { #expect(films.count == 1) }
    try expectRecord(setting, films)
    #expect(try setting.place.darkroom("photos", ["verify", "--library", setting.library]).code == 0)
    #expect(try FileSystem.names(in: "\(setting.library)/.darkroom/incoming") == [])
    try setting.place.expectNothingLeft()
  }

  /// Checks that the record lists the assets of the library.
  private func expectRecord(_ setting: PhotoSetting, _ films: [JSONValue]) throws {
    let records = "apps/\(Place.app)/container/SessionRecords"
    let names = try setting.place.names(records)
    #expect(names.count == 1)
    let path = "\(setting.place.root)/\(records)/\(names.first ?? "")"
    let record = try setting.place.json(try #require(try FileSystem.contents(path)))
    #expect(
      (record["ingested"]?.elements ?? []).compactMap { $0["asset"]?.string }
        == films.compactMap { $0["id"]?.string }
    )
  }

  private func hasCome(_ moment: Moment, _ setting: PhotoSetting) throws -> Bool {
    switch moment {
    case .asked: return try setting.said().contains("film=24: ok")
    case .copying, .copied:
      let bytes = try incoming(setting)
      // The state can begin and end between two polls.
      let isOver = try hasCome(.placed, setting)
      return isOver || (moment == .copying ? bytes > 0 : bytes == Self.bytes)
    case .placed: return try setting.library(has: ".mov")
    case .taken: return try !setting.sessionHas("film.mov")
    case .answered: return try setting.said().contains("photos-add=film.mov: ")
    }
  }

  /// Returns the number of bytes in the library's incoming directory.
  private func incoming(_ setting: PhotoSetting) throws -> Int64 {
    let directory = "\(setting.library)/.darkroom/incoming"
    let names = try FileSystem.names(in: directory)
    return try names.reduce(0) { try $0 + (FileSystem.status("\(directory)/\($1)")?.size ?? 0) }
  }
}

extension PhotoSetting {
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
    try place.names("sessions").contains { session in
      try FileSystem.status("\(place.root)/sessions/\(session)/content/\(name)") != nil
    }
  }
}
