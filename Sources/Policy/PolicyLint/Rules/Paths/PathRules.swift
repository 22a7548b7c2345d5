// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about the names of paths.
extension PolicyRule {
  /// The rule that finds paths that show a large part of the machine.
  static let broadPath = PolicyRule(
    "DR3003",
    "broad-path",
    .note,
    summary: "A path shows a great part of the machine",
    justification:
      "Everything below it can be read, and run where \"execute\" is \"any\": compilers, interpreters, and the version of "
      + "every package, which tells an attacker which faults to try.",
    remediation: "Name the libraries and data that the program needs, or bring them with the extension."
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
    summary: "A path looks like home directories",
    justification: "What people keep in their homes is what the sandbox is there to protect.",
    remediation: "Copy what the program needs to a place of its own, or bring it with the extension."
  ) { linted in
    linted.policy.readOnly.filter { grant in
      let names: Set<Substring> = ["home", "homes", "Users", "users", "export"]
      return grant.path.split(separator: "/").contains { names.contains($0) }
    }.map { RuleHit($0.path, $0.origin, "\($0.path) looks like a place of home directories") }
  }

  /// The rule that finds paths with secrets or with identifying data of the machine.
  static let sensitivePath = PolicyRule(
    "DR3005",
    "sensitive-path",
    .warning,
    summary: "A path holds secrets, or tells who the machine and its people are",
    justification:
      "A session has no network, but what it reads can be hidden in the pictures that it leaves. Keys, accounts and the "
      + "machine's id are of no use to a camera.",
    remediation: "Leave the path out, or show the one file in it that the program needs."
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
      "A service that listens there acts for whoever reaches it, outside of the sandbox. No socket call is allowed to a "
      + "session, so that this is the second of two doors; it should be shut, too.",
    remediation: "Remove the path; the host passes what a session needs by descriptor."
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
    summary: "A path is shown already by one that contains it",
    justification: "It adds nothing; whoever removes it believes that it is no longer shown.",
    remediation: "Remove it, or the wider path."
  ) { linted in
    linted.policy.readOnly.compactMap { grant in
      let wider = linted.policy.readOnly.first { grant.path.hasPrefix($0.path + "/") }
      return wider.map {
        RuleHit(grant.path, grant.origin, "\($0.path) at \($0.origin) shows \(grant.path) already")
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
    "/etc/NetworkManager": "holds the passwords of networks",
    "/etc/wpa_supplicant": "holds the passwords of networks",
    "/etc/wireguard": "holds keys",
    "/etc/krb5.keytab": "holds keys",
    "/etc/kubernetes": "holds keys",
    "/etc/docker": "tells how the machine's containers are set up",
    "/etc/pam.d": "tells how people prove who they are",
    "/etc/security": "tells how people prove who they are",
    "/etc/passwd": "tells the names of the machine's people",
    "/etc/group": "tells the names of the machine's people",
    "/etc/machine-id": "tells one machine from all others",
    "/etc/hostname": "tells one machine from others",
    "/etc/hosts": "tells of the network around the machine",
    "/etc/resolv.conf": "tells of the network around the machine",
    "/etc/fstab": "tells how the machine's disks are set up",
    "/etc/crypttab": "tells how the machine's disks are locked",
    "/var/backups": "holds copies of accounts",
    "/var/lib/AccountsService": "tells the names of the machine's people",
    "/var/lib/NetworkManager": "tells where the machine has been",
    "/var/lib/bluetooth": "holds keys",
    "/var/lib/dbus": "tells one machine from all others",
    "/var/lib/docker": "holds other containers",
    "/var/lib/containers": "holds other containers",
    "/var/lib/fprint": "holds fingerprints",
    "/var/lib/systemd": "holds what services keep, and secrets of the machine",
    "/var/lib/mysql": "holds databases",
    "/var/lib/postgresql": "holds databases",
  ]
}
