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
  private var ambiguousLocations: [String] = []
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
    if let first = ambiguousLocations.first {
      let location =
        ambiguousLocations.count == 1 ? first : "\(first) and \(ambiguousLocations.count - 1) more"
      let text =
        "minijail0 allows a call if the expression is true and returns the error otherwise, which is assumed here; "
        + "compile_seccomp_policy.py returns the error if the expression is true"
      losses.append(InterchangeLoss(location, .ambiguous(text), .none))
    }
    let unknown = profile.unknownNames
    if !unknown.isEmpty { losses.append(InterchangeLoss("", .unknownNames(unknown), .none)) }
  }

  private mutating func read(_ tokens: [MinijailToken]) throws(InterchangeError) {
    var reader = MinijailReader(tokens)
    let line = "line \(tokens[0].position.line)"
    let location = included.map { "\($0) \(line)" } ?? line
    switch tokens[0].text {
    case "@include": try include(tokens, location)
    case "@frequency": break
    case "@denylist": profile.defaultAction = .allow
    case "@default":
      _ = reader.next()
      profile.defaultAction = try reader.action()
      try reader.end()
    default: try readStatement(&reader, location)
    }
  }

  /// Reads an included file. As in libminijail, its path must be absolute or start with `./`, and it cannot
  /// include files.
  private mutating func include(_ tokens: [MinijailToken], _ location: String) throws(InterchangeError) {
    let path = tokens.dropFirst().map(\.text).joined()
    let position = tokens[0].position
    guard included == nil else {
      throw InterchangeError(position, .expected("no @include in an included file", found: path))
    }
    guard path.hasPrefix("/") || path.hasPrefix("./") else {
      throw InterchangeError(position, .expected("a path that begins with / or ./", found: "\"\(path)\""))
    }
    guard let text = contents(path) else {
      losses.append(InterchangeLoss(location, .unreadableInclude(path), .stricter))
      return
    }
    included = path
    defer { included = nil }
    do throws(InterchangeError) {
      for statement in MinijailToken.statements(text) { try read(statement) }
    } catch { throw InterchangeError(position, .includedFile(path, "\(error)")) }
  }

  private mutating func readStatement(_ reader: inout MinijailReader, _ location: String)
    throws(InterchangeError)
  {
    let (calls, skipped) = try reader.calls()
    for name in skipped {
      losses.append(InterchangeLoss(location, .condition("on \(name)", isAssumed: false), .none))
    }
    try reader.expect(":")
    if reader.take("{") {
      repeat { try readFilter(&reader, calls, location, isCompilerSyntax: true) } while reader.take(",")
      try reader.expect("}")
    } else {
      try readFilter(&reader, calls, location, isCompilerSyntax: false)
    }
    try reader.end()
  }

  /// Reads an action, or an expression that may be followed by an action.
  private mutating func readFilter(
    _ reader: inout MinijailReader,
    _ calls: [String],
    _ location: String,
    isCompilerSyntax: Bool
  ) throws(InterchangeError) {
    guard reader.isAtArgument else {
      profile.rules.append(CallProfile.Rule(calls, try reader.action(), location: location))
      return
    }
    let alternatives = try reader.expression()
    let action = try reader.take(";") ? reader.action() : nil
    let matching = isCompilerSyntax ? action ?? .allow : .allow
    profile.rules += alternatives.map { CallProfile.Rule(calls, matching, where: $0, location: location) }
    guard !isCompilerSyntax else { return }
    // minijail0 terminates each line with a verdict, so later lines for the same call have no effect.
    profile.rules.append(CallProfile.Rule(calls, action ?? profile.defaultAction, location: location))
    if let action, !action.executesCall { ambiguousLocations.append(location) }
  }
}
