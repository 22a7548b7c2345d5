// SPDX-License-Identifier: Apache-2.0

import SandboxPolicy

@testable import FilterAnalysis
@testable import LaunchPlanning
@testable import LinuxPrimitives
@testable import PolicyInterchange
@testable import PolicyTrials
@testable import SandboxAudit
@testable import SandboxEnforcement
@testable import SessionStore

/// The types of the module SandboxAudit that produce messages.
enum AuditMessages {
  static var types: [any MessageSamples.Type] {
    [
      AuditEvidenceError.self, AuditKeyError.self, FilterSourceError.self, CombinedPolicy.Failure.self,
      GitFileHistory.Fault.self,
    ]
  }
}

extension AuditEvidenceError: CaseSamples {
  static var catalogSamples: [(String, AuditEvidenceError)] {
    [
      ("policy", .policy(.unknown("captur", shipped: ["base", "capture"]))), ("store", .store(.noStateRoot)),
      ("digests", .digests(extension: "org.example.notes.capture", SystemMessages.denied.description)),
      ("bundle", .bundle(SystemMessages.denied.description)),
      ("notExamined", .notExamined(policy: "capture")),
      ("filter", .filter("the program is empty")), ("attack", .attack(.noList("darkroom-probe"))),
      ("peers", .peers("the program is empty")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .policy, .store, .digests, .bundle, .notExamined, .filter, .attack, .peers: true
    }
  }
}

extension AuditKeyError: CaseSamples {
  static var catalogSamples: [(String, AuditKeyError)] {
    [
      ("unreadable", .unreadable(SystemMessages.denied)), ("notPrivateKey", .notPrivateKey("key.pem")),
      ("notWritten", .notWritten(SystemCallError("openat2", path: "key.pem", errno: Errno(rawValue: 17)))),
      ("library", .library(SystemMessages.exhausted)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .unreadable, .notPrivateKey, .notWritten, .library: true
    }
  }
}

extension FilterSourceError: CaseSamples {
  static var catalogSamples: [(String, FilterSourceError)] {
    let (file, library) = ("filter.bpf", "libseccomp 2.5.5")
    return [
      ("notProcessID", .notProcessID("12x")), ("notStack", .notStack),
      ("policy", .policy(.unknown("captur", shipped: ["base", "capture"]))),
      ("unreadable", .unreadable(file: file, SystemMessages.notFound)),
      ("tooLarge", .tooLarge(file: file, limit: 1 << 20)),
      ("profile", .profile(file: "docker.json", InterchangeError(nil, .notUTF8))),
      ("notFilter", .notFilter(file: file, .missingReturn)),
      ("process", .process(4711, .noProcess)),
      ("processFilter", .processFilter(4711, FilterProgramError.missingReturn)),
      ("compiler", .compiler(.tooLong(instructions: 5000))),
      ("notEqual", .notEqual(AnalysisError.tooManyNodes(limit: 1_000_000))),
      ("rules", .rules(ProfileCompilationError.program(.missingReturn))),
      ("conflict", .conflict(library: library, call: "clone")),
      ("library", .library(library, reason: "Invalid argument (EINVAL)")),
      ("machine", .machine(FilterProgramError.empty)),
      ("analysis", .analysis(name: "capture", AnalysisError.tooManyNodes(limit: 1_000_000))),
      ("comparison", .comparison(.tooManyNodes(limit: 1_000_000))),
      ("notSingleProgram", .notSingleProgram(kind: "stack", count: 2)),
      ("noCertificate", .noCertificate(FilterProgramError.empty)),
      ("notWritten", .notWritten(.noReader("/tmp/certificate"))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .notProcessID, .notStack, .policy, .unreadable, .tooLarge, .profile, .notFilter, .process,
      .processFilter,
      .compiler, .notEqual, .rules, .conflict, .library, .machine, .analysis, .comparison, .notSingleProgram,
      .noCertificate, .notWritten:
      true
    }
  }
}

extension CombinedPolicy.Failure: CaseSamples {
  static var catalogSamples: [(String, Self)] {
    [
      ("notExpressible", .notExpressible(.union, .unknown("captur", shipped: ["base", "capture"]))),
      ("filter", .filter(.compiler(.tooLong(instructions: 5000)))),
      ("notEqual", .notEqual(.intersection, call: "flock()")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .notExpressible, .filter, .notEqual: true
    }
  }
}

extension GitFileHistory.Fault: CaseSamples {
  static var catalogSamples: [(String, Self)] {
    [
      ("noGit", .noGit), ("noRepository", .noRepository), ("unanswered", .unanswered),
      ("system", .system(SystemMessages.exhausted)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .noGit, .noRepository, .unanswered, .system: true
    }
  }
}
