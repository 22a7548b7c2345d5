// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A capture extension; mark the conforming type with `@main`.
@MainActor
public protocol LockedCameraCaptureExtension: AppExtension
where Configuration == AppExtensionSceneConfiguration {
  /// The type of ``body``.
  associatedtype Body: LockedCameraCaptureExtensionScene

  /// The scene that the extension presents.
  @MainActor var body: Self.Body { get }
}

/// A scene that a capture extension presents during its session.
@MainActor
public protocol LockedCameraCaptureExtensionScene: AppExtensionScene {}

extension LockedCameraCaptureExtension {
  /// A configuration that presents ``body``.
  @MainActor
  public var configuration: AppExtensionSceneConfiguration { AppExtensionSceneConfiguration(body) }

  /// The extension point of capture extensions.
  @MainActor
  public var extensionPoint: AppExtensionPoint { .capture }

  /// Runs the session that the host has prepared, and exits the process.
  ///
  /// It does not return. Its loop also drains the main queue, so tasks of the main actor run. Standard output
  /// is line buffered, so that the host has each printed line even if it terminates the process.
  ///
  /// The exit codes are:
  ///
  /// - 0: the session was dismissed, or the host closed the connection.
  /// - 1: the scene could not be presented.
  /// - 64: the process was not started by a host.
  /// - 70: the host violated the protocol.
  /// - 71: a system call failed that an extension requires.
  @MainActor
  public static func main() {
    // A closed host must be reported as an error of write(2): SIGPIPE would kill the process while it writes
    // a file.
    SignalDescriptor.reportFailedWrites()
    CurrentProcess.bufferOutputByLine()
    MainQueue.disableLogging()
    do throws(ExtensionFailure) {
      let channel = try HostChannel.inherited()
      let session = try LockedCameraCaptureSession(channel, drainsMainQueue: true) {
        Warmup.perform(of: Self.self)
      }
      CurrentProcess.end(try session.show(Self.self))
    } catch {
      if error.exitCode != 0 { CurrentProcess.writeToStandardError("\(Self.self): \(error)") }
      CurrentProcess.end(error.exitCode)
    }
  }
}

extension LockedCameraCaptureSession {
  /// Presents the extension's scene and runs the session.
  ///
  /// - Returns: The exit code: 0 after a dismissal, 1 if the scene could not be presented.
  /// - Throws: ``ExtensionFailure`` if the connection to the host fails.
  @MainActor
  package func show<Extension: LockedCameraCaptureExtension>(
    _ type: Extension.Type
  ) throws(ExtensionFailure) -> Int32 {
    makeCurrent()
    do {
      let instance = Extension()
      // The properties of the extension live as long as its scene, as those of an app.
      runtime.presented = instance
      guard instance.extensionPoint == .capture else { throw instance.extensionPoint.unknown }
      try instance.configuration.present(self)
    } catch {
      if let failure = runtime.failure { throw failure }
      let sentence = "the scene could not be shown: \(error)"
      CurrentProcess.writeToStandardError(sentence)
      log(.error, sentence)
      return 1
    }
    try run()
    return 0
  }
}
