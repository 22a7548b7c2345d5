// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

/// The exposure of the kernel through a filter: the reachable calls, computed over all values of their
/// arguments.
package struct ExposureMeasure: Sendable, Hashable {
  /// The number of calls of the architecture.
  var known: Int
  /// The calls that reach the kernel with at least some arguments.
  var reachable: [String]
  /// The reachable calls that are limited to certain arguments.
  var limited: [String]
  /// The operations that are still possible, by identifier, with the calls that perform them.
  var operations: [String: [String]]
  /// The other architectures of the machine with at least one reachable call.
  var otherArchitectures: [String]

  /// Measures a filter. A call that a supervisor or tracer could permit counts as reachable.
  package init(_ behavior: FilterBehavior) throws(AnalysisError) {
    let space = behavior.space
    let permitted = try behavior.permitted(under: .unknown)
    let native = CallArchitecture.native
    let table = CallTable.of(native)
    let own = try space.architecture(native.auditArchitecture)
    known = table.numbers.count
    reachable = []
    limited = []
    for number in table.numbers {
      let call = try own.intersection(space.numbers(number...number))
      let made = try permitted.intersection(call)
      guard !made.isEmpty else { continue }
      let name = table.name(of: number) ?? "\(number)"
      reachable.append(name)
      if made != call { limited.append(name) }
    }
    reachable.sort()
    limited.sort()
    operations = [:]
    for deed in AuditedOperation.all {
      let calls = try deed.calls(permitted)
      if !calls.isEmpty { operations[deed.id] = calls }
    }
    otherArchitectures = []
    for other in CallArchitecture.ofThisMachine where other != native {
      guard try !permitted.intersection(Self.numbers(of: other, in: space)).isEmpty else { continue }
      otherArchitectures.append(other.rawValue)
    }
  }

  /// Returns the calls of an architecture. x32 shares the audit token of x86_64, and has a bit in its call
  /// numbers.
  private static func numbers(of other: CallArchitecture, in space: CallSpace) throws(AnalysisError)
    -> CallSet
  {
    let token = try space.architecture(other.auditArchitecture)
    guard other == .x32 else { return token }
    return try token.intersection(space.numbers(CallArchitecture.x32Bit...0x7FFF_FFFF))
  }
}
