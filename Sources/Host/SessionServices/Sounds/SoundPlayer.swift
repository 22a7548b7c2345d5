// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

/// Plays sounds with a program of the desktop, one at a time.
package final class SoundPlayer: SoundPlaying {
  /// How long a player may take, in nanoseconds.
  private static let longest: UInt64 = 10_000_000_000
  /// What a player has to know of the person's session beside what every program of theirs does.
  private static let soundVariables = [
    "PIPEWIRE_REMOTE", "PIPEWIRE_RUNTIME_DIR", "PULSE_SERVER", "PULSE_COOKIE", "PULSE_SINK", "ALSA_CARD",
  ]

  private let environment: (String) -> String?
  private let turn = Turn()

  /// A player in this environment, which is that of the person's session.
  package init(environment: @escaping (String) -> String?) { self.environment = environment }

  /// Starts the player, which a thread ends when its time is over.
  package func play(_ sound: CaptureSound, below directory: String?) throws(SoundFailure) {
    guard turn.take() else { throw .busy }
    do throws(SoundFailure) { try start(sound, below: directory) } catch {
      turn.giveBack()
      throw error
    }
  }

  private func start(_ sound: CaptureSound, below directory: String?) throws(SoundFailure) {
    let player = try program()
    let file = try SoundFile.open(sound, below: directory, environment: environment)
    // It would play anything else as noise.
    if player.isPlain, !file.isWAV() { throw .onlyWAV(player: player.path) }
    do throws(SystemCallError) {
      let silence = try FileSystem.open("/dev/null", .write)
      let helper = try HelperProgram.start(
        player.path,
        [file.name],
        environment: variables,
        input: file.descriptor.rawValue,
        errors: silence.rawValue
      )
      try Playback.watch(helper, for: Self.longest, turn)
    } catch { throw .notStarted(error) }
  }

  private var variables: [String] {
    (AppEnvironment.handedOn + Self.soundVariables).compactMap { name in
      environment(name).map { "\(name)=\($0)" }
    }
  }

  /// The program that plays; `isPlain`: nothing but WAV files.
  private func program() throws(SoundFailure) -> (path: String, isPlain: Bool) {
    if let chosen = environment(SoundFailure.playerVariable), !chosen.isEmpty {
      guard let path = find(chosen) else { throw .noChosenPlayer(chosen) }
      return (path, false)
    }
    for name in ["pw-play", "paplay", "aplay"] {
      if let path = find(name) { return (path, name == "aplay") }
    }
    throw .noPlayer
  }

  /// An absolute path, or a name in `PATH`.
  private func find(_ name: String) -> String? {
    let path = environment("PATH") ?? AppEnvironment.standardPath
    // An entry that is not absolute would mean another place for whoever is started in another directory.
    let directories = path.split(separator: ":").filter { $0.hasPrefix("/") }
    let candidates = name.contains("/") ? [name] : directories.map { "\($0)/\(name)" }
    return candidates.first { candidate in
      guard candidate.hasPrefix("/"), let real = try? FileSystem.realPath(candidate),
        let status = try? FileSystem.status(real)
      else { return false }
      return status.kind == .regular && status.permissions & 0o111 != 0
    }
  }
}

/// Whether a sound is being played.
private final class Turn: Sendable {
  private let isTaken = Atomic(false)

  /// Takes the turn; false: somebody has it.
  func take() -> Bool {
    isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
  }

  /// Somebody else may have it.
  func giveBack() { isTaken.store(false, ordering: .releasing) }
}

/// A player that runs, until a thread has seen its end.
private final class Playback: Sendable {
  private let helper: Mutex<HelperProgram?>
  private let turn: Turn

  private init(_ helper: consuming HelperProgram, _ turn: Turn) {
    self.helper = Mutex(consume helper)
    self.turn = turn
  }

  /// Waits in a thread for a player's end, and ends it after some nanoseconds; then the turn is given back.
  static func watch(
    _ helper: consuming HelperProgram,
    for time: UInt64,
    _ turn: Turn
  ) throws(SystemCallError) {
    let playback = Playback(helper, turn)
    let deadline = MonotonicClock.now + time
    do throws(SystemCallError) {
      _ = try PlainThread.start(name: "sound") { playback.await(deadline) }
    } catch {
      playback.take()?.kill()
      throw error
    }
  }

  /// Gives the player to whoever ends it.
  private func take() -> HelperProgram? {
    helper.withLock { helper in
      let taken = helper.take()
      return taken
    }
  }

  private func await(_ deadline: UInt64) {
    if let helper = take() {
      // What a player has started and left behind is ended with it.
      _ = try? Poller.wait([(helper.handle.descriptor.rawValue, .readable)], until: deadline)
      helper.kill()
    }
    turn.giveBack()
  }
}
