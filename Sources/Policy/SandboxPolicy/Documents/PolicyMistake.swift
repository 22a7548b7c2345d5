// SPDX-License-Identifier: Apache-2.0

package import JSONText

/// A mistake in a policy document.
package enum PolicyMistake: Sendable, Equatable {
  /// The text is not JSON.
  case notJSON(JSONSyntaxError.Reason)
  /// A value has a different type than its key requires.
  case wrongKind(expected: ValueKind, found: String)
  /// The object does not have such a key.
  case unknownKey(String, suggestion: String?, known: [String])
  /// A required key is missing.
  case missingKey(String)
  /// A required text is empty.
  case emptyText
  /// A policy's name contains characters that are not allowed.
  case invalidName(String)
  /// No system call has this name.
  case unknownCall(String, suggestion: String?)
  /// No group of calls has this name.
  case unknownGroup(String, suggestion: String?)
  /// The call belongs to an area that no policy can open.
  case coreCall(String, CoreArea)
  /// Every call of the group belongs to an area that no policy can open.
  case coreGroup(String)
  /// The call is harmless only with limited arguments, and the rule does not limit them.
  case coreArguments(String, CoreRequirement)
  /// The call is controlled by the key `execute`.
  case governedByExecute(String)
  /// A denial has conditions on arguments; only whole calls can be denied.
  case conditionalDenial
  /// A rule with arguments names a group.
  case conditionalGroup(String)
  /// The argument index is not in 0...5.
  case argumentIndex(Int64)
  /// Two conditions of a rule have the same argument.
  case repeatedArgument(Int)
  /// A number is negative or has more than 32 bits.
  case valueTooWide(String)
  /// No constant has this name.
  case unknownConstant(String, suggestion: String?)
  /// The value has bits outside the mask, so that the rule never matches.
  case valueOutsideMask(value: UInt32, mask: UInt32)
  /// A size, a time or a number is malformed.
  case invalidQuantity(String, LimitName.Unit)
  /// A quantity is outside its range.
  case outOfRange(Int, ClosedRange<Int>, LimitName.Unit)
  /// A path cannot be exposed.
  case path(String, PathRefusal)
  /// A device cannot be exposed.
  case device(String)
  /// No layer has this name.
  case unknownLayer(String, suggestion: String?)
  /// The layer cannot be best effort.
  case requiredLayer(Layer)
  /// Too many layers are best effort: without both of them, nothing would protect the user's files.
  case noFileIsolation
  /// A text is not the ID of a linter rule.
  case invalidRuleID(String)
  /// A text is not a kernel version.
  case invalidKernel(String)
  /// A text is not one of the values of the key.
  case unknownValue(String, known: [String])
  /// A list contains the same element twice.
  case repeated(String)
  /// The policy to extend does not exist.
  case unknownParent(String, suggestion: String?, known: [String])
  /// A policy extends itself through the policies with these names.
  case extendsCycle([String])

  /// A type of JSON value that keys require.
  package enum ValueKind: String, Sendable {
    /// A string.
    case string = "a string"
    /// An array.
    case array = "an array"
    /// An object.
    case object = "an object"
    /// A name, or a rule with arguments.
    case call = "the name of a call, a group or an object with \"call\" and \"arguments\""
    /// A path, or an object with a path and its options.
    case path = "a path, or an object with \"path\" and \"optional\""
    /// A number, or a string with a unit.
    case quantity = "a number or a string such as \"64MiB\" or \"10s\""
    /// A number, or the name of a constant.
    case value = "an integer, a hexadecimal string or the name of a constant"
    /// An integer.
    case integer = "an integer"
    /// A Boolean.
    case bool = "true or false"
  }
}
