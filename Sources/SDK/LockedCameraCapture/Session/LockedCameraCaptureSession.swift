// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
public import FoundationEssentials
internal import JSONText
internal import LinuxPrimitives

/// One launch of a capture extension, from its start to its dismissal.
///
/// A session is made by the `main()` of the extension, and given to its scene. What happens in it happens in the main
/// actor, in the order in which the host has sent it; a handler that takes long delays the next one, and never the
/// camera. A task may await at any time: the session goes on meanwhile.
///
/// Nothing of it works any more after the end: what is asked then throws ``LockedCameraCaptureError/Code/sessionEnded``.
public final class LockedCameraCaptureSession: Sendable {
  /// The session's identity, which the app will see again.
  public let sessionID: UUID
  /// The directory for captures: what is in it at the end belongs to the app, everything else is erased.
  ///
  /// What is inside is the author's affair: directories, too. Files of earlier sessions are never in it.
  public let sessionContentURL: URL
  /// Scratch space; erased.
  public let containerURL: URL
  /// The extension's own files; read-only.
  public let bundleURL: URL

  /// The files that the app shares with its extensions: presets, lookup tables, frames, models. Nil if it shares none.
  ///
  /// They are read-only, and stay as they are while the session lasts, also when the app publishes others meanwhile;
  /// the next session gets those. Reading needs no permission, locked or not. An app publishes them with `darkroom assets
  /// publish`. Apple's system has nothing like it: there, 4096 bytes of app context are all that an app can share.
  public let sharedAssetsURL: URL?

  /// How many camera controls the host shows.
  let mostControls: Int
  /// All that changes.
  let runtime: SessionRuntime

  /// Begins the conversation with the host. `rehearse` is called if that has nothing to say yet.
  @MainActor
  package init(
    _ channel: consuming HostChannel,
    drainsMainQueue: Bool = false,
    rehearse: @MainActor () -> Void = {}
  ) throws(ExtensionFailure) {
    let camera = channel.camera.take()
    let shown = channel.preview.take()
    let heard = channel.sound.take()
    // Before the host is heard, for whom the time of an extension that waits does not count yet.
    let ring: FrameRingReader?
    if let camera { ring = try FrameRingReader.open(camera) } else { ring = nil }
    let preview: PreviewRingWriter?
    if let shown, let ring {
      preview = try PreviewRingWriter.open(shown, like: ring.geometry)
    } else {
      preview = nil
    }
    let sound: SoundRingReader?
    if let heard { sound = try SoundRingReader.open(heard) } else { sound = nil }
    if try Rehearsal.isTime(for: channel.hostIn) { rehearse() }
    let connection = try ExtensionConnection(input: channel.hostIn, output: channel.hostOut)
    let start = connection.start
    let places = try SessionPlaces(start)
    sessionID = places.session
    sessionContentURL = places.content
    containerURL = places.container
    bundleURL = places.bundle
    sharedAssetsURL = places.assets
    mostControls = start.cameraControls
    runtime = SessionRuntime(
      connection,
      ring: ring,
      preview: preview,
      sound: sound,
      mainQueue: drainsMainQueue ? .drained : .foreign
    )
  }

  /// Handles what happens until the session is dismissed or the host has closed.
  @MainActor
  package func run() throws(ExtensionFailure) { try runtime.run() }

  /// Handles one thing that happens, and waits for it until `deadline` at most; false when the session has ended.
  @MainActor
  package func turn(until deadline: UInt64) throws(ExtensionFailure) -> Bool {
    try runtime.turn(until: deadline)
  }

  /// Ends what is still awaited; ``run()`` does it itself.
  @MainActor
  package func close() { runtime.close() }
}
