// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import SandboxLaunch
import Testing

/// The host receives reports of each session on that session's own listener, even if launches share sockets.
@Suite struct LaunchReportSocketsTests {
  /// Returns one filter instruction in the kernel's format.
  private static func instruction(_ code: UInt16, _ ifTrue: UInt8, _ ifFalse: UInt8, _ value: UInt32)
    -> [UInt8]
  {
    withUnsafeBytes(of: code) { Array($0) } + [ifTrue, ifFalse] + withUnsafeBytes(of: value) { Array($0) }
  }

  /// The call number of umask(2).
  #if arch(x86_64)
    private static let umask: UInt32 = 95
  #else
    private static let umask: UInt32 = 166
  #endif

  /// A filter that refuses umask(2) and nothing else.
  private static let filter =
    instruction(0x20, 0, 0, 0) + instruction(0x15, 0, 1, umask)
    + instruction(0x06, 0, 0, 0x0005_0000 | UInt32(EPERM)) + instruction(0x06, 0, 0, 0x7FFF_0000)

  /// Returns a plan whose refused calls are reported.
  private static func plan(_ line: String, output: Int32) -> LaunchPlan {
    var plan = SandboxLauncherTests.plan(line, output: output)
    plan.restrictions.filter = filter
    plan.restrictions.refusals = .reported
    return plan
  }

  /// Waits for a reported call, and returns the PID namespaces of the reporting process and of the session.
  private static func receiveReport(
    _ process: inout SandboxedProcess
  ) throws -> (reporter: String, session: String) {
    let found = process.takeRefusals()
    let listener = try #require(found)
    let call = try #require(try listener.next())
    #expect(call.number == Int(umask))
    let reporter = try FileSystem.linkTarget("/proc/\(call.thread)/ns/pid")
    let session = try FileSystem.linkTarget("/proc/\(process.processID)/ns/pid")
    listener.refuse(call)
    return (reporter, session)
  }

  @Test func `each of two concurrent sessions reports through its own listener`() throws {
    let null = try FileSystem.open("/dev/null", .readWrite)
    for _ in 0..<5 {
      var one = try SandboxLauncher.launch(Self.plan("umask 22; exit 1", output: null.rawValue))
      var other = try SandboxLauncher.launch(Self.plan("umask 22; exit 2", output: null.rawValue))
      let (otherReporter, otherSession) = try Self.receiveReport(&other)
      let (oneReporter, oneSession) = try Self.receiveReport(&one)
      #expect(oneReporter == oneSession && otherReporter == otherSession && oneReporter != otherReporter)
      #expect(try one.reap().status == .exited(1))
      #expect(try other.reap().status == .exited(2))
    }
  }

  @Test func `a listener sent by a failed launch is discarded`() throws {
    let null = try FileSystem.open("/dev/null", .readWrite)
    for _ in 0..<5 {
      var failing = Self.plan("", output: null.rawValue)
      failing.program.path = "/bin/no-such-program"
      #expect(throws: SandboxLaunchError.self) { _ = try SandboxLauncher.launch(failing).reap() }
      var process = try SandboxLauncher.launch(Self.plan("umask 22; exit 3", output: null.rawValue))
      let (reporter, session) = try Self.receiveReport(&process)
      #expect(reporter == session)
      #expect(try process.reap().status == .exited(3))
    }
  }
}
