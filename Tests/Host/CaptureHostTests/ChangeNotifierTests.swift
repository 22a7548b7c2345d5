// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import Glibc
import LinuxPrimitives
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct ChangeNotifierTests {
  private func isReadable(_ notice: ChangeNotifier, until deadline: UInt64?) throws -> Bool {
    try !Poller.wait([(notice.descriptor, .readable)], until: deadline)[0].isEmpty
  }

  @Test func `reports a change until it is acknowledged`() throws {
    let directory = try ScratchDirectory()
    let notice = try ChangeNotifier(.immediate)
    try notice.acknowledge([directory.path])
    #expect(try !isReadable(notice, until: 0))
    try FileSystem.makeDirectory("\(directory.path)/new", mode: 0o700)
    #expect(try isReadable(notice, until: nil))
    try notice.acknowledge([directory.path])
    #expect(try !isReadable(notice, until: 0))
  }

  @Test func `polls the directory at first and then starts a watch`() throws {
    let directory = try ScratchDirectory()
    var watches = 0
    let notice = try ChangeNotifier { () throws(SystemCallError) in
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
      #expect(try isReadable(notice, until: TestTimeout.deadline))
    } while looks < 1000
    #expect(looks > 0)
    #expect(MonotonicClock.now - began >= ChangeNotifier.initialPollingPeriod)
    #expect(try !isReadable(notice, until: 0))
    try FileSystem.makeDirectory("\(directory.path)/new", mode: 0o700)
    #expect(try isReadable(notice, until: TestTimeout.deadline))
    try notice.acknowledge([directory.path])
    #expect(notice.isWatching)
    #expect(watches == 1)
  }

  @Test(arguments: [EMFILE, ENOMEM])
  func `polls if no inotify watch is available`(_ reason: Int32) throws {
    let notice = try ChangeNotifier(.immediate) { () throws(SystemCallError) in
      throw SystemCallError("inotify_init1", errno: Errno(rawValue: reason))
    }
    for _ in 0..<2 {
      try notice.acknowledge(["/"])
      #expect(!notice.isWatching)
      #expect(try !isReadable(notice, until: 0))
      #expect(try isReadable(notice, until: TestTimeout.deadline))
    }
  }

  @Test func `polls if a directory cannot be watched`() throws {
    let notice = try ChangeNotifier(.immediate)
    try notice.acknowledge([String(repeating: "x", count: 5000)])
    #expect(!notice.isWatching)
    #expect(try isReadable(notice, until: TestTimeout.deadline))
  }
}
