// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A capture extension: mark the type that conforms to it with `@main`.
@MainActor
public protocol LockedCameraCaptureExtension: AppExtension
where Configuration == AppExtensionSceneConfiguration {
  /// The kind of scene that the extension shows.
  associatedtype Body: LockedCameraCaptureExtensionScene

  /// The scene that the extension shows.
  @MainActor var body: Self.Body { get }
}

/// What a capture extension shows while its session runs.
@MainActor
public protocol LockedCameraCaptureExtensionScene: AppExtensionScene {}

extension LockedCameraCaptureExtension {
  /// Shows ``body``.
  @MainActor
  public var configuration: AppExtensionSceneConfiguration { AppExtensionSceneConfiguration(body) }

  /// The point of capture extensions.
  @MainActor
  public var extensionPoint: AppExtensionPoint { .capture }

  /// Runs the session that the host has prepared, and ends the process.
  ///
  /// It returns never, and blocks nothing: the loop behind it does what is in the main queue, so tasks of the main actor
  /// run. The exit code is 0 after a dismissal or when the host has closed; 1 if the scene could not be shown; 64 if no
  /// host has started this process; 70 if the host has left the protocol; 71 if the kernel has refused something.
  @MainActor
  public static func main() {
    // The end of the host shall be an error to handle, not the end of this process in the middle of a file.
    SignalDescriptor.reportFailedWrites()
    MainQueue.silence()
    do throws(ExtensionFailure) {
      let channel = try HostChannel.inherited()
      let session = try LockedCameraCaptureSession(channel, drainsMainQueue: true) {
        Rehearsal.perform(of: Self.self)
      }
      CurrentProcess.end(try session.show(Self.self))
    } catch {
      if error.exitCode != 0 { CurrentProcess.complain("\(Self.self): \(error)") }
      CurrentProcess.end(error.exitCode)
    }
  }
}

extension LockedCameraCaptureSession {
  /// Presents an extension's scene and runs the session; gives the exit code.
  @MainActor
  package func show<Shown: LockedCameraCaptureExtension>(
    _ type: Shown.Type
  ) throws(ExtensionFailure) -> Int32 {
    makeCurrent()
    do {
      let shown = Shown()
      guard shown.extensionPoint == .capture else { throw shown.extensionPoint.unknown }
      try shown.configuration.present(self)
    } catch {
      if let failure = runtime.failure { throw failure }
      let sentence = "the scene could not be shown: \(error)"
      CurrentProcess.complain(sentence)
      log(.error, sentence)
      return 1
    }
    try run()
    return 0
  }
}
