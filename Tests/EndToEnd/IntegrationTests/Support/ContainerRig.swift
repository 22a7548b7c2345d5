// SPDX-License-Identifier: Apache-2.0

import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// A container with the default settings of a runtime and this machine's programs (Tests/Rigs/container.py).
struct ContainerRig: Sendable, CustomTestStringConvertible {
  /// The runtime whose default seccomp profile the container has.
  enum Runtime: String, CaseIterable {
    /// Docker: clone3(2) fails with ENOSYS, and no process can create namespaces.
    case docker
    /// Podman: processes can create namespaces, but not a new `/proc`, because parts of `/proc` are hidden.
    case podman

    /// The path of the profile.
    var profile: String {
      let sources = TestPrograms.package
      switch self {
      case .docker: return "\(sources)/Sources/Policy/PolicyInterchange/Peers/docker.json"
      case .podman:
        let installed = "/usr/share/containers/seccomp.json"
        let copy = "\(sources)/Tests/Policy/PolicyInterchangeTests/Fixtures/podman.json"
        return ((try? FileSystem.status(installed)) ?? nil) == nil ? copy : installed
      }
    }
  }

  /// The restrictions of the container in addition to the runtime's defaults.
  enum Hardening: String, CaseIterable {
    /// No additional restrictions.
    case standard
    /// A read-only root, no capabilities, and no_new_privs, as for Kubernetes' `readOnlyRootFilesystem` and the
    /// restricted Pod Security Standard.
    case hardened
  }

  let runtime: Runtime
  let user: TestUser
  let hardening: Hardening

  var testDescription: String { "\(runtime.rawValue), \(user.rawValue), \(hardening.rawValue)" }

  /// Every combination of runtime, user and hardening.
  static let all: [ContainerRig] = Runtime.allCases.flatMap { runtime in
    TestUser.allCases.flatMap { user in
      Hardening.allCases.map { ContainerRig(runtime: runtime, user: user, hardening: $0) }
    }
  }

  /// Whether containers can be created. Otherwise prints the reason.
  static let isAvailable: Bool = {
    let reason: String
    if !TestUser.hasRoot {
      reason = "only root can create containers with these settings"
    } else if !TestPrograms.has("crun", "python3") {
      return false
    } else if let fault = trialFault {
      reason = "crun cannot run a container on this machine: \(fault)"
    } else {
      return true
    }
    print("SKIP: sessions in containers: \(reason)")
    return false
  }()

  /// The error output of crun if it cannot run a container, or `nil`.
  private static var trialFault: String? {
    do {
      let home = try TestHome(.root)
      home.containerPrefix = ContainerRig(runtime: .docker, user: .root, hardening: .standard).prefix(home)
      let result = try home.start(["/usr/bin/true"]).end()
      return result.code == 0 ? nil : "exit code \(result.code), \(result.errors)"
    } catch { return "\(error)" }
  }

  /// Returns a test home whose commands run in the container, which is created with further options of the
  /// script.
  func home(_ options: [String] = []) throws -> TestHome {
    let home = try TestHome(user)
    home.containerPrefix = prefix(home, options)
    return home
  }

  private func prefix(_ home: TestHome, _ options: [String] = []) -> [String] {
    let script = "\(TestPrograms.package)/Tests/Rigs/container.py"
    let identity = user == .root ? 0 : TestUser.regularUserID
    let restrictions = hardening == .hardened ? ["--read-only", "--no-privileges"] : []
    let shared = [home.directory, home.programs.directory].flatMap { ["--share", $0] }
    return ["/usr/bin/python3", script, "--profile", runtime.profile, "--user", "\(identity)"] + restrictions
      + shared + options + ["--"]
  }
}
