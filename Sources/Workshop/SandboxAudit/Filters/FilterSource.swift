// SPDX-License-Identifier: Apache-2.0

internal import CaptureHost
package import FilterAnalysis
internal import JSONText
package import LaunchPlanning
internal import LinuxPrimitives
package import PolicyInterchange

/// A filter of system calls that an argument names.
///
/// The filter is not converted to a policy: each kind keeps the semantics of the program that loads it.
package indirect enum FilterSource: Sendable {
  /// A Darkroom policy, with everything that it extends.
  case policy(FoundPolicy)
  /// A compiled filter.
  case program(FilterProgram)
  /// A policy of another program.
  case profile(ForeignProfile, InterchangeFormat)
  /// The filters that a process has installed, the oldest one first.
  case process(Int32, [FilterProgram])
  /// Filters that are installed together, the oldest one first.
  case stack([FilterSource])

  /// The prefix of a process ID.
  package static let processPrefix = "pid:"
  /// The prefix of a list of filters.
  package static let stackPrefix = "stack:"
  /// The size limit of a file, in bytes.
  private static let limit = 1 << 22

  /// Returns the filter that an argument names: a shipped policy, a process, a stack, or a file. The contents
  /// of a file determine its kind.
  package static func find(_ word: String) throws(FilterSourceError) -> FilterSource {
    switch try identify(word) {
    case .document(let bytes, let path):
      do { return .policy(try PolicyFinder.document(bytes, at: path)) } catch {
        throw .policy(error)
      }
    case .named(let name):
      do { return .policy(try PolicyFinder.find(name)) } catch { throw .policy(error) }
    case .foreign(let source): return source
    }
  }

  /// The result of identifying an argument.
  package enum Identified {
    /// The name of a shipped policy, or an unknown name.
    case named(String)
    /// The text of a policy document, which may have mistakes. The text is kept because a pipe can be read
    /// only once.
    case document([UInt8], path: String)
    /// A filter that is not a Darkroom policy.
    case foreign(FilterSource)
  }

  /// Returns the kind of an argument without resolving a policy.
  package static func identify(_ word: String) throws(FilterSourceError) -> Identified {
    if PolicyFinder.shippedNames.contains(word) { return .named(word) }
    if word.hasPrefix(processPrefix) {
      return .foreign(try process(String(word.dropFirst(processPrefix.count))))
    }
    if word.hasPrefix(stackPrefix) { return .foreign(try stack(word.dropFirst(stackPrefix.count))) }
    let path = word == "-" ? "/dev/stdin" : word
    let bytes: [UInt8]?
    do { bytes = try FileSystem.contents(path, limit: limit) } catch {
      // An argument that is not a path is left to the policy finder, which reports unknown names.
      guard word == "-" || word.contains("/") || word.contains(".") else { return .named(word) }
      throw .unreadable(file: word, error)
    }
    guard let bytes else { throw .tooLarge(file: word, limit: limit) }
    if let format = format(of: bytes, word) {
      do {
        let profile = try ForeignProfile(bytes, as: format)
        return .foreign(.profile(profile, format))
      } catch { throw .profile(file: word, error) }
    }
    if isJSON(bytes) || word.hasSuffix(".json") { return .document(bytes, path: path) }
    do { return .foreign(.program(try FilterProgram(bytes: bytes))) } catch {
      throw .notFilter(file: word, error)
    }
  }

  /// Returns the filters of a process.
  private static func process(_ text: String) throws(FilterSourceError) -> FilterSource {
    guard let process = Int32(text), process > 0 else { throw .notProcessID(text) }
    do {
      var programs: [FilterProgram] = []
      for bytes in try ProcessFilters(of: process).programs {
        programs.append(try FilterProgram(bytes: bytes))
      }
      return .process(process, programs)
    } catch let error as ProcessFiltersError {
      throw .process(process, error)
    } catch { throw .processFilter(process, error) }
  }

  /// Returns the filters that are installed together.
  private static func stack(_ words: Substring) throws(FilterSourceError) -> FilterSource {
    let words = words.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    guard words.count(where: { $0 == "-" }) < 2,
      words.allSatisfy({ !$0.isEmpty && !$0.hasPrefix(stackPrefix) })
    else {
      throw .notStack
    }
    return .stack(try words.map { word throws(FilterSourceError) in try find(word) })
  }

  /// Returns the text of a file that a policy of another program includes, or `nil` if the file cannot be
  /// read.
  package static func text(ofIncluded path: String) -> String? {
    guard let bytes = try? FileSystem.contents(path, limit: limit) else { return nil }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Returns the format of another program's policy, or `nil` if the format is ambiguous.
  private static func format(of bytes: [UInt8], _ word: String) -> InterchangeFormat? {
    if isJSON(bytes) {
      // Darkroom's policies have no key `defaultAction`.
      return (try? JSONNode.parse(bytes))?["defaultAction"] == nil ? nil : .oci
    }
    if word.hasSuffix(".policy") { return .minijail }
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let isUnit = text.split(separator: "\n").contains { line in
      ["[Service]", "SystemCallFilter=", "RestrictAddressFamilies="].contains { line.hasPrefix($0) }
    }
    return isUnit ? .systemd : nil
  }

  /// Returns whether a file begins like a JSON object.
  private static func isJSON(_ bytes: [UInt8]) -> Bool {
    let space: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    return bytes.first { !space.contains($0) } == UInt8(ascii: "{")
  }
}
