// SPDX-License-Identifier: Apache-2.0

import JSONText

@testable import FilterAnalysis
@testable import PolicyProof
@testable import SandboxPolicy
@testable import SystemCalls

/// The types of the floor Policy that describe policies and filters.
enum PolicyMessages {
  static var types: [any MessageSamples.Type] {
    [
      CallTextError.self, PolicyMistake.self, PolicyDiagnostics.self, CoreArea.self, AnalysisError.self,
      FilterProgramError.self, Verdict.self, InvariantMistake.self, CertificateError.self,
      FilterProof.Finding.self,
    ]
  }

  static let origin = PolicyOrigin(source: "mine.json", position: TextPosition(line: 3, column: 14))
  static let call = SeccompData(architecture: 0xC000_003E, number: 321, arguments: [5, 0, 0, 0, 0, 0])
  static let claim = FilterProof.Claim(
    subject: .invariant(name: "no-kernel-programs", reason: "programs run in the kernel"),
    finding: .refuted(FilterProof.Counterexample(call: call, expected: nil, found: .allow))
  )
}

extension CallTextError: CaseSamples {
  static var catalogSamples: [(String, CallTextError)] {
    [
      ("unknownCall", .unknownCall("opnat", .x86, elsewhere: [], suggestion: "openat")),
      ("unknownCall", .unknownCall("open", .arm64, elsewhere: [.x86, .i386], suggestion: nil)),
      ("numberTooLarge", .numberTooLarge("99999999999")), ("notANumber", .notANumber("12x", column: 8)),
      (
        "unknownConstant",
        .unknownConstant("AF_INTE", column: 8, call: "socket", parameter: "domain", suggestion: "AF_INET")
      ),
      ("unknownConstant", .unknownConstant("FOO", column: 8, call: "read", parameter: nil, suggestion: nil)),
      ("tooManyArguments", .tooManyArguments("close", column: 9)),
      ("expected", .expected(.call, column: 1, found: nil)),
      ("expected", .expected(.argument, column: 8, found: ")")),
      ("expected", .expected(.separator, column: 8, found: ";")),
      ("expected", .expected(.end, column: 8, found: "x")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .unknownCall, .numberTooLarge, .notANumber, .unknownConstant, .tooManyArguments, .expected: true
    }
  }
}

extension PolicyMistake: CaseSamples {
  static var catalogSamples: [(String, PolicyMistake)] {
    [
      ("notJSON", .notJSON(.trailingText)), ("wrongKind", .wrongKind(expected: .array, found: "a string")),
      ("wrongKind", .wrongKind(expected: .call, found: "a number")),
      ("wrongKind", .wrongKind(expected: .quantity, found: "null")),
      ("unknownKey", .unknownKey("descripton", suggestion: "description", known: ["name", "description"])),
      ("unknownKey", .unknownKey("x", suggestion: nil, known: ["name", "description"])),
      ("missingKey", .missingKey("name")), ("emptyText", .emptyText),
      ("invalidName", .invalidName("My Policy")),
      ("unknownCall", .unknownCall("opnat", suggestion: "openat")),
      ("unknownCall", .unknownCall("frobnicate", suggestion: nil)),
      ("unknownGroup", .unknownGroup("@basicio", suggestion: "@basic-io")),
      ("coreCall", .coreCall("bpf", .kernelPrograms)), ("coreGroup", .coreGroup("@mount")),
    ] + PolicyCore.requirements.sorted { $0.key < $1.key }.map { ("coreArguments", .coreArguments($0, $1)) }
      + [
        ("governedByExecute", .governedByExecute("execve")), ("conditionalDenial", .conditionalDenial),
        ("conditionalGroup", .conditionalGroup("@basic-io")), ("argumentIndex", .argumentIndex(6)),
        ("repeatedArgument", .repeatedArgument(1)), ("valueTooWide", .valueTooWide("0x100000000")),
        ("unknownConstant", .unknownConstant("PR_SET_NAM", suggestion: "PR_SET_NAME")),
        ("unknownConstant", .unknownConstant("FOO", suggestion: nil)),
        ("valueOutsideMask", .valueOutsideMask(value: 0x11, mask: 0x10)),
        ("invalidQuantity", .invalidQuantity("many", .count)),
        ("invalidQuantity", .invalidQuantity("64 MB", .bytes)),
        ("invalidQuantity", .invalidQuantity("soon", .seconds)),
        ("outOfRange", .outOfRange(0, 1...4096, .count)),
        ("outOfRange", .outOfRange(7, 10...86400, .seconds)), ("path", .path("usr/share", .relative)),
        ("path", .path("/usr/../etc", .notNormalized)), ("path", .path("/usr/a\u{7}b", .controlCharacter)),
        ("path", .path("/home/ada", .reserved("/home"))), ("device", .device("/dev/sda")),
        ("unknownLayer", .unknownLayer("landlok", suggestion: "landlock")),
        ("unknownLayer", .unknownLayer("firewall", suggestion: nil)),
        ("requiredLayer", .requiredLayer(.seccomp)),
        ("noFileIsolation", .noFileIsolation), ("invalidRuleID", .invalidRuleID("DR1")),
        ("invalidKernel", .invalidKernel("six")),
        ("unknownValue", .unknownValue("twice", known: ["any", "once"])),
        ("repeated", .repeated("openat")),
        ("unknownParent", .unknownParent("bse", suggestion: "base", known: ["base"])),
        ("unknownParent", .unknownParent("mine", suggestion: nil, known: ["base", "strict"])),
        ("extendsCycle", .extendsCycle(["mine", "yours", "mine"])),
      ]
  }

