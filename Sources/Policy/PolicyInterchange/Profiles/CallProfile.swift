// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
package import SystemCalls

/// A filter of system calls as people write one: what every format is read to, and what every format is written from.
package struct CallProfile: Sendable, Hashable {
  /// What becomes of a call that no rule is about.
  package var defaultAction: Verdict
  /// What becomes of a number that means nothing on its architecture; nil: what becomes of any other call.
  package var unknownNumbers: Verdict?
  /// The architectures that the rules are about.
  package var architectures: [CallArchitecture]
  /// What becomes of every call of another architecture; libseccomp's standard ends the thread.
  package var otherArchitectures: Verdict = .killThread
  /// Which of several matching rules counts.
  package var precedence: Precedence = .unconditionalFirst
  /// The rules.
  package var rules: [Rule]
  /// The calls whose rules a library has merged; `nil` if no library was asked.
  package var merged: MergedRules?

  /// Makes a profile.
  package init(
    defaultAction: Verdict,
    architectures: [CallArchitecture] = [.native],
    rules: [Rule] = []
  ) {
    self.defaultAction = defaultAction
    self.architectures = architectures
    self.rules = rules
  }

  /// Which of several rules that match a call counts.
  package enum Precedence: Sendable, Hashable {
    /// The first rule without conditions; if there is none, the first rule whose conditions hold. This is libseccomp's,
    /// where rules with the default action say nothing.
    case unconditionalFirst
    /// The first.
    case order
  }

  /// One rule.
  package struct Rule: Sendable, Hashable {
    /// The names of the calls that it is about; names that an architecture does not have are nothing there.
    package var calls: [String]
    /// What becomes of them.
    package var action: Verdict
    /// What must hold of the arguments, all of it; empty: nothing.
    package var conditions: [ArgumentComparison]
    /// Where the rule was written, for messages; empty if nowhere.
    package var place: String

    /// Makes a rule.
    package init(
      _ calls: [String],
      _ action: Verdict,
      where conditions: [ArgumentComparison] = [],
      place: String = ""
    ) {
      self.calls = calls
      self.action = action
      self.conditions = conditions
      self.place = place
    }
  }
}

extension CallProfile {
  /// No filter at all: every call of every architecture may be made.
  package static let unfiltered: CallProfile = {
    var profile = CallProfile(defaultAction: .allow, architectures: [])
    profile.otherArchitectures = .allow
    return profile
  }()

  /// The names in rules that no architecture of the profile has, sorted: rules say nothing with them.
  package var unknownNames: [String] {
    let tables = architectures.map(CallTable.of)
    let names = Set(rules.lazy.flatMap(\.calls))
    return names.filter { name in
      !tables.contains { $0.number(of: name) != nil }
        && !architectures.contains { MultiplexedCall.of(name, on: $0) != nil }
    }.sorted()
  }
}
