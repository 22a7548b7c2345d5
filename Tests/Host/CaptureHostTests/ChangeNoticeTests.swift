// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import Glibc
import LinuxPrimitives
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ChangeNoticeTests {
  private func isReadable(_ notice: ChangeNotice, until deadline: UInt64?) throws -> Bool {
    try !Poller.wait([(notice.descriptor, .readable)], until: deadline)[0].isEmpty
  }

  @Test func `a change is noticed, and taken notice of`() throws {
    let directory = try ScratchDirectory()
    let notice = try ChangeNotice(.atOnce)
    try notice.acknowledge([directory.path])
    #expect(try !isReadable(notice, until: 0))
    try FileSystem.makeDirectory("\(directory.path)/new", mode: 0o700)
    #expect(try isReadable(notice, until: nil))
    try notice.acknowledge([directory.path])
    #expect(try !isReadable(notice, until: 0))
  }

  @Test func `at first it is looked again and again, and then watched`() throws {
    let directory = try ScratchDirectory()
    var watches = 0
    let notice = try ChangeNotice { () throws(SystemCallError) in
      watches += 1
      return try ChangeWatch()
    }
    let began = MonotonicClock.now
    var looks = 0
    repeat {
      try notice.acknowledge([directory.path])
      #expect(notice.isWatching == (watches == 1))
      if notice.isWatching { break }
      looks += 1
      #expect(try isReadable(notice, until: TestPatience.deadline))
    } while looks < 1000
    #expect(looks > 0)
    #expect(MonotonicClock.now - began >= ChangeNotice.unwatched)
    #expect(try !isReadable(notice, until: 0))
    try FileSystem.makeDirectory("\(directory.path)/new", mode: 0o700)
    #expect(try isReadable(notice, until: TestPatience.deadline))
    try notice.acknowledge([directory.path])
    #expect(notice.isWatching)
    #expect(watches == 1)
  }

  @Test(arguments: [EMFILE, ENOMEM])
  func `where no watch can be had, it is looked again and again`(_ reason: Int32) throws {
    let notice = try ChangeNotice(.atOnce) { () throws(SystemCallError) in
      throw SystemCallError("inotify_init1", errno: Errno(rawValue: reason))
    }
    for _ in 0..<2 {
      try notice.acknowledge(["/"])
      #expect(!notice.isWatching)
      #expect(try !isReadable(notice, until: 0))
      #expect(try isReadable(notice, until: TestPatience.deadline))
    }
  }

  @Test func `where a directory cannot be watched, it is looked again and again`() throws {
    let notice = try ChangeNotice(.atOnce)
    try notice.acknowledge([String(repeating: "x", count: 5000)])
    #expect(!notice.isWatching)
    #expect(try isReadable(notice, until: TestPatience.deadline))
  }
}
