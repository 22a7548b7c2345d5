// SPDX-License-Identifier: Apache-2.0

/// A decoded argument of a call.
package struct DecodedArgument: Sendable, Hashable {
  /// The name of the parameter.
  package var name: String
  /// The raw value.
  package var value: UInt64
  /// The meaning of the value, with the names of the kernel's headers.
  package var text: String
}

/// A decoder for the arguments of calls.
package enum CallDecoder {
  /// The maximum number of bytes of a path or text.
  static let maximumTextBytes = 1024

  /// Returns the parts of the caller's memory that are needed to decode the arguments.
  package static func requests(call: String, arguments: [UInt64]) -> [MemoryRequest] {
    let arguments = paddedArguments(arguments)
    guard let signature = CallSignature.all[call] else { return [] }
    return signature.parameters.enumerated().compactMap { index, parameter in
      guard case .plain(let plain) = parameter.kind, arguments[index] != 0 else { return nil }
      let next = index < 5 ? arguments[index + 1] : 0
      return memorySize(plain, next).map {
        MemoryRequest(argument: index, address: arguments[index], length: $0.length, kind: $0.kind)
      }
    }
  }

  /// Returns the number of bytes to read for a parameter, or `nil` if it is not a supported pointer. `next`
  /// is the next argument.
  private static func memorySize(
    _ plain: CallSignature.Plain,
    _ next: UInt64
  ) -> (length: Int, kind: MemoryRequest.Kind)? {
    switch plain {
    case .path, .text: (maximumTextBytes, .text)
    case .counted: bounded(next, 256)
    case .sockaddr: bounded(next & 0xFFFF_FFFF, 128)
    case .cloneargs: (CloneArguments.size, .bytes)
    case .openhow: (24, .bytes)
    case .perf: (16, .bytes)
    case .schedattr: (8, .bytes)
    default: nil
    }
  }

  private static func bounded(_ length: UInt64, _ most: Int) -> (length: Int, kind: MemoryRequest.Kind)? {
    length == 0 ? nil : (Int(min(length, UInt64(most))), .bytes)
  }

  /// Returns the decoded arguments. The arguments of an unknown call are six hexadecimal numbers.
  package static func decode(
    call: String,
    arguments: [UInt64],
    memory: [MemoryContents] = []
  ) -> [DecodedArgument] {
    let arguments = paddedArguments(arguments)
    guard let signature = CallSignature.all[call] else {
      return arguments.enumerated().map {
        DecodedArgument(name: "argument\($0)", value: $1, text: ArgumentText.hexadecimal($1))
      }
    }
    let requested = requests(call: call, arguments: arguments)
    return signature.parameters.enumerated().compactMap { index, parameter in
      let request = requested.first { $0.argument == index }
      let contents = request.flatMap { request in memory.first { $0.request == request } }
      let writer = ArgumentText(call: call, arguments: arguments, index: index, contents: contents)
      return writer.text(parameter.kind).map {
        DecodedArgument(name: parameter.name, value: arguments[index], text: $0)
      }
    }
  }

  private static func paddedArguments(_ arguments: [UInt64]) -> [UInt64] {
    Array((arguments + [0, 0, 0, 0, 0, 0]).prefix(6))
  }
}
