// SPDX-License-Identifier: Apache-2.0

import AppBundles
import CaptureHost
import ExtensionProtocol
import Glibc
import JSONText
import LaunchPlanning
import LinuxPrimitives
import Prewarming
import SessionStore

/// An installed extension that can be prewarmed and that records when it receives its session.
struct WaitingExtension {
  private let installed: InstalledExtension
  private let root: StateRoot

  /// Installs an app with the extension.
  static func install(_ name: String, _ program: String, _ setting: Setting) throws -> WaitingExtension {
    let app = "org.example.waiting.\(name.lowercased())"
    let bundle = "\(setting.directory)/waiting-\(name)"
    let place = "\(bundle)/Extensions/Waiting"
    let use: JSONValue = ["camera": "To measure it."]
    try FileSystem.makeDirectories(place, mode: 0o755)
    try FileSystem.copyFile(program, to: "\(place)/program", mode: 0o755)
    try write("\(bundle)/app.json", ["id": .string(app), "name": "Waiting", "usageDescriptions": use])
    try write(
      "\(place)/extension.json",
      [
        "id": .string("\(app).extension"), "name": "Waiting", "executable": "program", "protocol": "1",
        "policy": "capture", "warm": true, "usageDescriptions": use,
      ]
    )
    let catalog = AppCatalog(
      appsDirectory: setting.root.appsDirectory,
      groupsDirectory: setting.root.groupsDirectory,
      validator: PolicyFinder.validator
    )
    _ = try catalog.install(bundle)
    return WaitingExtension(installed: try catalog.find("\(app).extension"), root: setting.root)
  }

  private static func write(_ path: String, _ document: JSONValue) throws {
    try FileSystem.replaceContents(path, with: document.bytes(.indented), mode: 0o644)
  }

  private func request() throws -> SessionRequest {
    var choices = ExtensionLaunch.Choices()
    choices.camera = "pattern:64x48@60"
    var request = try ExtensionLaunch.request(installed, root, choices)
    request.surroundings = .fixed(Permissions(camera: .authorized))
    request.watchdog = .off
    return request
  }

  /// Prewarms the extension and waits until it is idle. Returns `false` if no prewarmed extension is
  /// available.
  func waits(in pool: WarmPool) throws -> Bool {
    try pool.prepare(for: request())
    for _ in 0..<5000 where pool.waiting.isEmpty { MonotonicClock.sleep(milliseconds: 1) }
    // The process has started but may not yet be idle. A Swift program also does work after 20 ms of waiting
    // (`Rehearsal`), which must not coincide with the session.
    MonotonicClock.sleep(milliseconds: 35)
    return !pool.waiting.isEmpty
  }

  /// Nanoseconds since the request for a session.
  struct Times {
    /// Until the extension received the session, recorded by the extension.
    var heard: UInt64
    /// Until the host received the subscription of the extension.
    var listening: UInt64
    /// Until all resources for a prewarmed extension were available, or `nil` if none was used.
    var prepared: UInt64?
  }

  /// Runs a session until its extension listens.
  func session(_ runner: SessionRunner) throws -> Times {
    let ear = Ear()
    let request = try request()
    let (wish, wishByClock) = (MonotonicClock.now, Self.now)
    let report = try runner.run(request, control: Listener(ear: ear))
    let noted = try report.contentPath.flatMap { try FileSystem.contents("\($0)/result") } ?? []
    let words = String(decoding: noted, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.first == "heard", let heard = UInt64(words[1]), heard > wishByClock, ear.heard > wish else {
      throw BenchmarkError.silent("the waiting extension, whose session ended with \(report.record.outcome),")
    }
    // Otherwise content would accumulate with each iteration.
    try DeliveredContent(request.app).invalidate(report.record.sessionID)
    let step = report.record.steps.first { $0.name == "warm" }
    return Times(
      heard: heard - wishByClock,
      listening: ear.heard - wish,
      prepared: step.map { UInt64($0.microseconds) * 1000 }
    )
  }

  /// The wall-clock time in nanoseconds, the only clock that an extension shares with its host.
  private static var now: UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
  }

  /// The time at which an extension started listening.
  private final class Ear {
    var heard: UInt64 = 0
  }

  /// Records when the extension listens, and then dismisses the session.
  private struct Listener: SessionControl {
    let ear: Ear
    var descriptor: Int32? { nil }
    var nextMoment: UInt64? { ear.heard == 0 ? nil : ear.heard }

    mutating func begin(at now: UInt64) { if ear.heard == 0 { ear.heard = now } }

    mutating func commands(at now: UInt64) -> [SessionCommand] { nextMoment == nil ? [] : [.dismiss] }
  }
}
