// SPDX-License-Identifier: Apache-2.0

import CSandboxEntry
import FilterAnalysis
import Glibc

@testable import AppBundles
@testable import Digests
@testable import LaunchPlanning
@testable import LinuxPrimitives
@testable import PolicyProof
@testable import SandboxEnforcement
@testable import SandboxLaunch
@testable import SandboxPolicy
@testable import SessionStore

/// The types of the module LaunchPlanning that produce messages.
enum LaunchMessages {
  static var types: [any MessageSamples.Type] {
    [
      PlanError.self, ProgramFault.self, RestrictedMode.Refusal.self, ShownPathDenial.self,
      FilterInspectionError.self, PolicyFindingError.self, AttestationError.self, AuditRequirementError.self,
      AuditedPartsError.self, BundleDigest.Fault.self, LaunchObstacle.self, Cause.self,
    ]
  }

  static let program = "/home/ada/bin/capture"
}

extension PlanError: CaseSamples {
  static var catalogSamples: [(String, PlanError)] {
    let (path, program) = ("/opt/models", LaunchMessages.program)
    let denial = ShownPathDenial.catalogSamples.map(\.1)[0]
    return [
      ("missingPath", .missingPath(path)),
      ("forbiddenPath", .forbiddenPath("/usr/../etc", reason: .notNormalized)),
      ("forbiddenPath", .forbiddenPath(StoreMessages.root, reason: .stateRoot)),
      ("forbiddenPath", .forbiddenPath("/session/x", reason: .reserved)),
      ("path", .path(SystemMessages.denied)),
      ("filter", .filter(.tooLong(instructions: 5000))),
      ("unproved", .unproved(policy: "mine", failures: [PolicyMessages.claim])),
      (
        "unproved",
        .unproved(
          policy: "mine",
          failures: [
            .init(subject: PolicyMessages.claim.subject, finding: .undecided(.tooManyNodes(limit: 1_000_000)))
          ]
        )
      ), ("unprovable", .unprovable(.program(.missingReturn))),
    ] + Layer.allCases.map { ("missingLayer", .missingLayer($0)) } + [
      ("limitAboveHost", .limitAboveHost(.descriptors, wanted: 4096, maximum: 1024)),
      ("limitAboveHost", .limitAboveHost(.addressSpace, wanted: 1 << 33, maximum: 1 << 32)),
      ("restrictedModeUnavailable", .restrictedModeUnavailable(.root)),
      ("learningUnavailable", .learningUnavailable),
      ("notAStream", .notAStream(1)), ("socket", .socket(2)),
      ("reservedVariable", .reservedVariable("LISTEN_FDS")),
      ("programNotFound", .programNotFound("capture", path: ["/usr/bin", "/bin"])),
      ("programNotFound", .programNotFound("./capture", path: [])),
      ("program", .program(.noInterpreter(script: program, line: "python3"))),
      ("notExecutable", .notExecutable(program)),
      ("unreachable", .unreachable(program: program, denial)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .missingPath, .forbiddenPath, .path, .filter, .unproved, .unprovable, .missingLayer, .limitAboveHost,
      .restrictedModeUnavailable, .learningUnavailable, .notAStream, .socket, .reservedVariable,
      .programNotFound,
      .program, .notExecutable, .unreachable:
      true
    }
  }
}

extension ProgramFault: CaseSamples {
  static var catalogSamples: [(String, ProgramFault)] {
    let (program, target) = (LaunchMessages.program, "/opt/capture/bin")
    return [
      ("danglingLink", .danglingLink(program: program, link: program, target: target, show: "/opt/capture")),
      (
        "danglingLink", .danglingLink(program: program, link: "/home/ada/bin", target: "/home/eve", show: nil)
      ),
      ("hidden", .hidden(.loader, of: program, path: "/opt/ld.so", show: "/opt")),
      ("hidden", .hidden(.interpreter, of: program, path: "/home/ada/python3", show: nil)),
      ("missing", .missing(.loader, of: program, path: "/lib/ld-musl-x86_64.so.1")),
      ("missing", .missing(.interpreter, of: program, path: "/usr/bin/ruby")),
      ("noInterpreter", .noInterpreter(script: program, line: "python3")),
      ("notInPath", .notInPath(script: program, name: "ruby", directories: ["/usr/bin", "/bin"])),
      ("scriptOnce", .scriptOnce(script: program, interpreter: "/bin/sh", policy: "strict")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .danglingLink, .hidden, .missing, .noInterpreter, .notInPath, .scriptOnce: true
    }
  }
}

extension RestrictedMode.Refusal: CaseSamples {
  static var catalogSamples: [(String, Self)] {
    [
      ("root", .root), ("landlock", .landlock(abi: 0, required: 3)),
      ("landlock", .landlock(abi: 1, required: 3)), ("landlock", .landlock(abi: 3, required: 4)),
      ("singleMechanism", .singleMechanism(DenialMechanisms.single(landlockABI: 3))),
      ("singleMechanism", .singleMechanism(DenialMechanisms.single(landlockABI: 4))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .root, .landlock, .singleMechanism: true
    }
  }
}

extension ShownPathDenial: MessageSamples {
  static var catalogSamples: [(String, ShownPathDenial)] {
    var status = FileStatus(stat())
    status.permissions = 0o700
    var directory = status
    directory.kind = .directory
    return [
      ("", ShownPathDenial("/opt/models", directory, .read, hasSessionUID: true)),
      ("", ShownPathDenial("/opt/models", directory, .execute, hasSessionUID: true)),
      ("", ShownPathDenial("/opt/models/tool", status, .read, hasSessionUID: false)),
      ("", ShownPathDenial("/opt/models/tool", status, .execute, hasSessionUID: true)),
    ]
  }
}

extension FilterInspectionError: CaseSamples {
  static var catalogSamples: [(String, FilterInspectionError)] {
    [
      ("program", .program(.missingReturn)),
      (
        "invariants", .invariants(InvariantError(origin: PolicyMessages.origin, mistake: .missingKey("name")))
      ),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .program, .invariants: true
    }
  }
}

extension PolicyFindingError: CaseSamples {
  static var catalogSamples: [(String, PolicyFindingError)] {
    let mistake = PolicyDiagnostic(
      origin: PolicyMessages.origin,
      keyPath: "name",
      mistake: .invalidName("My Policy")
    )
    return [
      ("unknown", .unknown("captur", shipped: ["base", "capture", "strict"])),
      ("unreadable", .unreadable(SystemMessages.notFound)),
      ("tooLarge", .tooLarge(path: "mine.json", limit: 1 << 20)),
      ("diagnostics", .diagnostics(PolicyDiagnostics([mistake]))),
      ("digest", .digest(.refused(call: "gcry_md_open"))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .unknown, .unreadable, .tooLarge, .diagnostics, .digest: true
    }
  }
}

extension AttestationError: CaseSamples {
  static var catalogSamples: [(String, AttestationError)] {
    [
      ("notJSON", .notJSON("unexpected end")), ("missing", .missing("payload")),
      ("wrongType", .wrongType("text/plain", expected: "application/vnd.in-toto+json")),
      ("wrongSignature", .wrongSignature),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .notJSON, .missing, .wrongType, .wrongSignature: true
    }
  }
}

extension AuditRequirementError: CaseSamples {
  static var catalogSamples: [(String, AuditRequirementError)] {
    let (id, path) = ("org.example.notes.capture", "/etc/darkroom/audit.json")
    let difference = AuditAttestation.Difference(part: .policy, attested: "abab", found: "0000")
    return [
      ("unreadable", .unreadable(SystemMessages.denied)), ("tooLarge", .tooLarge(path: path)),
      ("key", .key(path: "key.pem")),
      ("attestation", .attestation(path: path, .wrongSignature)),
      ("parts", .parts(id, .digest(.refused(call: "gcry_md_open")))),
      ("notAudited", .notAudited(id, path: path)), ("different", .different(id, difference, path: path)),
      ("administration", .administration(.missing(path: "/srv/managed.json", variable: "DARKROOM_MANAGED"))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .unreadable, .tooLarge, .key, .attestation, .parts, .notAudited, .different, .administration: true
    }
  }
}

extension AuditedPartsError: CaseSamples {
  static var catalogSamples: [(String, AuditedPartsError)] {
    [
      ("file", .file(.systemCall(SystemMessages.denied))),
      ("bundle", .bundle(.system(SystemMessages.denied))),
      ("filter", .filter(.tooLong(instructions: 5000))), ("digest", .digest(.refused(call: "gcry_md_open"))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .file, .bundle, .filter, .digest: true
    }
  }
}

extension BundleDigest.Fault: CaseSamples {
  static var catalogSamples: [(String, BundleDigest.Fault)] {
    [("system", .system(SystemMessages.denied)), ("digest", .digest(.refused(call: "gcry_md_open")))]
  }

  var isInCatalog: Bool {
    switch self {
    case .system, .digest: true
    }
  }
}

extension LaunchObstacle: CaseSamples {
  static var catalogSamples: [(String, LaunchObstacle)] {
    [
      ("plan", .plan(.missingPath("/opt/models"))),
      ("step", LaunchObstacle(.child(SandboxMessages.failure(.pivotRoot, .notPermitted)))),
      ("host", .host(SystemMessages.exhausted)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .plan, .step, .host: true
    }
  }

  var catalogText: String { sentence }
}
