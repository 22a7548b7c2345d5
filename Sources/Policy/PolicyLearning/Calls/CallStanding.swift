// SPDX-License-Identifier: Apache-2.0

/// What a policy has to do with a call that was made.
package enum CallStanding: String, Sendable, Hashable, CaseIterable {
  /// The policy allows it.
  case used
  /// The policy refuses it, and another could allow it.
  case needed
  /// The policy answers it as a kernel without the call would, so that programs do without.
  case answered
  /// The policy denies it by name: nothing that extends the policy can allow it.
  case denied
  /// No policy can allow it.
  case core
}

/// An argument of a call that matters: the part of it that a filter can compare.
package struct LearnedArgument: Sendable, Hashable {
  /// Which argument, from 0.
  package var index: Int
  /// Its lower 32 bits, which is all that the rules of a policy compare.
  package var value: UInt32

  /// Names an argument.
  package init(index: Int, value: UInt32) {
    self.index = index
    self.value = value
  }
}

/// A call as a policy sees it.
package struct LearnedCall: Sendable, Hashable {
  /// Its name.
  package var call: String
  /// What the policy has to do with it.
  package var standing: CallStanding
  /// The arguments that matter, by their index.
  package var arguments: [LearnedArgument]

  /// Describes a call.
  package init(call: String, standing: CallStanding, arguments: [LearnedArgument]) {
    self.call = call
    self.standing = standing
    self.arguments = arguments
  }
}
