// SPDX-License-Identifier: Apache-2.0

import FilterAnalysis
import Glibc
import LinuxPrimitives
import PolicyInterchange
import SystemCalls
import TestSupport
import Testing

/// Compiles profiles with libseccomp, with the same calls as runc.
enum LibseccompCompiler {
  /// The reasons for a failed compilation.
  enum Refusal: Error {
    /// libseccomp rejects a rule because it contradicts an earlier one. The value is the name of the call.
    case conflict(String)
    /// Any other failure, with the messages of the compiler.
    case other(String)
  }

  /// Returns the compiled program of a profile.
  static func compile(_ profile: CallProfile) throws -> FilterProgram { try compile(text(profile)) }

  /// Returns the compiled program of a raw profile.
  static func compile(_ profile: RawProfile) throws -> FilterProgram { try compile(profile.libseccompInput) }

  private static func compile(_ calls: String) throws -> FilterProgram {
    let tests = try CurrentProcess.executablePath()
    let directory = "/tmp/darkroom-compile-\(Randomness.hexadecimal(bytes: 8))"
    try FileSystem.makeDirectory(directory, mode: 0o700)
    defer { try? FileSystem.removeTree(directory) }
    try FileSystem.replaceContents("\(directory)/rules", with: Array(calls.utf8), mode: 0o600)
    let compiler = "\(FileSystem.directoryName(tests))/darkroom-filter-compiler"
    let status = system("\(compiler) <\(directory)/rules >\(directory)/program 2>\(directory)/messages")
    guard status == 0 else {
      let messages = try FileSystem.contents("\(directory)/messages", limit: 1 << 16) ?? []
      let text = String(decoding: messages, as: UTF8.self)
      // The wait(2) status of a process that exits with code 17.
      throw status == 17 << 8 ? Refusal.conflict(text) : Refusal.other(text)
    }
    let bytes = try #require(try FileSystem.contents("\(directory)/program", limit: 1 << 20))
    return try FilterProgram(bytes: bytes)
  }

  /// Returns the profile in the input format of the compiler.
  private static func text(_ profile: CallProfile) -> String {
    var lines = [
      "default \(profile.defaultAction.returnValue)", "badarch \(profile.otherArchitectures.returnValue)",
    ]
    // libseccomp has its own token for x32 and uses the kernel's tokens for other architectures.
    lines += profile.architectures.map { "arch \($0 == .x32 ? 0x4000_003E : $0.auditArchitecture)" }
    for rule in profile.rules where rule.action != profile.defaultAction {
      for call in rule.calls {
        let comparisons = rule.conditions.map { comparison -> String in
          let (number, first, second): (Int, UInt64, UInt64) =
            switch comparison.operation {
            case .notEqual: (1, comparison.value, 0)
            case .less: (2, comparison.value, 0)
            case .lessOrEqual: (3, comparison.value, 0)
            case .equal: (4, comparison.value, 0)
            case .greaterOrEqual: (5, comparison.value, 0)
            case .greater: (6, comparison.value, 0)
            case .masked(let mask): (7, mask, comparison.value)
            case .anyBit: (7, 0, 0)
            }
          return " \(comparison.index) \(number) \(first) \(second)"
        }
        lines.append("rule \(rule.action.returnValue) \(call)\(comparisons.joined())")
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}

extension RuleMerger {
  /// Merges rules with the libseccomp of this machine, in a separate process.
  static let fixture = RuleMerger(library: "libseccomp") { (profile) throws(Failure) in
    do { return Merged(try LibseccompCompiler.compile(profile)) } catch LibseccompCompiler.Refusal.conflict(
      let call
    ) {
      throw .conflict(call: String(call.prefix { $0 != ":" }))
    } catch { throw .other("\(error)") }
  }
}
