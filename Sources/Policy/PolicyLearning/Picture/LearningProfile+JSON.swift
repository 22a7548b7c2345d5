// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A reason for which a JSON value is not a profile.
package enum LearningProfileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The version is not supported.
  case version(String)
  /// A member is missing or invalid.
  case member(String)

  /// A sentence without the file's name.
  package var description: String {
    switch self {
    case .version(let found):
      "unknown version \(found); this version of Darkroom reads version \(LearningProfile.version), so learn again "
        + "into another file"
    case .member(let name): "\"\(name)\" is missing or invalid; learn again into another file"
    }
  }
}

extension LearningProfile {
  /// The version of the document that this code writes. Version 1 can be read as well: it has other names for
  /// two members.
  static let version: Int64 = 2

  /// The profile as a JSON document.
  package var json: JSONValue {
    [
      "version": .integer(Self.version), "base": .string(base), "baseDigest": .string(baseDigest),
      "subject": .array(subject.map { .string($0) }),
      "runs": .array(runs.map(\.json)), "calls": .array(kinds.map(\.json)),
      "summaries": .array(summaries.map(\.json)),
    ]
  }

  /// Creates a profile from a JSON document.
  package init(_ json: JSONValue) throws(LearningProfileError) {
    guard let version = json["version"]?.integer, (1...Self.version).contains(version) else {
      throw .version(json["version"]?.text(.compact) ?? "not set")
    }
    self.init(
      base: try Self.required(json["base"]?.string, "base"),
      baseDigest: try Self.required(json["baseDigest"]?.string, "baseDigest"),
      subject: try Self.list(json, "subject") { $0.string },
      runs: try Self.list(json, "runs", Run.init),
      kinds: try Self.list(json, "calls", Kind.init),
      summaries: try Self.list(json, version == 1 ? "crowds" : "summaries", LearningLedger.CallSummary.init)
    )
    guard kinds.allSatisfy({ (1...max(1, runs.count)).contains($0.firstRun) }) else {
      throw .member("firstRun")
    }
  }

  /// Returns the value of a required member.
  private static func required<Value>(_ value: Value?, _ name: String) throws(LearningProfileError) -> Value {
    guard let value else { throw .member(name) }
    return value
  }

  /// Returns the elements of a required array, all of which must be valid.
  private static func list<Element>(
    _ json: JSONValue,
    _ name: String,
    _ read: (JSONValue) -> Element?
  ) throws(LearningProfileError) -> [Element] {
    let elements = try required(json[name]?.elements, name)
    let found = elements.compactMap(read)
    guard found.count == elements.count else { throw .member(name) }
    return found
  }
}

extension LearningProfile.Run {
  /// The run as JSON.
  var json: JSONValue {
    [
      "at": .integer(at), "scope": .string(scope.rawValue), "ending": .string(ending),
      "calls": .integer(Int64(calls)),
    ]
  }

  /// Creates a run from JSON, or returns `nil` if the value is not a run.
  init?(_ json: JSONValue) {
    guard let at = json["at"]?.integer, let calls = json["calls"]?.integer,
      let scope = (json["scope"]?.string).flatMap(LearningProfile.Scope.init),
      let ending = json["ending"]?.string
    else { return nil }
    self.init(at: at, scope: scope, ending: ending, calls: Int(calls))
  }
}

extension LearningProfile.Kind {
  /// The kind as JSON.
  package var json: JSONValue {
    [
      "call": .string(call.call), "status": .string(call.status.rawValue),
      "arguments": .array(call.arguments.map(\.json)), "count": .integer(Int64(count)),
      "firstRun": .integer(Int64(firstRun)),
    ]
  }

  /// Creates a kind from JSON, or returns `nil` if the value is not a kind.
  init?(_ json: JSONValue) {
    guard let call = json["call"]?.string, let count = json["count"]?.integer,
      // Version 1 has `standing`.
      let status = ((json["status"] ?? json["standing"])?.string).flatMap(CallStatus.init),
      let firstRun = json["firstRun"]?.integer, let elements = json["arguments"]?.elements
    else { return nil }
    let arguments = elements.compactMap(LearnedArgument.init)
    guard arguments.count == elements.count else { return nil }
    self.init(
      call: LearnedCall(call: call, status: status, arguments: arguments),
      count: Int(count),
      firstRun: Int(clamping: firstRun)
    )
  }
}

extension LearnedArgument {
  /// The argument as JSON.
  var json: JSONValue { ["index": .integer(Int64(index)), "value": .integer(Int64(value))] }

  /// Creates an argument from JSON, or returns `nil` if the value is not an argument.
  init?(_ json: JSONValue) {
    guard let index = json["index"]?.integer, (0..<6).contains(index),
      let value = (json["value"]?.integer).flatMap(UInt32.init(exactly:))
    else { return nil }
    self.init(index: Int(index), value: value)
  }
}

extension LearningLedger.CallSummary {
  /// The summary as JSON.
  var json: JSONValue {
    let bits = bits.sorted { $0.key < $1.key }.map { LearnedArgument(index: $0.key, value: $0.value).json }
    return [
      "call": .string(call), "status": .string(status.rawValue), "bits": .array(bits),
      "count": .integer(Int64(count)),
    ]
  }

  /// Creates a summary from JSON, or returns `nil` if the value is not a summary.
  init?(_ json: JSONValue) {
    guard let call = json["call"]?.string, let count = json["count"]?.integer,
      // Version 1 has `standing`.
      let status = ((json["status"] ?? json["standing"])?.string).flatMap(CallStatus.init),
      let bits = json["bits"]?.elements?.map(LearnedArgument.init), !bits.contains(nil)
    else { return nil }
    self.init(
      call: call,
      status: status,
      bits: Dictionary(bits.compactMap(\.self).map { ($0.index, $0.value) }) { $0 | $1 },
      count: Int(count)
    )
  }
}
