// SPDX-License-Identifier: Apache-2.0

import LinuxPrimitives
import SessionStore
import Testing

/// The limits for pending content of an app.
@Suite struct StorageQuotaTests {
  let store: TemporaryStore

  init() throws { store = try TemporaryStore() }

  @Test func `stores quotas and prefers the quota of an app to the standard one`() throws {
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

  @Test func `refuses an app over its quota until the app removes content`() throws {
    _ = try QuotaStore(store.root).change {
      $0.reserve = 0; $0.apps[store.app.id] = AppQuota(bytes: 10)
    }
    #expect(try StorageRefusal(.of(store.app), of: store.app) == nil)
    let id = try store.migrate { try write("a dozen and more", to: "\($0)/file") }.record.sessionID
    let refusal = try StorageRefusal(.of(store.app), of: store.app)
    #expect(refusal == .appFull(app: store.app.id, .bytes, waiting: 16, limit: 10))
    try DeliveredContent(store.app).invalidate(id)
    #expect(try StorageRefusal(.of(store.app), of: store.app) == nil)
  }

  @Test func `refuses a file system with less free space than the reserve and suggests a fix`() throws {
    _ = try QuotaStore(store.root).change { $0.reserve = 1 << 60 }
    let refusal = try #require(try StorageRefusal(.of(store.app), of: store.app))
    guard case .diskFull(_, _, FreeReserve(bytes: 1 << 60, source: .root), store.app.id) = refusal else {
      Issue.record("\(refusal)")
      return
    }
    #expect("\(refusal)".contains("(the setting of the state root)"))
    #expect("\(refusal)".contains("darkroom quota set --reserve"))
  }

  @Test func `applies the largest reserve and reports its source`() throws {
    let app = store.app.id
    /// Returns the reserve for a file system of 1000 bytes.
    func reserve(root: Int64? = nil, app own: Int64? = nil, policy: Int64? = nil) -> FreeReserve {
      var quota = StorageQuota()
      (quota.reserve, quota.reserves[app]) = (root, own)
      return quota.reserve(of: 1000, app: app).raised(to: policy, by: .policy)
    }
    #expect(reserve() == FreeReserve(bytes: 50, source: .standard))
    #expect(reserve(app: 49) == FreeReserve(bytes: 50, source: .standard))
    #expect(reserve(root: 10, policy: 10) == FreeReserve(bytes: 10, source: .root))
    #expect(reserve(root: 10, app: 0) == FreeReserve(bytes: 10, source: .root))
    #expect(reserve(root: 10, app: 11, policy: 5) == FreeReserve(bytes: 11, source: .app))
    #expect(reserve(root: 10, app: 11, policy: 12) == FreeReserve(bytes: 12, source: .policy))
  }

  @Test func `the reserve of an app applies to sessions of that app only`() throws {
    let kept = try QuotaStore(store.root).change {
      $0.reserve = 1; $0.reserves[store.app.id] = 1 << 60
    }
    #expect(try QuotaStore(store.root).read() == kept)
    let refusal = try #require(try StorageRefusal(.of(store.app), of: store.app))
    #expect("\(refusal)".contains("(the setting of the app); "))
    #expect("\(refusal)".contains("darkroom quota set --app \(store.app.id) --reserve"))
    let other = try store.root.app("org.example.other")
    #expect(try StorageRefusal(.of(other), of: other) == nil)
    let under = try #require(try StorageRefusal(.of(other, policyReserve: 1 << 59), of: other))
    #expect("\(under)".contains("limits.freeReserve of its policy"))
  }

  @Test(arguments: [Errno.noSpace, .overQuota])
  func `reports an exceeded file system quota like a full disk`(errno: Errno) {
    let error = StoreError.system(SystemCallError("write", errno: errno))
    #expect("\(error)".contains("free some space and try again"))
    #expect("\(error)".contains("quota") == (errno == .overQuota))
  }

  @Test func `refuses a damaged quota file`() throws {
    try write("{\"version\": 2}", to: store.root.quotaFile)
    #expect(throws: StoreError.self) { _ = try QuotaStore(store.root).read() }
  }
}
