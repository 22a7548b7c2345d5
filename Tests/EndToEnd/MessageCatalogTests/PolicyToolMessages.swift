// SPDX-License-Identifier: Apache-2.0

@testable import FilterAnalysis
@testable import PolicyExplanation
@testable import PolicyInterchange
@testable import PolicyLearning
@testable import PolicyLint
@testable import Refusals
@testable import SandboxPolicy
@testable import SystemCalls

/// The types of the floor Policy that belong to the tools for policies, and to refusals.
enum PolicyToolMessages {
  static var types: [any MessageSamples.Type] {
    [
      RuleDescription.self, Refusal.self, CallExplanation.Disagreement.self,
      LearningProfileError.self, InterchangeError.Mistake.self, InterchangeLoss.Kind.self,
      InterchangeLoss.Consequence.self, ProfileCompilationError.self, PolicyImport.Failure.self,
      MinijailSizeError.self, PolicyExport.Failure.self,
    ]
  }

  /// A small policy: the positions of its lines do not change with the shipped policies.
  static let policy: ResolvedPolicy? = {
    let text = """
      {
        "name": "mine",
        "description": "A sample",
        "execute": "once",
        "syscalls": {
          "allow": ["read", {"call": "prctl", "arguments": [{"index": 0, "equals": "PR_SET_NAME"}]}],
          "deny": ["kill"]
        }
      }
      """
    return try? PolicyLibrary(texts: [("mine.json", Array(text.utf8))]).policy(named: "mine")
  }()
}

extension RuleDescription: MessageSamples {
  static var catalogSamples: [(String, RuleDescription)] { PolicyRules.descriptions.map { ($0.id, $0) } }
  var catalogText: String { "\(name): \(summary) | \(justification) | \(remediation)" }
}

extension Refusal: MessageSamples {
  static var catalogedCases: Any.Type? { RefusalOrigin.self }

  static var catalogSamples: [(String, Refusal)] {
    guard let policy = PolicyToolMessages.policy else { return [] }
    let numbers = SystemCallTable.native.numbers
    let calls: [(Int?, [UInt64])] = [
      (numbers["bpf"], [5, 0, 0]), (numbers["kill"], [1, 9]), (numbers["prctl"], [15, 1]),
      (numbers["prctl"], [1, 0x5961_6D61]), (numbers["mincore"], [0, 4096, 0]),
      (numbers["execve"], [0, 0, 0]),
      (99_999, []), (numbers["read"], [3, 0, 512]),
    ]
    return calls.compactMap { number, arguments in
      let call = number.map {
        DeniedCall(number: $0, arguments: arguments, thread: 4711, program: "python3", at: 0)
      }
      return call.map { Refusal($0, policy: policy) }.map { ($0.caseName, $0) }
    }
  }

  var catalogText: String { sentence }

  private var caseName: String {
    switch origin {
    case .core: "core"
    case .denied: "denied"
    case .otherArguments: "otherArguments"
    case .unlisted: "unlisted"
    case .execution: "execution"
    case .unknown: "unknown"
    case .elsewhere: "elsewhere"
    }
  }
}

extension CallExplanation.Disagreement: MessageSamples {
  static var catalogSamples: [(String, CallExplanation.Disagreement)] {
    let call = PolicyMessages.call
    return [
      ("", .init(input: call, explained: .allowed, compiled: .errno(1))),
      ("", .init(input: call, explained: nil, compiled: .allow)),
    ]
  }
}

extension LearningProfileError: CaseSamples {
  static var catalogSamples: [(String, LearningProfileError)] {
    [("version", .version("7")), ("member", .member("runs"))]
  }

  var isInCatalog: Bool {
    switch self {
    case .version, .member: true
    }
  }
}

extension InterchangeError.Mistake: CaseSamples {
  static var catalogedErrors: [Any.Type] { [InterchangeError.self] }

