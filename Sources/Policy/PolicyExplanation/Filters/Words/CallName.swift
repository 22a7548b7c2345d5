// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

/// The names of numbers in `struct seccomp_data`.
package enum CallName {
  /// Returns the name of an architecture by its `AUDIT_ARCH_…` value, or the value as text if it is unknown.
  package static func architecture(_ token: UInt32, number: UInt32 = 0) -> String {
    CallArchitecture.of(auditArchitecture: token, number: number)?.rawValue
      ?? "architecture \(NumberText.hexadecimal(UInt64(token)))"
  }

  /// Returns the name of a call, or `nil` if the number is not assigned.
  package static func call(_ number: UInt32, on token: UInt32) -> String? {
    CallArchitecture.of(auditArchitecture: token, number: number).flatMap {
      CallTable.of($0).name(of: number)
    }
  }

  /// Returns a call with its architecture, such as `x86_64 socket(AF_VSOCK, SOCK_STREAM, 0)`, or its number
  /// if it has no name.
  package static func text(_ input: SeccompData) -> String {
    let architecture = CallArchitecture.of(auditArchitecture: input.architecture, number: input.number)
    let place = Self.architecture(input.architecture, number: input.number)
    let name = call(input.number, on: input.architecture) ?? NumberText.plain(UInt64(input.number))
    let call = CallText.render(name, input.arguments, on: architecture ?? .native)
    let pointer = input.instructionPointer
    return "\(place) \(call)" + (pointer == 0 ? "" : " at \(NumberText.hexadecimal(pointer))")
  }
}
