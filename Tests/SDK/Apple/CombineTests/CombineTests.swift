// SPDX-License-Identifier: Apache-2.0

import Combine
import Foundation
import Synchronization
import Testing

/// A model with a published property.
private final class Model: ObservableObject {
  @Published var count = 0
}

/// An actor with a published property.
private actor CountingActor {
  @Published private(set) var count = 0

  func increase() { count += 1 }
}

/// An error of a publisher.
private struct Failure: Error {}

@Suite(.timeLimit(.minutes(5))) struct CombineTests {
  @Test func `publishes the current value of a property, and each new value before the property changes`() {
    let model = Model()
    var values: [(new: Int, old: Int)] = []
    let subscription = model.$count.sink { values.append(($0, model.count)) }
    model.count = 5
    #expect(values.map(\.new) == [0, 5] && values.map(\.old) == [0, 0] && model.count == 5)
    subscription.cancel()
    model.count = 6
    #expect(values.count == 2)
  }

  @Test func `announces a change of an object before the property changes`() {
    let model = Model()
    var counts: [Int] = []
    let subscription = model.objectWillChange.sink { counts.append(model.count) }
    model.count = 1
    model.count = 2
    #expect(counts == [0, 1])
    withExtendedLifetime(subscription) {}
  }

  @Test func `ends a subscription when the set that keeps it is released`() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    var subscriptions = Set<AnyCancellable>()
    subject.sink { values.append($0) }.store(in: &subscriptions)
    subject.send(1)
    subscriptions = []
    subject.send(2)
    #expect(values == [1])
  }

  @Test func `applies operators in their order, with a state for each subscription`() {
    let subject = PassthroughSubject<Int, Never>()
    let publisher = subject.dropFirst().removeDuplicates().filter { $0 > 1 }.map { $0 * 10 }
      .compactMap { $0 == 30 ? nil : "\($0)" }
    var first: [String] = []
    var second: [String] = []
    let subscription = publisher.sink { first.append($0) }
    for value in [9, 1, 2, 2, 3] { subject.send(value) }
    let later = publisher.sink { second.append($0) }
    for value in [4, 5] { subject.send(value) }
    #expect(first == ["20", "40", "50"] && second == ["50"])
    withExtendedLifetime((subscription, later)) {}
  }

  @Test func `sends the value of a subject to new receivers, and its failure to all`() {
    let subject = CurrentValueSubject<Int, Failure>(1)
    var values: [Int] = []
    var failures = 0
    let subscription = subject.sink(
      receiveCompletion: { if case .failure = $0 { failures += 1 } },
      receiveValue: { values.append($0) }
    )
    subject.value = 2
    subject.send(completion: .failure(Failure()))
    subject.send(3)
    #expect(values == [1, 2] && failures == 1)
    withExtendedLifetime(subscription) {}
  }

  @Test func `joins two publishers, and sets a property to each value`() {
    let (first, second) = (PassthroughSubject<Int, Never>(), PassthroughSubject<Int, Never>())
    let model = Model()
    let subscription = first.merge(with: second).assign(to: \.count, on: model)
    first.send(1)
    second.send(2)
    #expect(model.count == 2)
    subscription.cancel()
    first.send(3)
    #expect(model.count == 2)
  }

  @Test func `delivers values in a queue, in their order`() {
    let subject = PassthroughSubject<Int, Never>()
    let queue = DispatchQueue(label: "values")
    let values = Mutex<[Int]>([])
    let subscription = subject.receive(on: queue).sink { value in
      dispatchPrecondition(condition: .onQueue(queue))
      values.withLock { $0.append(value) }
    }
    for value in 0..<100 { subject.send(value) }
    queue.sync {}
    #expect(values.withLock { $0 } == Array(0..<100))
    withExtendedLifetime(subscription) {}
  }

  @Test func `publishes the notifications of one object until the subscription ends`() {
    let (center, object, name) = (NotificationCenter(), NSObject(), Notification.Name("change"))
    var count = 0
    var subscriptions: [AnyCancellable] = []
    center.publisher(for: name, object: object).sink { _ in count += 1 }.store(in: &subscriptions)
    center.post(name: name, object: object)
    center.post(name: name, object: NSObject())
    subscriptions = []
    center.post(name: name, object: object)
    #expect(count == 1)
  }

  @Test func `publishes the property of an actor, as values and as a sequence`() async {
    let counter = CountingActor()
    let counts = await counter.$count.values
    await counter.increase()
    await counter.increase()
    var received: [Int] = []
    for await count in counts {
      received.append(count)
      if count == 2 { break }
    }
    #expect(received == [0, 1, 2])
  }

  @Test func `finishes after the first values`() {
    let subject = PassthroughSubject<Int, Never>()
    var values: [Int] = []
    var completions = 0
    let subscription = subject.scan(0, +).prefix(2)
      .sink(receiveCompletion: { _ in completions += 1 }, receiveValue: { values.append($0) })
    for value in [1, 2, 3] { subject.send(value) }
    subject.send(completion: .finished)
    #expect(values == [1, 3] && completions == 1)
    var first: [Int] = []
    let current = CurrentValueSubject<Int, Never>(7).first().sink { first.append($0) }
    #expect(first == [7])
    withExtendedLifetime((subscription, current)) {}
  }

  @Test func `sends the date at equal distances while a timer has a receiver`() {
    let publisher = Timer.publish(every: 0.01, on: .current, in: .default).autoconnect()
    var dates: [Date] = []
    let subscription = publisher.sink { dates.append($0) }
    let end = Date(timeIntervalSinceNow: 60)
    while dates.count < 3, Date() < end {
      _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.05))
    }
    #expect(dates.count >= 3 && dates == dates.sorted())
    subscription.cancel()
    let count = dates.count
    _ = RunLoop.current.run(mode: .default, before: Date(timeIntervalSinceNow: 0.1))
    #expect(dates.count == count)
  }
}
