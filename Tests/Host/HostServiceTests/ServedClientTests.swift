// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import Testing

@testable import HostService

/// Streams that a server replaces when it stops.
@Suite struct ServedClientTests {
  @Test func `replaces only the streams of a command that stayed full for the whole timeout`() throws {
    let roomy = try Pipe.make()
    let full = try fullPipe()
    let resumed = try fullPipe()
    // The passed descriptors: directory, input, output, error, terminal.
    let streams = [
      HeldDescriptor(try FileSystem.open(".", [.path, .directory])),
      HeldDescriptor(try roomy.readEnd.duplicate()), HeldDescriptor(try roomy.writeEnd.duplicate()),
      HeldDescriptor(try full.writeEnd.duplicate()), HeldDescriptor(try resumed.writeEnd.duplicate()),
    ]
    let numbers = streams.map(\.rawValue)
    let pair = try SocketPair.make()
    let socket = HeldDescriptor(try pair.first.duplicate())
    let client = try ServedClient(socket, process: CurrentProcess.processID, streams)
    let nothing = try FileSystem.open("/dev/null", .readWrite)
    func taken(at now: UInt64) throws -> [Int] {
      client.detachStalledStreams(since: 100, at: now, patience: 20, with: nothing)
      return try numbers.indices.filter { index in
        try FileSystem.linkTarget("/proc/self/fd/\(numbers[index])") == "/dev/null"
      }
    }
    #expect(try taken(at: 100) == [])
    #expect(try taken(at: 119) == [])
    // A process reads from this pipe again.
    var some = [UInt8](repeating: 0, count: 1 << 16)
    #expect(read(resumed.readEnd.rawValue, &some, some.count) == some.count)
    #expect(try taken(at: 120) == [1, 3])
    #expect(try taken(at: 1000) == [1, 3])
    _ = consume pair
  }

  /// Returns a full pipe.
  private func fullPipe() throws -> Pipe {
    let pipe = try Pipe.make()
    try pipe.writeEnd.setNonBlocking()
    // The write fills the available space.
    let block = [UInt8](repeating: 0, count: 1 << 20)
    try #require(write(pipe.writeEnd.rawValue, block, block.count) > 0)
    return pipe
  }
}
