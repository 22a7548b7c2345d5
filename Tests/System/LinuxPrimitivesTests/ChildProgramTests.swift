// SPDX-License-Identifier: Apache-2.0

import CLinux
import Synchronization
import Testing

@testable import LinuxPrimitives

/// Tests of programs that this process starts, including while it cannot open their pidfds.
@Suite struct ChildProgramTests {
  /// Refuses pidfd_open(2) with `EMFILE` to the calling thread and its children.
  private static func refuseProcessDescriptors() -> Bool {
    /// Returns a `struct sock_filter`.
    func instruction(_ code: UInt64, _ whenFalse: UInt64, _ value: UInt64) -> UInt64 {
      value << 32 | whenFalse << 24 | code
    }
    // Load the number of the call (0x20), compare it (0x15) and return (0x06). pidfd_open(2) has the number 434 on all
    // architectures.
    let instructions = [
      instruction(0x20, 0, 0), instruction(0x15, 1, 434),
      instruction(0x06, 0, 0x0005_0000 | UInt64(EMFILE)), instruction(0x06, 0, 0x7FFF_0000),
    ]
    return darkroom_install_filter(instructions, UInt16(instructions.count)) == 0
  }

  /// Starts a program on a thread of its own, and expects a failure that leaves no child of that thread.
  private func expectNoChild(
    _ start: @escaping @Sendable (borrowing Descriptor) throws(SystemCallError) -> Void
  )
    throws
  {
    let null = HeldDescriptor(try FileSystem.open("/dev/null", .readWrite))
    let seen = Mutex<[String]>([])
    try PlainThread.start(name: "refused") {
      guard Self.refuseProcessDescriptors() else { return }
      do throws(SystemCallError) { try start(null.descriptor) } catch {
        seen.withLock { $0.append("\(error)") }
      }
      let children = (try? FileSystem.contents("/proc/thread-self/children")) ?? []
      seen.withLock { $0.append(String(decoding: children, as: UTF8.self)) }
    }
    .join()
    #expect(seen.withLock { $0 } == ["\(SystemCallError("pidfd_open", errno: Errno(rawValue: EMFILE)))", ""])
  }

  @Test func `the errors of a program are written to a given descriptor, and not to its output`() throws {
    let null = try FileSystem.open("/dev/null", .read)
    let pipe = try Pipe.make()
    let result = try ChildProgram.run(
      "/bin/sh",
      ["-c", "echo out; echo problem >&2"],
      input: null.rawValue,
      errors: pipe.writeEnd.rawValue,
      until: MonotonicClock.now + 60_000_000_000
    )
    #expect(result.output == Array("out\n".utf8) && result.status == .exited(0))
    let reading = pipe.takeReadEnd()
    let text = try reading.readAll(limit: 64)
    #expect(text == Array("problem\n".utf8))
  }

  @Test func `a program is killed and reaped if its pidfd cannot be opened`() throws {
    try expectNoChild { null throws(SystemCallError) in
      _ = try ChildProgram.run(
        "/bin/sleep",
        ["1000"],
        input: null.rawValue,
        until: MonotonicClock.now + 60_000_000_000
      )
    }
    try expectNoChild { null throws(SystemCallError) in
      let program = DetachedProgram(
        path: "/bin/sleep",
        arguments: ["sleep", "1000"],
        environment: [],
        directory: "/"
      )
      _ = try program.start(output: null)
    }
  }
}
