// SPDX-License-Identifier: Apache-2.0

/// The parameters of a system call.
package struct CallSignature: Sendable, Hashable {
  /// In the order of the arguments.
  package private(set) var parameters: [CallParameter]

  /// The signature of a call; nil if the tables have none.
  ///
  /// What an argument means can depend on an earlier one: the third of socket(2) on the first. So the known arguments
  /// make it more exact.
  package static func of(
    _ name: String,
    on architecture: CallArchitecture = .native,
    arguments: [UInt64?] = []
  ) -> CallSignature? {
    guard let lines = SignatureLines.byName[name] else { return nil }
    let own = lines.first { $0.architecture == architecture } ?? lines.first { $0.isGeneral }
    guard let own else { return nil }
    var signature = CallSignature(parameters: own.parameters)
    for line in lines where line.holds(for: arguments, of: signature, on: architecture) {
      for parameter in line.parameters {
        guard let index = signature.parameters.firstIndex(where: { $0.name == parameter.name }) else {
          continue
        }
        signature.parameters[index] = parameter
      }
    }
    return signature
  }
}
