// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import ExtensionProtocol

/// A script of a session, one step per line: actions of the user, changes of the environment, and assertions.
///
/// ```
/// await listening within 5s
/// press primary
/// expect file photo-1.jpg within 1s   # not a time, but what happens
/// dismiss
/// expect outcome dismissed
/// ```
///
/// The article "Scripts" contains the complete grammar. The clock starts when the extension listens for
/// capture events, so that no press is lost during a slow start. Without a protocol, it starts at once. If
/// the first step is `await` or `expect`, the clock starts at the launch.
///
/// A script that ends without `dismiss` or `quit` leaves the session running.
package struct SessionScript: Sendable, Hashable {
  /// An action with its position in the script.
  package struct Step: Sendable, Hashable {
    /// The line number, from 1.
    package var line: Int
    /// The text of the line.
    package var text: String
    package var action: Action
  }

  /// An action of a step.
  package enum Action: Sendable, Hashable {
    /// Waits for a number of nanoseconds.
    case wait(UInt64)
    /// Sends a command of the user to the session.
    case command(SessionCommand)
    /// Changes the simulated environment.
    case change(SimulatedEvent)
    /// Checks an assertion.
    case assert(ScriptAssertion)
  }

  /// A command with its time, in nanoseconds from the start of the script.
  package struct TimedCommand: Sendable, Hashable {
    package var time: UInt64
    package var command: SessionCommand
  }

  /// The name of the file in messages.
  package internal(set) var name = "script"
  /// The preconditions of the session.
  package internal(set) var given: [Precondition] = []
  /// The steps, in order.
  package internal(set) var steps: [Step] = []

  /// A precondition with its position in the script.
  package struct Precondition: Sendable, Hashable {
    /// The line number, from 1.
    package var line: Int
    /// The change that establishes the precondition.
    package var change: SimulatedEvent
  }

  /// Creates a script without lines.
  package init() {}

  /// Parses a script. Throws the first error.
  package init(_ text: String, name: String) throws(ScriptError) {
    let (script, mistakes) = Self.read(text, name: name)
    if let mistake = mistakes.first { throw mistake }
    self = script
  }

  /// Parses a script and returns all errors.
  package static func read(_ text: String, name: String) -> (script: SessionScript, mistakes: [ScriptError]) {
    var reader = ScriptReader(name: name)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      reader.read(line, number: index + 1)
    }
    return (reader.script, reader.errors)
  }

  /// The commands with their times, up to the first assertion.
  package var timedCommands: [TimedCommand] {
    var now: UInt64 = 0
    var found: [TimedCommand] = []
    for step in steps {
      switch step.action {
      case .wait(let time): now += time
      case .command(let command): found.append(TimedCommand(time: now, command: command))
      case .change: break
      case .assert: return found
      }
    }
    return found
  }

  /// Whether the clock starts at the launch, because the script starts with an assertion.
  var startsAtLaunch: Bool {
    if case .assert? = steps.first?.action { true } else { false }
  }

  /// Whether the script contains assertions, so that the session must be observed.
  var hasAssertions: Bool { steps.contains { if case .assert = $0.action { true } else { false } } }

  /// The first line that requires a simulated environment, or `nil` if the script can run in any session.
  package var firstSimulatedLine: ScriptError.Place? {
    let changes = steps.filter { if case .change = $0.action { true } else { false } }.map(\.line)
    return (given.map(\.line) + changes).min().map { ScriptError.Place(name: name, line: $0) }
  }
}

/// A change of a simulated environment.
package enum SimulatedEvent: Sendable, Hashable {
  /// Locks or unlocks the machine before the launch. If it is locked, the session starts on the lock screen.
  case lock(LockState)
  /// Grants (`true`) or revokes (`false`) a permission, or resets it to undecided (`nil`).
  case permission(PermissionName, Bool?)
  /// Removes the camera before the launch.
  case noCamera
  /// Unplugs the camera.
  case unplug
  /// Stops the frames of the camera until it resumes.
  case stall
  /// Resumes the frames.
  case resume
  /// Sets the frame rate of the camera, in frames per second.
  case rate(Int)
  /// Sets the number of free bytes of the file system, or `nil` for the real number.
  case space(Int64?)
  /// Sets the app context to a JSON text.
  case context(String)
  /// Sets the result of authentication.
  case authentication(AuthenticationResult)

  /// The permissions, by their names in the protocol.
  package enum PermissionName: String, Sendable, Hashable, CaseIterable {
    /// The camera.
    case camera
    /// The microphone.
    case microphone
    /// Adding to the photo library.
    case photosAddOnly
    /// Reading and changing the photo library.
    case photos
  }
}
