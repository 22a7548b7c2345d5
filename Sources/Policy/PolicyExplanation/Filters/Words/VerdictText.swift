// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

/// Verdicts as text.
package enum VerdictText {
  /// Returns the kernel's name of the action, with the name of the error, such as `ERRNO(EPERM)`.
  package static func text(_ verdict: Verdict) -> String {
    guard case .errno(let number) = verdict, let name = errorName(number) else { return "\(verdict)" }
    return "ERRNO(\(name))"
  }

  /// Returns the name of an error, or `nil` if the number is unknown.
  private static func errorName(_ number: UInt16) -> String? {
    guard number != 0 else { return nil }
    return ConstantFamily.named("ErrorNumber")?.text(for: UInt64(number))
  }
}
