// SPDX-License-Identifier: Apache-2.0

/// The parameters of a system call, as in its manual page.
struct CallSignature: Sendable {
  struct Parameter: Sendable {
    /// The name of the parameter.
    var name: String
    /// The format of the value.
    var kind: Kind
  }

  /// The format of a parameter's value.
  enum Kind: Sendable, Hashable {
    /// A format without named constants.
    case plain(Plain)
    /// One constant, or flags, of a family.
    case family(String)
  }

  /// A format without named constants. The raw values are the keywords of the tables.
  enum Plain: String, Sendable, Hashable {
    /// A signed 32-bit number.
    case int
    /// A hexadecimal 32-bit number.
    case hex32
    /// A file descriptor.
    case fd
    /// The directory descriptor that relative paths start at.
    case dir
    /// A process ID or thread ID.
    case pid
    /// File permissions.
    case mode
    /// File permissions that apply only if the flags before them create a file.
    case createmode
    /// A file type with permissions.
    case filetype
    /// A signed 64-bit number.
    case long
    /// An unsigned 64-bit number.
    case size
    /// A hexadecimal 64-bit number.
    case hex
    /// An address.
    case ptr
    /// A device number.
    case dev
    /// A socket protocol, with names that depend on the address family.
    case `protocol`
    /// The address of a path.
    case path
    /// The address of a text.
    case text
    /// The address of a text with its length in the next argument.
    case counted
    /// The address of a socket address with its length in the next argument.
    case sockaddr
    /// The flags of clone(2), with a signal in the lowest byte.
    case clone
    /// The address of a `struct clone_args`.
    case cloneargs
    /// The address of a `struct open_how`.
    case openhow
    /// The address of a `struct perf_event_attr`.
    case perf
    /// The address of a `struct sched_attr`.
    case schedattr
    /// A personality, where the maximum value queries the current personality.
    case persona
  }

  /// The parameters, at most six.
  var parameters: [Parameter]

  /// The signatures by call name.
  static let all: [String: CallSignature] = Dictionary(
    uniqueKeysWithValues: (firstHalf + "\n" + secondHalf).split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      return words.first.map { (String($0), CallSignature(parameters: words.dropFirst().map(parameter))) }
    }
  )

  private static func parameter(_ word: Substring) -> Parameter {
    let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
    let kind = parts.count == 2 ? parts[1] : ""
    let isFamily = kind.hasPrefix("=") || kind.hasPrefix("|")
    return Parameter(
      name: parts.first ?? "",
      kind: isFamily ? .family(String(kind.dropFirst())) : .plain(Plain(rawValue: kind) ?? .hex)
    )
  }
}

extension CallSignature.Kind {
  /// Whether the kernel reads only the lower 32 bits.
  var isNarrow: Bool {
    switch self {
    case .family: true
    case .plain(let plain):
      switch plain {
      case .int, .hex32, .fd, .dir, .pid, .mode, .createmode, .filetype, .dev, .protocol, .clone, .persona:
        true
      case .long, .size, .hex, .ptr, .path, .text, .counted, .sockaddr, .cloneargs, .openhow, .perf,
        .schedattr:
        false
      }
    }
  }
}
