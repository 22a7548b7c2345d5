// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

/// The parameters of loaded filters that report refusals: they notify the host instead of returning `EPERM`.
package struct ReportingParameters: Sendable, Hashable {
  /// The calls that the launcher makes while the first filter is in force.
  package var launcherCalls: [String]
  /// The value of the sixth argument that marks these calls.
  package var mark: UInt64

  /// Creates parameters from the launcher's calls and their mark.
  package init(launcherCalls: [String], mark: UInt64) {
    self.launcherCalls = launcherCalls
    self.mark = mark
  }
}

extension PolicySemantics {
  /// Returns the verdict for every call under filters that report refusals.
  ///
  /// A call that the policy refuses with `EPERM` is passed to the host, which refuses it. A process that
  /// makes a marked call of the launcher is killed, unless the policy allows the call with any arguments.
  package func behavior(
    reporting terms: ReportingParameters,
    in space: CallSpace
  ) throws(AnalysisError) -> FilterBehavior {
    let table = CallTable.of(architecture)
    let own = try behavior(in: space)
    let native = try space.architecture(architecture.auditArchitecture)
    let always = try own.inputs { $0 == .allow }
    var marked: [UInt32] = []
    for number in terms.launcherCalls.compactMap(table.number) {
      let calls = try space.numbers(number...number).intersection(native)
      if try !calls.isSubset(of: always) { marked.append(number) }
    }
    let killed = try space.numbers(marked).intersection(native)
      .intersection(space.argument(5, mask: .max, equals: terms.mark))
    return try own.mapping { $0 == .errno(1) ? .notify : $0 }.overriding(killed, with: .killProcess)
  }
}
