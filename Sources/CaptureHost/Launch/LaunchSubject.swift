// SPDX-License-Identifier: Apache-2.0

package import SandboxLaunch
package import SandboxPolicy

/// What is to run, seen from outside: which program, under which policy, with what in its hands.
package struct LaunchSubject: Sendable {
  /// The program: where it lies on the host, and where it appears in the sandbox.
  package var program: Program
  /// Its arguments, without its name.
  package var arguments: [String]
  /// Variables that it asked for, or that a person gave it; they may not replace the host's own.
  package var environment: [LaunchPlan.EnvironmentVariable]
  /// The policy.
  package var policy: ResolvedPolicy
  /// More paths of the host that a person showed it, read-only.
  package var readOnly: [String]

  /// Makes a subject.
  package init(
    program: Program,
    arguments: [String],
    environment: [LaunchPlan.EnvironmentVariable],
    policy: ResolvedPolicy,
    readOnly: [String] = []
  ) {
    self.program = program
    self.arguments = arguments
    self.environment = environment
    self.policy = policy
    self.readOnly = readOnly
  }

  /// Where a program comes from.
  package enum Program: Sendable, Hashable {
    /// A file in a bundle, which appears whole as `/extension`.
    case bundled(directory: String, executable: String)
    /// A single file, which appears in `/extension` under its own name.
    case file(String)
    /// A program that the policy shows anyway, by its path.
    case shown(String)

    /// The directory of the bundle that it is in; nil: it is in none.
    var bundle: String? {
      if case .bundled(let directory, _) = self { directory } else { nil }
    }

    /// The program by its true name.
    package var truePath: String {
      switch self {
      case .bundled(let directory, let executable): "\(directory)/\(executable)"
      case .file(let path), .shown(let path): path
      }
    }

    /// The program as the extension sees it in a root of its own.
    package var insidePath: String {
      switch self {
      case .bundled(_, let executable): "/extension/\(executable)"
      case .file(let path): "/extension/" + (path.split(separator: "/").last.map(String.init) ?? "program")
      case .shown(let path): path
      }
    }
  }
}
