// SPDX-License-Identifier: Apache-2.0

internal import CSeccomp
internal import LinuxPrimitives

/// The rules of a foreign profile in libseccomp's form, in the order in which a container runtime adds them.
///
/// Actions are the values that a filter returns, and architectures are the tokens of libseccomp.
package struct LibseccompRules: Sendable {
  /// The action for calls without a rule.
  package var defaultAction: UInt32
  /// The architectures. The native one is always included.
  package var architectures: [UInt32]
  /// The action for calls of other architectures.
  package var otherArchitectures: UInt32
  /// The rules, in order.
  package var rules: [Rule] = []

  /// Creates a set without rules for some architectures.
  package init(defaultAction: UInt32, architectures: [UInt32], otherArchitectures: UInt32) {
    self.defaultAction = defaultAction
    self.architectures = architectures
    self.otherArchitectures = otherArchitectures
  }

  /// A rule about one call.
  package struct Rule: Sendable {
    /// The action of the rule, as a filter's return value.
    package var action: UInt32
    /// The name of the system call.
    package var call: String
    /// The comparisons, at most one for each argument.
    package var comparisons: [Comparison]

    /// Creates a rule.
    package init(_ action: UInt32, _ call: String, _ comparisons: [Comparison]) {
      self.action = action
      self.call = call
      self.comparisons = comparisons
    }
  }

  /// A comparison of one argument. The corresponding structure is `struct scmp_arg_cmp`.
  package struct Comparison: Sendable {
    /// The argument's index.
    package var index: Int
    /// The comparison.
    package var operation: Operation
    /// The datum, or the mask of a masked comparison.
    package var first: UInt64
    /// The datum of a masked comparison.
    package var second: UInt64

    /// Creates a comparison.
    package init(_ index: Int, _ operation: Operation, _ first: UInt64, _ second: UInt64 = 0) {
      self.index = index
      self.operation = operation
      self.first = first
      self.second = second
    }
  }

  /// A comparison operator. The corresponding type is `enum scmp_compare`.
  package enum Operation: UInt32, Sendable {
    /// The corresponding constant is `SCMP_CMP_NE`.
    case notEqual = 1
    /// The corresponding constant is `SCMP_CMP_LT`.
    case less
    /// The corresponding constant is `SCMP_CMP_LE`.
    case lessOrEqual
    /// The corresponding constant is `SCMP_CMP_EQ`.
    case equal
    /// The corresponding constant is `SCMP_CMP_GE`.
    case greaterOrEqual
    /// The corresponding constant is `SCMP_CMP_GT`.
    case greater
    /// The corresponding constant is `SCMP_CMP_MASKED_EQ`.
    case masked
  }

  /// A compiled program, and the names of calls that libseccomp does not know.
  package struct Compiled: Sendable {
    /// The instructions of the filter.
    package var program: [UInt8]
    /// The names of calls with rules that are not in the program.
    package var unknownCalls: [String]
  }

  /// The reason why libseccomp compiles no program.
  package enum Failure: Error, Sendable {
    /// A rule contradicts an earlier one of the same call.
    case conflict(call: String)
    /// Another failure.
    case library(SeccompError)
  }

  /// Compiles the rules with libseccomp.
  package func compile() throws(Failure) -> Compiled {
    do {
      let ruleset = try SeccompRuleset.make(self)
      var unknown: [String] = []
      for rule in rules where rule.action != defaultAction {
        guard try ruleset.add(rule) else {
          unknown.append(rule.call)
          continue
        }
      }
      return Compiled(program: try ruleset.program(), unknownCalls: unknown)
    } catch let failure as Failure {
      throw failure
    } catch let error as SeccompError {
      throw .library(error)
    } catch { preconditionFailure("nothing else is thrown: \(error)") }
  }
}

extension SeccompRuleset {
  /// Adds a rule by the name of its call.
  ///
  /// Returns `false` if libseccomp does not know the call. Container runtimes omit such a rule, too.
  fileprivate func add(_ rule: LibseccompRules.Rule) throws -> Bool {
    let number = seccomp_syscall_resolve_name(rule.call)
    // The corresponding constant is `__NR_SCMP_ERROR`.
    guard number != -1 else { return false }
    let comparisons = rule.comparisons.map { comparison in
      scmp_arg_cmp(
        arg: UInt32(comparison.index),
        op: scmp_compare(rawValue: comparison.operation.rawValue),
        datum_a: comparison.first,
        datum_b: comparison.second
      )
    }
    let errno = Errno(rawValue: add(rule.action, number, comparisons))
    switch errno {
    case Errno(rawValue: 0): return true
    case .fileExists: throw LibseccompRules.Failure.conflict(call: rule.call)
    default: throw LibseccompRules.Failure.library(.library(function: .addRule, errno: errno))
    }
  }
}
