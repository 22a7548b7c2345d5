// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import LinuxPrimitives
internal import SessionStore

extension ScriptAssertion {
  /// Returns the latest time of the verdict, or `nil` if it depends on the end of the session.
  func deadline(since begun: UInt64) -> UInt64? {
    switch time {
    case .now: begun
    case .within(let time): begun + time
    case .end(let time): time.map { begun + $0 }
    }
  }

  /// Returns the verdict on a snapshot of a running session, or `nil` if it is still open. `frames` is the
  /// number of consumed frames when the assertion started.
  func verdict(
    on sight: SessionSnapshot,
    since begun: UInt64,
    from frames: Int,
    at now: UInt64
  ) -> ScriptResult.Verdict? {
    let isLate = deadline(since: begun).map { now >= $0 } ?? false
    if case .end = time {
      guard isLate else { return nil }
      return condition == .ended && isNegated ? .passed : .failed("the session has not ended: \(sight.text)")
    }
    let found = condition.observe(at: sight, from: frames)
    // A negated `await` is satisfied as soon as the condition does not hold.
    if kind == .await, isNegated { return found.holds ? (isLate ? .failed(found.seen) : nil) : .passed }
    // A condition that holds decides the assertion, whether negated or not; otherwise the deadline decides.
    guard found.holds || isLate else { return nil }
    return found.holds != isNegated ? .passed : .failed(found.seen)
  }

  /// Returns the verdict on the record of an ended session.
  func verdict(on record: SessionRecord, _ sight: SessionSnapshot?, from frames: Int) -> ScriptResult.Verdict
  {
    let found = condition.observe(at: record, sight, from: frames)
    return found.holds != isNegated ? .passed : .failed(found.seen)
  }
}

extension ScriptCondition {
  /// Whether the condition holds, and the observation.
  typealias Observation = (holds: Bool, seen: String)

  /// Evaluates the condition on a snapshot of a running session.
  func observe(at sight: SessionSnapshot, from frames: Int) -> Observation {
    switch self {
    case .answered: (sight.hasAnswered, sight.text)
    case .camera: (sight.isCameraOn, sight.text)
    case .listening: (sight.receivesPresses, sight.text)
    case .touchable:
      (
        sight.receivesPointer,
        "\(sight.text), touches \(sight.receivesPointer ? "accepted" : "not accepted")"
      )
    case .presented: (sight.hasPresented, sight.text)
    case .frame: (sight.frames > frames, sight.text)
    case .frames(let count): (sight.frames >= count, sight.text)
    case .file(let pattern): Self.observe(for: pattern, in: ContentNames.files(in: sight.contentDirectory))
    case .files(let count): Self.observe(for: count, in: ContentNames.files(in: sight.contentDirectory))
    case .log(let text): Self.observe(for: text, in: sight.log)
    case .dismissed: (sight.stage == .dismissing || sight.stage == .exited, sight.text)
    case .ended, .outcome, .refusal, .violation: (false, sight.text)
    }
  }

  /// Evaluates the condition on the record of an ended session.
  func observe(at record: SessionRecord, _ sight: SessionSnapshot?, from frames: Int) -> Observation {
    let ended = "the session had ended: \(record.outcome)"
    switch self {
    case .answered: return (sight?.hasAnswered == true, ended)
    case .presented: return (sight?.hasPresented == true, ended)
    case .camera, .listening, .touchable: return (false, ended)
    case .frame: return (Int(record.frames?.consumed ?? 0) > frames, ended)
    case .frames(let count):
      let consumed = Int(record.frames?.consumed ?? 0)
      return (consumed >= count, "\(consumed) frame\(consumed == 1 ? "" : "s") consumed in total")
    case .file(let pattern): return Self.observe(for: pattern, in: record.files.map(\.path))
    case .files(let count): return Self.observe(for: count, in: record.files.map(\.path))
    case .log(let text): return Self.observe(for: text, in: sight?.log ?? [])
    case .dismissed:
      if case .dismissed = record.outcome { return (true, ended) }
      return (false, ended)
    case .ended: return (true, ended)
    case .outcome(let pattern):
      let words = OutcomePattern.tokens(record.outcome).joined(separator: " ")
      return (pattern.matches(record.outcome), "\(words): \(record.outcome)")
    case .refusal(let call): return Self.observe(for: call, in: record.refusals)
    case .violation(let text): return Self.observe(for: text, in: record.violations)
    }
  }

  private static func observe(for pattern: String, in names: [String]) -> Observation {
    (names.contains { ContentNames.matches(pattern, $0) }, ContentNames.summary(names))
  }

  private static func observe(for count: Int, in names: [String]) -> Observation {
    (names.count == count, ContentNames.summary(names))
  }

  private static func observe(for text: String, in log: [UInt8]) -> Observation {
    let found = ByteSearch.first(Array(text.utf8), in: log) != nil
    let lines = String(decoding: log, as: UTF8.self).split(separator: "\n")
    if lines.isEmpty { return (found, "the log is empty") }
    return (found, "the log ends with: \(lines.suffix(3).joined(separator: " | "))")
  }

  private static func observe(for call: String?, in refusals: [SessionRecord.Refusal]) -> Observation {
    let names = refusals.map(\.call.name)
    let found = call.map(names.contains) ?? !names.isEmpty
    if names.isEmpty { return (found, "no call was refused") }
    return (found, "refused: \(names.joined(separator: ", "))")
  }

  private static func observe(for text: String?, in violations: [String]) -> Observation {
    let found = text.map { text in violations.contains { $0.contains(text) } } ?? !violations.isEmpty
    return (found, violations.isEmpty ? "no violations" : violations.joined(separator: "; "))
  }
}
