// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
package import SandboxPolicy

/// The reason why a policy could not be compiled to a filter.
package enum SeccompError: Error, Sendable, Hashable {
  /// libseccomp could not create or configure a filter.
  case library(function: LibraryFunction, errno: Errno)
  /// libseccomp rejected a rule.
  case rule(SyscallRule, errno: Errno)
  /// The rule allows a call that the policy core denies, which no policy can allow.
  case core(SyscallRule, CoreArea)
  /// The compiled program could not be read back.
  case export(SystemCallError)
  /// The program has more instructions than the kernel accepts.
  case tooLong(instructions: Int)

  /// A function of libseccomp.
  package enum LibraryFunction: String, Sendable {
    /// Creates an empty filter.
    case initialize = "seccomp_init"
    /// Sets an attribute of a filter.
    case setAttribute = "seccomp_attr_set"
    /// Adds an architecture to a filter.
    case addArchitecture = "seccomp_arch_add"
    /// Adds a rule to a filter.
    case addRule = "seccomp_rule_add_array"
    /// Writes the program to a file.
    case export = "seccomp_export_bpf"
  }
}

extension SeccompError: CustomStringConvertible {
  /// The error with its position in the policy, if known, and the fix.
  package var description: String {
    switch self {
    case .library(let function, let errno):
      "\(function.rawValue): \(errno); install libseccomp 2.5.4 or newer"
    case .rule(let rule, let errno):
      "\(rule.origin): libseccomp refused the rule for \(rule.call): \(errno); simplify its argument rules"
    case .core(let rule, let area):
      "\(rule.origin): \"\(rule.call)\" can never be allowed: \(area.reason); remove \"\(rule.call)\""
    case .export(let error):
      "cannot read back the compiled filter: \(error); check the limits of this process"
    case .tooLong(let instructions):
      "the filter has \(instructions) instructions, but the kernel accepts at most "
        + "\(SeccompFilter.maximumInstructionCount); use fewer argument rules"
    }
  }
}
