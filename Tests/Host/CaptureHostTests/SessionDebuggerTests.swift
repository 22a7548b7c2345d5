// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import JSONText
import LinuxPrimitives
import SessionStore
import Testing

@Suite struct SessionDebuggerTests {
  static let second: UInt64 = 1_000_000_000

  static let start = SessionStart(
    .init(
      sessionID: "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A11",
      app: "org.example.camera",
      extension: "org.example.camera.capture"
    ),
    appContext: .null,
    lockState: .unlocked,
    permissions: Permissions(camera: .authorized),
    deadlines: Deadlines(launch: 10, dismissal: 5),
    devices: .init(camera: SessionMachineTests.camera)
  )

  /// Returns a machine whose extension is stopped before its first instruction.
  static func waiting(_ change: (inout SessionTerms) -> Void = { _ in }) -> SessionMachine {
    var terms = SessionMachineTests.terms()
    terms.debugger = .required
    terms.times.watchdog = 2 * second
    terms.times.idleTimeout = 3 * second
    change(&terms)
    var machine = SessionMachine(terms, launchedAt: 0)
    #expect(machine.begin(Self.start) == [])
    #expect(machine.debuggerStatusChanged(.running, now: 1) == [])
    #expect(machine.debuggerStatusChanged(.stopped, now: 2) == [.notifyDebugger(.waiting)])
    return machine
  }

  /// Returns a machine whose debugger has attached and let the extension answer.
  static func attached(_ change: (inout SessionTerms) -> Void = { _ in }) -> SessionMachine {
    var machine = waiting(change)
    _ = machine.debuggerStatusChanged(.traced(by: 7), now: second)
    _ = machine.debuggerStatusChanged(.traced(by: 7), now: 2 * second)
    let answer = Reply(id: .integer(1), result: SessionStartResult(protocolVersion: 1))
    _ = machine.received(.reply(answer), now: 3 * second)
    return machine
  }

  @Test func `sends nothing and pauses all deadlines until a debugger attaches`() {
    var machine = Self.waiting()
    #expect(machine.nextDeadline == nil)
    #expect(machine.timePassed(now: 1_000_000 * Self.second) == [])
    #expect(machine.debuggerStatusChanged(.stopped, now: 1_000_000 * Self.second) == [])
    #expect(machine.debugging == .requested)
  }

  @Test func `sends the first message when a debugger attaches and resumes the program at the second check`()
  {
    var machine = Self.waiting()
    let first = machine.debuggerStatusChanged(.traced(by: 7), now: 3)
    #expect(first.first == .notifyDebugger(.attached(7)))
    #expect(first.dropFirst() == [.send(.request(id: .integer(1), .sessionStart(Self.start)))])
    #expect(machine.debuggerStatusChanged(.traced(by: 7), now: 4) == [.signal(.resume)])
    #expect(machine.debuggerStatusChanged(.traced(by: 7), now: 5) == [])
    #expect(machine.nextDeadline == nil)
    #expect(machine.timePassed(now: 1_000_000 * Self.second) == [])
    #expect(machine.debugging == .attached)
  }

  @Test func `the first message contains an app context stored while waiting for the debugger`() {
    var machine = Self.waiting()
    #expect(machine.contextChanged(.integer(5)) == [])
    var start = Self.start
    start.appContext = .integer(5)
    let actions = machine.debuggerStatusChanged(.traced(by: 7), now: 3)
    #expect(actions.contains(.send(.request(id: .integer(1), .sessionStart(start)))))
  }

  @Test func `restarts every deadline in full when the debugger detaches`() {
    var machine = Self.attached()
    let actions = machine.debuggerStatusChanged(.running, now: 1000 * Self.second)
    #expect(actions == [.notifyDebugger(.detached), .renewDeadlines])
    // The watchdog warns at half of its timeout and then expires.
    #expect(machine.nextDeadline == 1001 * Self.second)
    #expect(machine.timePassed(now: 1001 * Self.second) != [])
    #expect(machine.nextDeadline == 1002 * Self.second)
    #expect(machine.timePassed(now: 1002 * Self.second) == [.kill])
    guard case .watchdog = machine.outcome(.signaled(.kill)) else {
      Issue.record("the watchdog should have ended it")
      return
    }
  }

  @Test func `resumes the program if the debugger detaches at once`() {
    var machine = Self.waiting()
    _ = machine.debuggerStatusChanged(.traced(by: 7), now: 3)
    #expect(
      machine.debuggerStatusChanged(.stopped, now: 4) == [
        .signal(.resume), .notifyDebugger(.detached), .renewDeadlines,
      ]
    )
    #expect(machine.nextDeadline != nil)
  }

  @Test func `a debugger that attaches later pauses the deadlines too`() {
    var machine = Self.attached()
    _ = machine.debuggerStatusChanged(.running, now: 10 * Self.second)
    #expect(
      machine.debuggerStatusChanged(.traced(by: 8), now: 11 * Self.second) == [.notifyDebugger(.attached(8))]
    )
    #expect(machine.nextDeadline == nil)
    // An untraced stop is caused by the extension itself and does not pause deadlines.
    _ = machine.debuggerStatusChanged(.stopped, now: 20 * Self.second)
    #expect(machine.debuggerStatusChanged(.stopped, now: 21 * Self.second) == [])
    #expect(machine.nextDeadline == 21 * Self.second)
  }

  @Test func `starts the session if the program is resumed without a debugger`() {
    var machine = Self.waiting()
    let actions = machine.debuggerStatusChanged(.running, now: 50 * Self.second)
    #expect(actions.contains(.send(.request(id: .integer(1), .sessionStart(Self.start)))))
    #expect(machine.nextDeadline == 51 * Self.second)
    #expect(machine.debugging == .requested)
  }

  @Test(arguments: [SessionTerms.Conversation.messages, .silent], [Signal.interrupt, .terminate])
  func `a dismissal kills a program that waits for a debugger at once`(
    conversation: SessionTerms.Conversation,
    signal: Signal
  ) {
    var machine = Self.waiting { $0.conversation = conversation }
    #expect(machine.hostSignaled(signal, now: 3) == [.kill])
    #expect(machine.outcome(.signaled(.kill)) == .dismissed(.init(by: .hostStopped)))
  }

  @Test func `a debugger pauses the grace period of a user dismissal but not of a host shutdown`() {
    var machine = Self.attached()
    _ = machine.commanded(.dismiss, now: 10 * Self.second)
    #expect(machine.nextDeadline == nil)
    _ = machine.debuggerStatusChanged(.running, now: 50 * Self.second)
    #expect(machine.nextDeadline == 55 * Self.second)

    var stopped = Self.attached()
    _ = stopped.hostSignaled(.terminate, now: 10 * Self.second)
    #expect(stopped.nextDeadline == 15 * Self.second)
    #expect(stopped.timePassed(now: 15 * Self.second) == [.kill])
    #expect(stopped.tracer == 7)
  }

  @Test func `kills the program if its process state cannot be read`() {
    var terms = SessionMachineTests.terms()
    terms.debugger = .required
    var machine = SessionMachine(terms, launchedAt: 0)
    #expect(machine.debuggerStatusChanged(.exited, now: 1) == [.kill])
    guard case .hostFailure(let fault) = machine.outcome(.signaled(.kill)) else {
      Issue.record("the host should have failed")
      return
    }
    #expect(fault.sentence.contains("hidepid"))
  }
}
