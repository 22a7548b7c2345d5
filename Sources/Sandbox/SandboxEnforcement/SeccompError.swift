// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
package import SandboxPolicy

/// Why a policy could not be compiled to a filter.
package enum SeccompError: Error, Sendable, Hashable {
  /// libseccomp would not make or set up a filter; the call of the library and its reason.
  case library(function: LibraryFunction, errno: Errno)
  /// libseccomp would not take a rule.
  case rule(SyscallRule, errno: Errno)
  /// The rule takes away a part of the core, which no policy can.
  case core(SyscallRule, CoreArea)
  /// The compiled program could not be read back.
  case export(SystemCallError)
  /// The program has more instructions than the kernel accepts.
  case tooLong(instructions: Int)

  /// A function of libseccomp.
  package enum LibraryFunction: String, Sendable {
    /// Makes an empty filter.
    case initialize = "seccomp_init"
    /// Sets an attribute.
    case setAttribute = "seccomp_attr_set"
    /// Adds an architecture.
    case addArchitecture = "seccomp_arch_add"
    /// Adds a rule.
    case addRule = "seccomp_rule_add_array"
    /// Writes the program.
    case export = "seccomp_export_bpf"
  }
}

extension SeccompError: CustomStringConvertible {
  /// A sentence with the place in the policy where there is one, and what to do.
  package var description: String {
    switch self {
    case .library(let function, let errno):
      "\(function.rawValue): \(errno); check that libseccomp 2.5.4 or newer is installed"
    case .rule(let rule, let errno):
      "\(rule.origin): libseccomp refuses the rule for \(rule.call): \(errno); simplify its argument rules"
    case .core(let rule, let area):
      "\(rule.origin): \(rule.call) cannot be allowed: \(area.reason); remove it from the policy"
    case .export(let error):
      "the compiled filter could not be read back: \(error); check the limits of this process"
    case .tooLong(let instructions):
      "the filter has \(instructions) instructions and the kernel takes \(SeccompFilter.longest); "
        + "use fewer argument rules"
    }
  }
}
