// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import HostInterface

/// Tests of elements that several streams receive.
@Suite struct BroadcastTests {
  @Test func `each stream receives its first elements and all later ones in order`() async {
    let broadcast = Broadcast<Int>(.unbounded)
    broadcast.send(0)
    let (first, second) = (broadcast.stream(), broadcast.stream(after: [1, 2]))
    broadcast.send(3)
    broadcast.send(4)
    var iterator = first.makeAsyncIterator()
    #expect(await [iterator.next(), iterator.next()] == [3, 4])
    var other = second.makeAsyncIterator()
    #expect(await [other.next(), other.next(), other.next(), other.next()] == [1, 2, 3, 4])
  }

  @Test func `a stream keeps as many elements as the broadcast permits`() async {
    let broadcast = Broadcast<Int>(.bufferingNewest(1))
    let stream = broadcast.stream()
    for element in 0..<3 { broadcast.send(element) }
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == 2)
  }
}
