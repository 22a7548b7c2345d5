// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

/// How the filters that are loaded report refusals: the host hears of what would be `EPERM`.
package struct ReportingTerms: Sendable, Hashable {
  /// The flags of the sendmsg(2) that sends the listener to the host.
  package var sendingFlags: UInt32
  /// The flags of the seccomp(2) that installs the second filter.
  package var closingFlags: UInt32

  /// Names the flags.
  package init(sendingFlags: UInt32, closingFlags: UInt32) {
    self.sendingFlags = sendingFlags
    self.closingFlags = closingFlags
  }

  /// The corresponding constant is `SECCOMP_SET_MODE_FILTER`.
  static let setModeFilter: UInt64 = 1
}

extension PolicyMeaning {
  /// What becomes of every call under the filters that report: what the policy refuses with `EPERM` is asked of the host,
  /// which refuses it; only the two calls between the filters, of which the host needs no report, are refused at once.
  package func behavior(
    reporting terms: ReportingTerms,
    in space: CallSpace
  ) throws(AnalysisError) -> FilterBehavior {
    let table = CallTable.of(architecture)
    var between = space.nothing
    if let number = table.number(of: "sendmsg") {
      let flags = try space.argument(2, mask: 0xFFFF_FFFF, equals: UInt64(terms.sendingFlags))
      between = try between.union(space.numbers(number...number).intersection(flags))
    }
    if let number = table.number(of: "seccomp") {
      let operation = try space.argument(0, mask: 0xFFFF_FFFF, equals: ReportingTerms.setModeFilter)
      let flags = try space.argument(1, mask: 0xFFFF_FFFF, equals: UInt64(terms.closingFlags))
      between = try between.union(
        space.numbers(number...number).intersection(operation).intersection(flags)
      )
    }
    return try behavior(in: space).mapping { $0 == .errno(1) ? .notify : $0 }
      .overriding(between.intersection(space.architecture(architecture.auditNumber)), with: .errno(1))
  }
}
