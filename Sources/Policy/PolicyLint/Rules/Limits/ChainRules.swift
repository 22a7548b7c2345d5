// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about settings that override those of an ancestor.
extension PolicyRule {
  /// The rule that finds settings that are weaker than the ancestor's.
  static let looserThanParent = PolicyRule(
    "DR4005",
    "looser-than-parent",
    .warning,
    summary: "A setting is weaker than that of the extended policy",
    justification:
      "The nearest document wins. A reader who trusts the policy because of the name that it extends gets a weaker "
      + "policy.",
    remediation: "Keep the parent's value, or give the reason for another value in a justification."
  ) { linted in
    linted.documents.indices.flatMap { ChainComparison(linted, $0).looser }
  }

  /// The rule that finds settings that repeat the ancestor's.
  static let repeatedSetting = PolicyRule(
    "DR4006",
    "repeated-setting",
    .note,
    summary: "A setting repeats the value of the extended policy",
    justification: "The setting has no effect now, and it does not follow later changes of the parent.",
    remediation: "Remove the setting."
  ) { linted in
    linted.documents.indices.flatMap { ChainComparison(linted, $0).repeated }
  }
}

/// A comparison of a document with its ancestors.
private struct ChainComparison {
  private let document: PolicyDocument
  /// The ancestors, with the parent first.
  private let parents: ArraySlice<PolicyDocument>

  /// Creates a comparison for one document of a chain.
  init(_ linted: LintedPolicy, _ index: Int) {
    document = linted.documents[index]
    parents = linted.documents[(index + 1)...]
  }

  /// The settings that are weaker than the ancestors'.
  var looser: [RuleHit] {
    let numbers = numbers.filter { $0.isLooser }.map { number in
      let (own, old) = (
        LimitHeuristics.text(number.value.value, number.unit),
        LimitHeuristics.text(number.parent.value, number.unit)
      )
      return RuleHit(
        number.name,
        number.value.origin,
        "\(number.name) is \(own), but \(old) at \(number.parent.origin)"
      )
    }
    return numbers + lists(.looser) + [execution(.looser), content(.looser)].compactMap(\.self)
  }

  /// The settings that repeat the ancestors'.
  var repeated: [RuleHit] {
    let numbers = numbers.filter { $0.value.value == $0.parent.value }.map { number in
      RuleHit(
        number.name,
        number.value.origin,
        "\(number.name) has the same value at \(number.parent.origin)"
      )
    }
    let shown = parents.flatMap(\.readOnly)
    let paths = document.readOnly.compactMap { grant in
      shown.first { $0.path == grant.path && ($0.presence == .required || grant.presence == .optional) }.map {
        RuleHit(grant.path, grant.origin, "\(grant.path) is already shown at \($0.origin)")
      }
    }
    let known = parents.flatMap(\.devices)
    let devices = document.devices.compactMap { device in
      known.first { $0.value == device.value }.map {
        RuleHit(device.value, device.origin, "\(device.value) is already shown at \($0.origin)")
      }
    }
    return numbers + paths + devices + lists(.repeated)
      + [execution(.repeated), content(.repeated)].compactMap(\.self)
  }

  /// The relation of a setting to the ancestors' setting.
  private enum Relation {
    /// The setting is weaker.
    case looser
    /// The settings are equal.
    case repeated
  }

  /// The numeric settings that the document and an ancestor have.
  private var numbers: [NumericSetting] {
    let limits = LimitName.allCases.compactMap {
      NumericSetting($0.rawValue, document.limits[$0], parents.compactMap(limit($0)).first, $0.unit, $0.bound)
    }
    let scratch = parents.compactMap(\.scratchBytes).first
    return limits
      + [NumericSetting("scratch", document.scratchBytes, scratch, .bytes, .maximum)].compactMap(\.self)
  }

  /// A numeric setting that the document and an ancestor have.
  private struct NumericSetting {
    let name: String
    let value: Sourced<Int>
    let parent: Sourced<Int>
    let unit: LimitName.Unit
    let bound: LimitName.Bound

    /// Creates a pair of numbers, or returns `nil` if one is missing.
    init?(
      _ name: String,
      _ value: Sourced<Int>?,
      _ parent: Sourced<Int>?,
      _ unit: LimitName.Unit,
      _ bound: LimitName.Bound
    ) {
      guard let value, let parent else { return nil }
      (self.name, self.value, self.parent, self.unit, self.bound) = (name, value, parent, unit, bound)
    }

    /// Whether the document is weaker than the ancestor.
    var isLooser: Bool { bound.isWeaker(value.value, than: parent.value) }
  }

  /// Returns a function that returns a limit of a document.
  private func limit(_ name: LimitName) -> (PolicyDocument) -> Sourced<Int>? { { $0.limits[name] } }

  /// Returns the hits about optional layers, and about access that a single mechanism may deny.
  private func lists(_ relation: Relation) -> [RuleHit] {
    [
      list("bestEffort", of: "layers", \.bestEffort, relation),
      list("acceptSingleMechanism", of: "kinds of access", \.acceptSingleMechanism, relation),
    ]
    .compactMap(\.self)
  }

  /// Returns the hit about a list, whose additional names make a policy weaker.
  private func list<Name: RawRepresentable<String>>(
    _ key: String,
    of kind: String,
    _ names: (PolicyDocument) -> Sourced<Set<Name>>?,
    _ relation: Relation
  ) -> RuleHit? {
    guard let own = names(document), let parent = parents.compactMap(names).first else { return nil }
    let added = own.value.subtracting(parent.value).map(\.rawValue).sorted()
    switch relation {
    case .looser where !added.isEmpty:
      let more = "\(added.joined(separator: ", ")) in addition to the \(kind) at \(parent.origin)"
      return RuleHit(key, own.origin, "\(key) contains \(more)")
    case .repeated where own.value == parent.value:
      return RuleHit(key, own.origin, "\(key) has the same value at \(parent.origin)")
    default: return nil
    }
  }

  /// Returns the hit about the form of content.
  private func content(_ relation: Relation) -> RuleHit? {
    guard let own = document.content, let parent = parents.compactMap(\.content).first else { return nil }
    switch relation {
    case .looser where own.value == .asWritten && parent.value == .portable:
      return RuleHit("content", own.origin, "content is \"asWritten\", but \"portable\" at \(parent.origin)")
    case .repeated where own.value == parent.value:
      return RuleHit("content", own.origin, "content has the same value at \(parent.origin)")
    default: return nil
    }
  }

  /// Returns the hit about executing programs.
  private func execution(_ relation: Relation) -> RuleHit? {
    guard let own = document.execute, let parent = parents.compactMap(\.execute).first else { return nil }
    switch relation {
    case .looser where own.value == .any && parent.value == .once:
      return RuleHit("execute", own.origin, "execute is \"any\", but \"once\" at \(parent.origin)")
    case .repeated where own.value == parent.value:
      return RuleHit("execute", own.origin, "execute has the same value at \(parent.origin)")
    default: return nil
    }
  }
}
