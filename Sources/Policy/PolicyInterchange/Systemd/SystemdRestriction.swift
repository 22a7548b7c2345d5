// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis

/// The settings of systemd that are separate filters (`src/shared/seccomp-util.c`, version 252).
enum SystemdRestriction {
  /// The corresponding constant is `EPERM`.
  private static let notPermitted = Verdict.errno(1)
  /// The corresponding constant is `ENOSYS`.
  private static let notImplemented = Verdict.errno(38)
  /// The corresponding constant is `EAFNOSUPPORT`.
  private static let noSuchFamily = Verdict.errno(97)

  /// Returns the rules of a setting, or `nil` if it is not a filter or is unknown.
  static func rules(_ assignment: UnitFile.Assignment) throws(InterchangeError) -> [CallProfile.Rule]? {
    let isOn = ["yes", "true", "on", "1"].contains(assignment.value)
    let location = assignment.location
    let rules: [CallProfile.Rule]
    switch assignment.key {
    case "RestrictAddressFamilies": return try families(assignment)
    case "RestrictNamespaces": return try namespaces(assignment)
    case "MemoryDenyWriteExecute": rules = writableExecutableMemory
    case "RestrictSUIDSGID": rules = setIdentity
    case "LockPersonality": rules = personality
    case "RestrictRealtime": rules = realTime
    case "ProtectClock": rules = group("@clock")
    case "ProtectKernelModules": rules = group("@module")
    case "PrivateDevices": rules = group("@raw-io")
    case "ProtectKernelLogs": rules = [CallProfile.Rule(["syslog"], notPermitted)]
    case "ProtectHostname": rules = [CallProfile.Rule(["sethostname", "setdomainname"], notPermitted)]
    default: return nil
    }
    return isOn ? rules.map { located($0, location) } : []
  }

  private static func located(_ rule: CallProfile.Rule, _ location: String) -> CallProfile.Rule {
    var rule = rule
    rule.location = location
    return rule
  }

  private static func group(_ name: String) -> [CallProfile.Rule] {
    [CallProfile.Rule(SystemdGroups.calls(of: name) ?? [], notPermitted)]
  }

  /// Returns a rule that refuses a call if all of these bits of an argument are set.
  private static func set(_ call: String, _ index: Int, _ bits: UInt64) -> CallProfile.Rule {
    CallProfile.Rule([call], notPermitted, where: [ArgumentComparison(index, .masked(bits), bits)])
  }

  /// The rules of `MemoryDenyWriteExecute=`, which refuse memory that is writable and executable.
  static let writableExecutableMemory = [
    set("mmap", 2, 0x6), set("mprotect", 2, 0x4), set("pkey_mprotect", 2, 0x4), set("shmat", 2, 0x8000),
  ]

  /// The rules of `RestrictSUIDSGID=`, which refuse set-user-ID and set-group-ID files.
  static let setIdentity: [CallProfile.Rule] = {
    var rules: [CallProfile.Rule] = []
    for bit in [0x800, 0x400] as [UInt64] {
      let modes = [
        ("chmod", 1), ("fchmod", 1), ("fchmodat", 2), ("fchmodat2", 2), ("mkdir", 1), ("mkdirat", 2),
        ("mknod", 1), ("mknodat", 2), ("creat", 1),
      ]
      rules += modes.map { set($0.0, $0.1, bit) }
      // A mode has an effect only if the call creates a file (O_CREAT or O_TMPFILE).
      for creation in [0x40, 0x41_0000] as [UInt64] {
        for (call, flags) in [("open", 1), ("openat", 2)] {
          let conditions = [
            ArgumentComparison(flags, .masked(creation), creation),
            ArgumentComparison(flags + 1, .masked(bit), bit),
          ]
          rules.append(CallProfile.Rule([call], notPermitted, where: conditions))
        }
      }
    }
    // The mode of openat2(2) is in memory, which a filter cannot read.
    return rules + [CallProfile.Rule(["openat2"], notImplemented)]
  }()

  /// The rules of `LockPersonality=`, which refuse every personality except the default; querying it is
  /// allowed.
  static let personality = [
    CallProfile.Rule(
      ["personality"],
      notPermitted,
      where: [ArgumentComparison(0, .notEqual, 0), ArgumentComparison(0, .notEqual, 0xFFFF_FFFF)]
    )
  ]

  /// The rules of `RestrictRealtime=`, which allow only the non-real-time schedulers (0 and 3 to 5).
  private static let realTime =
    [1, 2].map {
      CallProfile.Rule(["sched_setscheduler"], notPermitted, where: [ArgumentComparison(1, .equal, $0)])
    } + [
      CallProfile.Rule(
        ["sched_setscheduler"],
        notPermitted,
        where: [ArgumentComparison(1, .greaterOrEqual, 6)]
      )
    ]

  /// Returns the rules of `RestrictAddressFamilies=`, which restrict socket(2).
  private static func families(_ assignment: UnitFile.Assignment) throws(InterchangeError)
    -> [CallProfile.Rule]
  {
    guard !assignment.value.isEmpty else { return [] }
    let refusal = { (conditions: [ArgumentComparison]) in
      CallProfile.Rule(["socket"], noSuchFamily, where: conditions, location: assignment.location)
    }
    if assignment.value == "none" { return [refusal([])] }
    let isInverse = assignment.value.first == "~"
    var values: [UInt64] = []
    for word in assignment.value.dropFirst(isInverse ? 1 : 0).split(whereSeparator: \.isWhitespace) {
      guard let value = AddressFamilies.values[String(word)] else {
        throw InterchangeError(assignment.position, .unknownKeyword(String(word), kind: "address family"))
      }
      values.append(value)
    }
    if isInverse { return values.map { refusal([ArgumentComparison(0, .equal, $0)]) } }
    return [refusal(values.map { ArgumentComparison(0, .notEqual, $0) })]
  }

  /// The flags of `RestrictNamespaces=`. systemd 252 has no `time`.
  static let namespaceFlags: KeyValuePairs<String, UInt64> = [
    "cgroup": 0x200_0000, "ipc": 0x800_0000, "net": 0x4000_0000, "mnt": 0x2_0000, "pid": 0x2000_0000,
    "user": 0x1000_0000, "uts": 0x400_0000,
  ]

  /// Returns the rules of `RestrictNamespaces=`, which restrict creating and entering namespaces.
  static func namespaces(_ assignment: UnitFile.Assignment) throws(InterchangeError) -> [CallProfile.Rule] {
    var refused = namespaceFlags.map(\.value)
    switch assignment.value {
    case "yes", "true", "on", "1": break
    case "no", "false", "off", "0", "": return []
    default:
      let isInverse = assignment.value.first == "~"
      var named: [UInt64] = []
      for word in assignment.value.dropFirst(isInverse ? 1 : 0).split(whereSeparator: \.isWhitespace) {
        guard let flag = namespaceFlags.first(where: { $0.key == word })?.value else {
          throw InterchangeError(assignment.position, .unknownKeyword(String(word), kind: "namespace"))
        }
        named.append(flag)
      }
      refused = isInverse ? named : refused.filter { !named.contains($0) }
    }
    var rules = refused.flatMap { [set("unshare", 0, $0), set("clone", 0, $0), set("setns", 1, $0)] }
    // With type 0, the descriptor determines which namespace setns(2) enters.
    rules.append(CallProfile.Rule(["setns"], notPermitted, where: [ArgumentComparison(1, .equal, 0)]))
    rules.append(CallProfile.Rule(["clone3"], notImplemented))
    return refused.isEmpty ? [] : rules.map { located($0, assignment.location) }
  }
}