  static var catalogSamples: [(String, Self)] {
    [
      ("notJSON", .notJSON("unexpected end")), ("notUTF8", .notUTF8),
      ("wrongKind", .wrongKind(member: "names", expected: "an array", found: "a string")),
      ("missing", .missing("\"defaultAction\"")),
      ("conflictingMembers", .conflictingMembers("arch", "archMap")),
      ("unknownKeyword", .unknownKeyword("alow", kind: "action")), ("invalidNumber", .invalidNumber("12x")),
      ("invalidArgument", .invalidArgument("6")), ("expected", .expected("a call", found: "';'")),
      ("invalidProgram", .invalidProgram("the program is empty")),
      ("unknownAction", .unknownAction("SCMP_ACT_ALOW")),
      ("includedFile", .includedFile("/etc/extra.policy", "this is not UTF-8 text")),
      ("conflictingRules", .conflictingRules("clone", library: "libseccomp 2.5.5")),
      ("libraryFailure", .libraryFailure("libseccomp 2.5.5", "Invalid argument (EINVAL)")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .notJSON, .notUTF8, .wrongKind, .missing, .conflictingMembers, .unknownKeyword, .invalidNumber,
      .invalidArgument, .expected, .invalidProgram, .unknownAction, .includedFile, .conflictingRules,
      .libraryFailure:
      true
    }
  }

  var catalogText: String { InterchangeError(PolicyMessages.origin.position, self).description }
}

extension InterchangeLoss.Kind: CaseSamples {
  static var catalogSamples: [(String, Self)] {
    [
      ("unknownMember", .unknownMember("flags")), ("unknownNames", .unknownNames(["opnat", "frobnicate"])),
      ("repeatedArgument", .repeatedArgument(1)),
      ("overlappingActions", .overlappingActions(["clone", "socket"])),
      (
        "mergedRules",
        .mergedRules(call: "socket", first: .allow, merged: .errno(1), library: "libseccomp 2.5.5")
      ),
      ("unmergedRules", .unmergedRules(["map_shadow_stack"], library: "libseccomp 2.5.5")),
      ("condition", .condition("on Linux 4.8 and newer", isAssumed: true)),
      ("condition", .condition("with CAP_SYS_ADMIN", isAssumed: false)),
      ("unknownArchitecture", .unknownArchitecture("vax")),
      ("otherArchitectures", .otherArchitectures(["i386", "x32"])), ("unknownNumbers", .unknownNumbers),
      ("core", .core("bpf", reason: CoreArea.kernelPrograms.reason)),
      ("execution", .execution("execve is allowed by \"execute\"")),
      ("difference", .difference(call: "socket", example: "socket(AF_INET, SOCK_STREAM, 0)")),
      ("supervised", .supervised(call: "mount", example: "mount(…)")),
      ("upperHalf", .upperHalf(call: "ioctl", argument: 1)),
      ("differentAnswers", .differentAnswers("ENOSYS instead of EPERM")),
      ("outsideFilter", .outsideFilter("the file has no limits")),
      ("ambiguous", .ambiguous("'|' has two meanings")),
      ("unreadableInclude", .unreadableInclude("/etc/extra.policy")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .unknownMember, .unknownNames, .repeatedArgument, .overlappingActions, .mergedRules, .unmergedRules,
      .condition, .unknownArchitecture, .otherArchitectures, .unknownNumbers, .core, .execution, .difference,
      .supervised, .upperHalf, .differentAnswers, .outsideFilter, .ambiguous, .unreadableInclude:
      true
    }
  }
}

extension InterchangeLoss.Consequence: CaseSamples {
  var catalogText: String { text }
}

extension ProfileCompilationError: CaseSamples {
  static var catalogSamples: [(String, ProfileCompilationError)] {
    [
      ("program", .program(.missingReturn)), ("analysis", .analysis(.tooManyNodes(limit: 1_000_000))),
      ("different", .different(PolicyMessages.call)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .program, .analysis, .different: true
    }
  }
}

extension PolicyImport.Failure: CaseSamples {
  static var catalogSamples: [(String, PolicyImport.Failure)] {
    let mistake = PolicyDiagnostic(
      origin: PolicyMessages.origin,
      keyPath: "name",
      mistake: .invalidName("My Policy")
    )
    return [
      ("analysis", .analysis(.tooManyParts(limit: 10_000))),
      ("document", .document(PolicyDiagnostics([mistake]))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .analysis, .document: true
    }
  }
}

extension MinijailSizeError: MessageSamples {
  static var catalogSamples: [(String, MinijailSizeError)] { [("", .init(instructions: 9000, labels: 300))] }
}

extension PolicyExport.Failure: CaseSamples {
  static var catalogSamples: [(String, PolicyExport.Failure)] {
    [
      ("analysis", .analysis(.tooManyNodes(limit: 1_000_000))),
      ("tooLong", .tooLong(MinijailSizeError(instructions: 9000, labels: 300))),
      ("unreadable", .unreadable(InterchangeError(nil, .notUTF8))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .analysis, .tooLong, .unreadable: true
    }
  }
}
