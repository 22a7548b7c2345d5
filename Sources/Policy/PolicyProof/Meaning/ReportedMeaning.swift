// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

/// How the filters that are loaded report refusals: the host hears of what would be `EPERM`.
package struct ReportingTerms: Sendable, Hashable {
  /// What the launcher calls while the first filter is in force.
  package var launcherCalls: [String]
  /// The sixth argument by which these calls are known.
  package var mark: UInt64

  /// Names calls and mark.
  package init(launcherCalls: [String], mark: UInt64) {
    self.launcherCalls = launcherCalls
    self.mark = mark
  }
}

extension PolicyMeaning {
  /// What becomes of every call under the filters that report: what the policy refuses with `EPERM` is asked of the host,
  /// which refuses it. Who makes a call as the launcher does is killed, unless the policy allows it whatever its arguments are.
  package func behavior(
    reporting terms: ReportingTerms,
    in space: CallSpace
  ) throws(AnalysisError) -> FilterBehavior {
    let table = CallTable.of(architecture)
    let own = try behavior(in: space)
    let native = try space.architecture(architecture.auditNumber)
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
