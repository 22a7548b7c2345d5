// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
internal import CommandGrammar
internal import FilterAnalysis
internal import JSONText
internal import LaunchPlanning
internal import LinuxPrimitives
internal import PolicyInterchange

/// A filter of system calls as an argument names it. Nothing is imported: each kind keeps the meaning that it has for the
/// program that loads it.
indirect enum FilterSource {
  /// A policy of Darkroom, with everything that it extends.
  case policy(FoundPolicy)
  /// A compiled filter.
  case program(FilterProgram)
  /// A policy of another program.
  case profile(ForeignProfile, InterchangeFormat)
  /// The filters that a process has installed, the oldest one first.
  case process(Int32, [FilterProgram])
  /// Filters that are installed together, the oldest one first.
  case stack([FilterSource])

  /// The values of an argument that names a filter.
  static let value = ValueKind.choiceOrFile(PolicyFinder.shippedNames)
  /// The help of an argument that names a filter.
  static let help =
    "A shipped policy, or the path of a document, a compiled filter, a seccomp profile (OCI, Docker, Podman), a systemd unit, "
    + "or a minijail policy (.policy); - for standard input, \(processPrefix)PID, or \(stackPrefix)OLDEST,...,NEWEST"

  /// The prefix of a process ID.
  static let processPrefix = "pid:"
  /// The prefix of a list of filters.
  static let stackPrefix = "stack:"
  /// The size limit of a file, in bytes.
  private static let limit = 1 << 22

  /// Returns the filter that an argument names: a shipped policy, a process, a stack, or a file, whose contents show its kind.
  static func find(_ word: String) throws(CommandFailure) -> FilterSource {
    switch try identify(word) {
    case .document(let bytes, let path):
      do { return .policy(try PolicyFinder.document(bytes, at: path)) } catch {
        throw SessionCommands.failure(error)
      }
    case .named(let name): return .policy(try SessionCommands.policy(name))
    case .foreign(let source): return source
    }
  }

  /// An argument whose kind is known.
  enum Identified {
    /// The name of a shipped policy, or a word that names nothing.
    case named(String)
    /// The text of a policy document, which may have mistakes. A pipe returns its contents only once.
    case document([UInt8], path: String)
    /// A filter that is not a policy of Darkroom.
    case foreign(FilterSource)
  }

  /// Returns the kind of an argument without resolving a policy.
  static func identify(_ word: String) throws(CommandFailure) -> Identified {
    if PolicyFinder.shippedNames.contains(word) { return .named(word) }
    if word.hasPrefix(processPrefix) {
      return .foreign(try process(String(word.dropFirst(processPrefix.count))))
    }
    if word.hasPrefix(stackPrefix) { return .foreign(try stack(word.dropFirst(stackPrefix.count))) }
    let path = word == "-" ? "/dev/stdin" : word
    let bytes: [UInt8]?
    do { bytes = try FileSystem.contents(path, limit: limit) } catch {
      // A word that is not a path is left to the policy finder, which knows all names.
      guard word == "-" || word.contains("/") || word.contains(".") else { return .named(word) }
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
        return .foreign(.profile(profile, format))
      } catch { throw CommandFailure(.data, "\(word): \(error)") }
    }
    if isJSON(bytes) || word.hasSuffix(".json") { return .document(bytes, path: path) }
    do { return .foreign(.program(try FilterProgram(bytes: bytes))) } catch {
      throw CommandFailure(.data, "\(word) is neither a policy nor a compiled filter: \(error)")
    }
  }

  /// The filters of a process.
  private static func process(_ text: String) throws(CommandFailure) -> FilterSource {
    guard let process = Int32(text), process > 0 else {
      throw CommandFailure(.usage, "'\(text)' is not a process ID; give the number of a running process")
    }
    do {
      var programs: [FilterProgram] = []
      for bytes in try ProcessFilters(of: process).programs {
        programs.append(try FilterProgram(bytes: bytes))
      }
      return .process(process, programs)
    } catch let error as ProcessFiltersError {
      let code: ExitCode = error == .noProcess ? .missing : .machine
      throw CommandFailure(code, "process \(process): \(error)")
    } catch { throw CommandFailure(.machine, "process \(process): a filter cannot be read: \(error)") }
  }

  /// Filters that are installed together.
  private static func stack(_ words: Substring) throws(CommandFailure) -> FilterSource {
    let words = words.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard words.count(where: { $0 == "-" }) < 2, words.allSatisfy({ !$0.isEmpty }) else {
      throw CommandFailure(
        .usage,
        "a stack names each filter once, with commas between them; name the filters"
      )
    }
    return .stack(try words.map { word throws(CommandFailure) in try find(word) })
  }

  /// Returns the text of a file that a policy of another program includes, or `nil` if the file cannot be read.
  static func text(ofIncluded path: String) -> String? {
    guard let bytes = try? FileSystem.contents(path, limit: limit) else { return nil }
    return String(validating: bytes, as: UTF8.self)
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
