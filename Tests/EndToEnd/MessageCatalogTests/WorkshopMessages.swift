// SPDX-License-Identifier: Apache-2.0

@testable import AppBundles
@testable import CaptureHost
@testable import Digests
@testable import ExtensionTemplates
@testable import HostDiagnosis
@testable import LaunchPlanning
@testable import LinuxPrimitives
@testable import PolicyLearning
@testable import PolicyTrials
@testable import SandboxEnforcement
@testable import SandboxLaunch
@testable import SessionSimulation
@testable import SessionStore

/// The types of the floor Workshop that produce messages, without those of SandboxAudit, and those of HostDiagnosis.
enum WorkshopMessages {
  static var types: [any MessageSamples.Type] {
    [
      ProjectNameError.self, NewProjectError.self, OptionalLibrary.self, AttackError.self,
      LearningFileError.self,
      ProposalComparisonError.self,
      ScriptError.Reason.self, SimulationError.self,
      ExtensionUnderTestError.self, TemporaryStateRootError.self,
    ]
  }
}

extension ProjectNameError: MessageSamples {
  static var catalogSamples: [(String, ProjectNameError)] {
    ["", "org..camera", "caméra", String(repeating: "a", count: 300)].compactMap { name in
      do throws(ProjectNameError) { _ = try ProjectName(name) } catch { return ("", error) }
      return nil
    }
  }
}

extension OptionalLibrary: CaseSamples {
  var catalogText: String {
    LibraryDiagnosis.findings(missing: [self]).map { finding in
      ([finding.detail] + finding.fixes.map(\.sentence)).joined(separator: " | ")
    }.joined(separator: " | ")
  }
}

extension AttackError: CaseSamples {
  static var catalogSamples: [(String, AttackError)] {
    let probe = "/usr/lib/darkroom/darkroom-probe"
    return [
      ("noProbe", .noProbe(["/usr/bin", "/usr/libexec/darkroom"])),
      ("unusable", .unusable(probe, SystemMessages.denied)),
      ("noList", .noList(probe)), ("decoys", .decoys(SystemMessages.denied.description)),
      ("plan", .plan(.missingPath("/opt/models"))), ("launch", .launch(.host(SystemMessages.exhausted))),
      ("system", .system(SystemMessages.exhausted)), ("interrupted", .interrupted(.interrupt)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .noProbe, .unusable, .noList, .decoys, .plan, .launch, .system, .interrupted: true
    }
  }
}

extension LearningFileError: CaseSamples {
  static var catalogSamples: [(String, LearningFileError)] {
    let path = "capture.profile.json"
    return [
      ("system", .system(SystemMessages.denied)), ("store", .store(.noStateRoot)),
      ("digest", .digest(.refused(call: "gcry_md_open"))), ("tooLarge", .tooLarge(path)),
      ("syntax", .syntax(path, "1:1: unexpected end")), ("fault", .fault(path, .version("9"))),
      ("otherBase", .otherBase(path, found: "base", wanted: "strict")),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .system, .store, .digest, .tooLarge, .syntax, .fault, .otherBase: true
    }
  }
}

extension ProposalComparisonError: CaseSamples {
  static var catalogSamples: [(String, ProposalComparisonError)] {
    [("filter", .filter(.tooLong(instructions: 5000))), ("tooLarge", .tooLarge)]
  }

  var isInCatalog: Bool {
    switch self {
    case .filter, .tooLarge: true
    }
  }
}

extension ScriptError.Reason: CaseSamples {
  static var catalogedErrors: [Any.Type] { [ScriptError.self] }

  static var catalogSamples: [(String, Self)] {
    [
      ("unknownVerb", .unknownVerb("pres")), ("unknownButton", .unknownButton("tertiary")),
      ("unknownOrientation", .unknownOrientation("sideways")), ("duration", .duration("soon")),
      ("unknownCondition", .unknownCondition("framess")), ("condition", .condition("frames")),
      ("unknownOutcome", .unknownOutcome("complete")),
      ("outcomeDetail", .outcomeDetail(kind: "violated", "disk")),
      ("unknownPermission", .unknownPermission("contacts")), ("coordinate", .coordinate("-1")),
      ("bytes", .bytes("12 MB")),
      ("number", .number("x", 1...9)),
      ("context", .context("1:1: unexpected end")), ("quotation", .quotation), ("lateGiven", .lateGiven),
      ("afterQuit", .afterQuit(verb: "press")), ("requiresSimulation", .requiresSimulation),
    ] + ScriptError.forms.keys.sorted().map { ("operands", .operands(verb: $0)) }
  }

  var isInCatalog: Bool {
    switch self {
    case .unknownVerb, .operands, .unknownButton, .unknownOrientation, .duration, .unknownCondition,
      .condition,
      .unknownOutcome, .outcomeDetail, .unknownPermission, .coordinate, .bytes, .number, .context, .quotation,
      .lateGiven, .afterQuit, .requiresSimulation:
      true
    }
  }

  var catalogText: String { ScriptError(place: .init(name: "shots.txt", line: 7), reason: self).description }
}

extension SimulationError: CaseSamples {
  static var catalogSamples: [(String, SimulationError)] {
    [
      ("given", .given(line: 2, "the app context has 5000 bytes")), ("launch", .launch(.store(.noStateRoot))),
      ("session", .session(.foregroundOccupied(nil))),
      ("script", .script(ScriptError(place: .init(name: "shots.txt", line: 7), reason: .quotation))),
      ("stopped", .stopped),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .given, .launch, .session, .script, .stopped: true
    }
  }
}

extension NewProjectError: CaseSamples {
  static var catalogSamples: [(String, NewProjectError)] {
    let path = "/home/ada/camera"
    return [
      ("exists", .exists(path, isDirectory: true)), ("exists", .exists(path, isDirectory: false)),
      ("parent", .parent(path, SystemMessages.notFound)), ("parent", .parent(path, SystemMessages.denied)),
      ("parent", .parent(path, SystemCallError("openat2", path: path, errno: .notADirectory))),
      ("notCreated", .notCreated(path, SystemMessages.denied)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .exists, .parent, .notCreated: true
    }
  }
}

extension ExtensionUnderTestError: CaseSamples {
  static var catalogSamples: [(String, ExtensionUnderTestError)] {
    let path = "/home/ada/camera"
    return [
      ("catalog", .catalog(.extensionNotInstalled(id: "captur", nearest: "capture"))),
      ("unreadable", .unreadable(SystemMessages.denied)), ("noManifest", .noManifest(path)),
      ("noApp", .noApp(path)),
      ("noExtension", .noExtension(path)),
      ("severalExtensions", .severalExtensions(path, ["org.example.a", "org.example.b"])),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .catalog, .unreadable, .noManifest, .noApp, .noExtension, .severalExtensions: true
    }
  }
}

extension TemporaryStateRootError: CaseSamples {
  static var catalogSamples: [(String, TemporaryStateRootError)] {
    [
      ("exists", .exists("/tmp/state")), ("notCreated", .notCreated(SystemMessages.denied)),
      ("store", .store(.noStateRoot)),
      ("catalog", .catalog(.systemCall(SystemMessages.denied))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .exists, .notCreated, .store, .catalog: true
    }
  }
}
