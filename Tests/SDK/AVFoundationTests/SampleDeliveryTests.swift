// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Testing

@testable import AVFoundation

@Suite struct SampleDeliveryTests {
  /// A delegate that counts its calls, on the queue of the test.
  private final class Counter: @unchecked Sendable {
    var (samples, drops) = (0, 0)
  }

  @Test func `a delegate that blocks its queue receives a limited number of dropped samples`() {
    let (delivery, counter) = (SampleDelivery<Counter>(), Counter())
    let queue = DispatchQueue(label: "delegate")
    delivery.set(counter, queue)
    for round in 1...2 {
      queue.suspend()
      for number in 1...1000 {
        #expect(delivery.deliver(limit: 1) { $0.samples += 1 } == (number == 1))
        #expect(delivery.deliver(.drop, limit: 60) { $0.drops += 1 } == (number <= 60))
      }
      queue.resume()
      queue.sync { #expect(counter.samples == round && counter.drops == 60 * round) }
    }
  }
}
