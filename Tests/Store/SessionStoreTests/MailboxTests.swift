// SPDX-License-Identifier: Apache-2.0

import ExtensionProtocol
import JSONText
import LinuxPrimitives
import SessionStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(20))) struct MailboxTests {
  let store: TemporaryStore
  let mailbox: Mailbox

  init() throws {
    store = try TemporaryStore()
    mailbox = Mailbox(store.app)
  }

  private func post(_ count: Int) throws -> [String] {
    try (0..<count).map { index in
      var delivery = AppDelivery.now(
        .control,
        control: "shutter",
        appContext: ["number": .integer(Int64(index))]
      )
      delivery.createdAt += Int64(index)
      try mailbox.post(delivery)
      return delivery.id
    }
  }

  /// The error for a missing delivery.
  private struct NoDelivery: Error {}

  private func next() throws -> TakenDelivery {
    guard let taken = try mailbox.claimNext() else { throw NoDelivery() }
    return taken
  }

  /// Claims and finishes all deliveries, and returns their IDs in order.
  private func takeAll() throws -> [String] {
    var ids: [String] = []
    while let taken = try mailbox.claimNext() {
      ids.append(taken.delivery.id)
      try taken.finish()
    }
    return ids
  }

  @Test func `delivers each posted message once, oldest first`() throws {
    let ids = try post(3)
    #expect(try takeAll() == ids)
    #expect(try takeAll() == [])
    #expect(try FileSystem.names(in: mailbox.directory) == [])
    let delivery = AppDelivery.now(.permission, activity: UserActivity(activityType: "org.example.edit"))
    try mailbox.post(delivery)
    // A crash while the app is opened can post the same delivery twice.
    try mailbox.post(delivery)
    #expect(try mailbox.isPending(delivery))
    let taken = try next()
    let found = taken.delivery
    #expect(found == delivery)
    #expect(try !mailbox.isPending(delivery))
    #expect(try takeAll() == [])
    try taken.finish()
  }

  @Test func `a claimed delivery is exclusive and available again if it is not finished`() throws {
    let ids = try post(2)
    do {
      let first = try next()
      let id = first.delivery.id
      #expect(id == ids[0])
      #expect(try takeAll() == [ids[1]])
    }
    #expect(try takeAll() == [ids[0]])
  }

  @Test func `concurrent claims return each delivery once`() async throws {
    let ids = try post(60)
    let mailbox = mailbox
    let taken = try await withThrowingTaskGroup(of: [String].self) { group in
      for _ in 0..<4 {
        group.addTask {
          var mine: [String] = []
          while let taken = try mailbox.claimNext() {
            mine.append(taken.delivery.id)
            try taken.finish()
          }
          return mine
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(taken.count == ids.count)
    #expect(Set(taken) == Set(ids))
  }

  @Test func `reports a damaged delivery once, quarantines it, and delivers the rest`() throws {
    try FileSystem.replaceContents("\(mailbox.directory)/000000000000001-x.json", with: Array("{".utf8))
    let ids = try post(1)
    #expect(throws: StoreError.self) { try takeAll() }
    #expect(try takeAll() == ids)
    let left = try FileSystem.names(in: mailbox.directory)
    #expect(left.count == 1 && left[0].hasPrefix(".damaged-"), "\(left)")
  }

  @Test func `wakes a waiting reader when a delivery is posted`() throws {
    let watch = try MailboxWatch(store.app)
    if try watch.claimNext(until: 0) != nil { Issue.record("there was nothing to take") }
    let mailbox = mailbox
    let poster = try PlainThread.start(name: "poster") {
      MonotonicClock.sleep(milliseconds: 50)
      try? mailbox.post(.now(.control))
    }
    guard let taken = try watch.claimNext(until: nil) else { throw NoDelivery() }
    let reason = taken.delivery.reason
    #expect(reason == .control)
    poster.join()
    try taken.finish()
  }
}
