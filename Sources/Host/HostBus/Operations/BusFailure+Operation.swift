// SPDX-License-Identifier: Apache-2.0

internal import HostInterface
internal import JSONText

extension BusFailure {
  /// The error code of parameters that do not match the description of the host interface.
  private static let invalidParameters = -32602

  /// Creates the error reply for a failed operation.
  init(_ error: OperationError) {
    let kind = error.data?["kind"]?.string ?? ""
    let isName =
      !kind.isEmpty && kind.utf8.allSatisfy { Unicode.Scalar($0).properties.isAlphabetic && $0 < 0x80 }
    if error.code == Self.invalidParameters {
      self = .invalidArguments(error.message)
    } else {
      self = isName ? .own(kind, error.message) : .standard("Failed", error.message)
    }
  }
}
