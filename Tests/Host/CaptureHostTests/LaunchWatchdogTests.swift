// SPDX-License-Identifier: Apache-2.0

import CaptureHost
import ExtensionProtocol
import Testing

@Suite struct LaunchWatchdogTests {
  static let second: UInt64 = 1_000_000_000

  static func armed(_ required: Set<CaptureRequirement> = Set(CaptureRequirement.allCases)) -> LaunchWatchdog
  {
    LaunchWatchdog(required: required, time: 10 * second, armedAt: 5 * second)
  }

  @Test func `it says once that half of its time is over, and ends at the end of it`() {
    var dog = Self.armed()
    #expect(dog.nextDeadline == 10 * Self.second)
    #expect(dog.timePassed(at: 10 * Self.second - 1) == .nothing)
    #expect(dog.timePassed(at: 10 * Self.second) == .changed)
    #expect(dog.timePassed(at: 11 * Self.second) == .nothing)
    #expect(dog.nextDeadline == 15 * Self.second)
    #expect(dog.timePassed(at: 15 * Self.second) == .expired)
  }

  @Test func `it is satisfied when all holds at the same time, and only then`() {
    var dog = Self.armed()
    #expect(dog.set(.camera, true, at: 6 * Self.second) == .changed)
    #expect(dog.set(.camera, true, at: 6 * Self.second) == .nothing)
    #expect(dog.set(.captureEvents, true, at: 7 * Self.second) == .changed)
    #expect(dog.set(.camera, false, at: 8 * Self.second) == .changed)
    #expect(dog.missing == [.camera, .viewfinder])
    #expect(dog.set(.viewfinder, true, at: 8 * Self.second) == .changed)
    #expect(dog.set(.camera, true, at: 9 * Self.second) == .satisfied)
    #expect(
      dog.arrivals == [.camera: Self.second, .captureEvents: 2 * Self.second, .viewfinder: 3 * Self.second]
    )
  }

  @Test func `what it does not require does not matter`() {
    var dog = Self.armed([.viewfinder])
    #expect(dog.set(.camera, true, at: 6 * Self.second) == .nothing)
    #expect(dog.set(.viewfinder, true, at: 6 * Self.second) == .satisfied)
  }

  @Test func `its time stands still while something else is in front`() {
    var dog = Self.armed()
    dog.pause(true, at: 6 * Self.second)
    #expect(dog.nextDeadline == nil)
    #expect(dog.timePassed(at: 100 * Self.second) == .nothing)
    #expect(dog.secondsLeft(at: 50 * Self.second) == 9)
    dog.pause(false, at: 56 * Self.second)
    #expect(dog.secondsLeft(at: 57 * Self.second) == 8)
    #expect(dog.timePassed(at: 65 * Self.second) == .expired)
  }

  @Test func `what a debugger has taken is given back, and what came before has its old time`() {
    var dog = Self.armed()
    #expect(dog.set(.camera, true, at: 6 * Self.second) == .changed)
    #expect(dog.timePassed(at: 10 * Self.second) == .changed)
    dog.restart(at: 100 * Self.second)
    #expect(dog.secondsLeft(at: 100 * Self.second) == 10)
    #expect(dog.nextDeadline == 105 * Self.second)
    #expect(dog.timePassed(at: 105 * Self.second) == .changed)
    #expect(dog.timePassed(at: 110 * Self.second - 1) == .nothing)
    #expect(dog.timePassed(at: 110 * Self.second) == .expired)
    #expect(dog.arrivals == [.camera: Self.second])
  }

  @Test func `if it stands still when a debugger leaves, it stands still with its full time`() {
    var dog = Self.armed()
    dog.pause(true, at: 6 * Self.second)
    dog.restart(at: 100 * Self.second)
    #expect(dog.nextDeadline == nil)
    dog.pause(false, at: 120 * Self.second)
    #expect(dog.secondsLeft(at: 120 * Self.second) == 10)
  }
}
