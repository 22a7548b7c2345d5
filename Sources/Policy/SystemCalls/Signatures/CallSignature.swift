// SPDX-License-Identifier: Apache-2.0

/// The parameters of a system call.
package struct CallSignature: Sendable, Hashable {
  /// The parameters, in the order of the arguments.
  package private(set) var parameters: [CallParameter]

  /// Returns the signature of a call, or `nil` if the tables do not contain it.
  ///
  /// The meaning of an argument can depend on an earlier one: the third argument of socket(2) depends on the
  /// first. Known arguments therefore make the signature more exact.
  package static func of(
    _ name: String,
    on architecture: CallArchitecture = .native,
    arguments: [UInt64?] = []
  ) -> CallSignature? {
    guard let lines = SignatureLines.byName[name] else { return nil }
    let own = lines.first { $0.architecture == architecture } ?? lines.first { $0.isGeneral }
    guard let own else { return nil }
    var signature = CallSignature(parameters: own.parameters)
    for line in lines where line.applies(for: arguments, of: signature, on: architecture) {
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
