// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import LinuxPrimitives

@Suite struct WipedBytesTests {
  @Test func `memory is zero initially and after wiping`() {
    let bytes = WipedBytes(count: 100)
    #expect(bytes.memory.allSatisfy { $0 == 0 })
    for index in bytes.memory.indices { bytes.memory[index] = 7 }
    WipedBytes.wipe(UnsafeMutableRawBufferPointer(rebasing: bytes.memory[10..<20]))
    #expect(bytes.memory.enumerated().allSatisfy { $1 == ((10..<20).contains($0) ? 0 : 7) })
    WipedBytes.wipe(UnsafeMutableRawBufferPointer(start: nil, count: 0))
  }

  @Test func `receives a packet into caller memory and rejects one that does not fit`() throws {
    let pair = try SocketPair.make()
    try pair.first.setNonBlocking()
    let memory = WipedBytes(count: 4)
    guard case .nothing = try PacketSocket.receive(into: memory.memory, from: pair.first) else {
      Issue.record("there was something")
      return
    }
    try PacketSocket.send([1, 2, 3, 4], over: pair.second)
    guard case .bytes(4, let descriptors) = try PacketSocket.receive(into: memory.memory, from: pair.first)
    else {
      Issue.record("it has not come")
      return
    }
    #expect(descriptors.isEmpty && Array(memory.memory) == [1, 2, 3, 4])
    try PacketSocket.send([1, 2, 3, 4, 5], over: pair.second)
    guard case .tooLarge = try PacketSocket.receive(into: memory.memory, from: pair.first) else {
      Issue.record("it was taken")
      return
    }
  }
}
