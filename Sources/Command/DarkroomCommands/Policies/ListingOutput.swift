// SPDX-License-Identifier: Apache-2.0

internal import FilterAnalysis
internal import JSONText
internal import PolicyExplanation

/// The output of compiled programs.
struct ListingOutput {
  /// The console to which the output is written.
  let console: Console

  /// Prints the programs as text, with one instruction per line. If several programs are loaded together, the
  /// oldest one is first.
  func print(_ listings: [FilterListing]) {
    for (index, listing) in listings.enumerated() {
      if index > 0 { console.print("") }
      if listings.count > 1 {
        console.print("program \(index + 1) of \(listings.count), \(listing.lines.count) instructions")
      }
      console.print(" line  code  jt   jf   k")
      for line in listing.lines { console.print(Self.text(line)) }
    }
  }

  /// Prints the programs as JSON.
  func printJSON(_ name: String, _ listings: [FilterListing]) {
    console.print([
      "name": .string(name),
      "programs": .array(
        listings.map { listing in ["instructions": .array(listing.lines.map(Self.json))] }
      ),
    ])
  }

  /// Returns one line in the format of seccomp-tools, so that the two outputs can be compared.
  private static func text(_ line: FilterListing.Line) -> String {
    let instruction = line.instruction
    let numbers = [
      "\(decimal(line.index)):", hexadecimal(UInt32(instruction.code), 2),
      hexadecimal(UInt32(instruction.ifTrue), 2), hexadecimal(UInt32(instruction.ifFalse), 2),
      hexadecimal(instruction.value, 8),
    ].joined(separator: " ")
    return " \(numbers)  \(line.text)" + (line.isUnreachable ? "  (unreachable)" : "")
  }

  private static func decimal(_ number: Int) -> String { padded(String(number), 4) }

  private static func hexadecimal(_ number: UInt32, _ digits: Int) -> String {
    "0x" + padded(String(number, radix: 16), digits)
  }

  private static func padded(_ text: String, _ count: Int) -> String {
    String(repeating: "0", count: max(0, count - text.count)) + text
  }

  private static func json(_ line: FilterListing.Line) -> JSONValue {
    .object([
      "line": .integer(Int64(line.index)),
      "code": .integer(Int64(line.instruction.code)),
      "jt": .integer(Int64(line.instruction.ifTrue)),
      "jf": .integer(Int64(line.instruction.ifFalse)),
      "k": .integer(Int64(line.instruction.value)),
      "text": .string(line.text),
      "targets": line.targets.isEmpty ? nil : .array(line.targets.map { .integer(Int64($0)) }),
      "calls": line.calls.map { .array($0.map(JSONValue.string)) },
      "action": line.verdict.map { .string(VerdictText.text($0)) },
      "reachable": .bool(!line.isUnreachable),
    ])
  }
}
