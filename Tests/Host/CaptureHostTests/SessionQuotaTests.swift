// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import LinuxPrimitives
import SessionStore
import Testing

/// Notifications and termination when a session runs out of space.
@Suite struct SessionQuotaTests {
  /// Returns a usage with a number of bytes and entries.
  private func usage(_ bytes: Int64, _ entries: Int64 = 1) -> ContentUsage {
    var usage = ContentUsage()
    usage.apparentBytes = bytes
    usage.entries = entries
    return usage
  }

  private func roomNotification(
    _ state: ContentRoom.State,
    _ reason: ContentRoom.Reason,
    _ bytes: Int64,
    _ files: Int64 = 9
  ) -> SessionAction {
    .send(.notification(.contentRoom(ContentRoom(state, reason, bytes: bytes, files: files))))
  }

  @Test func `stops file growth at the quota and allows it again once space is free`() {
    var machine = SessionMachineTests.running()
    #expect(machine.spaceMeasured(usage(10), disk: .max) == [])
    #expect(machine.spaceMeasured(usage(950), disk: .max) == [roomNotification(.low, .session, 50)])
    let full = machine.spaceMeasured(usage(1000), disk: .max)
    #expect(full.first == .limitFileSizes(.active))
    #expect(full.last == roomNotification(.full, .session, 0))
    #expect(machine.spaceMeasured(usage(990), disk: .max) == [])
    #expect(
      machine.spaceMeasured(usage(100), disk: .max) == [
        .limitFileSizes(.inactive), roomNotification(.free, .session, 900),
      ]
    )
  }

  @Test func `stops file growth when only the disk reserve is left`() {
    var machine = SessionMachineTests.running()
    let full = machine.spaceMeasured(usage(10), disk: 0)
    #expect(full.first == .limitFileSizes(.active))
    #expect(full.last == roomNotification(.full, .disk, 0))
    #expect(machine.spaceMeasured(usage(10), disk: 1 << 40).first == .limitFileSizes(.inactive))
  }

  @Test(arguments: [Errno.noSpace, .overQuota])
  func `terminates a session whose migration reserve exceeds the disk space or quota`(errno: Errno) {
    var machine = SessionMachineTests.running()
    #expect(machine.reserveRefused(.system(.init("fallocate", errno: .readOnlyFileSystem))) == [])
    #expect(machine.reserveRefused(.system(.init("fallocate", errno: errno))) == [.kill])
    guard case .hostFailure(let fault) = machine.outcome(.signaled(.kill)) else {
      Issue.record("the outcome should be a failure of the host")
      return
    }
    #expect(fault.sentence.contains("quota") == (errno == .overQuota))
  }

  @Test func `the outcome of a session ended by the disk reserve names the option to lower it`() {
    var machine = SessionMachineTests.running()
    #expect(machine.reserveRefused(.reserveReached(path: "/root", free: 7, reserve: 9)) == [.kill])
    guard case .hostFailure(let fault) = machine.outcome(.signaled(.kill)) else {
      Issue.record("the outcome should be a failure of the host")
      return
    }
    #expect(fault.errno == nil)
    #expect(
      fault.sentence.contains("sessions must leave 9 free")
        && fault.sentence.contains("darkroom quota set --reserve")
    )
  }

  @Test func `reports a low file quota and does not prevent the creation of files`() {
    var machine = SessionMachineTests.running()
    #expect(machine.spaceMeasured(usage(10, 10), disk: .max) == [roomNotification(.full, .session, 990, 0)])
    #expect(machine.measured(bytes: 10, files: 11) == [.kill])
    #expect(machine.spaceMeasured(usage(10, 11), disk: .max) == [])
  }
}
