// SPDX-License-Identifier: Apache-2.0

package import CameraSource
internal import ExtensionProtocol
package import LinuxPrimitives

/// The socket from a viewfinder helper to its host.
package final class HostLink {
  private let socket: Descriptor
  /// Whether packets may still contain descriptors.
  private var takesDescriptors = true
  /// Whether more than one ring can arrive. Otherwise no packet after the first ring contains a descriptor.
  private let hasManyRings: Bool

  /// A message from the host.
  package enum Message {
    /// The terminal to use, and its original keyboard mode (``TerminalState/bytes``).
    case terminal(HeldDescriptor, [UInt8])
    /// The frame ring of the viewfinder.
    case ring(PreviewWindow)
    /// A frame to show. The host holds it until the helper reports that it is done.
    case frame(UInt64)
    /// The state of the session.
    case state(String)
    /// Whether another program uses the terminal for now.
    case pause(Bool)
    /// The session has ended. The string is the outcome, or empty.
    case end(String)
    /// The content of a lock screen without a session.
    case face(LockFace)
    /// A request to unlock the screen.
    case unlock
    /// The host disconnected, or sent an invalid message.
    case gone
  }

  /// The maximum size of a message, in bytes.
  private static let mostBytes = 8192

  /// Creates a link that owns the socket.
  package init(_ socket: consuming Descriptor, hasManyRings: Bool = false) {
    self.hasManyRings = hasManyRings
    try? socket.setNonBlocking()
    self.socket = socket
  }

  /// The descriptor to poll for messages.
  package var readable: Int32 { socket.rawValue }

  /// Returns the next message, or `nil` if none has arrived. An invalid message is treated as a disconnect.
  package func next() -> Message? {
    guard takesDescriptors else { return nextBytes() }
    switch try? PacketSocket.receive(limit: Self.mostBytes, from: socket) {
    case .nothing: return nil
    case .packet(let packet): return message(packet.bytes, packet.descriptors) ?? .gone
    case .tooLarge, .end, nil: return .gone
    }
  }

  /// Returns the next message with read(2), which the system call filter of the helper allows.
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
    // The text has several lines, each of which `LockFace` sanitizes.
    case .face: return LockFace(String(decoding: rest, as: UTF8.self)).map(Message.face)
    case .unlock: return .unlock
    case nil: return nil
    }
  }

  /// Returns a text in which control characters are replaced. The host sends none, but the helper does not
  /// rely on that.
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

  /// Reports that the last shown frame can be overwritten.
  package func letGo() { send(.done) }

  /// Reports that the terminal was released to another program.
  package func left() { send(.left) }

  /// Reports that the window exists, although it shows nothing yet.
  package func ready() { send(.ready) }

  /// Reports the reason why nothing can be shown.
  package func refuse(_ reason: String) { send(.refused, reason) }

  /// Reports that the user closed the window.
  package func closed() { send(.closed) }

  /// Reports a pressed key: its number, which identifies it on release, and the text that it types.
  package func pressed(_ key: UInt32, _ text: UnsafeRawBufferPointer) {
    let packet = KeyPacket(.pressed, key, text)
    packet.withBytes { bytes in _ = try? socket.write(bytes) }
  }

  /// Reports a released key.
  package func released(_ key: UInt32) {
    let packet = KeyPacket(.released, key)
    packet.withBytes { bytes in _ = try? socket.write(bytes) }
  }

  /// Reports that the window lost the keyboard focus while keys may be down.
  package func leftKeys() { send(.leftKeys) }

  /// Reports a press of the camera button.
  package func wantCamera() { send(.camera) }

  /// Reports a summary of the shown frames.
  package func total(_ text: String) { send(.total, text) }

  /// Sends a message. Errors are ignored: a lost host is detected when the next message is read.
  private func send(_ word: ProgramWord, _ text: String = "") {
    let bytes = Array("\(word.rawValue)\(text)".utf8)
    bytes.withUnsafeBytes { bytes in _ = try? socket.write(bytes) }
  }
}
