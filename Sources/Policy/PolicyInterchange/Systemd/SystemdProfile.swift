// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import SystemCalls

/// What the settings of a systemd service say of calls (systemd.exec(5), version 252).
///
/// `SystemCallFilter=` makes a list of what is allowed, or, if its first value begins with `~`, of what is not. The settings
/// that restrict single things (`RestrictNamespaces=` and others) are filters of their own, so that they hold whatever
/// the list says.
package struct SystemdProfile: Sendable {
  /// What the settings say.
  package private(set) var profile: CallProfile
  /// What they say beside, or not clearly.
  package private(set) var losses: [InterchangeLoss] = []

  /// The names that `SystemCallFilter=` has come to, with the answer to each; nil: there is no list.
  private var list: [String: UInt16?]?
  /// Whether the list says what is allowed.
  private var isAllowList = false
  /// The answer to calls that are refused; nil: the process ends.
  private var answer: UInt16?
  /// The rules of other settings, which come first.
  private var restrictions: [CallProfile.Rule] = []

  /// Reads a unit file or drop-in.
  package init(text: String) throws(InterchangeError) {
    profile = CallProfile(defaultAction: .allow, architectures: CallArchitecture.ofThisMachine)
    profile.precedence = .order
    profile.otherArchitectures = .allow
    for assignment in try UnitText(text).assignments { try read(assignment) }
    finish()
    let unknown = profile.unknownNames
    if !unknown.isEmpty { losses.append(InterchangeLoss("", .unknownNames(unknown), .none)) }
  }

  private mutating func read(_ assignment: UnitText.Assignment) throws(InterchangeError) {
    switch assignment.key {
    case "SystemCallFilter": try readFilter(assignment)
    case "SystemCallErrorNumber": try readAnswer(assignment)
    case "SystemCallArchitectures": readArchitectures(assignment)
    default:
      if let rules = try SystemdRestriction.rules(assignment) {
        restrictions += rules
      } else {
        losses.append(InterchangeLoss(assignment.place, .unknownMember(assignment.key), .none))
      }
    }
  }

  /// One more `SystemCallFilter=`: an empty value forgets what came before.
  private mutating func readFilter(_ assignment: UnitText.Assignment) throws(InterchangeError) {
    guard !assignment.value.isEmpty else {
      list = nil
      return
    }
    let isInverse = assignment.value.first == "~"
    let words = assignment.value.dropFirst(isInverse ? 1 : 0).split(whereSeparator: \.isWhitespace)
    if list == nil {
      isAllowList = !isInverse
      list = [:]
      // Without these no service would start.
      if isAllowList { for name in Self.members("@default") ?? [] { list?[name] = .some(nil) } }
    }
    for word in words {
      let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
      guard let names = Self.members(parts[0]) else {
        throw InterchangeError(assignment.position, .unknownWord(parts[0], kind: "group of systemd 252"))
      }
      let number = try parts.count < 2 ? nil : errno(parts[1], assignment)
      for name in names {
        if isInverse == isAllowList { list?[name] = nil } else { list?[name] = .some(number) }
      }
    }
  }

  /// The calls of a group, or one call; nil: there is no such group.
  private static func members(_ word: String) -> [String]? {
    word.hasPrefix("@") ? SystemdGroups.calls(of: word)?.filter(isOfThisMachine) : [word]
  }

  /// Whether an architecture of the machine has a call: a group has those of all others, too.
  private static func isOfThisMachine(_ call: String) -> Bool {
    CallArchitecture.ofThisMachine.contains { architecture in
      CallTable.of(architecture).number(of: call) != nil || MultiplexedCall.of(call, on: architecture) != nil
    }
  }

  private mutating func readAnswer(_ assignment: UnitText.Assignment) throws(InterchangeError) {
    answer = ["", "kill"].contains(assignment.value) ? nil : try errno(assignment.value, assignment)
  }

  /// An error by name or number; nil: the process ends.
  private func errno(_ text: String, _ assignment: UnitText.Assignment) throws(InterchangeError) -> UInt16? {
    if text == "kill" { return nil }
    guard let number = ErrorNames.number(of: text) ?? UInt16(text) else {
      throw InterchangeError(assignment.position, .unknownWord(text, kind: "error"))
    }
    return min(number, 4095)
  }

  /// The architectures whose calls may be made at all.
  private mutating func readArchitectures(_ assignment: UnitText.Assignment) {
    let names: [String: CallArchitecture] = [
      "native": .native, "x86-64": .x86, "x86": .i386, "x32": .x32, "arm64": .arm64, "arm": .arm,
      "riscv64": .riscv, "ppc64-le": .power, "ppc64": .power, "s390x": .s390,
    ]
    let words = assignment.value.split(whereSeparator: \.isWhitespace).map(String.init)
    guard !words.isEmpty else { return }
    for word in words where names[word] == nil {
      losses.append(InterchangeLoss(assignment.place, .unknownArchitecture(word), .none))
    }
    // systemd adds the native one: it runs there itself.
    let wanted = Set(words.compactMap { names[$0] } + [.native])
    profile.architectures = CallArchitecture.ofThisMachine.filter(wanted.contains)
    profile.otherArchitectures = .killThread
  }

  /// Puts the rules together.
  private mutating func finish() {
    profile.rules = restrictions
    guard let list else { return }
    let refusal: Verdict = answer.map { .errno($0) } ?? .killProcess
    guard !isAllowList else {
      profile.defaultAction = refusal
      // In a list of what is allowed an error says nothing: systemd allows the call.
      if let named = list.first(where: { $0.value != nil })?.key {
        let text = "\(named):… stands in a list of what is allowed, where systemd does not use the error"
        losses.append(InterchangeLoss("SystemCallFilter", .answers(text), .none))
      }
      profile.rules.append(CallProfile.Rule(list.keys.sorted(), .allow))
      // systemd answers calls that it does not know itself with ENOSYS.
      if answer != nil {
        profile.unknownNumbers = .errno(38)
        profile.rules.append(
          CallProfile.Rule(SystemdGroups.unknownCalls.filter(Self.isOfThisMachine).sorted(), .errno(38))
        )
      }
      return
    }
    for (name, number) in list.sorted(by: { $0.key < $1.key }) {
      profile.rules.append(CallProfile.Rule([name], number.map { .errno($0) } ?? refusal))
    }
  }
}
