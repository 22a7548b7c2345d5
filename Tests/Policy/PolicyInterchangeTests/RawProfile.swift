// SPDX-License-Identifier: Apache-2.0

import SystemCalls

/// A seccomp profile as written, before interpretation.
///
/// A raw profile has two outputs: the JSON that Darkroom reads, and the rules that runc passes to libseccomp.
struct RawProfile: Sendable {
  /// The action for calls without a rule.
  var defaultAction: Action
  /// The architectures, the native one first.
  var architectures: [CallArchitecture] = [.native]
  /// The elements of `syscalls`.
  var entries: [Entry]

  /// An action and its `errnoRet`.
  struct Action: Hashable, Sendable {
    /// The constant without `SCMP_ACT_`.
    var name: String
    /// The error number, if the action has one.
    var errno: UInt16?

    /// The value that a filter returns.
    var returnValue: UInt32 {
      let values: [String: UInt32] = [
        "KILL_PROCESS": 0x8000_0000, "KILL_THREAD": 0, "TRAP": 0x0003_0000, "ERRNO": 0x0005_0000,
        "NOTIFY": 0x7FC0_0000, "TRACE": 0x7FF0_0000, "LOG": 0x7FFC_0000, "ALLOW": 0x7FFF_0000,
      ]
      // runc uses EPERM if there is no errnoRet.
      let number = ["ERRNO", "TRACE"].contains(name) ? errno ?? 1 : 0
      return values[name, default: 0] | UInt32(number)
    }
  }

  /// An element of `syscalls`.
  struct Entry: Hashable, Sendable {
    var names: [String]
    var action: Action
    var arguments: [Argument] = []
  }

  /// An element of `args`.
  struct Argument: Hashable, Sendable {
    /// The argument's index.
    var index: Int
    /// The constant without `SCMP_CMP_`.
    var operation: String
    /// The datum, or the mask of `MASKED_EQ`.
    var value: UInt64
    /// The datum of `MASKED_EQ`.
    var valueTwo: UInt64 = 0
  }

  /// The operations in the order of `enum scmp_compare`, which begins at 1.
  static let operations = ["NE", "LT", "LE", "EQ", "GE", "GT", "MASKED_EQ"]
}

extension RawProfile {
  /// The profile in the JSON format of the OCI runtime specification.
  var json: String {
    let architectures = architectures.map { architecture in
      let names: [CallArchitecture: String] = [
        .x86: "X86_64", .i386: "X86", .x32: "X32", .arm64: "AARCH64", .arm: "ARM",
      ]
      return #""SCMP_ARCH_\#(names[architecture, default: ""])""#
    }
    return """
      {"defaultAction":"SCMP_ACT_\(defaultAction.name)"\(Self.errno(defaultAction, "defaultErrnoRet")),
       "architectures":[\(architectures.joined(separator: ","))],
       "syscalls":[\(entries.map(Self.json).joined(separator: ",\n  "))]}
      """
  }

  private static func errno(_ action: Action, _ member: String) -> String {
    action.errno.map { #","\#(member)":\#($0)"# } ?? ""
  }

  private static func json(_ entry: Entry) -> String {
    let names = entry.names.map { #""\#($0)""# }.joined(separator: ",")
    let arguments = entry.arguments.map { argument in
      #"{"index":\#(argument.index),"op":"SCMP_CMP_\#(argument.operation)","#
        + #""value":\#(argument.value),"valueTwo":\#(argument.valueTwo)}"#
    }
    return
      #"{"names":[\#(names)],"action":"SCMP_ACT_\#(entry.action.name)"\#(errno(entry.action, "errnoRet")),"#
      + #""args":[\#(arguments.joined(separator: ","))]}"#
  }

  /// The input of `darkroom-filter-compiler`: the libseccomp calls that runc makes, in the same order.
  var libseccompInput: String {
    var lines = ["default \(defaultAction.returnValue)", "badarch 0"]
    // libseccomp has its own token for x32.
    lines += architectures.map { "arch \($0 == .x32 ? 0x4000_003E : $0.auditArchitecture)" }
    for entry in entries where entry.action != defaultAction {
      for name in entry.names {
        let isRepeated = Set(entry.arguments.map(\.index)).count < entry.arguments.count
        let rules = isRepeated ? entry.arguments.map { [$0] } : [entry.arguments]
        for rule in rules {
          let words = rule.map { " \($0.index) \(Self.number($0.operation)) \($0.value) \($0.valueTwo)" }
          lines.append("rule \(entry.action.returnValue) \(name)\(words.joined())")
        }
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func number(_ operation: String) -> Int { (operations.firstIndex(of: operation) ?? 0) + 1 }
}
