// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import FilterAnalysis
internal import LinuxPrimitives

/// Something that says what becomes of system calls, as it is named on a command line.
enum FilterSource {
  /// A policy, with everything that it extends.
  case policy(FoundPolicy)
  /// A compiled filter.
  case program(FilterProgram)

  /// How a filter is named on a command line.
  static let value = ValueKind.choiceOrFile(PolicyFinder.shippedNames)
  /// What an argument's help says of it.
  static let help =
    "A policy that comes with Darkroom, the path of a document or of a compiled filter, or - for standard input"

  /// The largest file that is looked at, in bytes.
  private static let limit = 1 << 22

  /// What a word names: a shipped policy, else a file, which is a document if it begins as JSON does.
  static func find(_ word: String) throws(CommandFailure) -> FilterSource {
    if PolicyFinder.shippedNames.contains(word) { return .policy(try SessionCommands.policy(word)) }
    let path = word == "-" ? "/dev/stdin" : word
    let bytes: [UInt8]?
    do { bytes = try FileSystem.contents(path, limit: limit) } catch {
      guard word == "-" || word.contains("/") || word.contains(".") else {
        // Not even meant as a path: the policy finder knows which names there are.
        return .policy(try SessionCommands.policy(word))
      }
      throw CommandFailure(.missing, "\(word) cannot be read: \(error)")
    }
    guard let bytes else { throw CommandFailure(.data, "\(word) is larger than any filter (\(limit) bytes)") }
    let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    if bytes.first(where: { !space.contains($0) }) == UInt8(ascii: "{") {
      guard word != "-" else {
        throw CommandFailure(
          .usage,
          "a document is read from a file, so that its mistakes have a place; name one"
        )
      }
      return .policy(
        try SessionCommands.policy(word.contains("/") || word.hasSuffix(".json") ? word : "./\(word)")
      )
    }
    do { return .program(try FilterProgram(bytes: bytes)) } catch {
      throw CommandFailure(.data, "\(word) is neither a policy nor a compiled filter: \(error)")
    }
  }
}
