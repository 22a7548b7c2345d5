// SPDX-License-Identifier: Apache-2.0

internal import JSONText

extension PolicyMistake {
  /// The reason, as a sentence without a period.
  package var reason: String {
    switch self {
    case .notJSON(let reason): "not valid JSON: \(reason)"
    case .wrongKind(let expected, let found): "expected \(expected.rawValue), found \(found)"
    case .unknownKey(let key, _, _): "unknown key \"\(key)\""
    case .missingKey(let key): "the key \"\(key)\" is missing"
    case .emptyText: "the text is empty"
    case .invalidName(let name): "\"\(name)\" is not a valid policy name"
    case .unknownCall(let name, _): "unknown system call \"\(name)\""
    case .unknownGroup(let name, _): "unknown system call group \"\(name)\""
    case .coreCall(let name, let area): "\"\(name)\" can never be allowed: \(area.reason)"
    case .coreGroup(let name): "no call of \"\(name)\" can be allowed"
    case .coreArguments(let call, let requirement):
      "\"\(call)\" can be allowed only with certain arguments: \(requirement.area.reason)"
    case .governedByExecute(let call):
      "\"\(call)\" cannot be listed, because \"execute\" determines whether programs can be started"
    case .conditionalDenial: "a denial cannot depend on arguments"
    case .conditionalGroup(let group): "argument rules cannot apply to the group \"\(group)\""
    case .argumentIndex(let index): "argument \(index) does not exist"
    case .repeatedArgument(let index): "argument \(index) has two conditions"
    case .valueTooWide(let value):
      "\(value) is not an unsigned 32-bit number, as which the kernel reads flags and requests"
    case .unknownConstant(let name, _): "\"\(name)\" is neither a number nor a known constant"
    case .valueOutsideMask(let value, let mask):
      "the rule never matches: 0x\(String(value, radix: 16)) has bits outside the mask "
        + "0x\(String(mask, radix: 16))"
    case .invalidQuantity(let text, let unit): "\"\(text)\" is not a valid \(unit.noun)"
    case .outOfRange(let value, _, .count): "\(value) is out of range"
    case .outOfRange(let value, _, let unit):
      "\(value) \(value == 1 ? String(unit.plural.dropLast()) : unit.plural) is out of range"
    case .path(let path, let refusal): "\"\(path)\" \(refusal.reason)"
    case .device(let path): "\"\(path)\" is not a device that a session can have"
    case .unknownLayer(let name, _): "unknown layer \"\(name)\""
    case .noFileIsolation: "without both userNamespace and landlock, nothing protects the user's files"
    case .requiredLayer(let layer): "the layer \"\(layer.rawValue)\" cannot be best effort"
    case .invalidRuleID(let word): "\"\(word)\" is not a valid rule ID"
    case .invalidKernel(let word): "\"\(word)\" is not a valid kernel version"
    case .unknownValue(let word, _): "unknown value \"\(word)\""
    case .repeated(let name): "\"\(name)\" occurs twice in this list"
    case .unknownParent(let name, _, _): "unknown policy \"\(name)\""
    case .extendsCycle(let names): "the policy extends itself: \(names.joined(separator: " -> "))"
    }
  }

  /// The fix, as an imperative without a period.
  package var fix: String {
    switch self {
    case .notJSON: "correct the text at this position"
    case .wrongKind(let expected, _): "write \(expected.rawValue)"
    case .unknownKey(_, let suggestion, let known): Self.choice(suggestion, known)
    case .missingKey(let key): "add \"\(key)\""
    case .emptyText: "write at least one character"
    case .invalidName: "use at most 64 lowercase letters, digits and hyphens, starting with a letter"
    case .unknownCall(_, let suggestion), .unknownGroup(_, let suggestion):
      Self.question(suggestion) ?? "use the names of syscalls(2), or a group such as \"@basic-io\""
    case .coreCall(let name, _), .coreGroup(let name): "remove \"\(name)\""
    case .coreArguments(_, let requirement): "add \(requirement)"
    case .governedByExecute: "remove it, and write \"execute\": \"any\" or \"once\""
    case .conditionalDenial: "deny the whole call, or narrow the rules that allow it"
    case .conditionalGroup: "name one call"
    case .argumentIndex: "use 0 to 5"
    case .repeatedArgument: "combine the conditions into one mask, or write two rules"
    case .valueTooWide: "use 0 to 0xffffffff"
    case .unknownConstant(_, let suggestion):
      Self.question(suggestion) ?? "write its value, for example \"0x5401\""
    case .valueOutsideMask: "remove the bits from \"equals\" or add them to \"mask\""
    case .invalidQuantity(_, let unit): "write \(unit.example)"
    case .outOfRange(_, let range, let unit):
      "use \(range.lowerBound) to \(range.upperBound)\(unit == .count ? "" : " \(unit.plural)")"
    case .path(_, let refusal): refusal.fix
    case .device: "use one of \(Self.list(GrantablePaths.devices.sorted()))"
    case .unknownLayer(_, let suggestion):
      Self.choice(suggestion, Layer.optional.map(\.rawValue).sorted())
    case .noFileIsolation: "name only one of the two layers: a session without namespaces relies on Landlock"
    case .requiredLayer: "remove it, or use one of \(Self.list(Layer.optional.map(\.rawValue).sorted()))"
    case .invalidRuleID: "write \"DR\" and four digits, as in the list of 'darkroom policy check --rules'"
    case .invalidKernel: "write the first two numbers, for example \"6.12\""
    case .unknownValue(_, let known): "use one of \(Self.list(known))"
    case .repeated: "remove one of them"
    case .unknownParent(_, let suggestion, let known): Self.choice(suggestion, known)
    case .extendsCycle: "remove one \"extends\""
    }
  }

  /// Returns "did you mean", or all known words if there is no suggestion.
  private static func choice(_ suggestion: String?, _ known: [String]) -> String {
    question(suggestion) ?? (known.isEmpty ? "remove it" : "use one of \(list(known))")
  }

  /// Returns "did you mean …?", or `nil` if there is no suggestion.
  private static func question(_ suggestion: String?) -> String? {
    suggestion.map { "did you mean \"\($0)\"?" }
  }

  /// Returns the words in double quotes, separated by commas.
  private static func list(_ words: [String]) -> String {
    words.map { "\"\($0)\"" }.joined(separator: ", ")
  }
}

extension LimitName.Unit {
  /// The noun for a value of the unit.
  var noun: String {
    switch self {
    case .count: "whole number"
    case .bytes: "size"
    case .seconds: "time"
    }
  }

  /// The plural of the unit.
  var plural: String {
    switch self {
    case .count: "things"
    case .bytes: "bytes"
    case .seconds: "seconds"
    }
  }

  /// Examples of values of the unit.
  var example: String {
    switch self {
    case .count: "a number such as 64"
    case .bytes: "bytes as a number, or a string such as \"512KiB\", \"64MiB\" or \"2GiB\""
    case .seconds: "seconds as a number, or a string such as \"90s\", \"10m\" or \"2h\""
    }
  }
}
