// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
package import PolicyProof
package import SandboxEnforcement
package import SandboxPolicy

/// A reason why a launch could not be planned. No process was started.
package enum PlanError: Error, Sendable, Hashable, CustomStringConvertible {
  /// A path that the policy requires does not exist.
  case missingPath(String)
  /// The user tries to show a path that extensions must not see.
  case forbiddenPath(String, reason: ForbiddenPath)
  /// A path cannot be inspected.
  case path(SystemCallError)
  /// The policy's filter cannot be compiled.
  case filter(SeccompError)
  /// The compiled filter could not be proved to implement the policy and to keep every invariant.
  case unproved(policy: String, failures: [FilterProof.Claim])
  /// The compiled filter cannot be analyzed.
  case unprovable(FilterInspectionError)
  /// A layer that the policy requires is unavailable on this machine.
  case missingLayer(Layer)
  /// A limit of the policy is above the hard limit of this process.
  case limitAboveHost(LimitName, wanted: UInt64, maximum: UInt64)
  /// The session needs restricted mode, which is unavailable.
  case restrictedModeUnavailable(RestrictedMode.Refusal)
  /// The session needs restricted mode, in which learning is unavailable.
  case learningUnavailable
  /// A standard stream of the extension (0 to 2) is a directory or an `O_PATH` descriptor.
  case notAStream(Int)
  /// A descriptor of the extension, by its number there, is a socket of the host.
  case socket(Int)
  /// The variable is reserved for the host.
  case reservedVariable(String)
  /// The program does not exist. A name was searched for in the directories of `path`.
  case programNotFound(String, path: [String])
  /// The program exists but cannot run in the session.
  case program(ProgramFault)
  /// The program is not an executable file.
  case notExecutable(String)
  /// The processes of the session lack permission to execute the program.
  case unreachable(program: String, ShownPathDenial)

  /// A reason why a path must not be shown.
  package enum ForbiddenPath: Sendable, Hashable {
    /// The path is not absolute, or contains `.` or `..`.
    case notNormalized
    /// The path contains the state root, or is in it.
    case stateRoot
    /// The path is reserved for the sandbox.
    case reserved
  }

  /// A sentence with the fix.
  package var description: String {
    switch self {
    case .missingPath(let path):
      "the policy shows \(path), which does not exist on this machine; install it, or mark it optional in the policy"
    case .forbiddenPath(let path, .notNormalized):
      "\(path) cannot be shown; use an absolute path without . and .."
    case .forbiddenPath(let path, .stateRoot):
      "\(path) cannot be shown: it contains the state root with the containers of all apps, or is in the state root"
    case .forbiddenPath(let path, .reserved):
      "\(path) cannot be shown: the path is reserved for the sandbox; show a copy elsewhere, for example below /srv"
    case .path(let error): "\(error)"
    case .filter(let error): "the policy cannot be enforced: \(error)"
    case .unproved(let policy, let failures): Self.unproved(policy, failures)
    case .unprovable(let error): "\(error); report this bug of Darkroom or libseccomp"
    case .missingLayer(let layer) where Layer.optional.contains(layer):
      "\(Self.missing(layer)), or write \"bestEffort\": [\"\(layer.rawValue)\"] in your own policy"
    case .missingLayer(let layer): Self.missing(layer)
    case .limitAboveHost(let name, let wanted, let most):
      "the policy's limit '\(name.rawValue)' is \(wanted), but the hard limit of this process is \(most); raise it "
        + "where the host is started (ulimit -H, limits.conf, or systemd's Limit…=), or write \"limits\": "
        + "{\"\(name.rawValue)\": \(most)} in your own policy"
    case .restrictedModeUnavailable(let refusal): refusal.description
    case .learningUnavailable:
      "learning requires user namespaces, which this user cannot create: calls that the open filter allows would reach "
        + "the user's other processes and files; allow user namespaces (see 'darkroom doctor')"
    case .socket(let number):
      "\(Self.stream(number)) is a socket that is unconnected, listening or for datagrams, which is never passed to an "
        + "extension; use a pipe, a file, a terminal or a connected stream socket"
    case .notAStream(let number):
      "\(Self.stream(number)) is a directory or was opened with O_PATH, through which the extension could leave its "
        + "root; use a file, a pipe or /dev/null"
    case .reservedVariable(let name): "the variable \(name) is reserved for the host and cannot be set"
    case .programNotFound(let name, let directories): Self.notFound(name, directories)
    case .program(let fault): "\(fault)"
    case .unreachable(let program, let denial):
      denial.path == program ? "\(denial)" : "\(program) cannot be executed: \(denial)"
    case .notExecutable(let path):
      "\(path) is not an executable file; run 'chmod +x \(path)', or use another file"
    }
  }

  /// Returns a sentence about a required layer that is unavailable.
  private static func missing(_ layer: Layer) -> String {
    "the policy requires the layer '\(layer.rawValue)', which is unavailable on this machine; see 'darkroom doctor'"
  }

  /// Returns the name of one of the extension's descriptors.
  private static func stream(_ number: Int) -> String {
    let names = ["standard input", "standard output", "standard error"]
    return names.indices.contains(number) ? names[number] : "descriptor \(number)"
  }

  /// Returns a sentence about a program that does not exist. Only a name without a slash was searched for.
  private static func notFound(_ name: String, _ directories: [String]) -> String {
    if name.utf8.contains(UInt8(ascii: "/")) { return "\(name): \(Errno.noSuchFile)" }
    let places = directories.isEmpty ? "a directory of PATH" : directories.joined(separator: " or ")
    let subject = name.isEmpty ? "''" : name
    return "\(subject): program not found; use a path, or the name of a program in \(places)"
  }

  /// Returns a sentence about a filter with a refuted claim, or about a policy that cannot be decided.
  private static func unproved(_ policy: String, _ failures: [FilterProof.Claim]) -> String {
    let refuted = failures.filter { !$0.isUndecided }
    guard refuted.isEmpty else {
      return "the compiled filter of the policy \(policy) is not loaded: "
        + refuted.map(\.description).joined(separator: "; ")
        + "; report this bug of Darkroom or libseccomp, with the output of 'darkroom policy verify'"
    }
    let reason = failures.first.flatMap(\.finding.failure) ?? "not proved"
    return
      "the compiled filter of the policy \(policy) is not loaded, because it cannot be analyzed: \(reason)"
  }
}
