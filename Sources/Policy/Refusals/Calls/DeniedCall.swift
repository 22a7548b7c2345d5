// SPDX-License-Identifier: Apache-2.0

/// A denied system call, as the kernel reports it: numbers, and the readable parts of the caller's memory.
///
/// **All values are under the control of the extension.** They need not be valid paths or texts, or have
/// plausible sizes.
package struct DeniedCall: Sendable, Hashable {
  /// The call number on the native architecture.
  package var number: Int
  /// The six arguments. Missing arguments count as zero, and arguments after the sixth are ignored.
  package var arguments: [UInt64]
  /// The ID of the thread that made the call, in the host's PID namespace.
  package var thread: Int32
  /// The command name of the thread (`comm`).
  package var program: String
  /// The time of the notification, in milliseconds since 1970.
  package var timestamp: Int64
  /// The contents that were read from the caller's memory.
  package var memory: [MemoryContents]

  /// Creates a denied call.
  package init(
    number: Int,
    arguments: [UInt64],
    thread: Int32,
    program: String,
    at: Int64,
    memory: [MemoryContents] = []
  ) {
    self.number = number
    self.arguments = arguments
    self.thread = thread
    self.program = program
    self.timestamp = at
    self.memory = memory
  }
}

/// A request to read the memory that an argument of the caller points to.
package struct MemoryRequest: Sendable, Hashable {
  /// The interpretation of the bytes.
  package enum Kind: Sendable, Hashable {
    /// A text that ends at a zero byte or after the maximum length.
    case text
    /// A structure with a fixed length.
    case bytes
  }

  /// The index of the argument, starting at 0.
  package var argument: Int
  /// The address in the caller's memory.
  package var address: UInt64
  /// The maximum number of bytes to read.
  package var length: Int
  /// The interpretation of the bytes.
  package var kind: Kind

  /// Creates a request.
  package init(argument: Int, address: UInt64, length: Int, kind: Kind) {
    self.argument = argument
    self.address = address
    self.length = length
    self.kind = kind
  }
}

/// Bytes that were read from the caller's memory.
package struct MemoryContents: Sendable, Hashable {
  package var request: MemoryRequest
  /// The bytes, which can be fewer than requested; empty if the memory could not be read.
  package var bytes: [UInt8]

  /// Creates the result of a request.
  package init(request: MemoryRequest, bytes: [UInt8]) {
    self.request = request
    self.bytes = bytes
  }
}
