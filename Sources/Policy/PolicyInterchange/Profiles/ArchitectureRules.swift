// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import SystemCalls

/// The rules of a profile for the calls of one architecture.
struct ArchitectureRules {
  /// A rule for one call number.
  fileprivate struct Entry {
    /// The verdict if all conditions are true.
    var action: Verdict
    /// The conditions, which must all be true.
    var conditions: [ArgumentComparison]
  }

  fileprivate let architecture: CallArchitecture
  fileprivate let profile: CallProfile
  /// The rules of each number in order, without rules that can never match.
  fileprivate var entries: [UInt32: [Entry]] = [:]
  /// The call names in the rules of each number.
  private var names: [UInt32: Set<String>] = [:]
  /// The number of conditional rules of each call number.
  private var conditional: [UInt32: Int] = [:]

  /// Creates an index of a profile's rules by call number.
  init(_ profile: CallProfile, _ architecture: CallArchitecture) {
    self.profile = profile
    self.architecture = architecture
    let table = CallTable.of(architecture)
    for rule in profile.rules {
      // libseccomp rejects such a rule, and container runtimes omit it.
      if profile.precedence == .unconditionalFirst, rule.action == profile.defaultAction { continue }
      for name in rule.calls {
        if let indirect = MultiplexedCall.of(name, on: architecture),
          let number = table.number(of: indirect.carrier)
        {
          let selection = ArgumentComparison(0, .equal, indirect.selector)
          add(name, rule.action, [selection] + rule.conditions.filter { $0.index != 0 }, to: number)
        }
        if let number = table.number(of: name) { add(name, rule.action, rule.conditions, to: number) }
      }
    }
  }

  /// Adds a rule to a number, unless an earlier rule decides all calls with the number.
  private mutating func add(
    _ call: String,
    _ action: Verdict,
    _ conditions: [ArgumentComparison],
    to number: UInt32
  ) {
    names[number, default: []].insert(call)
    let isDecided = entries[number]?.last?.conditions.isEmpty ?? false
    guard !isDecided else { return }
    let narrow = architecture.comparesUpperHalf ? conditions : conditions.map(\.narrowed)
    let entry = Entry(action: action, conditions: narrow.filter { !$0.isAlwaysTrue })
    if !entry.conditions.isEmpty { conditional[number, default: 0] += 1 }
    if entry.conditions.isEmpty, profile.precedence == .unconditionalFirst {
      entries[number] = [entry]
    } else {
      entries[number, default: []].append(entry)
    }
  }

  /// The numbers with several conditional rules, and the names in all rules of each.
  var contestedNumbers: [UInt32: Set<String>] {
    guard profile.precedence == .unconditionalFirst else { return [:] }
    // Conditional rules can contradict each other even if a rule without conditions decides the number.
    return names.filter { conditional[$0.key, default: 0] > 1 }
  }

  /// The number ranges of the architecture's calls within its `AUDIT_ARCH_…` value.
  var spans: [ClosedRange<UInt32>] {
    let bit = CallArchitecture.x32Bit
    // Number -1 belongs to x32 only if the filter includes x32.
    return switch architecture {
    case .x86 where profile.architectures.contains(.x32): [0...bit - 1]
    case .x86: [0...bit - 1, .max ... .max]
    case .x32: [bit ... .max]
    default: [0 ... .max]
    }
  }

  /// Returns the set of the architecture's calls.
  func architectureCalls(in space: CallSpace) throws(AnalysisError) -> CallSet {
    var own = space.nothing
    for span in spans { own = try own.union(space.numbers(span)) }
    return try space.architecture(architecture.auditArchitecture).intersection(own)
  }

  /// Returns the verdicts of the profile as if every call belonged to the architecture.
  func behavior(in space: CallSpace) throws(AnalysisError) -> FilterBehavior {
    var behavior = try space.behavior(profile.defaultAction)
    if let answer = profile.unknownNumbers {
      let known = try space.numbers(CallTable.of(architecture).numbers)
      behavior = try behavior.overriding(try known.complement(), with: answer)
    }
    var whole: [Verdict: [UInt32]] = [:]
    var partial: [Verdict: CallSet] = [:]
    for (number, rules) in entries.sorted(by: { $0.key < $1.key }) {
      if let only = rules.first, only.conditions.isEmpty {
        whole[only.action, default: []].append(number)
        continue
      }
      let call = try space.numbers(number...number)
      var left = call
      for rule in rules {
        let match = try left.intersection(try self.match(rule.conditions, in: space))
        left = try left.subtracting(match)
        partial[rule.action] = try (partial[rule.action] ?? space.nothing).union(match)
      }
    }
    for (action, numbers) in whole {
      behavior = try behavior.overriding(try space.numbers(numbers), with: action)
    }
    for (action, set) in partial { behavior = try behavior.overriding(set, with: action) }
    return behavior
  }

  /// Returns the calls for which all conditions are true.
  private func match(_ conditions: [ArgumentComparison], in space: CallSpace) throws(AnalysisError) -> CallSet
  {
    var set = space.everything
    for condition in conditions {
      let one = try condition.calls(in: space, isWide: architecture.comparesUpperHalf)
      set = try set.intersection(one)
    }
    return set
  }
}

extension ArchitectureRules {
  /// Emits the comparisons of each number that has rules, and returns the targets of these numbers.
  func targets(in assembly: inout BackwardAssembly) -> [UInt32: BackwardAssembly.Target] {
    var targets: [UInt32: BackwardAssembly.Target] = [:]
    for (number, rules) in entries.sorted(by: { $0.key < $1.key }) {
      if let only = rules.first, only.conditions.isEmpty {
        targets[number] = .answer(only.action)
        continue
      }
      var location = assembly.finish(profile.defaultAction)
      for rule in rules.reversed() {
        let otherwise = location
        location = assembly.finish(rule.action)
        for condition in rule.conditions.reversed() {
          location = assembly.compare(
            condition,
            isWide: architecture.comparesUpperHalf,
            yes: location,
            no: otherwise
          )
        }
      }
      targets[number] = .comparisons(location)
    }
    return targets
  }

  /// Returns the ranges of a span, with their targets.
  func ranges(
    in span: ClosedRange<UInt32>,
    _ targets: [UInt32: BackwardAssembly.Target]
  ) -> [BackwardAssembly.Range] {
    var targets = targets
    if profile.unknownNumbers != nil {
      for number in CallTable.of(architecture).numbers where targets[number] == nil {
        targets[number] = .answer(profile.defaultAction)
      }
    }
    let base = BackwardAssembly.Target.answer(profile.unknownNumbers ?? profile.defaultAction)
    var ranges: [BackwardAssembly.Range] = []
    ranges.append(span.lowerBound, base)
    for (number, target) in targets.sorted(by: { $0.key < $1.key }) where span.contains(number) {
      ranges.append(number, target, after: base)
    }
    return ranges
  }
}
