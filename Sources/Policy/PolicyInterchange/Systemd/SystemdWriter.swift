// SPDX-License-Identifier: Apache-2.0

package import SandboxPolicy
internal import SystemCalls

/// A writer of policies as drop-in files for a systemd service.
package enum SystemdWriter {
  /// Returns a policy as a drop-in file. ``PolicyExport`` finds the losses by parsing the result.
  package static func write(_ policy: ResolvedPolicy) -> String {
    var lines = [
      "# Policy \(policy.name), written by Darkroom for systemd 252 on \(CallArchitecture.native.rawValue).",
      "[Service]", "NoNewPrivileges=yes", "SystemCallArchitectures=native", "SystemCallErrorNumber=EPERM",
    ]
    // Calls that the native architecture lacks are omitted.
    let names = Set(policy.calls.map(\.call)).intersection(CallTable.of(.native).names)
    lines += wrapped("SystemCallFilter=", names.sorted())
    // systemd adds the members of `@default` to every allow list, and needs execve(2) to start the service.
    let surplus = Set(CallGroup.calls(of: "@default") ?? []).subtracting(names).subtracting(["execve"])
    if !surplus.isEmpty { lines += wrapped("SystemCallFilter=~", surplus.sorted()) }
    lines += restrictions(policy)
    lines += [
      "PrivateNetwork=yes", "CapabilityBoundingSet=", "LimitNOFILE=\(policy.limits.descriptors)",
      "LimitNPROC=\(policy.limits.processes)", "LimitFSIZE=\(policy.limits.fileSize)",
      "LimitCPU=\(policy.limits.cpuTime)", "LimitAS=\(policy.limits.addressSpace)", "LimitCORE=0",
      "MemoryMax=\(policy.limits.memory)", "RuntimeMaxSec=\(policy.limits.wallClock)",
    ]
    return lines.joined(separator: "\n") + "\n"
  }

  /// Returns the settings that express conditions of the policy. A setting is omitted if it would refuse an
  /// allowed call.
  private static func restrictions(_ policy: ResolvedPolicy) -> [String] {
    var lines = ["RestrictNamespaces=yes", "RestrictAddressFamilies=none"]
    func never(_ calls: [String], _ bits: UInt64) -> Bool {
      calls.allSatisfy { call in
        policy.rules(for: call).allSatisfy { rule in
          rule.conditions.contains { condition in
            condition.index == 2 && UInt64(condition.mask & ~condition.value) & bits == bits
          }
        }
      }
    }
    if never(["mmap", "mprotect", "pkey_mprotect"], 0x4) { lines.append("MemoryDenyWriteExecute=yes") }
    let modes = [("chmod", 1), ("fchmod", 1), ("fchmodat", 2), ("mkdir", 1), ("mkdirat", 2), ("creat", 1)]
    let isModeLimited = modes.allSatisfy { call, index in
      policy.rules(for: call).allSatisfy { rule in
        rule.conditions.contains { $0.index == index && $0.mask & ~$0.value & 0xC00 == 0xC00 }
      }
    }
    if isModeLimited, policy.rules(for: "openat2").isEmpty { lines.append("RestrictSUIDSGID=yes") }
    // For these policies, every rule for personality(2) allows only the default personality or the query.
    let isPersonalityLocked = policy.rules(for: "personality").allSatisfy { rule in
      rule.conditions.contains { $0.index == 0 && $0.mask == .max && [0, .max].contains($0.value) }
    }
    if isPersonalityLocked { lines.append("LockPersonality=yes") }
    return lines
  }

  /// Returns a setting with many words, split into several assignments of at most 110 columns.
  private static func wrapped(_ key: String, _ words: [String]) -> [String] {
    var lines: [String] = []
    var line = key
    for word in words {
      if line.count + word.count > 108, line != key {
        lines.append(line)
        line = key
      }
      line += (line == key ? "" : " ") + word
    }
    return lines + [line]
  }
}
