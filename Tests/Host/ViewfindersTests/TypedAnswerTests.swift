// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import Testing

@testable import Viewfinders

@Suite struct TypedAnswerTests {
  /// Returns the line that the numbered keys send, or `nil` if the user has not finished.
  private func line(_ keys: String...) throws -> String? {
    let pipe = try Pipe.make()
    let answers = HeldDescriptor(try pipe.writeEnd.duplicate())
    var typed = TypedAnswer()
    for (number, key) in keys.enumerated() where typed.take(Array("\(number) \(key)".utf8)) == .finished {
      let isSent = typed.send(to: answers)
      #expect(isSent)
      return String(decoding: try pipe.readEnd.availableBytes(), as: UTF8.self)
    }
    return nil
  }

  @Test func `sends a line when the user presses Return`() throws {
    #expect(try line("1", "2", "\r") == "12\n")
    #expect(try line("ä", "€", " ", "\r") == "ä€ \n")
    #expect(try line("1", "2") == nil)
    // An empty line is not an answer.
    #expect(try line("\r", "\r") == nil)
  }

  @Test func `editing keys delete characters`() throws {
    #expect(try line("1", "ä", "\u{8}", "2", "\r") == "12\n")
    #expect(try line("\u{7F}", "1", "\r") == "1\n")
    #expect(try line("1", "\u{1B}", "2", "\r") == "2\n")
    #expect(try line("1", "\u{15}", "2", "\r") == "2\n")
    #expect(try line("1", "", "\u{3}", "2", "\r") == "12\n")
  }

  @Test func `discards input beyond the capacity`() {
    var typed = TypedAnswer()
    for _ in 0..<3000 { _ = typed.take(Array("5 x".utf8)) }
    let most = typed.characters
    #expect(most == SecretBytes.capacity - 1)
    _ = typed.take(Array("5 \u{1B}".utf8))
    let none = typed.characters
    #expect(none == 0)
  }
}

extension Descriptor {
  /// Returns the available bytes.
  fileprivate borrowing func availableBytes() throws -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 4096, alignment: 16)
    defer { buffer.deallocate() }
    guard case .bytes(let count) = try read(into: buffer) else { return [] }
    return Array(buffer[..<count])
  }
}
