// SPDX-License-Identifier: Apache-2.0

/// A system call that was refused, as the kernel tells of it: numbers, and what could be read of the caller's memory.
///
/// All of it comes from the extension. Nothing here may be trusted to be a path, a text or of sensible size.
package struct DeniedCall: Sendable, Hashable {
  /// The call's number on this machine's architecture.
  package var number: Int
  /// The six arguments; those that are missing count as zero, those beyond six are not looked at.
  package var arguments: [UInt64]
  /// The thread that made the call, as the host numbers it.
  package var thread: Int32
  /// The name of the thread's program (`comm`).
  package var program: String
  /// When the host heard of it, in milliseconds since 1970.
  package var at: Int64
  /// What was read of the caller's memory.
  package var memory: [MemoryPiece]

  /// Describes a call.
  package init(
    number: Int,
    arguments: [UInt64],
    thread: Int32,
    program: String,
    at: Int64,
    memory: [MemoryPiece] = []
  ) {
    self.number = number
    self.arguments = arguments
    self.thread = thread
    self.program = program
    self.at = at
    self.memory = memory
  }
}

/// Something in the caller's memory that explains an argument.
package struct MemoryRequest: Sendable, Hashable {
  /// How the bytes are meant.
  package enum Kind: Sendable, Hashable {
    /// A text that ends with a zero byte, at the latest after the length.
    case text
    /// A structure of the length.
    case bytes
  }

  /// The argument that points there, from 0.
  package var argument: Int
  /// Where it is in the caller's memory.
  package var address: UInt64
  /// How many bytes there are to read at most.
  package var length: Int
  /// How the bytes are meant.
  package var kind: Kind

  /// Asks for a piece.
  package init(argument: Int, address: UInt64, length: Int, kind: Kind) {
    self.argument = argument
    self.address = address
    self.length = length
    self.kind = kind
  }
}

/// What was read of the caller's memory.
package struct MemoryPiece: Sendable, Hashable {
  /// What was asked for.
  package var request: MemoryRequest
  /// What was there: perhaps less than asked for, nothing if it could not be read.
  package var bytes: [UInt8]

  /// Joins a request and its answer.
  package init(request: MemoryRequest, bytes: [UInt8]) {
    self.request = request
    self.bytes = bytes
  }
}
