// SPDX-License-Identifier: Apache-2.0

import CSandboxEntry

@testable import LinuxPrimitives
@testable import SandboxEnforcement
@testable import SandboxLaunch
@testable import SandboxPolicy

/// The types of the floor Sandbox that produce messages.
enum SandboxMessages {
  static var types: [any MessageSamples.Type] {
    [SeccompError.self, ControlGroupFault.self, LaunchFailure.self, SandboxLaunchError.self]
  }

  static let plan = LaunchPlan(
    identity: .caller,
    isolation: .init(namespaces: .all, hostname: "darkroom"),
    files: .init([.directory("usr"), .bind(source: "/usr", target: "usr", [.readOnly])]),
    descriptors: [0, 1, 2],
    limits: .init([.init(.descriptors, 256)]),
    restrictions: .init(landlock: nil, filter: [], refusals: .silent, lastCapability: 40),
    program: .init("/extension/Capture", ["Capture"], environment: [], workingDirectory: "/session")
  )

  /// Returns the failure of a step. The index selects the second item of the root, or a descriptor.
  static func failure(_ step: LaunchStep, _ errno: Errno) -> LaunchFailure {
    LaunchFailure(step: step, errno: errno, index: step == .setLimit ? 0 : 1, plan: plan)
  }
}

extension SeccompError: CaseSamples {
  static var catalogSamples: [(String, SeccompError)] {
    let rule = SyscallRule(call: "ioctl", origin: PolicyMessages.origin)
    return [
      ("library", .library(function: .addRule, errno: .invalidArgument)),
      ("rule", .rule(rule, errno: .invalidArgument)),
      ("core", .core(SyscallRule(call: "bpf", origin: PolicyMessages.origin), .kernelPrograms)),
      ("export", .export(SystemMessages.exhausted)), ("tooLong", .tooLong(instructions: 5000)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .library, .rule, .core, .export, .tooLong: true
    }
  }
}

extension ControlGroupFault: CaseSamples {
  static var catalogSamples: [(String, ControlGroupFault)] {
    let path = "/sys/fs/cgroup/user.slice"
    return [
      ("noHierarchy", .noHierarchy), ("outsideHierarchy", .outsideHierarchy),
      ("notAGroup", .notAGroup(path: "/tmp")),
      ("notDelegated", .notDelegated(path: path)), ("shared", .shared(path: path)),
      ("noController", .noController(path: path, missing: "pids")),
      ("system", .system(SystemMessages.denied)),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .noHierarchy, .outsideHierarchy, .notAGroup, .notDelegated, .shared, .noController, .system: true
    }
  }

  var catalogText: String { "\(self); \(fix)" }
}

extension LaunchFailure: MessageSamples {
  static var catalogSamples: [(String, LaunchFailure)] {
    let steps = (LaunchStep.none.rawValue...LaunchStep.awaitPermission.rawValue).compactMap(LaunchStep.init)
    let others: [(LaunchStep, Errno)] = [
      (.cloneSession, .noSpace), (.unshareUser, .noSpace), (.executeExtension, .noSuchFile),
      (.executeExtension, .permissionDenied), (.executeExtension, Errno(rawValue: 8)),
      (.installFilter, .busy), (.installFilter, .notSupported), (.restrictSelf, .notSupported),
      (.sendListener, .noSuchProcess), (.buildRoot, .noSuchFile), (.createRuleset, .notImplemented),
    ]
    return (steps.map { ($0, .notPermitted) } + others).map { ($0.name, SandboxMessages.failure($0, $1)) }
  }
}

extension SandboxLaunchError: CaseSamples {
  static var catalogSamples: [(String, SandboxLaunchError)] {
    [
      ("host", .host(SystemMessages.exhausted)),
      ("child", .child(SandboxMessages.failure(.executeExtension, .noSuchFile))),
    ]
  }

  var isInCatalog: Bool {
    switch self {
    case .host, .child: true
    }
  }
}
