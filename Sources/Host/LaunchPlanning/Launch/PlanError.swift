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
      "the policy shows \(path), which this machine does not have: mark it optional in the policy, or install it"
    case .forbiddenPath(let path, .notNormalized):
      "\(path) cannot be shown: give an absolute path without . and .."
    case .forbiddenPath(let path, .stateRoot):
      "\(path) cannot be shown: Darkroom's state, with the containers of all apps, lies in it or around it"
    case .forbiddenPath(let path, .reserved):
      "\(path) cannot be shown: the sandbox has its own; copy what is needed elsewhere, such as below /srv, and show that"
    case .path(let error): "\(error)"
    case .filter(let error): "the policy cannot be enforced: \(error)"
    case .unproved(let policy, let failures): Self.unproved(policy, failures)
    case .unprovable(let error): "\(error); this is a fault of Darkroom or of libseccomp: report it"
    case .missingLayer(let layer):
      "the layer '\(layer.rawValue)' is not to be had on this machine, and the policy requires it: see "
        + "'darkroom doctor', or name it under bestEffort in a policy of your own"
    case .limitAboveHost(let name, let wanted, let most):
      "the policy's limit '\(name.rawValue)' is \(wanted), but this process was started with a hard limit of \(most), "
        + "and nobody can give a session more: raise it where the host is started (ulimit -H, limits.conf, or "
        + "systemd's Limit…=), or write \"limits\": {\"\(name.rawValue)\": \(most)} in a policy of your own"
    case .restrictedModeUnavailable(let refusal): refusal.description
    case .learningUnavailable:
      "this user can make no user namespace, and a session without namespaces cannot be learned from: what its filter let through would reach this "
        + "user's other processes and files; learn where user namespaces are allowed, see 'darkroom doctor'"
    case .socket(let number):
      "\(Self.stream(number)) is a socket that is not connected, listens or carries datagrams, and an extension is never "
        + "passed one: connect it to a pipe, a file, a terminal or a stream socket"
    case .notAStream(let number):
      "\(Self.stream(number)) is a directory, or names a file without opening "
        + "it, and from there the extension could walk out of its root: give it a file, a pipe or /dev/null"
    case .reservedVariable(let name): "the variable \(name) is the host's own and cannot be set"
    case .programNotFound(let name, let directories):
      "there is no program \(name.isEmpty ? "without a name" : name): give a path, or the name of a program in "
        + (directories.isEmpty ? "a directory of PATH" : directories.joined(separator: ", "))
    case .program(let fault): "\(fault)"
    case .unreachable(let program, let denial):
      denial.path == program ? "\(denial)" : "\(program) cannot be executed: \(denial)"
    case .notExecutable(let path): "\(path) is not a file that can be executed: chmod +x it, or name another"
    }
  }

  /// Returns the name of one of the extension's descriptors.
  private static func stream(_ number: Int) -> String {
    let names = ["standard input", "standard output", "standard error"]
    return names.indices.contains(number) ? names[number] : "descriptor \(number)"
  }

  /// Returns a sentence about a filter with a refuted claim, or about a policy that cannot be decided.
  private static func unproved(_ policy: String, _ failures: [FilterProof.Claim]) -> String {
    let refuted = failures.filter { !$0.isUndecided }
    guard refuted.isEmpty else {
      return "the compiled filter of the policy \(policy) is not loaded: "
        + refuted.map(\.description).joined(separator: "; ")
        + "; 'darkroom policy verify' tells more, and this is a fault of Darkroom or of libseccomp: report it"
    }
    let reason = failures.first.flatMap(\.finding.failure) ?? "not proved"
    return
      "the compiled filter of the policy \(policy) is not loaded, because nothing can be known of it: \(reason)"
  }
}
