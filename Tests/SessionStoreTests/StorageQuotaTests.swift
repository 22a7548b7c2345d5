// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import Testing

/// How much may wait for an app.
@Suite struct StorageQuotaTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `what is chosen is kept, and an app's own goes before what holds for all`() throws {
    let quotas = QuotaStore(store.root)
    #expect(try quotas.read() == StorageQuota())
    _ = try quotas.change { quota in
      quota.reserve = 4096
      quota.standard = AppQuota(bytes: 100, sessions: 5)
      quota.apps["org.example.camera"] = AppQuota(bytes: 7, files: 3)
    }
    let kept = try quotas.read()
    #expect(kept.reserve == 4096)
    #expect(kept.quota(of: "org.example.camera") == AppQuota(bytes: 7, files: 3, sessions: 5))
    #expect(kept.quota(of: "org.example.other") == AppQuota(bytes: 100, sessions: 5))
  }

  @Test func `an app for which enough waits is refused until it takes something`() throws {
    _ = try QuotaStore(store.root).change {
      $0.reserve = 0; $0.apps[store.app.id] = AppQuota(bytes: 10)
    }
    #expect(try RoomRefusal(.of(store.app), of: store.app) == nil)
    let id = try store.handOver { try write("a dozen and more", to: "\($0)/file") }.record.sessionID
    let refusal = try RoomRefusal(.of(store.app), of: store.app)
    #expect(refusal == .appFull(app: store.app.id, .bytes, waiting: 16, limit: 10))
    try DeliveredContent(store.app).invalidate(id)
    #expect(try RoomRefusal(.of(store.app), of: store.app) == nil)
  }

  @Test func `a file system with less left than the reserve is refused, with the mend`() throws {
    _ = try QuotaStore(store.root).change { $0.reserve = 1 << 60 }
    let refusal = try #require(try RoomRefusal(.of(store.app), of: store.app))
    guard case .diskFull(_, _, 1 << 60) = refusal else {
      Issue.record("\(refusal)")
      return
    }
    #expect("\(refusal)".contains("darkroom quota set --reserve"))
  }

  @Test func `a damaged file is refused`() throws {
    try write("{\"version\": 2}", to: store.root.quotaFile)
    #expect(throws: StoreError.self) { _ = try QuotaStore(store.root).read() }
  }
}
