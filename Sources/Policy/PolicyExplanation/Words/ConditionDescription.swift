// SPDX-License-Identifier: Apache-2.0

internal import Refusals
internal import SandboxPolicy
internal import SystemCalls

/// A condition on an argument as text, with the names of the parameter and its values.
struct ConditionDescription {
  /// The name of the call.
  let call: String
  let condition: ArgumentCondition

  /// The maximum number of values that are listed.
  private static let maximumListedValues: UInt32 = 8

  /// The condition as text: `option is PR_SET_NAME`, `mode & S_ISUID|S_ISGID is 0`, or `command is from
  /// F_DUPFD to 63`.
  var text: String {
    let words = ConditionText(call: call, condition: condition)
    if condition.mask == .max { return "\(words.subject) is \(name(condition.value))" }
    guard let range else { return words.text }
    let whole = ArgumentCondition(index: condition.index, value: condition.value)
    let parameter = ConditionText(call: call, condition: whole).subject
    guard range.upperBound - range.lowerBound < Self.maximumListedValues else {
      return "\(parameter) is from \(name(range.lowerBound)) to \(name(range.upperBound))"
    }
    return "\(parameter) is \(RuleText.list(range.map(name), "or"))"
  }

  /// The range of permitted choices if the condition leaves only the lowest bits free, or `nil` otherwise.
  private var range: ClosedRange<UInt32>? {
    let parameters = CallSignature.of(call)?.parameters ?? []
    guard parameters.indices.contains(condition.index), case .choice = parameters[condition.index].kind else {
      return nil
    }
    let open = ~condition.mask
    guard open & (open &+ 1) == 0 else { return nil }
    return condition.value...(condition.value | open)
  }

  /// Returns the name of a value.
  private func name(_ value: UInt32) -> String {
    CallText.renderArgument(call, condition.index, UInt64(value))
  }
}
