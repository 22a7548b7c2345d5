// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about the names of paths.
extension PolicyRule {
  /// The rule that finds paths that show a large part of the machine.
  static let broadPath = PolicyRule(
    "DR3003",
    "broad-path",
    .note,
    summary: "A path shows a large part of the machine",
    justification:
      "Everything below the path can be read, and executed if \"execute\" is \"any\": compilers, interpreters, and "
      + "the version of every package, by which an attacker can look up vulnerabilities.",
    remediation: "Name the libraries and data that the program needs, or bundle them with the extension."
  ) { linted in
    let broad: Set = [
      "/usr", "/usr/local", "/opt", "/srv", "/var/cache", "/lib", "/bin", "/sbin",
    ]
    return linted.policy.readOnly.filter { broad.contains($0.path) }.map {
      RuleHit($0.path, $0.origin, "all of \($0.path) is shown")
    }
  }

  /// The rule that finds home directories outside `/home`.
  static let homeDirectory = PolicyRule(
    "DR3004",
    "home-directory",
    .warning,
    summary: "A path seems to contain home directories",
    justification: "The sandbox exists to protect the files in users' home directories.",
    remediation: "Copy the needed files to a separate directory, or bundle them with the extension."
  ) { linted in
    linted.policy.readOnly.filter { grant in
      let names: Set<Substring> = ["home", "homes", "Users", "users", "export"]
      return grant.path.split(separator: "/").contains { names.contains($0) }
    }.map { RuleHit($0.path, $0.origin, "\($0.path) seems to contain home directories") }
  }

  /// The rule that finds paths with secrets or with identifying data of the machine.
  static let sensitivePath = PolicyRule(
    "DR3005",
    "sensitive-path",
    .warning,
    summary: "A path contains secrets, or identifies the machine or its users",
    justification:
      "A session has no network, but an extension can hide data that it reads in the images that it saves. A capture "
      + "needs no keys, accounts or machine ID.",
    remediation: "Remove the path, or show only the file in it that the program needs."
  ) { linted in
    linted.policy.readOnly.compactMap { grant in
      SensitivePaths.reason(grant.path).map { RuleHit(grant.path, grant.origin, "\(grant.path) \($0)") }
    }
  }

  /// The rule that finds paths with names of sockets.
  static let socketPath = PolicyRule(
    "DR3006",
    "socket-path",
    .warning,
    summary: "A path is named like a socket",
    justification:
      "A service that listens on the socket acts for its clients outside the sandbox. A session cannot connect "
      + "sockets; not showing the path is a second line of defense.",
    remediation: "Remove the path; the host passes the descriptors that a session needs."
  ) { linted in
    linted.policy.readOnly.filter { grant in
      [".sock", ".socket", "/sock", "/socket"].contains { grant.path.hasSuffix($0) }
    }.map { RuleHit($0.path, $0.origin, "\($0.path) is named like a socket") }
  }

  /// The rule that finds paths below other paths of the policy.
  static let coveredPath = PolicyRule(
    "DR3007",
    "covered-path",
    .note,
    summary: "A path is already shown by a path that contains it",
    justification: "The entry has no effect: the path remains visible if the entry is removed.",
    remediation: "Remove the entry, or the wider path."
  ) { linted in
    linted.policy.readOnly.compactMap { grant in
      let wider = linted.policy.readOnly.first { grant.path.hasPrefix($0.path + "/") }
      return wider.map {
        RuleHit(grant.path, grant.origin, "\($0.path) at \($0.origin) already shows \(grant.path)")
      }
    }
  }
}

/// The paths with private data that policies could show.
enum SensitivePaths {
  /// Returns why a path is sensitive, or `nil` if it is not. No policy can show the parents of sensitive
  /// paths.
  static func reason(_ path: String) -> String? {
    let hit = reasons.first { place, _ in path == place || path.hasPrefix(place + "/") }
    if let hit { return hit.value }
    let endings = [".key", ".pem", ".p12", ".pfx", ".kdbx", ".keytab", "_rsa", "_ed25519"]
    return endings.contains { path.hasSuffix($0) } ? "is named like a key" : nil
  }

  /// The sensitive paths, and the descriptions of their contents.
  private static let reasons: KeyValuePairs<String, String> = [
    "/etc/NetworkManager": "contains network passwords",
    "/etc/wpa_supplicant": "contains network passwords",
    "/etc/wireguard": "contains keys",
    "/etc/krb5.keytab": "contains keys",
    "/etc/kubernetes": "contains keys",
    "/etc/docker": "reveals the configuration of containers",
    "/etc/pam.d": "reveals the configuration of authentication",
    "/etc/security": "reveals the configuration of authentication",
    "/etc/passwd": "reveals the user names of the machine",
    "/etc/group": "reveals the user names of the machine",
    "/etc/machine-id": "identifies the machine uniquely",
    "/etc/hostname": "identifies the machine",
    "/etc/hosts": "reveals the network around the machine",
    "/etc/resolv.conf": "reveals the network around the machine",
    "/etc/fstab": "reveals the configuration of disks",
    "/etc/crypttab": "reveals the encryption of disks",
    "/var/backups": "contains copies of accounts",
    "/var/lib/AccountsService": "reveals the user names of the machine",
    "/var/lib/NetworkManager": "reveals the networks that the machine has joined",
    "/var/lib/bluetooth": "contains keys",
    "/var/lib/dbus": "identifies the machine uniquely",
    "/var/lib/docker": "contains other containers",
    "/var/lib/containers": "contains other containers",
    "/var/lib/fprint": "contains fingerprints",
    "/var/lib/systemd": "contains data of services and secrets of the machine",
    "/var/lib/mysql": "contains databases",
    "/var/lib/postgresql": "contains databases",
  ]
}
