// SPDX-License-Identifier: Apache-2.0

internal import LinuxPrimitives

/// A capture extension: mark the type that conforms to it with `@main`.
@MainActor
public protocol LockedCameraCaptureExtension {
  /// The kind of scene that the extension shows.
  associatedtype Body: LockedCameraCaptureExtensionScene

  /// Makes the extension; once in each process.
  init()

  /// The scene that the extension shows.
  var body: Body { get }
}

/// What a capture extension shows while its session runs.
@MainActor
public protocol LockedCameraCaptureExtensionScene {
  /// Begins to show it; called once, before anything happens in the session.
  func present(in session: LockedCameraCaptureSession) throws
}

/// The scene of a capture extension: whatever `content` makes for a session.
public struct LockedCameraCaptureUIScene<Content: CaptureView>: LockedCameraCaptureExtensionScene {
  private let content: (LockedCameraCaptureSession) -> Content

  /// Makes a scene; `content` is called once, with the session.
  public init(content: @escaping (LockedCameraCaptureSession) -> Content) {
    self.content = content
  }

  /// Shows the content.
  public func present(in session: LockedCameraCaptureSession) throws {
    try content(session).appear(in: session)
  }
}

extension LockedCameraCaptureExtension {
  /// Runs the session that the host has prepared, and ends the process.
  ///
  /// The exit code is 0 after a dismissal or when the host has closed; 1 if the scene could not be shown; 64 if no host
  /// has started this process; 70 if the host has left the protocol; 71 if the kernel has refused something.
  public static func main() {
    // The end of the host shall be an error to handle, not the end of this process in the middle of a file.
    SignalDescriptor.ignoreBrokenPipes()
    do throws(ExtensionFailure) {
      let session = try LockedCameraCaptureSession(try HostChannel.inherited(), drainsMainQueue: true)
      CurrentProcess.end(try session.show(Self()))
    } catch {
      if error.exitCode != 0 { CurrentProcess.complain("\(Self.self): \(error)") }
      CurrentProcess.end(error.exitCode)
    }
  }
}

extension LockedCameraCaptureSession {
  /// Presents an extension's scene and runs the session; gives the exit code.
  @MainActor
  package func show(_ shown: some LockedCameraCaptureExtension) throws(ExtensionFailure) -> Int32 {
    do { try shown.body.present(in: self) } catch {
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
