// SPDX-License-Identifier: Apache-2.0

package import LinuxPrimitives
package import SandboxLaunch
internal import Synchronization

/// Carries out the plans of a host that lives long: with a broker, or, where it has none or lost it, as any host does.
/// Both enforce the same.
package final class HostLauncher: Sendable {
  /// The broker, or why there is none.
  private let broker: Mutex<Result<LaunchBroker, BrokerFault>>
  /// How many were launched by brokers that are no more.
  private let earlier = Mutex(0)

  /// Makes the broker.
  init() {
    do throws(SandboxLaunchError) { broker = Mutex(.success(try LaunchBroker())) } catch {
      broker = Mutex(.failure(.none("\(error)")))
    }
  }

  /// Carries a plan out; its program is not executed before `permission` has come.
  package func launch(
    _ plan: LaunchPlan,
    _ permission: LaunchPermission?
  ) throws(SandboxLaunchError) -> SandboxedProcess {
    guard case .success(let broker) = looked else {
      return try SandboxLauncher.launch(plan, permission: permission)
    }
    return try broker.launch(plan, permission: permission)
  }

  /// How many launches have taken what a broker had prepared.
  var uses: Int {
    let now = if case .success(let broker) = looked { broker.uses } else { 0 }
    return earlier.withLock { $0 } + now
  }

  /// Why there is no broker; nil: there is one.
  var fault: BrokerFault? { if case .failure(let fault) = looked { fault } else { nil } }

  /// Ends the broker.
  func close() { forget(.closed) }

  /// The broker, if it lives. One that is no more is not asked again.
  private var looked: Result<LaunchBroker, BrokerFault> {
    let now = broker.withLock { $0 }
    guard case .success(let found) = now, let end = found.end else { return now }
    return .failure(forget(.ended(end.errno)))
  }

  /// Gives the broker up for this reason, unless it was before for another.
  @discardableResult
  private func forget(_ fault: BrokerFault) -> BrokerFault {
    // It is waited for where the last hand lets go of it, and that must not be under the lock.
    let (lost, reason) = broker.withLock { broker -> (LaunchBroker?, BrokerFault) in
      switch broker {
      case .failure(let before): return (nil, before)
      case .success(let found):
        broker = .failure(fault)
        return (found, fault)
      }
    }
    if let lost { earlier.withLock { $0 += lost.uses } }
    return reason
  }
}

/// Why a host that lives long has no broker.
package enum BrokerFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// It could not be made.
  case none(String)
  /// It has ended, or was ended; the kernel's reason, if it was never there.
  case ended(Errno?)
  /// The host is about to end.
  case closed

  /// A clause.
  package var description: String {
    switch self {
    case .none(let reason): "it could not be made: \(reason)"
    case .ended(let errno?): "it could not be made: \(errno)"
    case .ended(nil): "it has ended"
    case .closed: "the server is about to end"
    }
  }
}
