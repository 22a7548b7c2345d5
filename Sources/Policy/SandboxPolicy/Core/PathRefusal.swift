// SPDX-License-Identifier: Apache-2.0

/// A reason for which a path cannot be exposed to a session.
package enum PathRefusal: Sendable, Hashable {
  /// The path does not begin with a slash.
  case relative
  /// The path contains `.`, `..`, an empty component or a trailing slash, so that two spellings could name
  /// the same file.
  case notNormalized
  /// The path contains a control character, such as NUL.
  case controlCharacter
  /// The path is, contains, or is below a reserved directory.
  ///
  /// Reserved directories belong to users, services, the kernel or the sandbox itself.
  case reserved(String)
}

extension PathRefusal {
  /// The reason, as the end of a sentence that begins with the path.
  package var reason: String {
    switch self {
    case .relative: "is not absolute"
    case .notNormalized: "is not normalized"
    case .controlCharacter: "contains a control character"
    case .reserved(let place): "would show \(place), which no session may see"
    }
  }

  /// The path to write instead, as an imperative.
  package var fix: String {
    switch self {
    case .relative: "use an absolute path"
    case .notNormalized: "remove \".\", \"..\", repeated slashes and the final slash"
    case .controlCharacter: "rename the file"
    case .reserved:
      allowsCopy
        ? "name a narrower path below /usr, /opt, /srv, /etc or /var, or copy the needed files there"
        : "remove the path"
    }
  }

  /// Whether a copy of the files could be exposed instead of the path. Devices, sockets and files of the kernel
  /// cannot be copied.
  package var allowsCopy: Bool {
    guard case .reserved(let place) = self else { return true }
    return !["/dev", "/proc", "/sys", "/run", "/var/run"].contains(place)
  }
}

/// The paths and devices that policies can expose to a session.
package enum GrantablePaths {
  /// The devices that a policy can expose; none of them stores data.
  package static let devices: Set<String> = [
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
  ]

  /// Directories and files that no policy can expose, nor anything below them.
  private static let reserved = [
    "/home", "/root", "/proc", "/sys", "/run", "/dev", "/tmp", "/boot", "/lost+found", "/mnt", "/media",
    "/var/run", "/var/lock", "/var/tmp", "/var/log", "/var/mail", "/var/spool", "/var/lib/private",
    "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d",
    "/etc/ssh", "/etc/ssl/private", "/session", "/container", "/extension", "/library", "/assets",
  ]

  /// Returns the reason for which a path cannot be exposed, or `nil` if it can.
  package static func refusal(of path: String) -> PathRefusal? {
    guard path.hasPrefix("/") else { return .relative }
    guard path.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      return .controlCharacter
    }
    let components = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    if path != "/", components.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) {
      return .notNormalized
    }
    let asDirectory = path == "/" ? "/" : path + "/"
    let hit = reserved.first { asDirectory.hasPrefix($0 + "/") || ($0 + "/").hasPrefix(asDirectory) }
    return hit.map { .reserved($0) }
  }
}
