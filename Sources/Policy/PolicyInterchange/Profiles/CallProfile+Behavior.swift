// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

extension CallProfile {
  /// Returns the verdict of the profile for every possible call.
  ///
  /// The verdicts are those of the rules as written. The exception is calls with rules that a library has
  /// merged (``RuleMerger``): their verdicts are those of the library's program. For each architecture of the
  /// profile:
  ///
  /// 1. A rule applies to its calls by their numbers on this architecture. If the architecture also has a
  ///    multiplexer for a call (socketcall, ipc), the rule applies to the multiplexed call, too.
  /// 2. All conditions of a rule must be true. They compare whole arguments, or only the lower halves on the
  ///    architectures that libseccomp treats as 32-bit (i386, arm and x32).
  /// 3. ``precedence-swift.property`` decides which of several matching rules counts.
  /// 4. All other calls get the default action. This includes number -1, which a tracer sets to skip a call.
  ///
  /// Calls of other architectures get the action for other architectures. x32 and x86_64 are different
  /// architectures that differ only in the range of call numbers.
  package func behavior(in space: CallSpace) throws(AnalysisError) -> FilterBehavior {
    var behavior = try space.behavior(otherArchitectures)
    for architecture in CallArchitecture.allCases where architectures.contains(architecture) {
      let meaning = ArchitectureRules(self, architecture)
      let architectureCalls = try meaning.architectureCalls(in: space)
      let inside = try meaning.behavior(in: space)
      behavior = try behavior.overriding(architectureCalls, with: inside)
      if let merged, let numbers = merged.numbers[architecture], !numbers.isEmpty {
        let calls = try architectureCalls.intersection(space.numbers(numbers))
        behavior = try behavior.overriding(calls, with: space.behavior(of: merged.program))
      }
    }
    return behavior
  }
}

extension CallArchitecture {
  /// Whether filters of libseccomp compare all 64 bits of an argument.
  var comparesUpperHalf: Bool { ![.i386, .arm, .x32].contains(self) }
}
