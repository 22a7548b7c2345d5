// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText
internal import SystemCalls

/// A minijail policy: `name: 1`, `name: arg0 == 1 || arg1 & 2; return EPERM`, `{read, write}: allow`,
/// `@default trap`.
///
/// Two programs interpret `expression; return ERRNO` differently. minijail0 allows the call if the expression
/// is true and returns the error otherwise. compile_seccomp_policy.py returns the error if the expression is
/// true. Braces are syntax of only the compiler. Outside braces, this parser follows minijail0 and reports
/// the ambiguity.
package struct MinijailProfile {
  /// The rules of the policy.
  package private(set) var profile: CallProfile
  /// The parts of the policy that were not translated or are ambiguous.
  package private(set) var losses: [InterchangeLoss] = []
  /// The locations of statements that the two programs interpret differently.
  private var ambiguous: [String] = []
  /// The path of the included file that is being read, or `nil` for the policy itself.
  private var included: String?
  /// Returns the text of an included file, or `nil` if the file cannot be read.
  private let contents: (String) -> String?

  /// Parses a policy.
  ///
  /// - Parameters:
  ///   - text: The text of the policy.
  ///   - contents: Returns the text of an included file, or `nil` if the file cannot be read.
  /// - Throws: ``InterchangeError`` if the policy is invalid.
  package init(
    text: String,
    including contents: @escaping (String) -> String? = { _ in nil }
  ) throws(InterchangeError) {
    profile = CallProfile(defaultAction: .killThread)
    profile.precedence = .order
    self.contents = contents
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
    let line = "line \(tokens[0].position.line)"
    let place = included.map { "\($0) \(line)" } ?? line
    switch tokens[0].text {
    case "@include": try include(tokens, place)
    case "@frequency": break
    case "@denylist": profile.defaultAction = .allow
    case "@default":
      _ = reader.next()
      profile.defaultAction = try reader.action()
      try reader.end()
    default: try readStatement(&reader, place)
    }
  }

  /// Reads an included file. As in libminijail, its path must be absolute or start with `./`, and it cannot
  /// include files.
  private mutating func include(_ tokens: [MinijailToken], _ place: String) throws(InterchangeError) {
    let path = tokens.dropFirst().map(\.text).joined()
    let position = tokens[0].position
    guard included == nil else {
      throw InterchangeError(position, .expected("no @include in an included file", found: path))
    }
    guard path.hasPrefix("/") || path.hasPrefix("./") else {
      throw InterchangeError(position, .expected("a path that begins with / or ./", found: "\"\(path)\""))
    }
    guard let text = contents(path) else {
      losses.append(InterchangeLoss(place, .include(path), .stricter))
      return
    }
    included = path
    defer { included = nil }
    do throws(InterchangeError) {
      for statement in MinijailToken.statements(text) { try read(statement) }
    } catch { throw InterchangeError(position, .included(path, "\(error)")) }
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

  /// Reads an action, or an expression that may be followed by an action.
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
    // minijail0 terminates each line with a verdict, so later lines for the same call have no effect.
    profile.rules.append(CallProfile.Rule(calls, action ?? profile.defaultAction, place: place))
    if let action, !action.isMade { ambiguous.append(place) }
  }
}
