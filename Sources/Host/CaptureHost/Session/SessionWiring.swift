// SPDX-License-Identifier: Apache-2.0

internal import CameraSource
package import ExtensionProtocol
internal import LaunchPlanning
internal import LinuxPrimitives
internal import Microphones
internal import SandboxLaunch
internal import SandboxPolicy
package import SessionStore

/// Every pipe, ring and log of one session: the host's ends, and until the launch the extension's.
package final class SessionWiring {
  /// Messages, for an extension that talks.
  package private(set) var channel: MessageChannel?
  /// What the extension writes, where it is logged.
  package private(set) var output: OutputLog?
  /// The frames.
  package private(set) var camera: CameraFeed = .none()
  /// The sound; nil without a microphone.
  private(set) var sound: SoundFeed?
  /// The devices that the session has, by what they are called.
  private(set) var devices: [PermissionSubject: String] = [:]
  /// The viewfinder that the extension draws; nil for one that gets no frames by message.
  package private(set) var preview: PreviewFeed?
  /// The numbers of standard input, output and error for the extension.
  private(set) var standard: [Int32] = [0, 1, 2]
  /// The numbers of the other descriptors for the extension, with their names.
  private(set) var named: [(name: InheritedDescriptor, descriptor: Int32)] = []
  /// The standard streams that are sockets of the caller, whose bytes are carried through pipes.
  private var routes: [StreamRelay.Route] = []
  /// Carries them once the session has begun.
  private var relay: StreamRelay?
  /// The clocks of the session; nil: the host's.
  let clocks: SessionClocks? = SessionClocks.areSupported ? .beginningNow() : nil
  /// The ends that are the extension's; the host closes its copies after the launch.
  private var extensionEnds: [ExtensionEnd] = []

  /// Makes everything that the request needs. The log is in the session's `places`. `camera` was opened already; where it is nil, a
  /// signal of the host ends the wait for it.
  package init(
    _ request: SessionRequest,
    places: SessionPlaces,
    signals: HostSignals?,
    camera opened: OpenedCamera? = nil
  ) throws(SessionError) {
    try connectPipes(request, places)
    do throws(CameraFeedError) { try connectCamera(request, signals, opened) } catch { throw .camera(error) }
    try connectViewfinder(request)
    do throws(SoundFeedError) { try connectMicrophone(request) } catch { throw .microphone(error) }
  }

  /// Makes everything for an extension that waits: for such a camera, but without one.
  package init(
    waiting request: SessionRequest,
    places: SessionPlaces,
    camera description: CameraDescription?
  ) throws(SessionError) {
    try connectPipes(request, places)
    if let description {
      do throws(CameraFeedError) {
        camera = try CameraFeed.waiting(description, clockOffset: clocks?.monotonicNanoseconds ?? 0)
      } catch { throw .camera(error) }
      camera.provideSlot()
      named += camera.descriptors
    }
    try connectViewfinder(request)
  }

  /// The extension is launched that has waited: gives it its camera, and shows what the request wants to see.
  func begin(_ request: SessionRequest, _ opened: OpenedCamera?) throws(SessionError) {
    if case .logged(let echo) = request.standard { output?.copy(to: echo) }
    if let opened { attach(.camera, opened.device, request) }
    if let source = opened?.take() {
      do throws(CameraFeedError) { try camera.attach(source) } catch { throw .camera(error) }
    }
    do throws(SystemCallError) {
      if let output = try previewOutput(request) { preview?.show(on: output) }
    } catch { throw .preview(error) }
  }

  private func connectPipes(_ request: SessionRequest, _ places: SessionPlaces) throws(SessionError) {
    do throws(SystemCallError) {
      try connectOutput(request, places)
      if request.conversation == .messages { try connectMessages() }
    } catch { throw .host(error) }
  }

  private func connectViewfinder(_ request: SessionRequest) throws(SessionError) {
    do throws(SystemCallError) { try connectPreview(request) } catch { throw .preview(error) }
  }

  /// Closes the host's copies of the extension's ends: from now on their end can be seen.
  func closeExtensionEnds() { extensionEnds = [] }

  private func keep(_ descriptor: consuming Descriptor) -> Int32 {
    let end = ExtensionEnd(descriptor)
    extensionEnds.append(end)
    return end.rawValue
  }

  private func connectOutput(_ request: SessionRequest, _ places: SessionPlaces) throws(SystemCallError) {
    standard = request.streams
    if request.standard == .aside { standard[1] = standard[2] }
    guard case .logged(let echo) = request.standard else { return try relaySockets() }
    let pipe = try Pipe.make()
    let limit = request.subject.policy.limits.outputBytes
    let writeEnd = keep(try pipe.writeEnd.duplicate())
    output = try OutputLog(reading: pipe.takeReadEnd(), to: places.openLog, limit: limit, echo: echo)
    standard = [keep(try FileSystem.open("/dev/null", .read)), writeEnd, writeEnd]
  }

  /// Puts a pipe in the place of each standard stream that is a connected socket. Other sockets stay, and the launch is
  /// refused.
  private func relaySockets() throws(SystemCallError) {
    var outputs: [(file: FileStatus, number: Int32)] = []
    for (index, number) in standard.enumerated() where number >= 0 {
      guard try StreamSocket.kind(ofNumber: number) == .connectedStream else { continue }
      let file = try Descriptor.status(ofNumber: number)
      // Output and error keep their order where they are one socket.
      if index > 0, let same = outputs.first(where: { $0.file.inode == file.inode }) {
        standard[index] = same.number
        continue
      }
      let pipe = try Pipe.make()
      let socket = HeldDescriptor(try Descriptor.duplicate(ofNumber: number))
      if index == 0 {
        standard[0] = keep(try pipe.readEnd.duplicate())
        let target = HeldDescriptor(pipe.takeWriteEnd())
        try target.descriptor.setNonBlocking()
        routes.append(StreamRelay.Route(source: socket, target: target, isInput: true))
      } else {
        standard[index] = keep(try pipe.writeEnd.duplicate())
        outputs.append((file, standard[index]))
        let source = HeldDescriptor(pipe.takeReadEnd())
        try source.descriptor.setNonBlocking()
        routes.append(StreamRelay.Route(source: source, target: socket, isInput: false))
      }
    }
  }

  /// Begins to carry the bytes of standard streams that are sockets. Nothing is read from them before that.
  func startRelay() throws(SystemCallError) {
    defer { routes = [] }
    if !routes.isEmpty { relay = try StreamRelay.start(routes) }
  }

  /// Waits until the caller has what the session wrote to a socket. Returns false if some of it was not taken. Call this
  /// function when no process of the session is left.
  func finishRelay() -> Bool { relay?.finish() ?? true }

  private func connectMessages() throws(SystemCallError) {
    let toExtension = try Pipe.make()
    let toHost = try Pipe.make()
    named = [
      (.hostIn, keep(try toExtension.readEnd.duplicate())), (.hostOut, keep(try toHost.writeEnd.duplicate())),
    ]
    channel = try MessageChannel(reading: toHost.takeReadEnd(), writing: toExtension.takeWriteEnd())
  }

  private func connectCamera(
    _ request: SessionRequest,
    _ signals: HostSignals?,
    _ opened: OpenedCamera?
  ) throws(CameraFeedError) {
    guard let specification = request.camera, request.frames != .none else { return }
    // Whoever has denied the camera altogether need not have one that can be opened.
    if request.surroundings.permissions.resolved[.camera].status != .limited, try connectNothing(request) {
      return
    }
    let camera =
      if let opened { opened } else { try OpenedCamera(specification, request.streams[0], signals) }
    if let replacement = request.cameraReplacement { camera.replaceSource(replacement) }
    attach(.camera, camera.device, request)
    if try connectNothing(request) { return }
    guard let source = camera.take() else { return }
    if case .stream(let pace) = request.frames {
      self.camera = try stream(source, pace)
    } else {
      self.camera = try CameraFeed.ring(source, clockOffset: clocks?.monotonicNanoseconds ?? 0)
    }
    named += self.camera.descriptors
  }

  /// A stream flows from the beginning, and nobody asks for it: whoever may not use the camera gets an empty one. Says
  /// whether that is so.
  private func connectNothing(_ request: SessionRequest) throws(CameraFeedError) -> Bool {
    guard case .stream = request.frames, request.surroundings.permissions.permissions.camera != .authorized
    else { return false }
    do { standard[0] = keep(try FileSystem.open("/dev/null", .read)) } catch { throw .system(error) }
    return true
  }

  /// The session has a device, which the person need not have selected.
  private func attach(_ subject: PermissionSubject, _ device: String, _ request: SessionRequest) {
    devices[subject] = device
    request.surroundings.permissions.attach(subject, device)
  }

  /// An extension whose manifests give no reason for the microphone can never be given any sound: it gets no ring.
  private func connectMicrophone(_ request: SessionRequest) throws(SoundFeedError) {
    guard let specification = request.microphone, request.conversation == .messages else { return }
    if case .undescribed = request.surroundings.permissions.resolved[.microphone].ground { return }
    let source: (any SoundSource)?
    do throws(SoundSourceError) { source = try OpenedMicrophone.open(specification) } catch {
      throw .source(error)
    }
    guard let source else { return }
    attach(.microphone, CaptureDevice.name(source.name), request)
    do throws(SystemCallError) {
      let sound = try SoundFeed.make(source, clockOffset: clocks?.monotonicNanoseconds ?? 0)
      named += sound.descriptors
      self.sound = sound
    } catch { throw .system(error) }
  }

  private func connectPreview(_ request: SessionRequest) throws(SystemCallError) {
    guard request.conversation == .messages, let geometry = camera.ringGeometry else { return }
    let preview = try PreviewFeed.make(geometry, showing: previewOutput(request))
    named += preview.descriptors
    self.preview = preview
  }

  /// What shall show the viewfinder; nil: nothing.
  private func previewOutput(_ request: SessionRequest) throws(SystemCallError) -> (any PreviewScreen)? {
    if let screen = request.previewScreen { return screen }
    guard let path = request.previewPath, let rate = camera.previewGeometry else { return nil }
    return try PreviewOutput(path, rate)
  }

  private func stream(
    _ source: sending any FrameSource,
    _ pace: FramePace
  ) throws(CameraFeedError) -> CameraFeed {
    let output: Descriptor
    do { output = try connectFrames() } catch { throw .system(error) }
    return try CameraFeed.stream(source, into: output, pace: pace)
  }

  /// Makes standard input the pipe of the frames, and gives the end to write to.
  private func connectFrames() throws(SystemCallError) -> Descriptor {
    let pipe = try Pipe.make()
    standard[0] = keep(try pipe.readEnd.duplicate())
    return pipe.takeWriteEnd()
  }
}

/// A descriptor that an array can hold.
private final class ExtensionEnd {
  private let descriptor: Descriptor
  let rawValue: Int32

  init(_ descriptor: consuming Descriptor) {
    rawValue = descriptor.rawValue
    self.descriptor = descriptor
  }
}
