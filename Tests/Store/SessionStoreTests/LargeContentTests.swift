// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import Testing

/// Content with very many entries: 10,000, or a million with `DARKROOM_TESTS_LONG=1`.
@Suite(.timeLimit(.minutes(20))) struct LargeContentTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  private static let isLong = CurrentProcess.environment("DARKROOM_TESTS_LONG") == "1"
  private static let files = isLong ? 1_000_000 : 10_000

  @Test(arguments: [1, 250]) func `lists each of many files once in order`(_ directories: Int) throws {
    let result = try store.migrate { content in
      for directory in 0..<directories { try FileSystem.makeDirectory("\(content)/\(directory)") }
      for index in 0..<Self.files {
        _ = try FileSystem.open("\(content)/\(index % directories)/\(index)", [.write, .create, .exclusive])
      }
      // One name in each hundred has to be changed, and one entry is quarantined.
      for index in 0..<(Self.files / 100) { try write("", to: "\(content)/0/\(index)\n") }
      try FileSystem.makeSymbolicLink("\(content)/0/link", to: "/etc/shadow")
    }
    let count = Self.files + Self.files / 100
    #expect(
      result.record.content
        == .init(files: Int64(count), bytes: 0, delivered: true, renamed: Int64(Self.files / 100))
    )
    #expect(Set(result.record.files.map(\.path)).count == count)
    // The files of each directory are sorted by bytes.
    for directory in 0..<directories {
      let names = result.record.files.map(\.path).filter { $0.hasPrefix("\(directory)/") }
      #expect(names.elementsEqual(names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }))
      if directories > 1, directory > 3 { break }
    }
    #expect(result.record.sanitized.count == Self.files / 100)
    #expect(result.record.quarantined == [.init(path: "0/link", reason: .symbolicLink)])
    #expect(try ContentMeter.measure(try #require(result.contentPath)).files == Int64(count))
    #expect(try DeliveredContent(store.app).find(result.record.sessionID)?.record == result.record)
  }
}
