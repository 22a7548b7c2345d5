// SPDX-License-Identifier: Apache-2.0

package import SandboxLaunch
package import SandboxPolicy

/// A program to launch with its policy, arguments, environment and additional paths.
package struct LaunchTarget: Sendable {
  /// The program, and its path in the sandbox.
  package var program: Program
  /// The arguments without the program's name.
  package var arguments: [String]
  /// Environment variables that the extension requests or the user sets. They must not replace reserved
  /// variables.
  package var environment: [LaunchPlan.EnvironmentVariable]
  package var policy: ResolvedPolicy
  /// Additional host paths that the user shows, read-only.
  package var readOnly: [String]

  /// Creates a launch subject.
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

  /// Returns the argument vector, including `argv[0]`, for a program that is executed by a path.
  package func argumentVector(at path: String) -> [String] { [program.argumentZero(at: path)] + arguments }

  /// A program: its path on the host, its path in the sandbox, and its name.
  package enum Program: Sendable, Hashable {
    /// A file in a bundle. The whole bundle is visible as `/extension`.
    case bundled(directory: String, executable: String)
    /// A single file that is visible in `/extension` under the last component of its absolute path. The path
    /// may be a symbolic link.
    case file(String)
    /// A program at a host path that the session is shown. The path is absolute and may contain symbolic
    /// links. `name` is the name that was searched for in `PATH`, or `nil` if the user passed a path.
    case shown(String, as: String? = nil)

    /// The directory of the program's bundle, or `nil` if it is not in a bundle.
    package var bundle: String? {
      if case .bundled(let directory, _) = self { directory } else { nil }
    }

    /// The path of the program on the host. Symbolic links in the path are kept.
    package var hostPath: String {
      switch self {
      case .bundled(let directory, let executable): "\(directory)/\(executable)"
      case .file(let path), .shown(let path, _): path
      }
    }

    /// The path at which a session with its own root executes the program.
    package var sandboxPath: String {
      switch self {
      case .bundled(_, let executable): "/extension/\(executable)"
      case .file(let path): "/extension/" + (path.split(separator: "/").last.map(String.init) ?? "program")
      case .shown(let path, _): path
      }
    }

    /// Returns `argv[0]` for a program that is executed by a path.
    ///
    /// The name that was searched for in `PATH` is kept, as in a shell. Otherwise the result is the path: a
    /// relative path would name another file, because a session starts in another directory.
    func argumentZero(at path: String) -> String {
      if case .shown(_, let name?) = self { name } else { path }
    }
  }
}
