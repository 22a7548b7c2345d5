// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

extension PolicyDescriber {
  /// The section about files that the extension can read.
  var reading: Section {
    var statements = [hostPaths]
    statements.append(
      Statement(
        .cannot,
        mode.hasNamespaces
          ? "Nothing else of the host is there: no home directory, no other app's files, no other process."
          : "Nothing else of the host can be opened or listed; of a path that is guessed it can see whether it is there, how "
            + "large it is and when it was changed."
      )
    )
    if !mode.hasNamespaces {
      statements.append(
        Statement(
          .fact,
          "It has no root of its own: what is called /session, /container and so on here has its true name there."
        )
      )
    }
    guard canOpen(.reading) else {
      statements.append(
        Statement(
          .cannot,
          "It can open no file for reading: what it has are the descriptors that it is given."
        )
      )
      return Section(title: "What it can read", statements: statements)
    }
    statements.append(
      Statement(
        .can,
        "Of its own it can read:",
        sessionPaths,
        about: permittedCalls.intersection(Self.openCalls)
      )
    )
    statements += operations(
      "Of files it can see:",
      "Of files it can't see",
      [
        "what a directory holds": ["getdents", "getdents64"],
        "sizes, times and owners": ["stat", "lstat", "fstat", "newfstatat", "statx"],
        "where a link leads": ["readlink", "readlinkat"],
        "extended attributes": [
          "getxattr", "lgetxattr", "fgetxattr", "getxattrat", "listxattr", "llistxattr", "flistxattr",
          "listxattrat",
        ],
        "who changes them and when": ["inotify_add_watch", "fanotify_mark"],
      ]
    )
    return Section(title: "What it can read", statements: statements)
  }

  /// The statement about the visible paths of the host.
  private var hostPaths: Statement {
    guard !policy.readOnly.isEmpty else {
      return Statement(.cannot, "It sees no file of the host.")
    }
    return Statement(
      .can,
      "Of the host it sees these paths with all that is in them, read-only:",
      policy.readOnly.map { grant in
        grant.path + (grant.presence == .optional ? ", if the host has it" : "") + " (\(grant.origin))"
      }
    )
  }

  /// The paths that every session has.
  private var sessionPaths: [String] {
    [
      "/session, what it has captured for its app", "/container, its scratch space",
      "/extension, its own bundle",
      "/library, what the person shows it of the photo library", "/assets, what its app shares with it",
      "/app-context.json, what its app tells it",
    ] + (mode.hasNamespaces ? ["/proc, facts about its own processes"] : [])
  }

  /// The section about files that the extension can write.
  var writing: Section {
    var statements: [Statement] = []
    if canOpen(.writing) {
      statements.append(
        Statement(
          .can,
          "It can write files in two places:",
          [
            "/session, which its app gets: \(limit(.sessionBytes)) in \(limit(.sessionFiles)) files and directories at most",
            "/container, which is gone at the end: "
              + QuantityText.text(policy.scratchBytes, .bytes) + " at most",
          ],
          about: permittedCalls.intersection(Self.openCalls)
        )
      )
      statements.append(
        Statement(.fact, "No file can be larger than \(limit(.fileSize)).\(originSuffix(.limit(.fileSize)))")
      )
    } else {
      statements.append(
        Statement(
          .cannot,
          "It can open no file for writing: all that it can write to are descriptors that it is given."
        )
      )
    }
    statements += operations(
      "There it can also:",
      "It can't",
      [
        "make directories": ["mkdir", "mkdirat"], "rename": ["rename", "renameat", "renameat2"],
        "remove": ["unlink", "unlinkat", "rmdir"],
        "make hard links": ["link", "linkat"], "make symbolic links in /container": ["symlink", "symlinkat"],
        "make named pipes in /container": ["mknod", "mknodat"],
        "change permissions": ["chmod", "fchmod", "fchmodat", "fchmodat2"],
        "change owners": ["chown", "fchown", "fchownat", "lchown"],
        "set extended attributes": ["setxattr", "lsetxattr", "fsetxattr", "setxattrat"],
        "set times": ["utime", "utimes", "futimesat", "utimensat"],
      ]
    )
    if let special = specialBits { statements.append(special) }
    statements.append(contentDelivery)
    statements.append(
      Statement(.cannot, "It can change nothing of the host: what it sees of it is there for reading.")
    )
    return Section(title: "What it can write", statements: statements)
  }

  /// The statement about the file names that the app receives.
  private var contentDelivery: Statement {
    switch policy.content {
    case .portable:
      Statement(
        .cannot,
        "Its app gets no name that other programs cannot open, take for an option or act on: such names are changed, and the "
          + "record names both.\(originSuffix(.content))"
      )
    case .asWritten:
      Statement(
        .warning,
        "Its app gets the names, the depth and the holes that it has chosen. Other programs can take a name for an option, "
          + "and a directory for a repository whose configuration names programs to run.\(originSuffix(.content))"
      )
    }
  }

  /// The statement about calls that can set a set-user-ID or set-group-ID bit, or `nil` if there are none.
  private var specialBits: Statement? {
    let bits: [UInt32] = [0x800, 0x400]
    let calls = Self.modes.filter { call, index in
      bits.contains { bit in
        let mode = ArgumentCondition(index: index, mask: bit, value: bit)
        // The mode has an effect only if the flags argument before it contains `O_CREAT`.
        return ["open", "openat"].contains(call)
          ? permittedCalls.permits(call, mode, ArgumentCondition(index: index - 1, mask: 0x40, value: 0x40))
          : permittedCalls.permits(call, mode)
      }
    }.map(\.key)
    guard !calls.isEmpty else { return nil }
    return Statement(
      .warning,
      "It can set set-user-ID or set-group-ID bits (\(calls.joined(separator: ", "))). They give nothing inside, and are "
        + "cleared before the app gets a file.",
      about: calls
    )
  }

  /// The calls with a mode argument, and the index of that argument.
  private static let modes: KeyValuePairs<String, Int> = [
    "chmod": 1, "fchmod": 1, "fchmodat": 2, "fchmodat2": 2, "mkdir": 1, "mkdirat": 2, "creat": 1, "open": 2,
    "openat": 3, "mknod": 1, "mknodat": 2,
  ]
}
