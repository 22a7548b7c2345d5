// SPDX-License-Identifier: Apache-2.0

internal import CCap
internal import JSONText
package import LinuxPrimitives
package import SandboxPolicy

/// Confines a helper program of the host before the program reads untrusted data.
package enum HelperConfinement {
  /// A system call that a confined helper may still make.
  package struct Call: Sendable, Hashable {
    /// The name in the kernel's system call table.
    package var name: String
    /// The conditions on the arguments. An empty list allows all arguments.
    package var conditions: [ArgumentCondition]

    /// Creates an allowed call.
    package init(_ name: String, _ conditions: [ArgumentCondition] = []) {
      self.name = name
      self.conditions = conditions
    }
  }

  /// The reason why a helper could not be confined.
  package enum Failure: Error, Sendable, Hashable {
    /// The filter could not be compiled.
    case filter(SeccompError)
    /// A system call failed.
    case kernel(SystemCallError)
  }

  /// Restricts the calling process to the given calls and drops all capabilities, irreversibly. Every other
  /// call fails with `EPERM`.
  ///
  /// The process must have a single thread.
  package static func enter(allowing calls: [Call]) throws(Failure) {
    let program: [UInt8]
    do throws(SeccompError) { program = try filter(allowing: calls) } catch { throw .filter(error) }
    do throws(SystemCallError) {
      try dropCapabilities()
      try HelperHardening.restrict(to: program)
    } catch { throw .kernel(error) }
  }

  /// Returns the instructions of a filter that allows these calls, as far as the architecture has them.
  package static func filter(allowing calls: [Call]) throws(SeccompError) -> [UInt8] {
    let table = SystemCallTable.native
    let ruleset = try SeccompRuleset.make()
    let nowhere = PolicyOrigin(source: "helper", position: TextPosition(line: 1, column: 1))
    for call in calls {
      guard let number = table.numbers[call.name] else { continue }
      let rule = SyscallRule(call: call.name, conditions: call.conditions, origin: nowhere)
      try ruleset.allow(rule, number: number)
    }
    return FilterPrelude.bytes(table, .native) + (try ruleset.program())
  }

  /// Empties the effective, permitted and inheritable sets. The ambient set is emptied with them
  /// (cap_set_proc(3)).
  private static func dropCapabilities() throws(SystemCallError) {
    guard let none = cap_init() else { throw SystemCallError("cap_init") }
    defer { cap_free(UnsafeMutableRawPointer(none)) }
    try check("cap_set_proc") { cap_set_proc(none) }
  }
}
