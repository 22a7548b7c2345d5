// SPDX-License-Identifier: Apache-2.0

public import DarkroomHost
internal import LinuxPrimitives
internal import SessionSimulation

/// A script of a simulated session: actions of the user, changes of the environment, and expectations. The article
/// "Scripts" describes the grammar.
public struct SimulationScript: Sendable, Hashable {
  /// The name of the script in messages.
  public let name: String
  let script: SessionScript

  /// The maximum size of a file, in bytes.
  private static let limit = 1 << 20

  /// Parses a script.
  ///
  /// - Parameters:
  ///   - text: The steps, one per line.
  ///   - name: The name of the script in messages.
  ///
  /// - Throws: `HostError.argument`. The message has a line for each mistake.
  public init(_ text: String, name: String = "script") throws(HostError) {
    let (script, mistakes) = SessionScript.read(text, name: name)
    guard mistakes.isEmpty else {
      throw HostError(argument: mistakes.map { "\($0)" }.joined(separator: "\n"))
    }
    (self.name, self.script) = (name, script)
  }

  /// Reads a script from a file.
  ///
  /// - Throws: `HostError.argument` if the file cannot be read, is larger than 1 MiB, or has mistakes.
  public init(contentsOf path: String) throws(HostError) {
    let bytes: [UInt8]?
    do throws(SystemCallError) { bytes = try FileSystem.contents(path, limit: Self.limit) } catch {
      throw HostError(argument: "the script cannot be read: \(error)")
    }
    guard let bytes else {
      throw HostError(argument: "\(path) exceeds the maximum size of \(Self.limit) bytes")
    }
    try self.init(String(decoding: bytes, as: UTF8.self), name: path)
  }
}

/// The options of a simulated session.
public struct SimulationOptions: Sendable {
  /// The camera, which must provide the same frames each time: a file or a pattern.
  public var camera: CameraSelection = .testPattern(width: 320, height: 240)
  /// The time that the extension may take to exit after its dismissal.
  public var dismissalGrace: Duration = .seconds(5)
  /// The time in which the extension must use the camera, show a viewfinder and subscribe to capture events. With
  /// `nil`, the launch deadline of the manifest applies; zero means no limit.
  public var watchdog: Duration?
  /// The path of a new directory in which the state directory with content and records is kept, or `nil` to remove
  /// them at the end.
  public var keptDirectory: String?

  /// Creates options.
  public init() {}
}

/// The result of a simulated session.
public struct SimulationReport: Sendable, Hashable {
  /// The results of the lines with `await` and `expect`, and of the lines that were not reached.
  public let findings: [Finding]
  /// The result of the session. Its files exist only with ``SimulationOptions/keptDirectory``.
  public let session: SessionResult

  /// Whether all expectations were met.
  public var isPassed: Bool { findings.allSatisfy { $0.verdict == .passed } }

  /// The result of a line of the script.
  public struct Finding: Sendable, Hashable {
    /// The line number, from 1, or 0 for the expectation that the session ends successfully.
    public let line: Int
    /// The text of the line.
    public let text: String
    /// The verdict.
    public let verdict: Verdict
    /// The time of the verdict after the launch, or `nil` if it was reached after the end of the session.
    public let time: Duration?
  }

  /// The verdict about a line of a script.
  public enum Verdict: Sendable, Hashable {
    /// The expectation was met.
    case passed
    /// The expectation was not met; the text is the observation.
    case failed(String)
    /// The line was not reached; the text is the reason.
    case notReached(String)
  }
}
