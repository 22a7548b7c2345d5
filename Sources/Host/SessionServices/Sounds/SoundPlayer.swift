// SPDX-License-Identifier: Apache-2.0

package import CaptureHost
package import ExtensionProtocol
internal import LinuxPrimitives
internal import Synchronization

/// Plays sounds with a desktop program, one at a time.
package final class SoundPlayer: SoundPlaying {
  /// The maximum duration of a playback, in nanoseconds.
  private static let maximumDuration: UInt64 = 10_000_000_000
  /// The audio-related environment variables that are passed to the player.
  private static let soundVariables = [
    "PIPEWIRE_REMOTE", "PIPEWIRE_RUNTIME_DIR", "PULSE_SERVER", "PULSE_COOKIE", "PULSE_SINK", "ALSA_CARD",
  ]

  private let environment: (String) -> String?
  private let slot = PlaybackSlot()

  /// Creates a player. `environment` returns the variables of the user's session.
  package init(environment: @escaping (String) -> String?) { self.environment = environment }

  /// Starts the player. A thread terminates it after the maximum duration.
  package func play(_ sound: CaptureSound, below directory: String?) throws(SoundFailure) {
    guard slot.take() else { throw .busy }
    do throws(SoundFailure) { try start(sound, below: directory) } catch {
      slot.giveBack()
      throw error
    }
  }

  private func start(_ sound: CaptureSound, below directory: String?) throws(SoundFailure) {
    let player = try program()
    let file = try SoundFile.open(sound, below: directory, environment: environment)
    // The player would play any other format as noise.
    if player.isWAVOnly, !file.isWAV() { throw .onlyWAV(player: player.path) }
    do throws(SystemCallError) {
      let silence = try FileSystem.open("/dev/null", .write)
      let helper = try HelperProgram.start(
        player.path,
        [file.name],
        environment: variables,
        input: file.descriptor.rawValue,
        errors: silence.rawValue
      )
      try Playback.watch(helper, for: Self.maximumDuration, slot)
    } catch { throw .notStarted(error) }
  }

  private var variables: [String] {
    (AppEnvironment.inheritedNames + Self.soundVariables).compactMap { name in
      environment(name).map { "\(name)=\($0)" }
    }
  }

  /// Returns the player program. `isWAVOnly` is whether it plays only WAV files.
  private func program() throws(SoundFailure) -> (path: String, isWAVOnly: Bool) {
    if let chosen = environment(SoundFailure.playerVariable), !chosen.isEmpty {
      guard let path = find(chosen) else { throw .configuredPlayerNotFound(chosen) }
      return (path, false)
    }
    for name in ["pw-play", "paplay", "aplay"] {
      if let path = find(name) { return (path, name == "aplay") }
    }
    throw .playerNotFound
  }

  /// Returns the path of a program that is given as an absolute path or as a name in `PATH`.
  private func find(_ name: String) -> String? {
    let path = environment("PATH") ?? AppEnvironment.standardPath
    // A relative entry would be another directory for a program with another working directory.
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

/// A flag that is set while a sound is being played.
private final class PlaybackSlot: Sendable {
  private let isTaken = Atomic(false)

  /// Sets the flag. Returns `false` if it is already set.
  func take() -> Bool {
    isTaken.compareExchange(expected: false, desired: true, ordering: .acquiring).exchanged
  }

  /// Clears the flag.
  func giveBack() { isTaken.store(false, ordering: .releasing) }
}

/// A running player, until a thread has waited for its exit.
private final class Playback: Sendable {
  private let helper: Mutex<HelperProgram?>
  private let slot: PlaybackSlot

  private init(_ helper: consuming HelperProgram, _ slot: PlaybackSlot) {
    self.helper = Mutex(consume helper)
    self.slot = slot
  }

  /// Starts a thread that waits for the exit of a player, terminates it after `time` nanoseconds, and clears
  /// the flag.
  static func watch(
    _ helper: consuming HelperProgram,
    for time: UInt64,
    _ slot: PlaybackSlot
  ) throws(SystemCallError) {
    let playback = Playback(helper, slot)
    let deadline = MonotonicClock.now + time
    do throws(SystemCallError) {
      _ = try PlainThread.start(name: "sound") { playback.await(deadline) }
    } catch {
      playback.take()?.kill()
      throw error
    }
  }

  /// Returns the player to the first caller.
  private func take() -> HelperProgram? {
    helper.withLock { helper in
      let taken = helper.take()
      return taken
    }
  }

  private func await(_ deadline: UInt64) {
    if let helper = take() {
      // Killing the player also terminates processes that it has left behind.
      _ = try? Poller.wait([(helper.handle.descriptor.rawValue, .readable)], until: deadline)
      helper.kill()
    }
    slot.giveBack()
  }
}
