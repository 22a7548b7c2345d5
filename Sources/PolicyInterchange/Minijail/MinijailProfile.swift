// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText
internal import SystemCalls

/// A policy of minijail: `name: 1`, `name: arg0 == 1 || arg1 & 2; return EPERM`, `{read, write}: allow`, `@default trap`.
///
/// Two programs read such files. minijail0 takes `expression; return ERRNO` to allow the call where the expression holds,
/// and to answer with the error else. The compiler that comes with it (compile_seccomp_policy.py) answers with the error
/// where the expression holds. Outside of braces, which only the compiler knows, the first reading is taken, and told.
package struct MinijailProfile: Sendable {
  /// What the policy says.
  package private(set) var profile: CallProfile
  /// What it says beside, or not clearly.
  package private(set) var losses: [InterchangeLoss] = []
  /// The statements that the two programs read differently.
  private var ambiguous: [String] = []

  /// Reads a policy.
  package init(text: String) throws(InterchangeError) {
    profile = CallProfile(defaultAction: .killThread)
    profile.precedence = .order
    for statement in MinijailToken.statements(text) { try read(statement) }
    if let first = ambiguous.first {
      let place = ambiguous.count == 1 ? first : "\(first) and \(ambiguous.count - 1) more"
      let text =
        "minijail0 allows a call where the expression holds and answers with the error else, and is followed here; "
        + "compile_seccomp_policy.py answers with the error where it holds"
      losses.append(InterchangeLoss(place, .ambiguous(text), .none))
    }
    let unknown = profile.unknownNames
    if !unknown.isEmpty { losses.append(InterchangeLoss("", .unknownNames(unknown), .none)) }
  }

  private mutating func read(_ tokens: [MinijailToken]) throws(InterchangeError) {
    var reader = MinijailReader(tokens)
    let place = "line \(tokens[0].position.line)"
    switch tokens[0].text {
    case "@include":
      let path = tokens.dropFirst().map(\.text).joined()
      losses.append(InterchangeLoss(place, .include(path), .stricter))
    case "@frequency": break
    case "@denylist": profile.defaultAction = .allow
    case "@default":
      _ = reader.next()
      profile.defaultAction = try reader.action()
      try reader.end()
    default: try readStatement(&reader, place)
    }
  }

  private mutating func readStatement(_ reader: inout MinijailReader, _ place: String)
    throws(InterchangeError)
  {
    let (calls, skipped) = try reader.calls()
    for name in skipped {
      losses.append(InterchangeLoss(place, .condition("on \(name)", isAssumed: false), .none))
    }
    try reader.expect(":")
    if reader.take("{") {
      repeat { try readFilter(&reader, calls, place, isCompiled: true) } while reader.take(",")
      try reader.expect("}")
    } else {
      try readFilter(&reader, calls, place, isCompiled: false)
    }
    try reader.end()
  }

  /// One action, or an expression that may have an action.
  private mutating func readFilter(
    _ reader: inout MinijailReader,
    _ calls: [String],
    _ place: String,
    isCompiled: Bool
  ) throws(InterchangeError) {
    guard reader.isAtArgument else {
      profile.rules.append(CallProfile.Rule(calls, try reader.action(), place: place))
      return
    }
    let alternatives = try reader.expression()
    let action = try reader.take(";") ? reader.action() : nil
    let matching = isCompiled ? action ?? .allow : .allow
    profile.rules += alternatives.map { CallProfile.Rule(calls, matching, where: $0, place: place) }
    guard !isCompiled else { return }
    // minijail0 ends a line with its own answer, whatever stands below.
    profile.rules.append(CallProfile.Rule(calls, action ?? profile.defaultAction, place: place))
    if let action, !action.isMade { ambiguous.append(place) }
  }
}
