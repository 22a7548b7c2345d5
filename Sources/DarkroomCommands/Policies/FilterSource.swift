// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import FilterAnalysis
internal import JSONText
internal import LinuxPrimitives
internal import PolicyInterchange

/// Something that says what becomes of system calls, as it is named on a command line.
enum FilterSource {
  /// A policy, with everything that it extends.
  case policy(FoundPolicy)
  /// A compiled filter.
  case program(FilterProgram)
  /// What another program calls a policy: rules that nobody has compiled yet.
  case profile(ForeignProfile, InterchangeFormat)

  /// How a filter is named on a command line.
  static let value = ValueKind.choiceOrFile(PolicyFinder.shippedNames)
  /// What an argument's help says of it.
  static let help =
    "A policy that comes with Darkroom, the path of a document or of a compiled filter, or - for standard input"
  /// The same, where rules of other programs are understood, too.
  static let helpWithProfiles =
    "A policy that comes with Darkroom, or the path of a document, of a compiled filter, of a seccomp profile (OCI, Docker, "
    + "Podman), of a systemd drop-in, or of minijail's rules (.policy); - for standard input"

  /// The largest file that is looked at, in bytes.
  private static let limit = 1 << 22

  /// What a word names: a shipped policy, else a file, which shows by its contents what it is.
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
    if let format = format(of: bytes, word) {
      do {
        let profile = try ForeignProfile(
          bytes,
          as: format,
          merging: .libseccomp,
          including: text(ofIncluded:)
        )
        return .profile(profile, format)
      } catch { throw CommandFailure(.data, "\(word): \(error)") }
    }
    // Not read a second time: a pipe gives its contents once.
    if isJSON(bytes) { return .policy(try document(bytes, path)) }
    do { return .program(try FilterProgram(bytes: bytes)) } catch {
      throw CommandFailure(.data, "\(word) is neither a policy nor a compiled filter: \(error)")
    }
  }

  /// Returns the text of a file that a policy of another program includes, or `nil` if the file cannot be read.
  static func text(ofIncluded path: String) -> String? {
    guard let bytes = try? FileSystem.contents(path, limit: limit) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func document(_ text: [UInt8], _ path: String) throws(CommandFailure) -> FoundPolicy {
    do { return try PolicyFinder.document(text, at: path) } catch { throw SessionCommands.failure(error) }
  }

  /// The format of another program, if it is unmistakable.
  private static func format(of bytes: [UInt8], _ word: String) -> InterchangeFormat? {
    if isJSON(bytes) {
      // No policy of Darkroom's has a default.
      return (try? JSONNode.parse(bytes))?["defaultAction"] == nil ? nil : .oci
    }
    if word.hasSuffix(".policy") { return .minijail }
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let isUnit = text.split(separator: "\n").contains { line in
      ["[Service]", "SystemCallFilter=", "RestrictAddressFamilies="].contains { line.hasPrefix($0) }
    }
    return isUnit ? .systemd : nil
  }

  /// Whether a file begins as JSON objects do.
  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    return bytes.first { !space.contains($0) } == UInt8(ascii: "{")
  }
}
