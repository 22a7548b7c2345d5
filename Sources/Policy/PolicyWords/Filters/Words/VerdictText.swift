// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

/// Verdicts as a person reads them.
package enum VerdictText {
  /// The kernel's name of the action, with the error's name: `ERRNO(EPERM)`.
  package static func text(_ verdict: Verdict) -> String {
    guard case .errno(let number) = verdict, let name = errorName(number) else { return "\(verdict)" }
    return "ERRNO(\(name))"
  }

  /// The name of an error; nil if there is none.
  private static func errorName(_ number: UInt16) -> String? {
    guard number != 0 else { return nil }
    return ConstantFamily.named("ErrorNumber")?.text(for: UInt64(number))
  }
}
