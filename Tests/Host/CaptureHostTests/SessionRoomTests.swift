// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import LinuxPrimitives
import SessionStore
import Testing

/// Notifications and termination when a session runs out of space.
@Suite struct SessionRoomTests {
  /// Returns a usage with a number of bytes and entries.
  private func usage(_ bytes: Int64, _ entries: Int64 = 1) -> ContentUsage {
    var usage = ContentUsage()
    usage.apparentBytes = bytes
    usage.entries = entries
    return usage
  }

  private func told(
    _ state: ContentRoom.State,
    _ reason: ContentRoom.Reason,
    _ bytes: Int64,
    _ files: Int64 = 9
  ) -> SessionAction {
    .send(.notification(.contentRoom(ContentRoom(state, reason, bytes: bytes, files: files))))
  }

  @Test func `files stop growing at the limit, and grow again when there is a little room`() {
    var machine = SessionMachineTests.running()
    #expect(machine.roomMeasured(usage(10), disk: .max) == [])
    #expect(machine.roomMeasured(usage(950), disk: .max) == [told(.low, .session, 50)])
    let full = machine.roomMeasured(usage(1000), disk: .max)
    #expect(full.first == .turnGrowth(.closed))
    #expect(full.last == told(.full, .session, 0))
    #expect(machine.roomMeasured(usage(990), disk: .max) == [])
    #expect(
      machine.roomMeasured(usage(100), disk: .max) == [.turnGrowth(.open), told(.free, .session, 900)]
    )
  }

  @Test func `a disk of which only the reserve is left stops them, too`() {
    var machine = SessionMachineTests.running()
    let full = machine.roomMeasured(usage(10), disk: 0)
    #expect(full.first == .turnGrowth(.closed))
    #expect(full.last == told(.full, .disk, 0))
    #expect(machine.roomMeasured(usage(10), disk: 1 << 40).first == .turnGrowth(.open))
  }

  @Test(arguments: [Errno.noSpace, .overQuota])
  func `a session whose hand-over finds nothing to set aside ends, whoever has taken it`(errno: Errno) {
    var machine = SessionMachineTests.running()
    #expect(machine.reserveRefused(.system(.init("fallocate", errno: .readOnlyFileSystem))) == [])
    #expect(machine.reserveRefused(.system(.init("fallocate", errno: errno))) == [.kill])
    guard case .hostFailure(let fault) = machine.outcome(.signaled(.kill)) else {
      Issue.record("the outcome should be a failure of the host")
      return
    }
    #expect(fault.sentence.contains("quota") == (errno == .overQuota))
  }

  @Test func `a session that ends because the rest of the disk is kept free says how to keep less`() {
    var machine = SessionMachineTests.running()
    #expect(machine.reserveRefused(.kept(path: "/root", free: 7, reserve: 9)) == [.kill])
    guard case .hostFailure(let fault) = machine.outcome(.signaled(.kill)) else {
      Issue.record("the outcome should be a failure of the host")
      return
    }
    #expect(fault.errno == nil)
    #expect(fault.sentence.contains("the last 9") && fault.sentence.contains("darkroom quota set --reserve"))
  }

  @Test func `few files that are left are told, and names are not refused`() {
    var machine = SessionMachineTests.running()
    #expect(machine.roomMeasured(usage(10, 10), disk: .max) == [told(.full, .session, 990, 0)])
    #expect(machine.measured(bytes: 10, files: 11) == [.kill])
    #expect(machine.roomMeasured(usage(10, 11), disk: .max) == [])
  }
}
