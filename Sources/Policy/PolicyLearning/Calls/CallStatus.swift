// SPDX-License-Identifier: Apache-2.0

/// The status of an observed call under a policy.
package enum CallStatus: String, Sendable, Hashable, CaseIterable {
  /// The policy allows the call.
  case used
  /// The policy refuses the call, and another policy could allow it.
  case needed
  /// The call fails as on a kernel without it, so that programs work without the call.
  case answered
  /// The policy denies the call by name, so that no policy that extends it can allow the call.
  case denied
  /// No policy can allow the call.
  case core
}

/// A relevant argument of a call: the part that a filter can compare.
package struct LearnedArgument: Sendable, Hashable {
  /// The argument's index, from 0.
  package var index: Int
  /// The lower 32 bits, which are all that the rules of a policy compare.
  package var value: UInt32

  /// Creates an argument.
  package init(index: Int, value: UInt32) {
    self.index = index
    self.value = value
  }
}

/// A call with the properties that are relevant to a policy.
package struct LearnedCall: Sendable, Hashable {
  /// The call's name.
  package var call: String
  /// The status of the call under the policy.
  package var status: CallStatus
  /// The relevant arguments, by index.
  package var arguments: [LearnedArgument]

  /// Creates a call.
  package init(call: String, status: CallStatus, arguments: [LearnedArgument]) {
    self.call = call
    self.status = status
    self.arguments = arguments
  }
}
