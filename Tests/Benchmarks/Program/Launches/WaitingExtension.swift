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
  static func install(_ name: String, _ program: String, _ setup: BenchmarkSetup) throws -> WaitingExtension {
    let app = "org.example.waiting.\(name.lowercased())"
    let bundle = "\(setup.directory)/waiting-\(name)"
    let extensionDirectory = "\(bundle)/Extensions/Waiting"
    let use: JSONValue = ["camera": "To measure it."]
    try FileSystem.makeDirectories(extensionDirectory, mode: 0o755)
    try FileSystem.copyFile(program, to: "\(extensionDirectory)/program", mode: 0o755)
    try write("\(bundle)/app.json", ["id": .string(app), "name": "Waiting", "usageDescriptions": use])
    try write(
      "\(extensionDirectory)/extension.json",
      [
        "id": .string("\(app).extension"), "name": "Waiting", "executable": "program", "protocol": "1",
        "policy": "capture", "warm": true, "usageDescriptions": use,
      ]
    )
    let catalog = AppCatalog(
      appsDirectory: setup.root.appsDirectory,
      groupsDirectory: setup.root.groupsDirectory,
      validator: PolicyFinder.validator
    )
    _ = try catalog.install(bundle)
    return WaitingExtension(installed: try catalog.find("\(app).extension"), root: setup.root)
  }

  private static func write(_ path: String, _ document: JSONValue) throws {
    try FileSystem.replaceContents(path, with: document.bytes(.indented), mode: 0o644)
  }

  private func request() throws -> SessionRequest {
    var choices = ExtensionLaunch.Choices()
    choices.camera = "pattern:64x48@60"
    var request = try ExtensionLaunch.request(installed, root, choices)
    request.dependencies = .fixed(Permissions(camera: .authorized))
    request.times.watchdog = .off
    return request
  }

  /// Prewarms the extension and waits until it is idle. Returns `false` if no prewarmed extension is
  /// available.
  func prewarm(in pool: PrewarmPool) throws -> Bool {
    try pool.prepare(for: request())
    for _ in 0..<5000 where pool.prewarmedSessions.isEmpty { MonotonicClock.sleep(milliseconds: 1) }
    // The process has started but may not yet be idle. A Swift program also does work after 20 ms of waiting
    // (`Warmup`), which must not coincide with the session.
    MonotonicClock.sleep(milliseconds: 35)
    return !pool.prewarmedSessions.isEmpty
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
    let listeningTime = ListeningTime()
    let request = try request()
    let (requestTime, requestWallTime) = (MonotonicClock.now, Self.now)
    let report = try runner.run(request, control: Listener(listeningTime: listeningTime))
    let recorded = try report.contentPath.flatMap { try FileSystem.contents("\($0)/result") } ?? []
    let words = String(decoding: recorded, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.first == "heard", let heard = UInt64(words[1]), heard > requestWallTime,
      listeningTime.heard > requestTime
    else {
      throw BenchmarkError.noOutput(
        "the waiting extension, whose session ended with \(report.record.outcome),"
      )
    }
    // Otherwise content would accumulate with each iteration.
    try DeliveredContent(request.extension.app).invalidate(report.record.sessionID)
    let step = report.record.steps.first { $0.name == "warm" }
    return Times(
      heard: heard - requestWallTime,
      listening: listeningTime.heard - requestTime,
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
  private final class ListeningTime {
    var heard: UInt64 = 0
  }

  /// Records when the extension listens, and then dismisses the session.
  private struct Listener: SessionControl {
    let listeningTime: ListeningTime
    var descriptor: Int32? { nil }
    var nextDeadline: UInt64? { listeningTime.heard == 0 ? nil : listeningTime.heard }

    mutating func begin(at now: UInt64) { if listeningTime.heard == 0 { listeningTime.heard = now } }

    mutating func commands(at now: UInt64) -> [SessionCommand] { nextDeadline == nil ? [] : [.dismiss] }
  }
}