  var isInCatalog: Bool {
    switch self {
    case .notJSON, .wrongKind, .unknownKey, .missingKey, .emptyText, .invalidName, .unknownCall,
      .unknownGroup,
      .coreCall, .coreGroup, .coreArguments, .governedByExecute, .conditionalDenial, .conditionalGroup,
      .argumentIndex, .repeatedArgument, .valueTooWide, .unknownConstant, .valueOutsideMask, .invalidQuantity,
      .outOfRange, .path, .device, .unknownLayer, .requiredLayer, .noFileIsolation, .invalidRuleID,
      .invalidKernel,
      .unknownValue, .repeated, .unknownParent, .extendsCycle:
      true
    }
  }

  var catalogText: String {
    PolicyDiagnostic(origin: PolicyMessages.origin, keyPath: "syscalls.allow[0]", mistake: self).description
  }
}

extension PolicyDiagnostics: MessageSamples {
  static var catalogSamples: [(String, PolicyDiagnostics)] {
    let mistakes: [PolicyMistake] = [.emptyText, .argumentIndex(6)]
    return [
      (
        "",
        PolicyDiagnostics(
          mistakes.map { PolicyDiagnostic(origin: PolicyMessages.origin, keyPath: "", mistake: $0) }
        )
      )
    ]
  }
}

extension CoreArea: CaseSamples {
  var catalogText: String { "\(reason)" }
}

extension AnalysisError: CaseSamples {
  static var catalogSamples: [(String, AnalysisError)] {
    [
      ("tooManyNodes", .tooManyNodes(limit: 1_000_000)), ("tooManySteps", .tooManySteps(limit: 50_000_000)),
      ("tooManyStates", .tooManyStates(limit: 4096)), ("tooManyParts", .tooManyParts(limit: 10_000)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .tooManyNodes, .tooManySteps, .tooManyStates, .tooManyParts: true
    }
  }
}

extension FilterProgramError: CaseSamples {
  static var catalogSamples: [(String, FilterProgramError)] {
    [
      ("empty", .empty), ("partialInstruction", .partialInstruction(bytes: 12)),
      ("tooLong", .tooLong(instructions: 5000)),
      ("instruction", .instruction(FilterInstruction(code: 0x99, value: 0x10), at: 7)),
      ("jump", .jump(at: 7, to: 900)), ("unsetSlot", .unsetSlot(3, at: 7)), ("missingReturn", .missingReturn),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .empty, .partialInstruction, .tooLong, .instruction, .jump, .unsetSlot, .missingReturn: true
    }
  }
}

extension Verdict: CaseSamples {
  static var catalogSamples: [(String, Verdict)] {
    [
      ("killProcess", .killProcess), ("killThread", .killThread), ("trap", .trap(3)), ("errno", .errno(1)),
      ("errno", .errno(0)), ("notify", .notify), ("trace", .trace(7)), ("log", .log), ("allow", .allow),
      ("unknown", .unknown(0x1234)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .killProcess, .killThread, .trap, .errno, .notify, .trace, .log, .allow, .unknown: true
    }
  }
}

extension InvariantMistake: CaseSamples {
  static var catalogedErrors: [Any.Type] { [InvariantError.self] }

  static var catalogSamples: [(String, InvariantMistake)] {
    [
      ("notJSON", .notJSON("unexpected end")),
      ("wrongKind", .wrongKind(key: "calls", expected: "an array", found: "a string")),
      ("unknownKey", .unknownKey("cals", known: ["calls", "name"])), ("missingKey", .missingKey("name")),
      ("unknownCall", .unknownCall("opnat")),
      ("unknownArchitecture", .unknownArchitecture("vax", known: ["x86_64"])),
      ("argumentIndex", .argumentIndex(6)), ("value", .value("many")),
      ("valueOutsideMask", .valueOutsideMask(value: 0x11, mask: 0x10)), ("repeated", .repeated("no-network")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .notJSON, .wrongKind, .unknownKey, .missingKey, .unknownCall, .unknownArchitecture, .argumentIndex,
      .value,
      .valueOutsideMask, .repeated:
      true
    }
  }

  var catalogText: String { InvariantError(origin: PolicyMessages.origin, mistake: self).description }
}

extension CertificateError: CaseSamples {
  static var catalogSamples: [(String, CertificateError)] {
    [("unproved", .unproved("no-network", instruction: 41)), ("tooLarge", .tooLarge)]
  }

  var isInCatalog: Bool {
    switch self {
    case .unproved, .tooLarge: true
    }
  }
}

extension FilterProof.Finding: CaseSamples {
  static var catalogSamples: [(String, FilterProof.Finding)] {
    [
      ("proved", .proved), ("refuted", PolicyMessages.claim.finding),
      ("undecided", .undecided(.tooManyNodes(limit: 1_000_000))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .proved, .refuted, .undecided: true
    }
  }

  var catalogText: String {
    FilterProof.Claim(subject: PolicyMessages.claim.subject, finding: self).description
  }
}
