// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis

/// Something that one side of an exchange says and the other cannot: it is told, never dropped silently.
package struct InterchangeLoss: Sendable, Hashable {
  /// Where: a line, a member, or a call; empty for the whole.
  package var place: String
  /// What.
  package var matter: Matter
  /// What that does to the result.
  package var consequence: Consequence

  /// Describes a loss.
  package init(_ place: String, _ matter: Matter, _ consequence: Consequence) {
    self.place = place
    self.matter = matter
    self.consequence = consequence
  }

  /// What a loss does to the result.
  package enum Consequence: String, CaseIterable, Sendable, Hashable {
    /// The result allows less.
    case stricter
    /// The result allows more, or leaves a protection out.
    case weaker
    /// The result allows the same and refuses in another way.
    case answer
    /// The result means the same.
    case none
  }

  /// What is lost.
  package enum Matter: Sendable, Hashable {
    /// A member, key or statement that says nothing about calls, or that this package does not know.
    case unknownMember(String)
    /// Names that no architecture of the profile has.
    case unknownNames([String])
    /// Comparisons of one rule with the same argument: container runtimes make a rule of each comparison.
    case repeatedArgument(Int)
    /// Rules of different actions may match the same call, and no library was asked which counts.
    case overlappingActions([String])
    /// The library's program answers a call otherwise than the first rule that matches.
    case mergedRules(call: String, first: Verdict, merged: Verdict, library: String)
    /// Calls with several rules that the library does not know.
    case unmergedRules([String], library: String)
    /// A part that applies only under circumstances that were not assumed, or that were.
    case condition(String, isAssumed: Bool)
    /// An architecture that the tables do not know.
    case unknownArchitecture(String)
    /// Architectures whose calls a session cannot make.
    case otherArchitectures([String])
    /// Numbers that mean nothing (yet) and were allowed.
    case unknownNumbers
    /// The call belongs to the core, which no policy takes away; the reason is the core's.
    case core(String, reason: String)
    /// Calls that a policy allows or denies only by whether programs can be started.
    case execution(String)
    /// Some calls are allowed on one side only; an example.
    case difference(call: String, example: String)
    /// A supervisor or tracer answers some calls, and may let them pass; an example.
    case supervised(call: String, example: String)
    /// The upper half of an argument that the kernel reads as 32 bits is not compared.
    case upperHalf(call: String, argument: Int)
    /// Refused calls are answered in another way.
    case answers(String)
    /// Files, devices and limits, which the other side does not have.
    case outsideFilter(String)
    /// A statement that two programs read differently.
    case ambiguous(String)
    /// A file that another one includes and that cannot be read.
    case include(String)
  }
}
