// SPDX-License-Identifier: Apache-2.0

/// The parameters of a system call, as its manual has them.
struct CallSignature: Sendable {
  /// One parameter.
  struct Parameter: Sendable {
    /// Its name.
    var name: String
    /// How its value is written.
    var kind: Kind
  }

  /// How the value of a parameter is written.
  enum Kind: Sendable, Hashable {
    /// A plain value; the raw words are those of the tables.
    case plain(Plain)
    /// One value, or flags, of a family of constants.
    case family(String)
  }

  /// The kinds that have no family of constants.
  enum Plain: String, Sendable, Hashable {
    /// A signed number of 32 bits.
    case int
    /// A number of 32 bits, hexadecimal.
    case hex32
    /// A descriptor.
    case fd
    /// The descriptor of a directory that a relative path begins at.
    case dir
    /// A process or thread.
    case pid
    /// Permissions.
    case mode
    /// Permissions that are only looked at if the flags before them create a file.
    case createmode
    /// Type and permissions of a file.
    case filetype
    /// A signed number of 64 bits.
    case long
    /// A number of 64 bits.
    case size
    /// A number of 64 bits, hexadecimal.
    case hex
    /// An address.
    case ptr
    /// The number of a device.
    case dev
    /// A protocol, whose names depend on the address family before it.
    case `protocol`
    /// The address of a path.
    case path
    /// The address of a text.
    case text
    /// The address of a text whose length is the next argument.
    case counted
    /// The address of a socket address whose length is the next argument.
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
    /// A personality, where the largest number asks for the present one.
    case persona
  }

  /// The parameters, six at most.
  var parameters: [Parameter]

  /// The signatures by call.
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
  /// Whether the kernel looks at the lower 32 bits only.
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
