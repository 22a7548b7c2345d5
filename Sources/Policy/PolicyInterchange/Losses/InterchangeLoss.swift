// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis

/// A part of a policy that another format cannot express. Every loss is reported.
package struct InterchangeLoss: Sendable, Hashable {
  /// The line, member or call; empty if the loss is about the whole file.
  package var location: String
  /// The kind of loss.
  package var kind: Kind
  /// The effect of the loss on the result.
  package var consequence: Consequence

  /// Creates a loss.
  package init(_ location: String, _ matter: Kind, _ consequence: Consequence) {
    self.location = location
    self.kind = matter
    self.consequence = consequence
  }

  /// Whether the loss changes the allowed calls.
  package var changesCalls: Bool {
    if case .outsideFilter = kind { return false }
    return consequence == .stricter || consequence == .weaker
  }

  /// The effect of a loss on the result.
  package enum Consequence: String, CaseIterable, Sendable, Hashable {
    /// The result allows fewer calls.
    case stricter
    /// The result allows more calls, or lacks a protection.
    case weaker
    /// The result allows the same calls, but answers refused calls differently.
    case answer
    /// The result has the same meaning.
    case none
  }

  /// A kind of loss.
  package enum Kind: Sendable, Hashable {
    /// A member, key or statement is unknown, or is not about system calls.
    case unknownMember(String)
    /// No architecture of the profile has calls with these names.
    case unknownNames([String])
    /// Several comparisons in one rule use the same argument. Container runtimes split such a rule into one
    /// rule for each comparison.
    case repeatedArgument(Int)
    /// Rules with different actions may match the same call, and no library was used to decide which rule
    /// counts.
    case overlappingActions([String])
    /// The library's program and the first matching rule answer a call differently.
    case mergedRules(call: String, first: Verdict, merged: Verdict, library: String)
    /// The library does not know these calls, which have several rules.
    case unmergedRules([String], library: String)
    /// A part applies only under a condition that was, or was not, assumed.
    case condition(String, isAssumed: Bool)
    /// The architecture is missing in the tables.
    case unknownArchitecture(String)
    /// A session cannot make calls of these architectures.
    case otherArchitectures([String])
    /// The original allows call numbers that are not assigned.
    case unknownNumbers
    /// The policy core decides this call, and no policy can change that.
    case core(String, reason: String)
    /// Calls that a policy allows or denies only with its setting for program execution.
    case execution(String)
    /// Only one side allows some calls, of which one is the example.
    case difference(call: String, example: String)
    /// A supervisor or tracer answers some calls and may let them pass.
    case supervised(call: String, example: String)
    /// The upper half of an argument that the kernel reads as 32 bits is not compared.
    case upperHalf(call: String, argument: Int)
    /// Refused calls get a different answer.
    case differentAnswers(String)
    /// The other side lacks these files, devices or limits.
    case outsideFilter(String)
    /// Two programs interpret the statement differently.
    case ambiguous(String)
    /// An included file cannot be read.
    case unreadableInclude(String)
  }
}
