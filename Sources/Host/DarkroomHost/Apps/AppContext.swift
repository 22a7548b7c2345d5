// SPDX-License-Identifier: Apache-2.0

internal import JSONText
internal import SessionStore

/// The context that an app shares with its extensions: at most 4096 bytes of JSON.
public struct AppContext: Sendable {
  private let store: AppContextStore

  /// Creates the context of an app.
  init(_ app: AppStore) { store = AppContextStore(app) }

  /// Returns the context as JSON text, or `nil` if none is stored.
  public func get() async throws(HostError) -> String? {
    let store = store
    return try await HostThread.run { () throws(HostError) in
      do throws(StoreError) {
        return try store.get().map { String(decoding: $0.bytes(.compact), as: UTF8.self) }
      } catch { throw HostError(error) }
    }
  }

  /// Replaces the context atomically. Running sessions of the app are notified.
  ///
  /// - Throws: ``HostError/argument(_:)`` if the text is not JSON, or its compact form exceeds 4096 bytes.
  public func set(_ json: String) async throws(HostError) {
    let store = store
    try await HostThread.run { () throws(HostError) in
      let value: JSONValue
      do { value = try JSONNode.parse(Array(json.utf8)).value } catch {
        throw HostError.argument(.init("the app context is not JSON: \(error)"))
      }
      do throws(StoreError) { try store.set(value) } catch { throw HostError(error) }
    }
  }

  /// Removes the context.
  public func clear() async throws(HostError) {
    let store = store
    try await HostThread.run { () throws(HostError) in
      do throws(StoreError) { try store.clear() } catch { throw HostError(error) }
    }
  }
}
