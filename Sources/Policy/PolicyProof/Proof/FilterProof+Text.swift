// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

extension FilterProof.Subject: CustomStringConvertible {
  /// The claim as a sentence without a period.
  package var description: String {
    switch self {
    case .conformance(let policy): "for every call, the filter does what the policy \(policy) specifies"
    case .invariant(let name, let reason): "\(name): \(reason)"
    }
  }
}

extension FilterProof.Finding {
  /// The reason for which the claim is not proved, or `nil` if it is.
  package var failure: String? {
    switch self {
    case .proved: nil
    case .refuted(let example): "violated: \(example)"
    case .undecided(let error): "not proved: \(error)"
    }
  }
}

extension FilterProof.Claim: CustomStringConvertible {
  /// The claim with its result.
  package var description: String {
    finding.failure.map { "\(subject); \($0)" } ?? "\(subject); proved"
  }
}

extension FilterProof.Counterexample: CustomStringConvertible {
  /// The call with its actual and its expected verdict.
  package var description: String {
    let expectation = expected.map { "should be \($0)" } ?? "should never be made"
    return "\(call.text) is \(Self.text(found)), but \(expectation)"
  }
}

extension FilterProof.Counterexample {
  /// Returns a verdict, with the process that decides instead of the filter.
  private static func text(_ verdict: Verdict) -> String {
    switch verdict {
    case .notify: "\(verdict) (a supervisor process may allow the call)"
    case .trace: "\(verdict) (a tracer may allow the call)"
    default: "\(verdict)"
    }
  }
}

extension SeccompData {
  /// The call as text: architecture, name, arguments. `CallText` parses the text.
  package var text: String {
    let pointer = instructionPointer == 0 ? "" : " at 0x\(String(instructionPointer, radix: 16))"
    guard let known = CallArchitecture.of(auditArchitecture: architecture, number: number) else {
      let words = arguments.map { "0x\(String($0, radix: 16))" }.joined(separator: ", ")
      return
        "architecture 0x\(String(architecture, radix: 16)) 0x\(String(number, radix: 16))(\(words))\(pointer)"
    }
    let name = CallTable.of(known).name(of: number) ?? "0x\(String(number, radix: 16))"
    return "\(known.rawValue) \(CallText.render(name, arguments, on: known))\(pointer)"
  }
}
