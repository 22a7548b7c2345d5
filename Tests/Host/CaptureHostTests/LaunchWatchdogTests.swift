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

  @Test func `warns once at half of the timeout and expires at its end`() {
    var watchdog = Self.armed()
    #expect(watchdog.nextDeadline == 10 * Self.second)
    #expect(watchdog.timePassed(at: 10 * Self.second - 1) == .nothing)
    #expect(watchdog.timePassed(at: 10 * Self.second) == .changed)
    #expect(watchdog.timePassed(at: 11 * Self.second) == .nothing)
    #expect(watchdog.nextDeadline == 15 * Self.second)
    #expect(watchdog.timePassed(at: 15 * Self.second) == .expired)
  }

  @Test func `is satisfied only if all requirements hold at the same time`() {
    var watchdog = Self.armed()
    #expect(watchdog.set(.camera, true, at: 6 * Self.second) == .changed)
    #expect(watchdog.set(.camera, true, at: 6 * Self.second) == .nothing)
    #expect(watchdog.set(.captureEvents, true, at: 7 * Self.second) == .changed)
    #expect(watchdog.set(.camera, false, at: 8 * Self.second) == .changed)
    #expect(watchdog.missing == [.camera, .viewfinder])
    #expect(watchdog.set(.viewfinder, true, at: 8 * Self.second) == .changed)
    #expect(watchdog.set(.camera, true, at: 9 * Self.second) == .satisfied)
    #expect(
      watchdog.arrivals == [
        .camera: Self.second, .captureEvents: 2 * Self.second, .viewfinder: 3 * Self.second,
      ]
    )
  }

  @Test func `ignores requirements that are not configured`() {
    var watchdog = Self.armed([.viewfinder])
    #expect(watchdog.set(.camera, true, at: 6 * Self.second) == .nothing)
    #expect(watchdog.set(.viewfinder, true, at: 6 * Self.second) == .satisfied)
  }

  @Test func `pauses the timeout while another scene is in front`() {
    var watchdog = Self.armed()
    watchdog.pause(true, at: 6 * Self.second)
    #expect(watchdog.nextDeadline == nil)
    #expect(watchdog.timePassed(at: 100 * Self.second) == .nothing)
    #expect(watchdog.secondsLeft(at: 50 * Self.second) == 9)
    watchdog.pause(false, at: 56 * Self.second)
    #expect(watchdog.secondsLeft(at: 57 * Self.second) == 8)
    #expect(watchdog.timePassed(at: 65 * Self.second) == .expired)
  }

  @Test func `restarts the timeout after a debugger detaches and keeps earlier arrival times`() {
    var watchdog = Self.armed()
    #expect(watchdog.set(.camera, true, at: 6 * Self.second) == .changed)
    #expect(watchdog.timePassed(at: 10 * Self.second) == .changed)
    watchdog.restart(at: 100 * Self.second)
    #expect(watchdog.secondsLeft(at: 100 * Self.second) == 10)
    #expect(watchdog.nextDeadline == 105 * Self.second)
    #expect(watchdog.timePassed(at: 105 * Self.second) == .changed)
    #expect(watchdog.timePassed(at: 110 * Self.second - 1) == .nothing)
    #expect(watchdog.timePassed(at: 110 * Self.second) == .expired)
    #expect(watchdog.arrivals == [.camera: Self.second])
  }

  @Test func `stays paused with its full timeout if a debugger detaches while paused`() {
    var watchdog = Self.armed()
    watchdog.pause(true, at: 6 * Self.second)
    watchdog.restart(at: 100 * Self.second)
    #expect(watchdog.nextDeadline == nil)
    watchdog.pause(false, at: 120 * Self.second)
    #expect(watchdog.secondsLeft(at: 120 * Self.second) == 10)
  }
}
