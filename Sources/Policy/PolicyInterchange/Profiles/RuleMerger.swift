// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
package import SystemCalls

/// A library that merges all rules of a call into one decision tree, as libseccomp does for container
/// runtimes.
///
/// The library chooses the order of tests in the tree and drops rules that it considers covered, so in some
/// cases the tree differs from the rules. The library's program therefore defines the meaning of calls with
/// several conditional rules.
package struct RuleMerger: Sendable {
  /// The name and version of the library, for messages.
  package var library: String
  /// Compiles the rules of a profile in their order.
  package var merge: @Sendable (CallProfile) throws(Failure) -> Merged

  /// Creates a merger.
  package init(
    library: String,
    merge: @escaping @Sendable (CallProfile) throws(Failure) -> Merged
  ) {
    self.library = library
    self.merge = merge
  }

  /// A compiled program, and the calls that the library does not know.
  package struct Merged: Sendable {
    /// The compiled program.
    package var program: FilterProgram
    /// The names of calls with rules that the program lacks.
    package var unknownCalls: Set<String>

    /// Creates a result.
    package init(_ program: FilterProgram, unknownCalls: Set<String> = []) {
      self.program = program
      self.unknownCalls = unknownCalls
    }
  }

  /// A reason why the library did not compile a program.
  package enum Failure: Error, Sendable, Hashable {
    /// The library rejects a rule because it contradicts an earlier rule.
    case conflict(call: String)
    /// Another failure, with the message of the library's caller.
    case other(String)
  }
}

/// The call numbers whose rules a library has merged, and the program that decides them.
package struct MergedRules: Sendable, Hashable {
  /// The compiled program.
  package var program: FilterProgram
  /// The call numbers by architecture.
  package var numbers: [CallArchitecture: Set<UInt32>]
}

extension CallProfile {
  /// Merges the rules of each call that has several conditional rules.
  ///
  /// - Returns: The losses for calls that the merged rules and the first matching rule answer differently.
  /// - Throws: ``InterchangeError`` if the library rejects the rules.
  mutating func merge(by merger: RuleMerger) throws(InterchangeError) -> [InterchangeLoss] {
    var numbers: [CallArchitecture: Set<UInt32>] = [:]
    var names: Set<String> = []
    for architecture in architectures {
      let contestedNumbers = ArchitectureRules(self, architecture).contestedNumbers
      numbers[architecture] = Set(contestedNumbers.keys)
      for calls in contestedNumbers.values { names.formUnion(calls) }
    }
    guard !names.isEmpty else { return [] }
    let result = try merged(names, by: merger)
    for architecture in architectures where !result.unknownCalls.isEmpty {
      for (number, calls) in ArchitectureRules(self, architecture).contestedNumbers
      where !calls.isDisjoint(with: result.unknownCalls) {
        numbers[architecture]?.remove(number)
      }
    }
    var losses = try remarks(on: MergedRules(program: result.program, numbers: numbers), merger)
    let unknown = result.unknownCalls.sorted()
    if !unknown.isEmpty {
      losses.append(InterchangeLoss("", .unmergedRules(unknown, library: merger.library), .none))
    }
    return losses
  }

  /// Compiles the rules of some calls.
  private func merged(
    _ names: Set<String>,
    by merger: RuleMerger
  ) throws(InterchangeError) -> RuleMerger.Merged {
    var part = self
    part.rules = rules.compactMap { rule in
      var rule = rule
      rule.calls = rule.calls.filter(names.contains)
      return rule.calls.isEmpty ? nil : rule
    }
    do { return try merger.merge(part) } catch {
      switch error {
      case .conflict(let call): throw InterchangeError(nil, .conflictingRules(call, library: merger.library))
      case .other(let reason): throw InterchangeError(nil, .libraryFailure(merger.library, reason))
      }
    }
  }

  /// Stores merged rules, and returns the calls that they and the first matching rule answer differently.
  private mutating func remarks(
    on merged: MergedRules,
    _ merger: RuleMerger
  ) throws(InterchangeError) -> [InterchangeLoss] {
    do throws(AnalysisError) {
      let space = CallSpace()
      let before = try behavior(in: space)
      self.merged = merged
      let after = try behavior(in: space)
      let difference = try before.difference(from: after)
      var losses: [InterchangeLoss] = []
      for architecture in architectures {
        for number in (merged.numbers[architecture] ?? []).sorted() {
          let calls = try difference.intersection(space.architecture(architecture.auditArchitecture))
            .intersection(space.numbers(number...number))
          guard let witness = try calls.witness() else { continue }
          let name = CallTable.of(architecture).name(of: number) ?? "number \(number)"
          let remark = InterchangeLoss.Kind.mergedRules(
            call: "\(architecture == .native ? "" : "\(architecture.rawValue) ")"
              + CallText.render(name, witness.arguments, on: architecture),
            first: before.verdict(for: witness),
            merged: after.verdict(for: witness),
            library: merger.library
          )
          losses.append(InterchangeLoss(name, remark, .none))
        }
      }
      return losses
    } catch { throw InterchangeError(nil, .libraryFailure(merger.library, "\(error)")) }
  }
}
