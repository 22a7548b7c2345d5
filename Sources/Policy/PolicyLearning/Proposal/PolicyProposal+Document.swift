// SPDX-License-Identifier: Apache-2.0

package import JSONText
internal import Refusals
internal import SandboxPolicy
internal import SystemCalls

extension PolicyProposal {
  /// The policy that a proposal changes.
  package enum Base: Sendable, Hashable {
    /// A policy that others can extend, by its name.
    case named(String)
    /// A document that others cannot extend; the proposal is a changed copy.
    case document(JSONValue)
  }

  /// Returns the proposal as a complete policy.
  package func document(of base: Base, for subject: [String], runs: Int) -> JSONValue {
    switch base {
    case .named(let parent):
      return .object([
        "$schema": "policy.schema.json",
        "name": .string(Self.name(for: subject)),
        "description": .string(
          "The calls that \(subject.first ?? "a program") needed in addition to \(parent) in \(Self.runCount(runs))."
        ),
        "extends": .string(parent),
        "syscalls": elements.isEmpty ? nil : .object([.init("allow", .array(elements))]),
        "execute": executions > 0 ? "any" : nil,
      ])
    case .document(let document): return changed(document)
    }
  }

  /// The elements to add to `syscalls.allow`.
  package var elements: [JSONValue] { additions.map(\.rule.element) }

  /// Returns the number of runs as text, for example `3 runs`.
  static func runCount(_ runs: Int) -> String { runs == 1 ? "1 run" : "\(runs) runs" }

  /// Returns a document with the additions.
  private func changed(_ document: JSONValue) -> JSONValue {
    var members = document.members ?? []
    if !elements.isEmpty {
      var calls = document["syscalls"]?.members ?? []
      Self.set("allow", .array((document["syscalls"]?["allow"]?.elements ?? []) + elements), in: &calls)
      Self.set("syscalls", .object(calls), in: &members)
    }
    if executions > 0 { Self.set("execute", "any", in: &members) }
    return .object(members)
  }

  /// Sets a member at its position, or appends it.
  private static func set(_ name: String, _ value: JSONValue, in members: inout [JSONValue.Member]) {
    if let place = members.firstIndex(where: { $0.name == name }) {
      members[place].value = value
    } else {
      members.append(.init(name, value))
    }
  }

  /// Returns a valid policy name for a program, for example `ffmpeg-learned`.
  static func name(for subject: [String]) -> String {
    let last = (subject.first ?? "").split(separator: "/").last.map(String.init) ?? ""
    let plain = last.utf8.map { byte -> UInt8 in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte + 32
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): byte
      default: UInt8(ascii: "-")
      }
    }
    let letters = plain.drop { !(UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) }.prefix(50)
    return (letters.isEmpty ? "program" : String(decoding: letters, as: UTF8.self)) + "-learned"
  }
}

extension PolicyProposal.Addition {
  /// The calls that the rule allows, including those that were not observed.
  package var opens: String {
    let conditions = rule.conditions
    let signature = CallSignature.of(rule.call)
    if signature?.parameters.isEmpty == true { return "\(rule.call), which has no arguments" }
    guard !conditions.isEmpty else { return "\(rule.call) with any arguments" }
    let parameters = signature?.parameters ?? []
    let free = parameters.indices.filter { index in !conditions.contains { $0.index == index } }
      .map { parameters[$0].name }
    let values = isGeneralized ? "any combination of the observed flags" : "exactly these values"
    let others =
      free.isEmpty ? "" : ", with any \(free.formatted)"
    return "\(rule.call) with \(values)\(others)"
  }
}

extension [String] {
  /// The strings as an enumeration, for example `a, b and c`.
  fileprivate var formatted: String {
    count < 2 ? joined() : dropLast().joined(separator: ", ") + " and " + (last ?? "")
  }
}
