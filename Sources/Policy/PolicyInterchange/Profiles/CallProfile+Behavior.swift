// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

extension CallProfile {
  /// What the profile says of every call there is.
  ///
  /// This is what its author wrote, except for calls of which a library has merged the rules (``RuleMerger``): there it is
  /// what the library's program does. For each architecture of the profile:
  ///
  /// 1. A rule is about the numbers that its names have there, and, where the architecture also makes a call by way of
  ///    another (socketcall, ipc), about that way.
  /// 2. A rule's conditions must all hold. They compare whole arguments, and on the architectures that libseccomp calls
  ///    32-bit (i386, arm and x32) the lower halves.
  /// 3. Of several rules about a number ``precedence-swift.property`` says which counts.
  /// 4. What is left has the default action; minus one, which a tracer leaves behind for a call to be skipped, as well.
  ///
  /// Calls of other architectures have the action for those. x32 is another architecture than x86_64, told apart by the
  /// number alone.
  package func behavior(in space: CallSpace) throws(AnalysisError) -> FilterBehavior {
    var behavior = try space.behavior(otherArchitectures)
    for architecture in CallArchitecture.allCases where architectures.contains(architecture) {
      let meaning = ArchitectureMeaning(self, architecture)
      let territory = try meaning.territory(in: space)
      let inside = try meaning.behavior(in: space)
      behavior = try behavior.overriding(territory, with: inside)
      if let merged, let numbers = merged.numbers[architecture], !numbers.isEmpty {
        let calls = try territory.intersection(space.numbers(numbers))
        behavior = try behavior.overriding(calls, with: space.behavior(of: merged.program))
      }
    }
    return behavior
  }
}

extension CallArchitecture {
  /// Whether a filter that libseccomp makes looks at all 64 bits of an argument.
  var hasComparedUpperHalf: Bool { ![.i386, .arm, .x32].contains(self) }
}
