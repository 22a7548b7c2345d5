// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import ExtensionProtocol
internal import JSONText
internal import SessionStore

extension ScriptLine {
  /// Parses a precondition of the session.
  func precondition(_ operands: [String]) throws(ScriptError) -> SimulatedEvent {
    switch (operands.first, operands.count) {
    case ("locked"?, 1): return .lock(.locked)
    case ("unlocked"?, 1): return .lock(.unlocked)
    case ("no"?, 2) where operands[1] == "camera": return .noCamera
    case ("camera"?, 2) where operands[1] == "stalled": return .stall
    case ("space"?, 2): return .space(try space(operands[1]))
    case ("context"?, 2...): return .context(try context(after: 2))
    case ("authentication"?, 2):
      guard let result = Self.authentications[operands[1]] else { throw error(.operands(verb: "given")) }
      return .authentication(result)
    case (let name?, 2):
      guard let setting = Self.settings[operands[1]] else { throw error(.operands(verb: "given")) }
      return .permission(try permission(name), setting)
    default: throw error(.operands(verb: "given"))
    }
  }

  /// Parses a change of the environment, or returns `nil` if the line is not one.
  func change(_ verb: String, _ operands: [String]) throws(ScriptError) -> SimulatedEvent? {
    switch (verb, operands.first, operands.count) {
    case ("grant", let name?, 1): .permission(try permission(name), true)
    case ("revoke", let name?, 1): .permission(try permission(name), false)
    case ("unplug", nil, 0): .unplug
    case ("camera", "stall"?, 1): .stall
    case ("camera", "resume"?, 1): .resume
    case ("camera", "rate"?, 2): .rate(try number(operands[1], 1...1000))
    case ("space", let word?, 1): .space(try space(word))
    case ("context", _?, _): .context(try context(after: 1))
    default: nil
    }
  }

  /// The permission settings by keyword.
  private static let settings: [String: Bool?] = [
    "authorized": Bool?.some(true), "denied": Bool?.some(false), "undecided": Bool?.none,
  ]

  /// The results of authentication by keyword.
  private static let authentications: [String: AuthenticationResult] = [
    "succeeds": .succeeded, "fails": .failed, "cancelled": .cancelled,
  ]

  private func permission(_ name: String) throws(ScriptError) -> SimulatedEvent.PermissionName {
    guard let permission = SimulatedEvent.PermissionName(rawValue: name) else {
      throw error(.unknownPermission(name))
    }
    return permission
  }

  /// Parses `0`, `512K`, `10M`, `1G` or `free`.
  private func space(_ word: String) throws(ScriptError) -> Int64? {
    if word == "free" { return nil }
    let units: [Character: Int64] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]
    let unit = word.last.flatMap { units[$0] }
    let digits = unit == nil ? word[...] : word.dropLast()
    guard digits.allSatisfy(\.isNumber), let number = Int64(digits), number <= 1 << 40 else {
      throw error(.bytes(word))
    }
    return number * (unit ?? 1)
  }

  /// Parses the rest of the line as JSON, within the size limit of the app context.
  private func context(after count: Int) throws(ScriptError) -> String {
    let text = words.rest(after: count)
    let value: JSONValue
    do throws(JSONSyntaxError) {
      value = try JSONNode.parse(Array(text.utf8), limits: JSONLimits(bytes: 1 << 16, depth: 32)).value
    } catch { throw self.error(.context("\(error)")) }
    let size = value.bytes(.compact).count
    guard size <= AppContextStore.limit else { throw error(.context("\(size) bytes")) }
    return text
  }
}
