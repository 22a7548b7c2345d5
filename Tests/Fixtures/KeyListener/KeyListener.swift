// SPDX-License-Identifier: Apache-2.0

import DarkroomHost
import Dispatch
import Glibc

/// Listens for bound keys with the library, and prints what `darkroom control listen` prints, for `Tests/Rigs/keys.py`.
///
///     darkroom-key-listener STATE
///
/// The program listens until SIGTERM. Its only argument is the state directory.
@main struct KeyListener {
  static func main() async throws {
    guard CommandLine.arguments.count == 2 else {
      say("usage: darkroom-key-listener STATE")
      exit(64)
    }
    let host = try DarkroomHost(stateDirectory: .path(CommandLine.arguments[1]))
    var options = LaunchOptions()
    options.camera = .testPattern(width: 64, height: 48)
    let launch = options
    let listening = Task {
      try await host.listenForKeys(launch, notice: { say($0) }) { press in await report(press) }
    }
    signal(SIGTERM, SIG_IGN)
    let termination = DispatchSource.makeSignalSource(signal: SIGTERM, queue: .main)
    termination.setEventHandler { listening.cancel() }
    termination.resume()
    try await listening.value
    await host.close()
  }

  private static func report(_ press: KeyPress) async {
    switch press.effect {
    case .success(.applicationOpened): print("opened \(press.binding.appID)")
    case .success(.session(let session)):
      for await event in session.events {
        if case .acceptsPresses(true) = event { say("subscribed") }
        if case .ended(let outcome) = event { print("outcome: \(outcome)") }
      }
    case .failure(let error): say("darkroom: \(press.binding.key): \(error)")
    }
    fflush(nil)
  }

  private static func say(_ text: String) { _ = "\(text)\n".withCString { write(2, $0, strlen($0)) } }
}
