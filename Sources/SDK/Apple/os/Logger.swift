// SPDX-License-Identifier: Apache-2.0

internal import Dispatch
internal import LinuxPrimitives
internal import LockedCameraCapture

/// A writer of messages to the session log; Apple's type. It may be used on any thread.
///
/// In an app, and before the session of an extension starts, messages go to standard error.
public struct Logger: Sendable {
  /// The text before each message.
  private let prefix: String

  /// Creates a logger without a subsystem.
  public init() { prefix = "" }

  /// Creates a logger.
  ///
  /// - Parameters:
  ///   - subsystem: The name of the program; the session log names the extension already, so it is not written.
  ///   - category: The name of the part of the program, which each message begins with.
  public init(subsystem: String, category: String) { prefix = category.isEmpty ? "" : "[\(category)] " }

  /// Writes a message of the level `notice`.
  public func log(_ message: OSLogMessage) { write(.notice, message) }

  /// Writes a message of a level.
  public func log(level: OSLogType, _ message: OSLogMessage) { write(level.sessionLevel, message) }

  /// Writes a message for the developer.
  public func trace(_ message: OSLogMessage) { write(.debug, message) }

  /// Writes a message for the developer.
  public func debug(_ message: OSLogMessage) { write(.debug, message) }

  /// Writes a message about an event that occurs in any session.
  public func info(_ message: OSLogMessage) { write(.info, message) }

  /// Writes a message that may interest the user.
  public func notice(_ message: OSLogMessage) { write(.notice, message) }

  /// Writes a message about a possible error, of the level `error`.
  public func warning(_ message: OSLogMessage) { write(.error, message) }

  /// Writes a message about an error.
  public func error(_ message: OSLogMessage) { write(.error, message) }

  /// Writes a message about a fault of the program, of the level `error`.
  public func critical(_ message: OSLogMessage) { write(.error, message) }

  /// Writes a message about a fault of the program, of the level `error`.
  public func fault(_ message: OSLogMessage) { write(.error, message) }

  private func write(_ level: LogLevel, _ message: OSLogMessage) {
    let text = prefix + message.text
    guard let session = CurrentSession.session else { return CurrentProcess.writeToStandardError(text) }
    if CurrentSession.isInMainQueue {
      MainActor.assumeIsolated { session.log(level, text) }
    } else {
      DispatchQueue.main.async { session.log(level, text) }
    }
  }
}

/// The level of a message.
public struct OSLogType: RawRepresentable, Hashable, Sendable {
  /// Apple's number of the level.
  public let rawValue: UInt8

  /// Creates a level from its number.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// Messages that may interest the user.
  public static let `default` = OSLogType(rawValue: 0)
  /// Events that occur in any session.
  public static let info = OSLogType(rawValue: 1)
  /// Details for the developer.
  public static let debug = OSLogType(rawValue: 2)
  /// Errors.
  public static let error = OSLogType(rawValue: 16)
  /// Faults of the program.
  public static let fault = OSLogType(rawValue: 17)

  /// The level in the session log.
  fileprivate var sessionLevel: LogLevel {
    switch self {
    case .info: .info
    case .debug: .debug
    case .error, .fault: .error
    default: .notice
    }
  }
}
