// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

/// Names of what a filter sees as numbers.
package enum CallName {
  /// The name of an architecture by its `AUDIT_ARCH_…`; its number if the tables do not know it.
  package static func architecture(_ token: UInt32, number: UInt32 = 0) -> String {
    CallArchitecture.of(auditNumber: token, number: number)?.rawValue
      ?? "architecture \(NumberText.hexadecimal(UInt64(token)))"
  }

  /// The name of a call; nil if the number means nothing there.
  package static func call(_ number: UInt32, on token: UInt32) -> String? {
    CallArchitecture.of(auditNumber: token, number: number).flatMap { CallTable.of($0).name(of: number) }
  }

  /// A call with its architecture: `x86_64 socket(AF_VSOCK, SOCK_STREAM, 0)`; the number where it has no name.
  package static func text(_ input: CallInput) -> String {
    let architecture = CallArchitecture.of(auditNumber: input.architecture, number: input.number)
    let place = Self.architecture(input.architecture, number: input.number)
    let name = call(input.number, on: input.architecture) ?? NumberText.plain(UInt64(input.number))
    let call = CallText.render(name, input.arguments, on: architecture ?? .native)
    let pointer = input.instructionPointer
    return "\(place) \(call)" + (pointer == 0 ? "" : " at \(NumberText.hexadecimal(pointer))")
  }
}
