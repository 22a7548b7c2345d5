// SPDX-License-Identifier: Apache-2.0

package import CameraSource
internal import ExtensionProtocol
package import LinuxPrimitives

/// The socket of a program that shows a viewfinder to its host.
package final class HostLink {
  private let socket: Descriptor
  /// Whether packets can still bring descriptors.
  private var takesDescriptors = true
  /// Whether a ring can follow another; else no packet brings a descriptor after the first.
  private let hasManyRings: Bool

  /// What the host says.
  package enum Message {
    /// The terminal to show things in, and how it gave keys before (``TerminalState/bytes``).
    case terminal(HeldDescriptor, [UInt8])
    /// The ring of the viewfinder.
    case ring(PreviewWindow)
    /// A frame is to be shown; the host holds it until it is told otherwise.
    case frame(UInt64)
    /// The session's state.
    case state(String)
    /// The terminal is somebody else's for a while, or is not any more.
    case pause(Bool)
    /// The session is over; the outcome, or nothing.
    case end(String)
    /// What a lock screen shows that has no session.
    case face(LockFace)
    /// The screen is to be unlocked.
    case unlock
    /// The host has gone.
    case gone
  }

  /// The most bytes of a message.
  private static let mostBytes = 8192

  /// Takes the socket over.
  package init(_ socket: consuming Descriptor, hasManyRings: Bool = false) {
    self.hasManyRings = hasManyRings
    try? socket.setNonBlocking()
    self.socket = socket
  }

  /// What to watch.
  package var readable: Int32 { socket.rawValue }

  /// The next message; nil: none has come. What is not understood is as if the host had gone.
  package func next() -> Message? {
    guard takesDescriptors else { return nextBytes() }
    switch try? PacketSocket.receive(limit: Self.mostBytes, from: socket) {
    case .nothing: return nil
    case .packet(let packet): return message(packet.bytes, packet.descriptors) ?? .gone
    case .tooLarge, .end, nil: return .gone
    }
  }

  /// The same by a plain read, which the filter of calls leaves.
  private func nextBytes() -> Message? {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.mostBytes, alignment: 16)
    defer { buffer.deallocate() }
    switch try? socket.read(into: buffer) {
    case .wouldBlock: return nil
    case .bytes(let count): return message(Array(buffer[..<count]), []) ?? .gone
    case .end, nil: return .gone
    }
  }

  private func message(_ bytes: [UInt8], _ descriptors: [HeldDescriptor]) -> Message? {
    let rest = Array(bytes.dropFirst())
    let text = Self.printable(rest)
    switch bytes.first.flatMap({ HostWord(rawValue: Character(Unicode.Scalar($0))) }) {
    case .terminal: return descriptors.first.map { .terminal($0, rest) }
    case .ring:
      takesDescriptors = hasManyRings
      return Self.ring(rest, descriptors).map(Message.ring)
    case .frame: return UInt64(text).map(Message.frame)
    case .state: return .state(text)
    case .pause: return .pause(true)
    case .resume: return .pause(false)
    case .end: return .end(text)
    // It has lines, each of which cleans itself.
    case .face: return LockFace(String(decoding: rest, as: UTF8.self)).map(Message.face)
    case .unlock: return .unlock
    case nil: return nil
    }
  }

  /// A text without characters that a terminal would obey; the host sends none, and nobody else is to depend on that.
  private static func printable(_ bytes: [UInt8]) -> String {
    var text = String.UnicodeScalarView()
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      text.append(isControl ? "?" : scalar)
    }
    return String(text)
  }

  private static func ring(_ header: [UInt8], _ descriptors: [HeldDescriptor]) -> PreviewWindow? {
    guard let file = descriptors.first, let size = try? file.descriptor.status().size,
      let geometry = try? header.withUnsafeBytes({ bytes in
        try FrameRingGeometry(header: bytes, fileBytes: Int(size))
      })
    else { return nil }
    return try? PreviewWindow(file.descriptor, geometry)
  }

  /// The frame that was shown last can be drawn over.
  package func letGo() { send(.done) }

  /// The terminal is somebody else's now.
  package func left() { send(.left) }

  /// The window is there, although it shows nothing yet.
  package func ready() { send(.ready) }

  /// Nothing can be shown, for a reason.
  package func refuse(_ reason: String) { send(.refused, reason) }

  /// The person has closed the window.
  package func closed() { send(.closed) }

  /// A key is down, which types this: the key has a number, by which it is known when it is up.
  package func pressed(_ key: UInt32, _ text: UnsafeRawBufferPointer) {
    let packet = KeyPacket(.pressed, key, text)
    packet.withBytes { bytes in _ = try? socket.write(bytes) }
  }

  /// A key is up.
  package func released(_ key: UInt32) {
    let packet = KeyPacket(.released, key)
    packet.withBytes { bytes in _ = try? socket.write(bytes) }
  }

  /// Keys that are down are somebody else's from now on.
  package func leftKeys() { send(.leftKeys) }

  /// The button of the camera is pressed.
  package func wantCamera() { send(.camera) }

  /// What there is to say of the frames that were shown.
  package func total(_ text: String) { send(.total, text) }

  /// A host that has gone is noticed when it is heard.
  private func send(_ word: ProgramWord, _ text: String = "") {
    let bytes = Array("\(word.rawValue)\(text)".utf8)
    bytes.withUnsafeBytes { bytes in _ = try? socket.write(bytes) }
  }
}
