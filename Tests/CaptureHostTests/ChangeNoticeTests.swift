// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import Glibc
import LinuxPrimitives
import Testing

@Suite(.timeLimit(.minutes(20))) struct ChangeNoticeTests {
  private func isReadable(_ notice: ChangeNotice, until deadline: UInt64?) throws -> Bool {
    try !Poller.wait([(notice.descriptor, .readable)], until: deadline)[0].isEmpty
  }

  @Test func `a change is noticed, and taken notice of`() throws {
    let directory = try ScratchDirectory()
    let notice = try ChangeNotice()
    try notice.acknowledge([directory.path])
    #expect(try !isReadable(notice, until: 0))
    try FileSystem.makeDirectory("\(directory.path)/new", mode: 0o700)
    #expect(try isReadable(notice, until: nil))
    try notice.acknowledge([directory.path])
    #expect(try !isReadable(notice, until: 0))
  }

  @Test func `where the user has no more watches, it is looked again and again`() throws {
    let notice = try ChangeNotice { () throws(SystemCallError) in
      throw SystemCallError("inotify_init1", errno: Errno(rawValue: EMFILE))
    }
    for _ in 0..<2 {
      try notice.acknowledge(["/"])
      #expect(try !isReadable(notice, until: 0))
      #expect(try isReadable(notice, until: nil))
    }
  }

  @Test func `another failure is one`() {
    #expect(throws: SystemCallError.self) {
      try ChangeNotice { () throws(SystemCallError) in
        throw SystemCallError("inotify_init1", errno: Errno(rawValue: ENOMEM))
      }
    }
  }
}
