// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import SystemCalls

/// The system call filter of a systemd service (systemd.exec(5), version 252).
///
/// `SystemCallFilter=` is an allow list, or a deny list if its first value starts with `~`. Settings that
/// restrict single features, such as `RestrictNamespaces=`, are separate filters, so they apply in addition
/// to the list.
package struct SystemdProfile: Sendable {
  /// The rules of the settings.
  package private(set) var profile: CallProfile
  /// The settings that were not translated or are ambiguous.
  package private(set) var losses: [InterchangeLoss] = []

  /// The names in `SystemCallFilter=` with their error numbers, or `nil` if there is no list.
  private var filterList: [String: UInt16?]?
  /// Whether the list is an allow list.
  private var isAllowList = false
  /// The error number for refused calls, or `nil` if the process is killed.
  private var answer: UInt16?
  /// The rules of other settings, which precede the list.
  private var restrictions: [CallProfile.Rule] = []

  /// Parses a unit file or drop-in.
  ///
  /// - Throws: ``InterchangeError`` if the file is invalid.
  package init(text: String) throws(InterchangeError) {
    profile = CallProfile(defaultAction: .allow, architectures: CallArchitecture.ofThisMachine)
    profile.precedence = .order
    profile.otherArchitectures = .allow
    for assignment in try UnitFile(text).assignments { try read(assignment) }
    finish()
    let unknown = profile.unknownNames
    if !unknown.isEmpty { losses.append(InterchangeLoss("", .unknownNames(unknown), .none)) }
  }

  private mutating func read(_ assignment: UnitFile.Assignment) throws(InterchangeError) {
    switch assignment.key {
    case "SystemCallFilter": try readFilter(assignment)
    case "SystemCallErrorNumber": try readErrorNumber(assignment)
    case "SystemCallArchitectures": readArchitectures(assignment)
    default:
      if let rules = try SystemdRestriction.rules(assignment) {
        restrictions += rules
      } else {
        losses.append(InterchangeLoss(assignment.location, .unknownMember(assignment.key), .none))
      }
    }
  }

  /// Reads a `SystemCallFilter=` assignment. An empty value clears earlier assignments.
  private mutating func readFilter(_ assignment: UnitFile.Assignment) throws(InterchangeError) {
    guard !assignment.value.isEmpty else {
      filterList = nil
      return
    }
    let isInverse = assignment.value.first == "~"
    let words = assignment.value.dropFirst(isInverse ? 1 : 0).split(whereSeparator: \.isWhitespace)
    if filterList == nil {
      isAllowList = !isInverse
      filterList = [:]
      // Services cannot start without these calls, so systemd adds them to every allow list.
      if isAllowList { for name in Self.members("@default") ?? [] { filterList?[name] = .some(nil) } }
    }
    for word in words {
      let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
      guard let names = Self.members(parts[0]) else {
        throw InterchangeError(assignment.position, .unknownKeyword(parts[0], kind: "group of systemd 252"))
      }
      let number = try parts.count < 2 ? nil : errno(parts[1], assignment)
      for name in names {
        if isInverse == isAllowList { filterList?[name] = nil } else { filterList?[name] = .some(number) }
      }
    }
  }

  /// Returns the calls of a group, or a single call; `nil` if the group is unknown.
  private static func members(_ word: String) -> [String]? {
    word.hasPrefix("@") ? SystemdGroups.calls(of: word)?.filter(isOfThisMachine) : [word]
  }

  /// Returns whether an architecture of the machine has a call. Groups also contain calls of other
  /// architectures.
  private static func isOfThisMachine(_ call: String) -> Bool {
    CallArchitecture.ofThisMachine.contains { architecture in
      CallTable.of(architecture).number(of: call) != nil || MultiplexedCall.of(call, on: architecture) != nil
    }
  }

  private mutating func readErrorNumber(_ assignment: UnitFile.Assignment) throws(InterchangeError) {
    answer = ["", "kill"].contains(assignment.value) ? nil : try errno(assignment.value, assignment)
  }

  /// Returns the number of an error by name or number, or `nil` for `kill`.
  private func errno(_ text: String, _ assignment: UnitFile.Assignment) throws(InterchangeError) -> UInt16? {
    if text == "kill" { return nil }
    guard let number = ErrorNames.number(of: text) ?? UInt16(text) else {
      throw InterchangeError(assignment.position, .unknownKeyword(text, kind: "error"))
    }
    return min(number, 4095)
  }

  /// Reads the architectures whose calls are allowed.
  private mutating func readArchitectures(_ assignment: UnitFile.Assignment) {
    let names: [String: CallArchitecture] = [
      "native": .native, "x86-64": .x86, "x86": .i386, "x32": .x32, "arm64": .arm64, "arm": .arm,
      "riscv64": .riscv, "ppc64-le": .power, "ppc64": .power, "s390x": .s390,
    ]
    let words = assignment.value.split(whereSeparator: \.isWhitespace).map(String.init)
    guard !words.isEmpty else { return }
    for word in words where names[word] == nil {
      losses.append(InterchangeLoss(assignment.location, .unknownArchitecture(word), .none))
    }
    // systemd always adds the native architecture, because systemd itself runs on it.
    let wanted = Set(words.compactMap { names[$0] } + [.native])
    profile.architectures = CallArchitecture.ofThisMachine.filter(wanted.contains)
    profile.otherArchitectures = .killThread
  }

  /// Combines the rules of all settings.
  private mutating func finish() {
    profile.rules = restrictions
    guard let filterList else { return }
    let refusal: Verdict = answer.map { .errno($0) } ?? .killProcess
    guard !isAllowList else {
      profile.defaultAction = refusal
      // systemd ignores error numbers in an allow list and allows the calls.
      if let named = filterList.first(where: { $0.value != nil })?.key {
        let text = "\(named):… is in a list of allowed calls, for which systemd ignores the error"
        losses.append(InterchangeLoss("SystemCallFilter", .differentAnswers(text), .none))
      }
      profile.rules.append(CallProfile.Rule(filterList.keys.sorted(), .allow))
      // systemd answers calls that it does not know with ENOSYS.
      if answer != nil {
        profile.unknownNumbers = .errno(38)
        profile.rules.append(
          CallProfile.Rule(SystemdGroups.unknownCalls.filter(Self.isOfThisMachine).sorted(), .errno(38))
        )
      }
      return
    }
    for (name, number) in filterList.sorted(by: { $0.key < $1.key }) {
      profile.rules.append(CallProfile.Rule([name], number.map { .errno($0) } ?? refusal))
    }
  }
}
