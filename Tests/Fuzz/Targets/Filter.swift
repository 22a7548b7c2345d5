// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis

/// Checks that a valid filter survives a round trip, and that its analysis agrees with its verdict for single
/// calls. The first 64 bytes of the input are a call, the rest is the filter.
func checkFilter(_ input: [UInt8]) throws(Contradiction) {
  let (call, bytes) = (input.prefix(callBytes), Array(input.dropFirst(callBytes)))
  let program: FilterProgram
  do { program = try FilterProgram(bytes: bytes) } catch {
    try require(!"\(error)".isEmpty, "a fault without words")
    return
  }
  try require(program.bytes == bytes, "a filter is written otherwise than it was read")
  for index in program.operations.indices {
    let isInside = program.successors(of: index).allSatisfy { index < $0 && $0 < program.operations.count }
    try require(isInside, "instruction \(index) leads out of the filter, or back")
  }
  let space = CallSpace(nodeLimit: 1 << 15, stepLimit: 1 << 18)
  guard let behavior = try? space.behavior(of: program) else { return }
  let inputs = calls(Array(call))
  for input in inputs {
    let (run, known) = (program.verdict(for: input), behavior.verdict(for: input))
    try require(run == known, "a run says \(run), the analysis \(known) of \(input)")
    try require(behavior.verdicts.contains(run), "\(run) is missing among the verdicts")
  }
  guard let permitted = try? behavior.permitted(under: .unknown) else { return }
  for input in inputs {
    try require(
      permitted.contains(input) == program.verdict(for: input).permits(under: .unknown),
      "the sets say otherwise"
    )
  }
  if let witness = (try? permitted.witness()) ?? nil {
    try require(
      program.verdict(for: witness).permits(under: .unknown),
      "the call that is permitted is not: \(witness)"
    )
  } else if permitted.isEmpty {
    try require(
      inputs.allSatisfy { !program.verdict(for: $0).permits(under: .unknown) },
      "nothing is permitted, and something is"
    )
  }
}

/// The size of `struct seccomp_data` in bytes.
private let callBytes = 64

/// Returns the call that is encoded in the bytes and some variants of it.
private func calls(_ bytes: [UInt8]) -> [SeccompData] {
  let padded = bytes + [UInt8](repeating: 0, count: callBytes - bytes.count)
  func number(_ offset: Int, _ count: Int) -> UInt64 {
    padded[offset..<offset + count].reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }
  let call = SeccompData(
    architecture: UInt32(number(4, 4)),
    number: UInt32(number(0, 4)),
    arguments: (0..<SeccompData.argumentCount).map { number(16 + 8 * $0, 8) },
    instructionPointer: number(8, 8)
  )
  var inverted = call
  inverted.arguments = call.arguments.map { ~$0 }
  var usual = call
  usual.architecture = 0xC000_003E
  var next = usual
  next.number &+= 1
  return [call, inverted, usual, next]
}
