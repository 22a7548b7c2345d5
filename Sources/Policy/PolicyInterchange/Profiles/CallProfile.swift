// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
package import SystemCalls

/// A system call filter as a list of rules, the common representation of all interchange formats.
package struct CallProfile: Sendable, Hashable {
  /// The verdict for calls without a matching rule.
  package var defaultAction: Verdict
  /// The verdict for numbers without a call on their architecture, or `nil` if it is the default action.
  package var unknownNumbers: Verdict?
  /// The architectures that the rules apply to.
  package var architectures: [CallArchitecture]
  /// The verdict for all calls of other architectures. The default of libseccomp kills the thread.
  package var otherArchitectures: Verdict = .killThread
  /// The order in which matching rules are selected.
  package var precedence: Precedence = .unconditionalFirst
  package var rules: [Rule]
  /// The calls whose rules a library has merged, or `nil` if no library was used.
  package var merged: MergedRules?

  /// Creates a profile.
  package init(
    defaultAction: Verdict,
    architectures: [CallArchitecture] = [.native],
    rules: [Rule] = []
  ) {
    self.defaultAction = defaultAction
    self.architectures = architectures
    self.rules = rules
  }

  /// The order in which matching rules of a call are selected.
  package enum Precedence: Sendable, Hashable {
    /// The first rule without conditions, or otherwise the first rule whose conditions are true.
    ///
    /// This is the order of libseccomp, where rules with the default action have no effect.
    case unconditionalFirst
    /// The first matching rule.
    case order
  }

  /// A rule for some calls.
  package struct Rule: Sendable, Hashable {
    /// The names of the calls. A name without a call on an architecture has no effect there.
    package var calls: [String]
    /// The verdict for a matching call.
    package var action: Verdict
    /// The conditions on the arguments, which must all be true.
    package var conditions: [ArgumentComparison]
    /// The location of the rule in its file, for messages; empty if unknown.
    package var location: String

    /// Creates a rule.
    package init(
      _ calls: [String],
      _ action: Verdict,
      where conditions: [ArgumentComparison] = [],
      location: String = ""
    ) {
      self.calls = calls
      self.action = action
      self.conditions = conditions
      self.location = location
    }
  }
}

extension CallProfile {
  /// A profile that allows every call of every architecture.
  package static let unfiltered: CallProfile = {
    var profile = CallProfile(defaultAction: .allow, architectures: [])
    profile.otherArchitectures = .allow
    return profile
  }()

  /// The call names in rules that exist on no architecture of the profile, sorted. Such names have no effect.
  package var unknownNames: [String] {
    let tables = architectures.map(CallTable.of)
    let names = Set(rules.lazy.flatMap(\.calls))
    return names.filter { name in
      !tables.contains { $0.number(of: name) != nil }
        && !architectures.contains { MultiplexedCall.of(name, on: $0) != nil }
    }.sorted()
  }
}
