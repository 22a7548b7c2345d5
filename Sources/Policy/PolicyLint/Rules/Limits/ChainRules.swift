// SPDX-License-Identifier: Apache-2.0

internal import SandboxPolicy

/// Rules about settings that override those of an ancestor.
extension PolicyRule {
  /// The rule that finds settings that are weaker than the ancestor's.
  static let looserThanParent = PolicyRule(
    "DR4005",
    "looser-than-parent",
    .warning,
    summary: "A setting is looser than that of the policy that it extends",
    justification:
      "The nearer document counts. Whoever trusts the policy by the name that it extends is given more than that name "
      + "promises.",
    remediation: "Keep to the parent's value, or say in a justification why it does not do."
  ) { linted in
    linted.documents.indices.flatMap { ChainComparison(linted, $0).looser }
  }

  /// The rule that finds settings that repeat the ancestor's.
  static let repeatedSetting = PolicyRule(
    "DR4006",
    "repeated-setting",
    .note,
    summary: "A setting repeats what the policy that it extends says",
    justification: "It adds nothing, and stays behind when the parent is changed.",
    remediation: "Remove it."
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
        "\(number.name) is \(own); \(number.parent.origin) has \(old)"
      )
    }
    return numbers + [layers(.looser), execution(.looser), content(.looser)].compactMap(\.self)
  }

  /// The settings that repeat the ancestors'.
  var repeated: [RuleHit] {
    let numbers = numbers.filter { $0.value.value == $0.parent.value }.map { number in
      RuleHit(number.name, number.value.origin, "\(number.name) is the same at \(number.parent.origin)")
    }
    let shown = parents.flatMap(\.readOnly)
    let paths = document.readOnly.compactMap { grant in
      shown.first { $0.path == grant.path && ($0.presence == .required || grant.presence == .optional) }.map {
        RuleHit(grant.path, grant.origin, "\(grant.path) is shown at \($0.origin) already")
      }
    }
    let known = parents.flatMap(\.devices)
    let devices = document.devices.compactMap { device in
      known.first { $0.value == device.value }.map {
        RuleHit(device.value, device.origin, "\(device.value) is shown at \($0.origin) already")
      }
    }
    return numbers + paths + devices
      + [layers(.repeated), execution(.repeated), content(.repeated)].compactMap(\.self)
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

  /// Returns the hit about optional layers.
  private func layers(_ relation: Relation) -> RuleHit? {
    guard let own = document.bestEffort, let parent = parents.compactMap(\.bestEffort).first else {
      return nil
    }
    let added = own.value.subtracting(parent.value).map(\.rawValue).sorted()
    switch relation {
    case .looser where !added.isEmpty:
      let names = added.joined(separator: ", ")
      return RuleHit(
        "bestEffort",
        own.origin,
        "bestEffort adds \(names) to what \(parent.origin) does without"
      )
    case .repeated where own.value == parent.value:
      return RuleHit("bestEffort", own.origin, "bestEffort is the same at \(parent.origin)")
    default: return nil
    }
  }

  /// Returns the hit about the form of content.
  private func content(_ relation: Relation) -> RuleHit? {
    guard let own = document.content, let parent = parents.compactMap(\.content).first else { return nil }
    switch relation {
    case .looser where own.value == .asWritten && parent.value == .portable:
      return RuleHit("content", own.origin, "content is \"asWritten\"; \(parent.origin) has \"portable\"")
    case .repeated where own.value == parent.value:
      return RuleHit("content", own.origin, "content is the same at \(parent.origin)")
    default: return nil
    }
  }

  /// Returns the hit about executing programs.
  private func execution(_ relation: Relation) -> RuleHit? {
    guard let own = document.execute, let parent = parents.compactMap(\.execute).first else { return nil }
    switch relation {
    case .looser where own.value == .any && parent.value == .once:
      return RuleHit("execute", own.origin, "execute is \"any\"; \(parent.origin) has \"once\"")
    case .repeated where own.value == parent.value:
      return RuleHit("execute", own.origin, "execute is the same at \(parent.origin)")
    default: return nil
    }
  }
}
