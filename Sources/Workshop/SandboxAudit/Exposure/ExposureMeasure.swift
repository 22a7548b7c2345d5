// SPDX-License-Identifier: Apache-2.0

package import FilterAnalysis
internal import SystemCalls

/// What a filter leaves reachable, counted call by call over every argument there can be.
package struct ExposureMeasure: Sendable, Hashable {
  /// How many calls the machine has.
  var known: Int
  /// The calls that reach the kernel with some arguments at least.
  var reachable: [String]
  /// Those of them that reach it with certain arguments only.
  var limited: [String]
  /// The deeds that some call still does, by their ids, with the calls.
  var deeds: [String: [String]]
  /// The other architectures of the machine of which some call reaches the kernel.
  var otherArchitectures: [String]

  /// Measures what a filter does; a call that a supervisor or tracer may let pass is reachable.
  package init(_ behavior: FilterBehavior) throws(AnalysisError) {
    let space = behavior.space
    let permitted = try behavior.permitted(under: .unknown)
    let native = CallArchitecture.native
    let table = CallTable.of(native)
    let own = try space.architecture(native.auditNumber)
    known = table.numbers.count
    reachable = []
    limited = []
    for number in table.numbers {
      let call = try own.intersection(space.numbers(number...number))
      let made = try permitted.intersection(call)
      guard !made.isEmpty else { continue }
      let name = table.name(of: number) ?? "\(number)"
      reachable.append(name)
      if made != call { limited.append(name) }
    }
    reachable.sort()
    limited.sort()
    deeds = [:]
    for deed in Deed.all {
      let calls = try deed.calls(permitted)
      if !calls.isEmpty { deeds[deed.id] = calls }
    }
    otherArchitectures = []
    for other in CallArchitecture.ofThisMachine where other != native {
      guard try !permitted.intersection(Self.numbers(of: other, in: space)).isEmpty else { continue }
      otherArchitectures.append(other.rawValue)
    }
  }

  /// The calls of an architecture; x32 has the token of x86_64 and a bit in its numbers.
  private static func numbers(of other: CallArchitecture, in space: CallSpace) throws(AnalysisError)
    -> CallSet
  {
    let token = try space.architecture(other.auditNumber)
    guard other == .x32 else { return token }
    return try token.intersection(space.numbers(CallArchitecture.x32Bit...0x7FFF_FFFF))
  }
}
