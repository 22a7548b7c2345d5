// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import ExtensionProtocol

/// What a person would do, what happens around the session, and what is expected of it, written down: one line a step.
///
/// ```
/// await listening within 5s
/// press primary
/// expect file photo-1.jpg within 1s   # not a time, but what happens
/// dismiss
/// expect outcome dismissed
/// ```
/// The article "Scripts" has the whole grammar. Time begins when the extension listens for capture events (or at once, for
/// one that speaks no protocol), so that no press is lost to a slow start; where the first step is `await` or `expect`, it
/// begins with the launch, and the script itself says what it waits for. A script that ends without `dismiss` or `quit`
/// leaves the session running.
package struct SessionScript: Sendable, Hashable {
  /// One thing to be done, and where it is written.
  package struct Step: Sendable, Hashable {
    /// The line, from 1.
    package var line: Int
    /// The line's words as they were written.
    package var text: String
    /// What is to be done.
    package var deed: Deed
  }

  /// What a step does.
  package enum Deed: Sendable, Hashable {
    /// Lets so many nanoseconds pass.
    case wait(UInt64)
    /// The person does something to the session.
    case command(SessionCommand)
    /// Something around the session changes; only where it is made up.
    case change(WorldChange)
    /// Something has to be so.
    case judge(ScriptJudgement)
  }

  /// A command and when it comes, in nanoseconds from the beginning.
  package struct Moment: Sendable, Hashable {
    /// When.
    package var time: UInt64
    /// What.
    package var command: SessionCommand
  }

  /// The file's name, as messages have it.
  package internal(set) var name = "script"
  /// What holds before the session begins.
  package internal(set) var given: [Premise] = []
  /// The steps in their order.
  package internal(set) var steps: [Step] = []

  /// Something that holds before the session begins, and where it is written.
  package struct Premise: Sendable, Hashable {
    /// The line, from 1.
    package var line: Int
    /// What.
    package var change: WorldChange
  }

  /// A script without lines: nobody does anything.
  package init() {}

  /// Reads a script; the first mistake is thrown.
  package init(_ text: String, name: String) throws(ScriptError) {
    let (script, mistakes) = Self.read(text, name: name)
    if let mistake = mistakes.first { throw mistake }
    self = script
  }

  /// Reads a script, and names every line that cannot be read.
  package static func read(_ text: String, name: String) -> (script: SessionScript, mistakes: [ScriptError]) {
    var reader = ScriptReader(name: name)
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      reader.take(line, number: index + 1)
    }
    return (reader.script, reader.mistakes)
  }

  /// The commands in the order of their times, as far as they depend on nothing but time.
  package var moments: [Moment] {
    var now: UInt64 = 0
    var found: [Moment] = []
    for step in steps {
      switch step.deed {
      case .wait(let time): now += time
      case .command(let command): found.append(Moment(time: now, command: command))
      case .change: break
      case .judge: return found
      }
    }
    return found
  }

  /// Whether time begins with the launch, because the script itself says what it waits for.
  var beginsAtLaunch: Bool {
    if case .judge? = steps.first?.deed { true } else { false }
  }

  /// Whether the session has to be looked at while the script is played.
  var judges: Bool { steps.contains { if case .judge = $0.deed { true } else { false } } }

  /// The first line that needs made-up surroundings; nil: any session can play the script.
  package var firstMadeUp: ScriptError.Place? {
    let changes = steps.filter { if case .change = $0.deed { true } else { false } }.map(\.line)
    return (given.map(\.line) + changes).min().map { ScriptError.Place(name: name, line: $0) }
  }
}

/// Something that happens around a session whose surroundings are made up.
package enum WorldChange: Sendable, Hashable {
  /// The machine is locked or not when the session is launched, at the lock screen if it is.
  case lock(LockState)
  /// The person allows something, or takes it away; nil: they have not decided.
  case permission(PermissionName, Bool?)
  /// There is no camera at all.
  case noCamera
  /// The camera goes away.
  case unplug
  /// The camera gives no frames until it goes on.
  case stall
  /// It goes on.
  case resume
  /// It goes on with so many frames a second.
  case rate(Int)
  /// So many bytes of the file system are free; nil: as many as are.
  case space(Int64?)
  /// The app sets the context: JSON.
  case context(String)
  /// What comes of asking the person who they are.
  case authentication(AuthenticationResult)

  /// What a person can allow, by the names that the protocol has.
  package enum PermissionName: String, Sendable, Hashable, CaseIterable {
    /// The camera's frames.
    case camera
    /// Sound.
    case microphone
    /// Adding to the photo library.
    case photosAddOnly
    /// Reading and changing the photo library.
    case photos
  }
}
