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
      "Home directories, devices, the sockets of services in /run, and secrets of the machine are never shown, "
      + "whatever a policy says.",
    remediation: "Name a narrower path below /usr, /opt, /srv, /etc or /var, or copy the needed files to one."
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
    summary: "A device is shown that stores data or controls hardware",
    justification: "A device gives access to a driver, and most devices contain data of the user.",
    remediation:
      "Use a device without data: /dev/null, /dev/zero, /dev/full, /dev/random or /dev/urandom."
  ) { linted in
    linted.policy.devices.filter { !GrantablePaths.devices.contains($0.value) }.map {
      RuleHit($0.value, $0.origin, "\"\($0.value)\" is not a device that a session can have")
    }
  }
}
