// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import Glibc
import LinuxPrimitives
import Synchronization
import Testing
import Viewfinders

@Suite struct TerminalControlTests {
  /// Returns the two ends of a pseudoterminal, which the caller closes.
  private func open() throws -> (keyboard: Int32, terminal: Int32) {
    let keyboard = Glibc.open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(keyboard >= 0)
    // The operations of unlockpt(3) and ptsname(3) (ioctl_tty(2): TIOCSPTLCK, TIOCGPTN), which Swift does not
    // import.
    var (lock, number) = (Int32(0), UInt32(0))
    try #require(ioctl(keyboard, 0x4004_5431, &lock) == 0)
    try #require(ioctl(keyboard, 0x8004_5430, &number) == 0)
    let terminal = Glibc.open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(terminal >= 0)
    return (keyboard, terminal)
  }

  @Test func `the terminal is put back though its number means another file meanwhile`() throws {
    let (keyboard, terminal) = try open()
    defer { for number in [keyboard, terminal] { close(number) } }
    #expect(TerminalState.of(keyboard)?.givesLines == true)
    var control: TerminalControl? = try TerminalControl(terminal)
    #expect(control != nil && TerminalState.of(keyboard)?.givesLines == false)
    try FileSystem.open("/dev/null", .readWrite).replace(terminal)
    control = nil
    #expect(TerminalState.of(keyboard)?.givesLines == true)
  }

  @Test func `a terminal is given back for a while, and left so it is put right by another`() throws {
    let (keyboard, terminal) = try open()
    defer { for number in [keyboard, terminal] { close(number) } }
    let before = try #require(TerminalState.of(terminal)?.bytes)
    let control = try TerminalControl(terminal)
    control.giveBack()
    #expect(TerminalState.of(keyboard)?.bytes == before)
    control.takeAgain()
    // During a pause, a password prompt controls the terminal.
    control.isPaused = true
    #expect(control.nextMoment == nil && control.descriptor == nil)
    control.isPaused = false
    let moment = try #require(control.nextMoment)
    #expect(control.commands(at: moment) == [] && TerminalState.of(keyboard)?.givesLines == false)
    #expect(write(keyboard, "q", 1) == 1)
    #expect(control.commands(at: moment) == [.quit])
    // The state that a killed host has left is restored, but not a state that another process has set since.
    let state = try #require(TerminalState(before, of: terminal))
    state.restoreAfterKeys()
    #expect(TerminalState.of(keyboard)?.bytes == before)
    let other = try TerminalMode.secret(terminal, turn: .own)
    state.restoreAfterKeys()
    #expect(TerminalState.of(keyboard)?.bytes != before)
    _ = consume other
    #expect(TerminalState([1, 2], of: terminal) == nil)
  }

  @Test func `after the session the terminal is as before, unless somebody else is in front`() throws {
    let (keyboard, terminal) = try open()
    defer { for number in [keyboard, terminal] { close(number) } }
    let before = try #require(TerminalState.of(terminal)?.bytes)
    let isBehind = Mutex(true)
    let turn = TerminalTurn(isBehind: { _ in isBehind.withLock { $0 } }, stop: {})
    let control = try TerminalControl(terminal, turn: turn)
    control.end()
    #expect(TerminalState.of(keyboard)?.givesLines == false)
    isBehind.withLock { $0 = false }
    control.end()
    #expect(TerminalState.of(keyboard)?.bytes == before)
    withExtendedLifetime(control) {}
  }

  @Test func `a viewfinder that does not leave the terminal when it has to is ended`() throws {
    let (keyboard, terminal) = try open()
    defer { for number in [keyboard, terminal] { close(number) } }
    let directory = "/tmp/darkroom-stubborn-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(directory)
    defer { try? FileSystem.removeTree(directory) }
    let program = Array("#!/bin/sh\nexec sleep 100\n".utf8)
    try FileSystem.replaceContents("\(directory)/darkroom-viewfinder", with: program, mode: 0o755)
    let ability = try #require(TerminalAbility { $0 == "TERM" ? "linux" : nil })
    let viewfinder = try TerminalViewfinder.start(on: terminal, ability, keys: "", beside: directory)
    viewfinder.patience = 50_000_000
    let news = Mutex<[String]>([])
    viewfinder.whenLost = { sentence in news.withLock { $0.append(sentence) } }
    // Pauses nest: the second pause does not stop the viewfinder again.
    viewfinder.pause(true)
    viewfinder.pause(true)
    #expect(!viewfinder.isOpen)
    #expect(news.withLock { $0 }.map { $0.contains("it had to be ended") } == [true])
    viewfinder.pause(false)
    viewfinder.pause(false)
  }

  @Test func `keys that are typed out of turn are left where they are, and the terminal as it is`() throws {
    let (keyboard, terminal) = try open()
    defer { for number in [keyboard, terminal] { close(number) } }
    let isBehind = Atomic(false)
    let turn = TerminalTurn(isBehind: { _ in isBehind.load(ordering: .acquiring) }, stop: {})
    var control: TerminalControl? = try TerminalControl(terminal, turn: turn)
    isBehind.store(true, ordering: .releasing)
    #expect(write(keyboard, "q", 1) == 1)
    #expect(control?.commands(at: 0) == [])
    #expect(control?.descriptor == nil)
    isBehind.store(false, ordering: .releasing)
    let moment = try #require(control?.nextMoment)
    #expect(control?.commands(at: moment) == [])
    #expect(control?.descriptor != nil)
    #expect(control?.commands(at: moment) == [.quit])
    isBehind.store(true, ordering: .releasing)
    control = nil
    #expect(TerminalState.of(keyboard)?.givesLines == false)
  }

  @Test func `the keys of a terminal are buttons and camera controls`() throws {
    let (keyboard, terminal) = try open()
    defer { for number in [keyboard, terminal] { close(number) } }
    let control = try TerminalControl(terminal)
    #expect(control.hasPerson)
    #expect(write(keyboard, "\t+=-fhx", 7) == 7)
    let adjusted: [CameraControlCommand] = [
      .next, .turn(nil, steps: 1), .turn(nil, steps: 1), .turn(nil, steps: -1), .toggleFullscreen,
      .show(.inactive),
    ]
    #expect(control.commands(at: 0) == adjusted.map(SessionCommand.cameraControl))
    #expect(write(keyboard, " sdq", 4) == 4)
    let presses = [CaptureButton.primary, .secondary].flatMap { button in
      [SessionCommand.capture(CaptureEvent(button, .began)), .capture(CaptureEvent(button, .ended))]
    }
    #expect(control.commands(at: 0) == presses + [.dismiss, .quit])
  }
}
