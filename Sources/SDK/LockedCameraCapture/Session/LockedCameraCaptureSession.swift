// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
public import FoundationEssentials
internal import JSONText
internal import LinuxPrimitives

/// One launch of a capture extension, from its start to its dismissal.
///
/// The `main()` of the extension creates the session and passes it to the scene. Its events are handled in
/// the main actor, in the order in which the host sent them. A slow handler delays the next handler, but
/// never the camera. A task may await at any time; the session handles events meanwhile.
///
/// After the end of the session, requests throw ``LockedCameraCaptureError/Code/sessionEnded``.
public final class LockedCameraCaptureSession: Sendable {
  /// The identifier of the session; the app receives the same identifier.
  public let sessionID: UUID
  /// The session content directory: files in it at the end of the session are migrated to the app, all other
  /// files are erased.
  ///
  /// It may contain subdirectories. It never contains files of earlier sessions.
  public let sessionContentURL: URL
  /// The directory for temporary files; erased after the session.
  public let containerURL: URL
  /// The files of the extension's bundle; read-only.
  public let bundleURL: URL

  /// The files that the app shares with its extensions, such as presets, lookup tables, frames and models;
  /// `nil` if there are none.
  ///
  /// They are read-only and do not change during the session, even if the app publishes new files; the next
  /// session gets those. Reading them requires no permission and is possible while the screen is locked. An
  /// app publishes them with `darkroom assets publish`.
  ///
  /// Apple's system has no counterpart: there, an app can share only 4096 bytes of app context.
  public let sharedAssetsURL: URL?

  /// The devices of the session.
  package let devices: SessionDevices
  /// The maximum number of camera controls that the host shows.
  let maximumControls: Int
  /// The mutable state of the session.
  let runtime: SessionRuntime

  /// Connects to the host and waits for `session/start`.
  ///
  /// - Parameters:
  ///   - channel: The descriptors that the host has passed.
  ///   - drainsMainQueue: Whether the session's loop drains the main queue.
  ///   - warmUp: A warm-up, called if the host has not sent `session/start` yet.
  /// - Throws: `ExtensionFailure` if the host violates the protocol or a system call fails.
  @MainActor
  package init(
    _ channel: consuming HostChannel,
    drainsMainQueue: Bool = false,
    warmUp: @MainActor () -> Void = {}
  ) throws(ExtensionFailure) {
    let camera = channel.camera.take()
    let previewChannel = channel.preview.take()
    let soundChannel = channel.sound.take()
    // Maps the rings before it waits for the host: the time of a prewarmed extension does not count until
    // `session/start`.
    let ring: FrameRingReader?
    if let camera { ring = try FrameRingReader.open(camera) } else { ring = nil }
    let preview: PreviewRingWriter?
    if let previewChannel, let ring {
      preview = try PreviewRingWriter.open(previewChannel, like: ring.geometry)
    } else {
      preview = nil
    }
    let sound: SoundRingReader?
    if let soundChannel { sound = try SoundRingReader.open(soundChannel) } else { sound = nil }
    if try Warmup.isHostIdle(for: channel.hostIn) { warmUp() }
    // Swift 6.2 does not move two fields in one call.
    let hostOut = channel.hostOut
    let connection = try ExtensionConnection(input: channel.hostIn, output: hostOut)
    let start = connection.start
    let directories = try SessionDirectories(start)
    sessionID = directories.session
    sessionContentURL = directories.content
    containerURL = directories.container
    bundleURL = directories.bundle
    sharedAssetsURL = directories.assets
    devices = SessionDevices(start.devices)
    maximumControls = start.devices.cameraControls
    runtime = try SessionRuntime(
      connection,
      ring: ring,
      preview: preview,
      sound: sound,
      mainQueue: drainsMainQueue ? .drained : .foreign
    )
  }

  /// Handles events until the session is dismissed or the host closes the connection.
  @MainActor
  package func run() throws(ExtensionFailure) { try runtime.run() }

  /// Waits for one event until `deadline` and handles it.
  ///
  /// - Parameter deadline: The latest time, in nanoseconds of ``MonotonicClock``.
  /// - Returns: `false` if the session has ended.
  /// - Throws: `ExtensionFailure` if the connection fails.
  @MainActor
  package func runIteration(until deadline: UInt64) throws(ExtensionFailure) -> Bool {
    try runtime.runIteration(until: deadline)
  }

  /// The clock of the session's alarms, gestures and animations.
  @MainActor
  package var clock: SessionClock { runtime.clock }

  /// The time of the next alarm in nanoseconds of ``clock``, or `nil` if there is none.
  @MainActor
  package var nextAlarm: UInt64? { runtime.nextDeadline(before: nil) }

  /// Ends the pending requests and sequences. ``run()`` calls it.
  @MainActor
  package func close() { runtime.close() }
}
