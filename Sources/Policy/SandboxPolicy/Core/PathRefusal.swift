// SPDX-License-Identifier: Apache-2.0

/// Why a path cannot be shown to a session.
package enum PathRefusal: Sendable, Hashable {
  /// It does not begin with a slash.
  case relative
  /// It has `.`, `..`, an empty component or a slash at the end, so that two texts could name one place.
  case notPlain
  /// It has a NUL or another control character.
  case controlCharacter
  /// It is a place where people, services, the kernel or the sandbox itself keep their things, or contains one.
  case reserved(String)
}

extension PathRefusal {
  /// Why, as the end of a sentence that begins with the path.
  package var reason: String {
    switch self {
    case .relative: "is not absolute"
    case .notPlain: "is not written plainly"
    case .controlCharacter: "has a control character"
    case .reserved(let place): "would show \(place), which no session may see"
    }
  }

  /// What to write instead.
  package var mend: String {
    switch self {
    case .relative: "begin with \"/\""
    case .notPlain: "leave out \".\", \"..\", doubled slashes and the slash at the end"
    case .controlCharacter: "rename the file"
    case .reserved: "name a path below /usr, /opt, /srv, /etc or /var that the program needs"
    }
  }
}

/// The paths that policies can show to a session.
package enum GrantablePaths {
  /// The devices that a policy can show: those that hold nothing.
  package static let devices: Set<String> = [
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom",
  ]

  /// Places that no policy can show, nor anything in them.
  private static let reserved = [
    "/home", "/root", "/proc", "/sys", "/run", "/dev", "/tmp", "/boot", "/lost+found", "/mnt", "/media",
    "/var/run", "/var/lock", "/var/tmp", "/var/log", "/var/mail", "/var/spool", "/var/lib/private",
    "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d",
    "/etc/ssh", "/etc/ssl/private", "/session", "/container", "/extension", "/library", "/assets",
  ]

  /// Why a path cannot be shown; nil if it can.
  package static func refusal(of path: String) -> PathRefusal? {
    guard path.hasPrefix("/") else { return .relative }
    guard path.unicodeScalars.allSatisfy({ $0.value >= 0x20 && $0.value != 0x7F }) else {
      return .controlCharacter
    }
    let components = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    if path != "/", components.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) { return .notPlain }
    let asDirectory = path == "/" ? "/" : path + "/"
    let hit = reserved.first { asDirectory.hasPrefix($0 + "/") || ($0 + "/").hasPrefix(asDirectory) }
    return hit.map { .reserved($0) }
  }
}
