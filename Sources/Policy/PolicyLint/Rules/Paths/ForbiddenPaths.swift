// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about paths and devices that no policy can show.
extension PolicyRule {
  /// The rule that finds paths that no policy can show.
  static let forbiddenPath = PolicyRule(
    "DR3001",
    "forbidden-path",
    .error,
    summary: "A path is shown that no session may see",
    justification:
      "Home directories, devices, what services have at /run, and secrets of the machine are never shown, whoever asks.",
    remediation: "Name a path below /usr, /opt, /srv, /etc or /var that the program needs."
  ) { linted in
    linted.policy.readOnly.compactMap { grant in
      GrantablePaths.refusal(of: grant.path).map {
        RuleHit(grant.path, grant.origin, "\"\(grant.path)\" \($0.reason)")
      }
    }
  }

  /// The rule that finds devices that no policy can show.
  static let forbiddenDevice = PolicyRule(
    "DR3002",
    "forbidden-device",
    .error,
    summary: "A device is shown that holds or does something",
    justification: "A device is a door to a driver, and most devices hold something of the person.",
    remediation:
      "Use the devices that hold nothing: /dev/null, /dev/zero, /dev/full, /dev/random, /dev/urandom."
  ) { linted in
    linted.policy.devices.filter { !GrantablePaths.devices.contains($0.value) }.map {
      RuleHit($0.value, $0.origin, "\"\($0.value)\" is no device that a session can have")
    }
  }
}
