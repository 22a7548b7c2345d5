// SPDX-License-Identifier: Apache-2.0

internal import CCap
internal import JSONText
package import LinuxPrimitives
package import SandboxPolicy

/// Takes from a helper program of the host what it does not need any more, before it looks at what nobody has to trust.
package enum HelperConfinement {
  /// A call that a helper may go on making.
  package struct Call: Sendable, Hashable {
    /// Its name, as the kernel's table has it.
    package var name: String
    /// What must hold of its arguments; empty: nothing.
    package var conditions: [ArgumentCondition]

    /// Names a call.
    package init(_ name: String, _ conditions: [ArgumentCondition] = []) {
      self.name = name
      self.conditions = conditions
    }
  }

  /// Why a helper could not be confined.
  package enum Failure: Error, Sendable, Hashable {
    /// The filter could not be compiled.
    case filter(SeccompError)
    /// The kernel refused.
    case kernel(SystemCallError)
  }

  /// Leaves the calling process, which has one thread, these calls and no capability, for good. Every other call fails
  /// with `EPERM`.
  package static func enter(allowing calls: [Call]) throws(Failure) {
    let program: [UInt8]
    do throws(SeccompError) { program = try filter(allowing: calls) } catch { throw .filter(error) }
    do throws(SystemCallError) {
      try dropCapabilities()
      try HelperLife.keep(to: program)
    } catch { throw .kernel(error) }
  }

  /// The instructions of a filter that allows these calls, as far as the architecture has them.
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

  /// Empties the effective, permitted and inheritable sets, and with them the ambient one (cap_set_proc(3)).
  private static func dropCapabilities() throws(SystemCallError) {
    guard let none = cap_init() else { throw SystemCallError("cap_init") }
    defer { cap_free(UnsafeMutableRawPointer(none)) }
    try check("cap_set_proc") { cap_set_proc(none) }
  }
}
