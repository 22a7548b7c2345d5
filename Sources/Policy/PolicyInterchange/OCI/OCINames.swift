// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import SystemCalls

/// The names in the runtime specification of the Open Container Initiative.
enum OCINames {
  /// The architectures in the tables.
  static let architectures: KeyValuePairs<String, CallArchitecture> = [
    "SCMP_ARCH_X86_64": .x86, "SCMP_ARCH_X86": .i386, "SCMP_ARCH_X32": .x32, "SCMP_ARCH_AARCH64": .arm64,
    "SCMP_ARCH_ARM": .arm, "SCMP_ARCH_RISCV64": .riscv, "SCMP_ARCH_PPC64LE": .power,
    "SCMP_ARCH_PPC64": .power, "SCMP_ARCH_S390X": .s390,
  ]

  /// The architecture names in `includes` and `excludes`, which are those of Go (`GOARCH`).
  static let goArchitectures: [String: CallArchitecture] = [
    "amd64": .x86, "x86": .i386, "386": .i386, "x32": .x32, "arm64": .arm64, "arm": .arm, "riscv64": .riscv,
    "ppc64le": .power, "ppc64": .power, "s390x": .s390,
  ]

  /// The operations except `SCMP_CMP_MASKED_EQ`.
  static let operations: KeyValuePairs<String, ArgumentComparison.Operation> = [
    "SCMP_CMP_EQ": .equal, "SCMP_CMP_NE": .notEqual, "SCMP_CMP_LT": .less, "SCMP_CMP_LE": .lessOrEqual,
    "SCMP_CMP_GT": .greater, "SCMP_CMP_GE": .greaterOrEqual,
  ]

  /// Returns the architecture with a name, or `nil` if it is unknown.
  static func architecture(_ name: String) -> CallArchitecture? {
    architectures.first { $0.key == name }?.value
  }

  /// Returns the name of an architecture.
  static func name(of architecture: CallArchitecture) -> String {
    architectures.first { $0.value == architecture }?.key ?? architecture.rawValue
  }

  /// Returns the action with a name, or `nil` if it is unknown. `number` is the error or trace number for
  /// actions that have one.
  static func action(_ name: String, number: UInt16) -> Verdict? {
    switch name {
    case "SCMP_ACT_KILL", "SCMP_ACT_KILL_THREAD": .killThread
    case "SCMP_ACT_KILL_PROCESS": .killProcess
    case "SCMP_ACT_TRAP": .trap(0)
    case "SCMP_ACT_ERRNO": .errno(number)
    case "SCMP_ACT_TRACE": .trace(number)
    case "SCMP_ACT_ALLOW": .allow
    case "SCMP_ACT_LOG": .log
    case "SCMP_ACT_NOTIFY": .notify
    default: nil
    }
  }

  /// Returns the name of an action, and its number for actions that have one.
  static func name(of verdict: Verdict) -> (name: String, number: UInt16?) {
    switch verdict {
    case .killProcess: ("SCMP_ACT_KILL_PROCESS", nil)
    case .killThread, .unknown: ("SCMP_ACT_KILL_THREAD", nil)
    case .trap: ("SCMP_ACT_TRAP", nil)
    case .errno(let number): ("SCMP_ACT_ERRNO", number)
    case .notify: ("SCMP_ACT_NOTIFY", nil)
    case .trace(let number): ("SCMP_ACT_TRACE", number)
    case .log: ("SCMP_ACT_LOG", nil)
    case .allow: ("SCMP_ACT_ALLOW", nil)
    }
  }
}
