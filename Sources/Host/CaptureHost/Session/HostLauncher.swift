// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
package import SandboxLaunch
internal import Synchronization

/// Executes the launch plans of a long-lived host.
///
/// The plans are executed by a broker process, or directly if there is no broker. Both enforce the same
/// policy.
package final class HostLauncher: Sendable {
  /// The broker, or the reason why there is none.
  private let broker: Mutex<Result<LaunchBroker, BrokerFault>>
  /// The number of launches by brokers that have exited.
  private let earlierUses = Mutex(0)

  /// Creates a launcher and its broker.
  init() {
    do throws(SandboxLaunchError) { broker = Mutex(.success(try LaunchBroker())) } catch {
      broker = Mutex(.failure(.unavailable("\(error)")))
    }
  }

  /// Executes a plan. The program is not executed before `permission` is granted.
  package func launch(
    _ plan: LaunchPlan,
    _ permission: LaunchPermission?
  ) throws(SandboxLaunchError) -> SandboxedProcess {
    guard case .success(let broker) = currentBroker else {
      return try SandboxLauncher.launch(plan, permission: permission)
    }
    return try broker.launch(plan, permission: permission)
  }

  /// The number of launches that used resources prepared by a broker.
  var uses: Int {
    let now = if case .success(let broker) = currentBroker { broker.uses } else { 0 }
    return earlierUses.withLock { $0 } + now
  }

  /// The reason why there is no broker, or `nil` if there is one.
  var fault: BrokerFault? { if case .failure(let fault) = currentBroker { fault } else { nil } }

  /// Terminates the broker.
  func close() { discard(.closed) }

  /// The broker, or the reason why there is none. A broker that has exited is discarded.
  private var currentBroker: Result<LaunchBroker, BrokerFault> {
    let now = broker.withLock { $0 }
    guard case .success(let found) = now, let end = found.end else { return now }
    return .failure(discard(.ended(end.errno)))
  }

  /// Discards the broker for a reason. Returns the reason for which the broker was discarded first.
  @discardableResult
  private func discard(_ fault: BrokerFault) -> BrokerFault {
    // Releasing the last reference waits for the process, which must not happen under the lock.
    let (lost, reason) = broker.withLock { broker -> (LaunchBroker?, BrokerFault) in
      switch broker {
      case .failure(let before): return (nil, before)
      case .success(let found):
        broker = .failure(fault)
        return (found, fault)
      }
    }
    if let lost { earlierUses.withLock { $0 += lost.uses } }
    return reason
  }
}

/// The reason why a long-lived host has no broker.
package enum BrokerFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The broker could not be created.
  case unavailable(String)
  /// The broker has exited or was terminated. The error number is the reason of a failed start, otherwise
  /// `nil`.
  case ended(Errno?)
  /// The host is shutting down.
  case closed

  /// The reason as a clause.
  package var description: String {
    switch self {
    case .unavailable(let reason): "the broker could not be created: \(reason)"
    case .ended(let errno?): "the broker could not be created: \(errno)"
    case .ended(nil): "the broker has exited"
    case .closed: "the server is shutting down"
    }
  }
}
