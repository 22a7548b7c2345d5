// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// The ways in which a policy can be wrong.
package enum PolicyMistake: Sendable, Equatable {
  /// The text is not JSON.
  case notJSON(JSONSyntaxError.Reason)
  /// A value is of another kind than its key wants.
  case wrongKind(expected: ValueKind, found: String)
  /// There is no such key.
  case unknownKey(String, suggestion: String?, known: [String])
  /// A key that every policy must have is missing.
  case missingKey(String)
  /// A text that may not be empty is.
  case emptyText
  /// A policy's name has characters that names do not have.
  case invalidName(String)
  /// There is no such system call.
  case unknownCall(String, suggestion: String?)
  /// There is no such group of calls.
  case unknownGroup(String, suggestion: String?)
  /// The call would take away a part of the core.
  case coreCall(String, CoreArea)
  /// Every call of the group belongs to the core.
  case coreGroup(String)
  /// The call is harmless only with certain arguments, and the policy does not ask for them.
  case coreArguments(String, CoreRequirement)
  /// The call is governed by the key `execute`.
  case governedByExecute(String)
  /// A rule with arguments stands where only whole calls can.
  case conditionalDenial
  /// A rule with arguments names a group.
  case conditionalGroup(String)
  /// A system call has six arguments, from 0.
  case argumentIndex(Int64)
  /// Two conditions are about the same argument.
  case repeatedArgument(Int)
  /// A number is negative or has more than 32 bits.
  case valueTooWide(String)
  /// There is no such constant.
  case unknownConstant(String, suggestion: String?)
  /// The value has bits that the mask leaves out, so that the rule never matches.
  case valueOutsideMask(value: UInt32, mask: UInt32)
  /// A size, a time or a number that cannot be read.
  case invalidQuantity(String, LimitName.Unit)
  /// A quantity that is too small or too large.
  case outOfRange(Int, ClosedRange<Int>, LimitName.Unit)
  /// A path that no policy can show.
  case path(String, PathRefusal)
  /// A device that no policy can show.
  case device(String)
  /// There is no such layer.
  case unknownLayer(String, suggestion: String?)
  /// The layer is never best effort.
  case requiredLayer(Layer)
  /// Without the layers that are best effort nothing would keep files closed.
  case noLayerLeft
  /// A text that is no id of a rule of the check.
  case invalidRuleID(String)
  /// A text that is no version of a kernel.
  case invalidKernel(String)
  /// A word that is none of those that the key knows.
  case unknownWord(String, known: [String])
  /// The same thing stands twice in a list.
  case repeated(String)
  /// There is no policy of that name to extend.
  case unknownParent(String, suggestion: String?, known: [String])
  /// A policy extends itself, by way of these.
  case loop([String])

  /// Kinds of JSON value that keys want.
  package enum ValueKind: String, Sendable {
    /// A string.
    case string = "a string"
    /// A list.
    case array = "an array"
    /// Members by name.
    case object = "an object"
    /// A name, or a rule.
    case call = "the name of a call, a group or an object with \"call\" and \"arguments\""
    /// A path, or a path with more.
    case path = "a path, or an object with \"path\" and \"optional\""
    /// A number, or the text of one.
    case quantity = "a number or a string such as \"64MiB\" or \"10s\""
    /// A number, or the name of one.
    case value = "an integer, a hexadecimal string or the name of a constant"
    /// A whole number.
    case integer = "an integer"
    /// True or false.
    case bool = "true or false"
  }
}
