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
    sessionID: "5B0F3B0E-6A0C-4F0B-9C53-0C0E8B2F7A11",
    app: "org.example.camera",
    extension: "org.example.camera.capture",
    appContext: .null,
    lockState: .unlocked,
    permissions: Permissions(camera: .authorized),
    deadlines: Deadlines(launch: 10, dismissal: 5),
    camera: SessionMachineTests.camera
  )

  /// Returns a machine whose extension is stopped before its first instruction.
  static func waiting(_ change: (inout SessionTerms) -> Void = { _ in }) -> SessionMachine {
    var terms = SessionMachineTests.terms()
    terms.debugger = .awaited
    terms.watchdog = 2 * second
    terms.idleTimeout = 3 * second
    change(&terms)
    var machine = SessionMachine(terms, launchedAt: 0)
    #expect(machine.begin(Self.start) == [])
    #expect(machine.debuggerSeen(.running, now: 1) == [])
    #expect(machine.debuggerSeen(.stopped, now: 2) == [.tell(.waiting)])
    return machine
  }

  /// Returns a machine whose debugger has attached and let the extension answer.
  static func attached(_ change: (inout SessionTerms) -> Void = { _ in }) -> SessionMachine {
    var machine = waiting(change)
    _ = machine.debuggerSeen(.traced(by: 7), now: second)
    _ = machine.debuggerSeen(.traced(by: 7), now: 2 * second)
    let answer = Reply(id: .integer(1), result: SessionStartResult(protocolVersion: 1))
    _ = machine.received(.reply(answer), now: 3 * second)
    return machine
  }

  @Test func `before a debugger has attached nothing is begun, and no time passes`() {
    var machine = Self.waiting()
    #expect(machine.nextDeadline == nil)
    #expect(machine.timePassed(now: 1_000_000 * Self.second) == [])
    #expect(machine.debuggerSeen(.stopped, now: 1_000_000 * Self.second) == [])
    #expect(machine.debugging == .requested)
  }

  @Test func `the first message is sent when one has attached, and the stop is lifted at the second look`() {
    var machine = Self.waiting()
    let first = machine.debuggerSeen(.traced(by: 7), now: 3)
    #expect(first.first == .tell(.attached(7)))
    #expect(first.dropFirst() == [.send(.request(id: .integer(1), .sessionStart(Self.start)))])
    #expect(machine.debuggerSeen(.traced(by: 7), now: 4) == [.signal(.resume)])
    #expect(machine.debuggerSeen(.traced(by: 7), now: 5) == [])
    #expect(machine.nextDeadline == nil)
    #expect(machine.timePassed(now: 1_000_000 * Self.second) == [])
    #expect(machine.debugging == .attached)
  }

  @Test func `what the app stores meanwhile is in the first message`() {
    var machine = Self.waiting()
    #expect(machine.contextChanged(.integer(5)) == [])
    var start = Self.start
    start.appContext = .integer(5)
    let actions = machine.debuggerSeen(.traced(by: 7), now: 3)
    #expect(actions.contains(.send(.request(id: .integer(1), .sessionStart(start)))))
  }

  @Test func `when the debugger has left, every deadline has its full time again`() {
    var machine = Self.attached()
    let actions = machine.debuggerSeen(.running, now: 1000 * Self.second)
    #expect(actions == [.tell(.left), .renewDeadlines])
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

  @Test func `one that has left at once leaves no stop behind`() {
    var machine = Self.waiting()
    _ = machine.debuggerSeen(.traced(by: 7), now: 3)
    #expect(machine.debuggerSeen(.stopped, now: 4) == [.signal(.resume), .tell(.left), .renewDeadlines])
    #expect(machine.nextDeadline != nil)
  }

  @Test func `one that comes later stops time as well`() {
    var machine = Self.attached()
    _ = machine.debuggerSeen(.running, now: 10 * Self.second)
    #expect(machine.debuggerSeen(.traced(by: 8), now: 11 * Self.second) == [.tell(.attached(8))])
    #expect(machine.nextDeadline == nil)
    // An untraced stop is caused by the extension itself and does not pause deadlines.
    _ = machine.debuggerSeen(.stopped, now: 20 * Self.second)
    #expect(machine.debuggerSeen(.stopped, now: 21 * Self.second) == [])
    #expect(machine.nextDeadline == 21 * Self.second)
  }

  @Test func `whoever is told to run without a debugger runs`() {
    var machine = Self.waiting()
    let actions = machine.debuggerSeen(.running, now: 50 * Self.second)
    #expect(actions.contains(.send(.request(id: .integer(1), .sessionStart(Self.start)))))
    #expect(machine.nextDeadline == 51 * Self.second)
    #expect(machine.debugging == .requested)
  }

  @Test(arguments: [SessionTerms.Conversation.messages, .silent], [Signal.interrupt, .terminate])
  func `a dismissal ends at once what has not begun`(
    conversation: SessionTerms.Conversation,
    signal: Signal
  ) {
    var machine = Self.waiting { $0.conversation = conversation }
    #expect(machine.hostSignaled(signal, now: 3) == [.kill])
    #expect(machine.outcome(.signaled(.kill)) == .dismissed(.init(by: .hostStopped)))
  }

  @Test func `a debugger puts off the grace of the person's dismissal, but not of the host's end`() {
    var machine = Self.attached()
    _ = machine.commanded(.dismiss, now: 10 * Self.second)
    #expect(machine.nextDeadline == nil)
    _ = machine.debuggerSeen(.running, now: 50 * Self.second)
    #expect(machine.nextDeadline == 55 * Self.second)

    var stopped = Self.attached()
    _ = stopped.hostSignaled(.terminate, now: 10 * Self.second)
    #expect(stopped.nextDeadline == 15 * Self.second)
    #expect(stopped.timePassed(now: 15 * Self.second) == [.kill])
    #expect(stopped.tracer == 7)
  }

  @Test func `a process that cannot be seen is not waited for`() {
    var terms = SessionMachineTests.terms()
    terms.debugger = .awaited
    var machine = SessionMachine(terms, launchedAt: 0)
    #expect(machine.debuggerSeen(.gone, now: 1) == [.kill])
    guard case .hostFailure(let fault) = machine.outcome(.signaled(.kill)) else {
      Issue.record("the host should have failed")
      return
    }
    #expect(fault.sentence.contains("hidepid"))
  }
}
