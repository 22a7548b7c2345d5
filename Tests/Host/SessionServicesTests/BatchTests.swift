// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

@testable import SessionServices

@Suite struct BatchTests {
  private func inputs(_ names: String...) -> [BatchInput] { names.map { BatchInput("/srv/\($0)") } }

  @Test func `the shards of a list contain each input once`() throws {
    let all = (0..<23).map { BatchInput("/srv/\($0)") }
    for count in 1...25 {
      let parts = try (0..<count).map { try #require(BatchShard($0, of: count)).select(all) }
      #expect(parts.joined().sorted() == all.sorted(), "\(count) shards")
      let sizes: [Int] = parts.map(\.count)
      let difference: Int = (sizes.max() ?? 0) - (sizes.min() ?? 0)
      #expect(difference <= 1, "\(count) shards")
    }
  }

  @Test func `reads a shard from text, and refuses an index outside of the number of shards`() throws {
    #expect(BatchShard("2/8") == BatchShard(2, of: 8))
    #expect(BatchShard("0/1") == .whole)
    for text in ["", "1", "/", "1/", "/2", "2/2", "-1/2", "+1/2", "1/2/3", "1 /2", "0/0", "a/b", "١/٢"] {
      #expect(BatchShard(text) == nil, "\(text)")
    }
    #expect(BatchShard(2, of: 8)?.name("scans") == "scans.2-of-8")
    #expect(BatchShard.whole.name("scans") == "scans")
  }

  @Test func `replaces each placeholder by the path, or appends the path`() {
    let input = BatchInput("/srv/a {} b")
    #expect(
      BatchTask.arguments(["-o", "{}.out", "{}{}"], for: input) == [
        "-o", "/srv/a {} b.out", "/srv/a {} b/srv/a {} b",
      ]
    )
    #expect(BatchTask.arguments(["-n"], for: input) == ["-n", "/srv/a {} b"])
    #expect(BatchTask.arguments([], for: input) == ["/srv/a {} b"])
  }

  @Test func `finds regular files with hostile names, and no links, directories or pipes`() throws {
    let scratch = try ScratchDirectory()
    let names = [
      "-rf", "two\nlines", "{}", " ", "e\u{301}", "\u{E9}", "'; echo $(id) #", "\u{1B}]0;title\u{7}", "*",
      "\\",
      String(repeating: "x", count: 255),
    ]
    for name in names { _ = try FileSystem.open("\(scratch.path)/\(name)", [.write, .create, .exclusive]) }
    try runShell(
      """
      cd '\(scratch.path)'
      mkdir -p below/deep; : >below/deep/file; ln -s -- -rf link; ln -s below/deep loop; mkfifo pipe
      : >"$(printf 'not UTF-8 \\377')"; ln -s ../.. below/deep/up
      """
    )
    let found = try BatchInputs.files(in: scratch.path, .directory)
    #expect(found == found.sorted())
    #expect(found.filter(\.isText).count == names.count)
    #expect(Set(found.filter(\.isText)) == Set(names.map { BatchInput("\(scratch.path)/\($0)") }))
    #expect(found.filter { !$0.isText }.count == 1)
    let all = try BatchInputs.files(in: "\(scratch.path)/loop/..", .tree)
    #expect(Set(all).subtracting(found) == [BatchInput("\(scratch.path)/below/deep/file")])
  }

  @Test func `reports a directory that does not exist`() {
    #expect {
      try BatchInputs.files(in: "/srv/does-not-exist", .tree)
    } throws: { error in
      if case .directory(let error) = error as? BatchError { error.errno == .noSuchFile } else { false }
    }
  }

  @Test func `reads a list of paths in its order, once each, with either separator`() {
    let lines = Array("b\n/srv/a\n\nb\n/srv/c d".utf8)
    #expect(
      BatchInputs.paths(lines, separator: UInt8(ascii: "\n"), relativeTo: "/srv/x").map(\.path)
        == ["/srv/x/b", "/srv/a", "/srv/c d"]
    )
    let zeros = Array("two\nlines\0/srv/a\0".utf8)
    #expect(
      BatchInputs.paths(zeros, separator: 0, relativeTo: "/srv").map(\.path) == ["/srv/two\nlines", "/srv/a"]
    )
    let twoNames = Array("/usr/bin/../bin/env\n/usr/bin/env\n".utf8)
    #expect(BatchInputs.paths(twoNames, separator: UInt8(ascii: "\n"), relativeTo: "/").count == 1)
  }

  @Test func `starts no session after a signal, an error, or a failure if requested`() {
    let plan = BatchPlan(inputs("a", "b", "c"), BatchHistory(), failures: .kept)
    var queue = BatchQueue(plan, onFailure: .stop)
    #expect(queue.next() == BatchInput("/srv/a"))
    #expect(queue.next() == BatchInput("/srv/b"))
    queue.finish(.failed)
    #expect(queue.next() == nil)
    queue.stop(.signal(.terminate))
    #expect(queue.stopReason == .failure)
    queue.finish(.done)
    #expect(queue.counts.left == 1)
    var patient = BatchQueue(plan, onFailure: .keepGoing)
    _ = patient.next()
    patient.finish(.failed)
    #expect(patient.next() == BatchInput("/srv/b"))
    patient.finish(.interrupted)
    patient.stop(.signal(.interrupt))
    #expect(patient.next() == nil)
    #expect((patient.counts.failed, patient.counts.interrupted, patient.counts.left) == (1, 1, 2))
    var broken = BatchQueue(plan, onFailure: .keepGoing)
    _ = broken.next()
    broken.abandon()
    #expect(broken.next() == nil)
    #expect(broken.stopReason == .error)
  }

  @Test func `takes the last line that is not blank from the output of a program`() {
    #expect(BatchRunner.lastLine("one\ntwo\r\n  \n\n") == "two")
    #expect(BatchRunner.lastLine(" \n").isEmpty)
    #expect(BatchRunner.lastLine("").isEmpty)
    #expect(BatchRunner.lastLine(String(repeating: "x", count: 5000)).utf8.count == 200)
  }
}
