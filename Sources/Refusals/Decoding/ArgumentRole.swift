// SPDX-License-Identifier: Apache-2.0

package import JSONText
package import SandboxPolicy

/// What an argument does that a filter can see.
package enum ArgumentRole: Sendable, Hashable {
  /// It chooses one of several things: a request, an option, an address family.
  case choice
  /// It sets flags, each by itself.
  case flags
}

extension CallDecoder {
  /// The arguments of a call that choose what it does, by index.
  package static func roles(of call: String) -> [Int: ArgumentRole] {
    var roles: [Int: ArgumentRole] = [:]
    for (index, parameter) in (CallSignature.all[call]?.parameters ?? []).enumerated() {
      roles[index] = role(parameter.kind)
    }
    return roles
  }

  private static func role(_ kind: CallSignature.Kind) -> ArgumentRole? {
    switch kind {
    case .family(let name): ConstantFamily.all[name]?.flags.isEmpty == false ? .flags : .choice
    case .plain(.clone): .flags
    case .plain(.persona), .plain(.filetype), .plain(.protocol): .choice
    case .plain: nil
    }
  }

  /// The names of a call's parameters, in their order; nil if no table has the call.
  package static func parameters(of call: String) -> [String]? {
    CallSignature.all[call].map { $0.parameters.map(\.name) }
  }

  /// A call with those of its arguments that are known, as people read it; `…` stands for the others.
  package static func text(of call: String, known: [Int: UInt32]) -> String {
    guard let last = known.keys.max() else { return call }
    let arguments = (0..<6).map { UInt64(known[$0] ?? 0) }
    let signature = CallSignature.all[call]
    let count = max(signature?.parameters.count ?? 0, last + 1)
    let texts = (0..<count).map { index -> String in
      guard let value = known[index] else { return "…" }
      let writer = ArgumentText(call: call, arguments: arguments, index: index, piece: nil)
      let kind = signature.flatMap { $0.parameters.indices.contains(index) ? $0.parameters[index].kind : nil }
      // Where something lies is no value that a policy could compare.
      return kind.flatMap(writer.text) ?? ArgumentText.hexadecimal(UInt64(value))
    }
    return "\(call)(\(texts.joined(separator: ", ")))"
  }
}

extension SyscallRule {
  /// The rule as an element of `syscalls.allow`, with the names that the grammar has.
  package var element: JSONValue { MendWriter.json(self) }
}
