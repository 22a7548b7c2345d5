// SPDX-License-Identifier: Apache-2.0

internal import ExtensionProtocol
public import FoundationEssentials
internal import JSONText
internal import LinuxPrimitives

/// One launch of a capture extension, from its start to its dismissal.
///
/// A session is made by ``LockedCameraCaptureExtension/main()``. Everything of it happens on the main thread, in the order
/// in which the host has sent it; a handler that takes long delays the next one, and never the camera.
@MainActor
public final class LockedCameraCaptureSession {
  /// The session's identity, which the app will see again.
  nonisolated public let sessionID: UUID
  /// The directory for captures: what is in it at the end belongs to the app, everything else is erased.
  nonisolated public let sessionContentURL: URL
  /// Scratch space; erased.
  nonisolated public let containerURL: URL
  /// The extension's own files; read-only.
  nonisolated public let bundleURL: URL
  /// Whether the person is locked out.
  nonisolated public let lockState: LockState
  /// What the extension may use.
  nonisolated public let permissions: SessionPermissions

  let connection: ExtensionConnection
  let ring: FrameRingReader?
  var delivery: FrameDelivery?
  var context: JSONValue
  var handlers = SessionHandlers()
  var pictures: [SessionHandlers.Frame] = []
  var isSubscribed = false
  var needsPresentation = false
  /// What ended the conversation while a handler was running; the loop ends with it.
  var failure: ExtensionFailure?

  package init(_ channel: consuming HostChannel) throws(ExtensionFailure) {
    let camera = channel.camera.take()
    connection = try ExtensionConnection(input: channel.hostIn, output: channel.hostOut)
    if let camera { ring = try FrameRingReader.open(camera) } else { ring = nil }
    let start = connection.start
    guard let identity = UUID(uuidString: start.sessionID) else {
      let reason = ProtocolViolation.Reason.wrong(
        field: "params.sessionID",
        expected: "a UUID",
        found: "\"\(start.sessionID)\""
      )
      throw .violation(ProtocolViolation(method: HostMethod.sessionStart.rawValue, reason))
    }
    sessionID = identity
    sessionContentURL = URL(filePath: start.sessionDirectory, directoryHint: .isDirectory)
    containerURL = URL(filePath: start.containerDirectory, directoryHint: .isDirectory)
    bundleURL = URL(filePath: start.extensionDirectory, directoryHint: .isDirectory)
    lockState = LockState(start.lockState)
    permissions = SessionPermissions(start.permissions)
    context = start.appContext
  }

  /// Lets frames flow to the handlers of ``onFrame(_:)``.
  public func startCamera(_ delivery: FrameDelivery = .latest) throws {
    guard ring != nil else {
      throw LockedCameraCaptureError(
        .cameraUnavailable,
        "this session has no camera; add \"camera\" to \"usageDescriptions\" of the app and of the extension"
      )
    }
    _ = try request(.cameraStart(delivery.wire), CameraStream.self)
    self.delivery = delivery
    needsPresentation = true
  }

  /// Lets no more frames flow.
  public func stopCamera() throws {
    _ = try request(.cameraStop, Nothing.self)
    delivery = nil
  }

  /// Calls `handler` for the frames that come from now on. What it throws goes to the log.
  public func onFrame(_ handler: @escaping (borrowing CaptureFrame) throws -> Void) {
    handlers.frames.append(handler)
  }

  /// Calls `handler` with why and how long in seconds, before the session ends.
  public func onDismissal(_ handler: @escaping (DismissalReason, Double) throws -> Void) {
    handlers.dismissals.append(handler)
  }

  /// Calls `handler` when somebody else has changed the app context.
  public func onAppContextChange(_ handler: @escaping () throws -> Void) {
    handlers.contextChanges.append(handler)
  }

  /// Calls `handler` once, with a copy of the newest frame: at once if there is one, else of the first that comes.
  public func takePicture(_ handler: @escaping (borrowing CaptureFrame) throws -> Void) {
    pictures.append(handler)
    developPictures()
  }

  /// Begins to receive capture events.
  public func addInteraction(_ interaction: AVCaptureEventInteraction) throws {
    handlers.interactions.append(interaction)
    guard !isSubscribed else { return }
    _ = try request(.captureSubscribe, Nothing.self)
    isSubscribed = true
  }

  /// Ends the session, as if the person had dismissed it.
  public func dismiss() throws { _ = try request(.sessionDismiss, Nothing.self) }

  /// Writes a line to the session's log; what is longer than 8000 bytes is cut off.
  public func log(_ level: LogLevel, _ message: String) {
    tell(.log(level.wire, String(decoding: message.utf8.prefix(8000), as: UTF8.self)))
  }
}

/// What is to be done when something happens in a session.
@MainActor
struct SessionHandlers {
  /// What is done with a frame.
  typealias Frame = (borrowing CaptureFrame) throws -> Void

  /// For every frame.
  var frames: [Frame] = []
  /// Before the end.
  var dismissals: [(DismissalReason, Double) throws -> Void] = []
  /// When the app context has changed.
  var contextChanges: [() throws -> Void] = []
  /// When a capture button moves.
  var interactions: [AVCaptureEventInteraction] = []
}
