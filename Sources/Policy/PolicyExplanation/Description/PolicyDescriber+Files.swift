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
          ? "Nothing else of the host is visible: no home directory, no files of other apps, no other process."
          : "Nothing else of the host can be opened or listed. For a path that the extension guesses, it can determine "
            + "whether a file exists, its size and its modification time."
      )
    )
    if !mode.hasNamespaces {
      statements.append(
        Statement(
          .fact,
          "The session has no separate root: the extension sees the true paths of /session, /container and the other "
            + "directories."
        )
      )
    }
    guard canOpen(.reading) else {
      statements.append(
        Statement(
          .cannot,
          "The extension cannot open any file for reading; it can only read from descriptors that it receives."
        )
      )
      return Section(title: "Readable files", statements: statements)
    }
    statements.append(
      Statement(
        .can,
        "In its session, the extension can read:",
        sessionPaths,
        about: permittedCalls.intersection(Self.openCalls)
      )
    )
    statements += operations(
      "The extension can read these properties of files:",
      "The extension cannot read",
      [
        "directory entries": ["getdents", "getdents64"],
        "sizes, times and owners": ["stat", "lstat", "fstat", "newfstatat", "statx"],
        "targets of symbolic links": ["readlink", "readlinkat"],
        "extended attributes": [
          "getxattr", "lgetxattr", "fgetxattr", "getxattrat", "listxattr", "llistxattr", "flistxattr",
          "listxattrat",
        ],
        "notifications of accesses and changes": ["inotify_add_watch", "fanotify_mark"],
      ]
    )
    return Section(title: "Readable files", statements: statements)
  }

  /// The statement about the visible paths of the host.
  private var hostPaths: Statement {
    guard !policy.readOnly.isEmpty else {
      return Statement(.cannot, "The extension sees no files of the host.")
    }
    return Statement(
      .can,
      "The extension can read these paths of the host and everything below them:",
      policy.readOnly.map { grant in
        grant.path + (grant.presence == .optional ? ", if it exists on the host" : "") + " (\(grant.origin))"
      }
    )
  }

  /// The paths that every session has.
  private var sessionPaths: [String] {
    [
      "/session, the captures for its app", "/container, its scratch space",
      "/extension, its bundle",
      "/library, the part of the photo library that the user shares with the extension",
      "/assets, the files that its app shares",
      "/app-context.json, the app context",
    ] + (mode.hasNamespaces ? ["/proc, information about the session's processes"] : [])
  }

  /// The section about files that the extension can write.
  var writing: Section {
    var statements: [Statement] = []
    if canOpen(.writing) {
      statements.append(
        Statement(
          .can,
          "The extension can write files in two directories:",
          [
            "/session, which its app receives: at most \(limit(.sessionBytes)) in \(limit(.sessionFiles)) files and "
              + "directories",
            "/container, which is erased at the end: at most "
              + QuantityText.text(policy.scratchBytes, .bytes),
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
          "The extension cannot open any file for writing; it can only write to descriptors that it receives."
        )
      )
    }
    statements += operations(
      "In its directories, the extension can also:",
      "The extension cannot",
      [
        "create directories": ["mkdir", "mkdirat"], "rename files": ["rename", "renameat", "renameat2"],
        "remove files and directories": ["unlink", "unlinkat", "rmdir"],
        "create hard links": ["link", "linkat"],
        "create symbolic links in /container": ["symlink", "symlinkat"],
        "create named pipes in /container": ["mknod", "mknodat"],
        "change permissions": ["chmod", "fchmod", "fchmodat", "fchmodat2"],
        "change owners": ["chown", "fchown", "fchownat", "lchown"],
        "set extended attributes": ["setxattr", "lsetxattr", "fsetxattr", "setxattrat"],
        "set times": ["utime", "utimes", "futimesat", "utimensat"],
      ]
    )
    if let special = specialBits { statements.append(special) }
    statements.append(contentDelivery)
    statements.append(
      Statement(.cannot, "The extension cannot change any file of the host: the visible paths are read-only.")
    )
    return Section(title: "Writable files", statements: statements)
  }

  /// The statement about the file names that the app receives.
  private var contentDelivery: Statement {
    switch policy.content {
    case .portable:
      Statement(
        .cannot,
        "The app receives no names that other programs cannot open, or interpret as an option or a command: such "
          + "names are changed, and the record lists both names.\(originSuffix(.content))"
      )
    case .asWritten:
      Statement(
        .warning,
        "The app receives the names, the directory depth and the sparse files that the extension chose. Other "
          + "programs can interpret a name as an option, and a directory as a repository whose configuration names "
          + "programs to run.\(originSuffix(.content))"
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
      "The extension can set set-user-ID or set-group-ID bits (\(calls.joined(separator: ", "))). The bits have no "
        + "effect in the session, and are cleared before the app receives a file.",
      about: calls
    )
  }

  /// The calls with a mode argument, and the index of that argument.
  private static let modes: KeyValuePairs<String, Int> = [
    "chmod": 1, "fchmod": 1, "fchmodat": 2, "fchmodat2": 2, "mkdir": 1, "mkdirat": 2, "creat": 1, "open": 2,
    "openat": 3, "mknod": 1, "mknodat": 2,
  ]
}
