// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import Glibc
internal import JSONText
internal import LinuxPrimitives
internal import SessionStore

/// How long it takes from the wish for a session until the extension is heard: launched, launched after it has waited, and
/// the same program without a sandbox (posix_spawn(3)). The three take turns, so that they find the same machine.
final class Measurement {
  private let pool: WarmPool
  private let warm: SessionRunner
  private let cold: SessionRunner

  /// Measures with a pool's host, and with one that has none.
  init(_ pool: WarmPool, _ warm: SessionRunner, _ cold: SessionRunner) {
    self.pool = pool
    self.warm = warm
    self.cold = cold
  }

  /// Measures so often; medians in microseconds, and their ratios to the program without a sandbox.
  func run(_ count: Int, program: String, _ request: () throws -> SessionRequest) throws -> JSONValue {
    var times: [String: [Double]] = [:]
    func note(_ name: String, _ nanoseconds: UInt64) {
      times[name, default: []].append(Double(nanoseconds) / 1000)
    }
    try pool.prepare(for: request())
    for _ in 0..<count {
      note("spawn", try Self.spawn(program))
      let launched = try session(cold, try request())
      note("cold", launched.heard)
      for _ in 0..<5000 where pool.waiting.isEmpty { MonotonicClock.sleep(milliseconds: 1) }
      // Whatever was started for it is done.
      MonotonicClock.sleep(milliseconds: 5)
      let waited = try session(warm, try request())
      guard let prepared = waited.prepared else { continue }
      note("warm", waited.heard)
      note("go", waited.heard - min(prepared, waited.heard))
    }
    let spawn = Self.median(times["spawn"] ?? [])
    return .object(
      times.sorted { $0.key < $1.key }.map { name, values in
        let median = Self.median(values)
        return JSONValue.Member(
          name,
          [
            "count": .integer(Int64(values.count)), "median": .number(median),
            "ratio": .number(median / spawn),
          ]
        )
      }
    )
  }

  /// When the extension of a session was heard after the wish for it, and when it was launched if it had waited.
  private func session(
    _ runner: SessionRunner,
    _ request: SessionRequest
  ) throws -> (heard: UInt64, prepared: UInt64?) {
    let ear = Ear()
    let began = MonotonicClock.now
    let report = try runner.run(request, control: HeardControl(ear: ear))
    let warm = report.record.steps.first { $0.name == "warm" }
    return (ear.heard - began, warm.map { UInt64($0.microseconds) * 1000 })
  }

  /// The same program, as a child of this one: until its first byte.
  private static func spawn(_ program: String) throws -> UInt64 {
    let down = try Pipe.make()
    let up = try Pipe.make()
    let numbers = (down.readEnd.rawValue, up.writeEnd.rawValue, up.readEnd.rawValue)
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Beyond what is in use, and then where they belong: neither may be in the other's place.
    posix_spawn_file_actions_adddup2(&actions, numbers.0, 60)
    posix_spawn_file_actions_adddup2(&actions, numbers.1, 61)
    posix_spawn_file_actions_adddup2(&actions, 60, 3)
    posix_spawn_file_actions_adddup2(&actions, 61, 4)
    try down.writeEnd.writeAll([UInt8(ascii: "\n")])
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(program), nil]
    defer { free(arguments[0]) }
    var variables: [UnsafeMutablePointer<CChar>?] = [strdup("DARKROOM_APP_CONTEXT=/dev/null"), nil]
    defer { free(variables[0]) }
    var process = pid_t()
    let began = MonotonicClock.now
    guard posix_spawn(&process, program, &actions, nil, &arguments, &variables) == 0 else {
      throw SystemCallError("posix_spawn")
    }
    var byte: UInt8 = 0
    _ = Glibc.read(numbers.2, &byte, 1)
    let heard = MonotonicClock.now
    kill(process, SIGKILL)
    waitpid(process, nil, 0)
    return heard - began
  }

  private static func median(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.sorted()[values.count / 2]
  }
}

/// When an extension was heard.
private final class Ear {
  var heard: UInt64 = 0
}

/// Notes when the extension listens, and then wants no more of it.
private struct HeardControl: SessionControl {
  let ear: Ear
  var hasPerson: Bool { false }
  var descriptor: Int32? { nil }
  var nextMoment: UInt64? { ear.heard == 0 ? nil : ear.heard }

  mutating func begin(at now: UInt64) { if ear.heard == 0 { ear.heard = now } }

  mutating func commands(at now: UInt64) -> [SessionCommand] {
    nextMoment == nil ? [] : [.quit]
  }
}
