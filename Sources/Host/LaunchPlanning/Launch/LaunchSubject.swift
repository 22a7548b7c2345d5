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

  /// Returns the arguments, the program's own name first, if the session executes the program by a path.
  package func words(at path: String) -> [String] { [program.ownName(at: path)] + arguments }

  /// A program: where the host has it, by which path a session executes it, and with which name.
  package enum Program: Sendable, Hashable {
    /// A file in a bundle, which appears whole as `/extension`.
    case bundled(directory: String, executable: String)
    /// A single file, which appears in `/extension` under the last name of its absolute path. The path can be a symbolic link.
    case file(String)
    /// A program at a path of the host that the session is shown. The path is absolute and can have symbolic links.
    /// `name` is the name that `PATH` was searched for, or `nil` if the user typed a path.
    case shown(String, as: String? = nil)

    /// The directory of the bundle that it is in; nil: it is in none.
    package var bundle: String? {
      if case .bundled(let directory, _) = self { directory } else { nil }
    }

    /// The path by which the host has the program. A symbolic link in it stays.
    package var hostPath: String {
      switch self {
      case .bundled(let directory, let executable): "\(directory)/\(executable)"
      case .file(let path), .shown(let path, _): path
      }
    }

    /// The path by which a session with a root of its own executes the program.
    package var insidePath: String {
      switch self {
      case .bundled(_, let executable): "/extension/\(executable)"
      case .file(let path): "/extension/" + (path.split(separator: "/").last.map(String.init) ?? "program")
      case .shown(let path, _): path
      }
    }

    /// The program's name for itself, `argv[0]`, if it is executed by a path: the name that `PATH` was searched for, as a shell passes
    /// it, and otherwise the path. A relative path would mean another file, because a session begins in another directory.
    func ownName(at path: String) -> String {
      if case .shown(_, let name?) = self { name } else { path }
    }
  }
}
