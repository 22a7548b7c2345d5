// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
package import ExtensionProtocol
internal import LaunchPlanning
internal import LinuxPrimitives
internal import Microphones
internal import SandboxLaunch
internal import SandboxPolicy
package import SessionStore

/// The pipes, rings and log of one session: the host's ends, and the extension's ends until the launch.
package final class SessionWiring {
  /// The message channel, or `nil` for an extension without messages.
  package private(set) var channel: MessageChannel?
  /// The log of the extension's output, or `nil` if the output is not logged.
  package private(set) var output: OutputLog?
  /// The frames.
  package private(set) var camera: CameraFeed = .none()
  /// The sound, or `nil` without a microphone.
  private(set) var sound: SoundFeed?
  /// The names of the session's devices, by subject.
  private(set) var devices: [PermissionSubject: String] = [:]
  /// The viewfinder that the extension draws, or `nil` for an extension that receives no frames through a
  /// ring.
  package private(set) var preview: PreviewFeed?
  /// The descriptors of the extension's standard input, output and error.
  private(set) var standardDescriptors: [Int32] = [0, 1, 2]
  /// The other descriptors of the extension, with their names.
  private(set) var namedDescriptors: [(name: InheritedDescriptor, descriptor: Int32)] = []
  /// The standard streams that are sockets of the caller. Their bytes are copied through pipes.
  private var routes: [StreamRelay.Route] = []
  /// Copies the bytes of the routes once the session has started.
  private var relay: StreamRelay?
  /// The clock offsets of the session, or `nil` to use the host's clocks.
  let clocks: SessionClocks? = SessionClocks.areSupported ? .startingNow() : nil
  /// The extension's ends. The host closes its copies after the launch.
  private var extensionEnds: [ExtensionEnd] = []

  /// Creates everything that a request requires.
  ///
  /// The log is created in the session's `places`. If no `camera` was opened in advance, a signal of the host
  /// cancels the wait for it.
  package init(
    _ request: SessionRequest,
    places: SessionPaths,
    signals: HostSignals?,
    camera opened: OpenedCamera? = nil
  ) throws(SessionError) {
    try connectPipes(request, places)
    do throws(CameraFeedError) { try connectCamera(request, signals, opened) } catch { throw .camera(error) }
    try connectViewfinder(request)
    do throws(SoundFeedError) { try connectMicrophone(request) } catch { throw .microphone(error) }
  }

  /// Creates everything for a prewarmed extension, with a ring for such a camera, but without the camera.
  package init(
    waiting request: SessionRequest,
    places: SessionPaths,
    camera description: CameraDescription?
  ) throws(SessionError) {
    try connectPipes(request, places)
    if let description {
      do throws(CameraFeedError) {
        camera = try CameraFeed.unattachedRing(description, clockOffset: clocks?.monotonicNanoseconds ?? 0)
      } catch { throw .camera(error) }
      camera.prefaultSlot()
      namedDescriptors += camera.descriptors
    }
    try connectViewfinder(request)
  }

  /// Attaches the camera and the viewfinder's display of the request that launches a prewarmed extension.
  func attachRequest(_ request: SessionRequest, _ opened: OpenedCamera?) throws(SessionError) {
    if case .logged(let echo) = request.standard { output?.copy(to: echo) }
    if let opened { attach(.camera, opened.device, request) }
    if let source = opened?.take() {
      do throws(CameraFeedError) { try camera.attach(source) } catch { throw .camera(error) }
    }
    do throws(SystemCallError) {
      if let output = try previewOutput(request) { preview?.show(on: output) }
    } catch { throw .preview(error) }
  }

  private func connectPipes(_ request: SessionRequest, _ places: SessionPaths) throws(SessionError) {
    do throws(SystemCallError) {
      try connectOutput(request, places)
      if request.conversation == .messages { try connectMessages() }
    } catch { throw .host(error) }
  }

  private func connectViewfinder(_ request: SessionRequest) throws(SessionError) {
    do throws(SystemCallError) { try connectPreview(request) } catch { throw .preview(error) }
  }

  /// Closes the host's copies of the extension's ends, so that the end of each stream is detected.
  func closeExtensionEnds() { extensionEnds = [] }

  private func retainExtensionEnd(_ descriptor: consuming Descriptor) -> Int32 {
    let end = ExtensionEnd(descriptor)
    extensionEnds.append(end)
    return end.rawValue
  }

  private func connectOutput(_ request: SessionRequest, _ places: SessionPaths) throws(SystemCallError) {
    standardDescriptors = request.streams
    if request.standard == .outputToError { standardDescriptors[1] = standardDescriptors[2] }
    guard case .logged(let echo) = request.standard else { return try relaySockets() }
    let pipe = try Pipe.make()
    let limit = request.subject.policy.limits.outputBytes
    let writeEnd = retainExtensionEnd(try pipe.writeEnd.duplicate())
    output = try OutputLog(reading: pipe.takeReadEnd(), to: places.openLog, limit: limit, echo: echo)
    standardDescriptors = [retainExtensionEnd(try FileSystem.open("/dev/null", .read)), writeEnd, writeEnd]
  }

  /// Replaces each standard stream that is a connected socket with a pipe. Other sockets stay, and the launch
  /// is refused.
  private func relaySockets() throws(SystemCallError) {
    var outputs: [(file: FileStatus, number: Int32)] = []
    for (index, number) in standardDescriptors.enumerated() where number >= 0 {
      guard try StreamSocket.kind(ofNumber: number) == .connectedStream else { continue }
      let file = try Descriptor.status(ofNumber: number)
      // One pipe for output and error keeps their order if both are the same socket.
      if index > 0, let same = outputs.first(where: { $0.file.inode == file.inode }) {
        standardDescriptors[index] = same.number
        continue
      }
      let pipe = try Pipe.make()
      let socket = HeldDescriptor(try Descriptor.duplicate(ofNumber: number))
      if index == 0 {
        standardDescriptors[0] = retainExtensionEnd(try pipe.readEnd.duplicate())
        let target = HeldDescriptor(pipe.takeWriteEnd())
        try target.descriptor.setNonBlocking()
        routes.append(StreamRelay.Route(source: socket, target: target, isInput: true))
      } else {
        standardDescriptors[index] = retainExtensionEnd(try pipe.writeEnd.duplicate())
        outputs.append((file, standardDescriptors[index]))
        let source = HeldDescriptor(pipe.takeReadEnd())
        try source.descriptor.setNonBlocking()
        routes.append(StreamRelay.Route(source: source, target: socket, isInput: false))
      }
    }
  }

  /// Starts to copy the bytes of standard streams that are sockets. No byte is read from them before.
  func startRelay() throws(SystemCallError) {
    defer { routes = [] }
    if !routes.isEmpty { relay = try StreamRelay.start(routes) }
  }

  /// Waits until the caller has read the session's output from a socket. Returns `false` if some of it was
  /// not read.
  ///
  /// Call this function when no process of the session is left.
  func finishRelay() -> Bool { relay?.finish() ?? true }

  private func connectMessages() throws(SystemCallError) {
    let toExtension = try Pipe.make()
    let toHost = try Pipe.make()
    namedDescriptors = [
      (.hostIn, retainExtensionEnd(try toExtension.readEnd.duplicate())),
      (.hostOut, retainExtensionEnd(try toHost.writeEnd.duplicate())),
    ]
    channel = try MessageChannel(reading: toHost.takeReadEnd(), writing: toExtension.takeWriteEnd())
  }

  private func connectCamera(
    _ request: SessionRequest,
    _ signals: HostSignals?,
    _ opened: OpenedCamera?
  ) throws(CameraFeedError) {
    guard let specification = request.devices.camera, request.devices.frames != .none else { return }
    // A denied camera need not exist or be accessible.
    if request.dependencies.permissions.resolved[.camera].status != .limited, try connectEmptyStream(request)
    {
      return
    }
    let camera =
      if let opened { opened } else { try OpenedCamera(specification, request.streams[0], signals) }
    if let replacement = request.devices.cameraReplacement { camera.replaceSource(replacement) }
    attach(.camera, camera.device, request)
    if try connectEmptyStream(request) { return }
    guard let source = camera.take() else { return }
    if case .stream(let pace) = request.devices.frames {
      self.camera = try stream(source, pace)
    } else {
      self.camera = try CameraFeed.ring(source, clockOffset: clocks?.monotonicNanoseconds ?? 0)
    }
    namedDescriptors += self.camera.descriptors
  }

  /// Connects an empty stream if the extension may not use the camera, because a stream starts without a
  /// request. Returns whether it did.
  private func connectEmptyStream(_ request: SessionRequest) throws(CameraFeedError) -> Bool {
    guard case .stream = request.devices.frames,
      request.dependencies.permissions.permissions.camera != .authorized
    else { return false }
    do { standardDescriptors[0] = retainExtensionEnd(try FileSystem.open("/dev/null", .read)) } catch {
      throw .system(error)
    }
    return true
  }

  /// Records a device of the session, which the user may not have selected.
  private func attach(_ subject: PermissionSubject, _ device: String, _ request: SessionRequest) {
    devices[subject] = device
    request.dependencies.permissions.attach(subject, device)
  }

  /// Connects the microphone, unless the manifests have no usage description for it. Such an extension can
  /// never receive sound and gets no ring.
  private func connectMicrophone(_ request: SessionRequest) throws(SoundFeedError) {
    guard let specification = request.devices.microphone, request.conversation == .messages else { return }
    if case .missingUsageDescription = request.dependencies.permissions.resolved[.microphone].reason {
      return
    }
    let source: (any SoundSource)?
    do throws(SoundSourceError) { source = try MicrophoneSourceOpener.open(specification) } catch {
      throw .source(error)
    }
    guard let source else { return }
    attach(.microphone, CaptureDevice.name(source.name), request)
    do throws(SystemCallError) {
      let sound = try SoundFeed.make(
        source,
        clockOffset: clocks?.monotonicNanoseconds ?? 0,
        listener: request.soundListener
      )
      namedDescriptors += sound.descriptors
      self.sound = sound
    } catch { throw .system(error) }
  }

  private func connectPreview(_ request: SessionRequest) throws(SystemCallError) {
    // A viewfinder has the size of the camera's frames, but no samples of a sensor.
    guard request.conversation == .messages, let frames = camera.previewGeometry,
      let geometry = try? frames.ringGeometry()
    else { return }
    let preview = try PreviewFeed.make(geometry, showing: previewOutput(request))
    namedDescriptors += preview.descriptors
    self.preview = preview
  }

  /// Returns the display of the viewfinder, or `nil` if there is none.
  private func previewOutput(_ request: SessionRequest) throws(SystemCallError) -> (any PreviewDisplay)? {
    if let screen = request.previewScreen { return screen }
    guard let path = request.previewPath, let rate = camera.previewGeometry else { return nil }
    return try PreviewStreamWriter(path, rate)
  }

  private func stream(
    _ source: sending any FrameSource,
    _ pace: FramePace
  ) throws(CameraFeedError) -> CameraFeed {
    let output: Descriptor
    do { output = try connectFrames() } catch { throw .system(error) }
    return try CameraFeed.stream(source, into: output, pace: pace)
  }

  /// Connects standard input to a new pipe for the frames, and returns its write end.
  private func connectFrames() throws(SystemCallError) -> Descriptor {
    let pipe = try Pipe.make()
    standardDescriptors[0] = retainExtensionEnd(try pipe.readEnd.duplicate())
    return pipe.takeWriteEnd()
  }
}

/// An owner of a descriptor that can be stored in an array.
private final class ExtensionEnd {
  private let descriptor: Descriptor
  let rawValue: Int32

  init(_ descriptor: consuming Descriptor) {
    rawValue = descriptor.rawValue
    self.descriptor = descriptor
  }
}
