// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import SandboxLaunch

/// The expected bytes are those that busctl(1) of systemd 252 sent for the same two calls.
@Suite struct BusMessageTests {
  static let hello = """
    6c01000100000000010000006d00000001016f00150000002f6f72672f667265656465736b746f702f44427573000000\
    030173000500000048656c6c6f00000002017300140000006f72672e667265656465736b746f702e4442757300000000\
    06017300140000006f72672e667265656465736b746f702e4442757300000000
    """
  static let start = """
    6c010401b800000002000000b600000001016f00190000002f6f72672f667265656465736b746f702f73797374656d64\
    3100000000000000030173001200000053746172745472616e7369656e74556e69740000000000000201730020000000\
    6f72672e667265656465736b746f702e73797374656d64312e4d616e6167657200000000000000000601730018000000\
    6f72672e667265656465736b746f702e73797374656d6431000000000000000008016700107373612873762961287361\
    2873762929000000100000006461726b726f6f6d2d312e73636f706500000000040000006661696c000000008b000000\
    0b0000004465736372697074696f6e00017300001400000053657373696f6e73206f66204461726b726f6f6d00000000\
    0400000050494473000261750000000004000000671200000800000044656c6567617465000162000100000000000000\
    0b000000436f6c6c6563744d6f6465000173000012000000696e6163746976652d6f722d6661696c6564000000000000
    """

  /// Returns bytes as hexadecimal digits.
  private func digits(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test func `encodes a call without a body like busctl`() {
    let bus = "org.freedesktop.DBus"
    let call = BusMessage.call("Hello", of: bus, at: "/org/freedesktop/DBus", on: bus, serial: 1)
    #expect(digits(call) == Self.hello)
  }

  @Test func `encodes a scope request like busctl`() {
    var call = BusMessage.call(
      "StartTransientUnit",
      of: "org.freedesktop.systemd1.Manager",
      at: "/org/freedesktop/systemd1",
      on: "org.freedesktop.systemd1",
      serial: 2,
      signature: BusMessage.scopeSignature,
      body: BusMessage.scope("darkroom-1.scope", description: "Sessions of Darkroom", process: 4711)
    )
    // busctl allows interactive authorization, for which no user is present.
    call[2] |= 4
    #expect(digits(call) == Self.start)
  }

  @Test func `matches a reply by its serial and waits for an incomplete one`() throws {
    // A method return for call 2 with a destination and a path as its body.
    var message: [UInt8] = [0x6C, 2, 1, 1, 8, 0, 0, 0, 5, 0, 0, 0, 17, 0, 0, 0]
    message += [5, 1, 0x75, 0, 2, 0, 0, 0, 6, 1, 0x73, 0, 0, 0, 0, 0, 0]
    message += [0, 0, 0, 0, 0, 0, 0] + [3, 0, 0, 0, 0x2F, 0x61, 0x62, 0]
    let answer = try #require(BusMessage.answer(message[...]))
    #expect(answer == BusMessage.Answer(kind: .done, serial: 2, length: message.count))
    #expect(BusMessage.answer(message[..<(message.count - 1)]) == nil)
    #expect(BusMessage.answer(message[..<10]) == nil)
    message[1] = 3
    #expect(BusMessage.answer(message[...])?.kind == .refused)
    message[1] = 4
    #expect(BusMessage.answer((message + [1, 2])[...])?.kind == nil)
    #expect(BusMessage.answer((message + [1, 2])[...])?.length == message.count)
    // A length above the bus limit is not waited for.
    message[7] = 0x7F
    #expect(BusMessage.answer(message[...])?.length == message.count)
  }
}
