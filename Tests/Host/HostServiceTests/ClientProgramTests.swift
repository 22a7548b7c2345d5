// SPDX-License-Identifier: Apache-2.0

import HostService
import JSONText
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of `darkroom-client`, which is installed as `darkroom`, with a listener instead of a server. The oracle is the full
/// command, which the client executes after a refusal.
@Suite(.timeLimit(.minutes(5))) struct ClientProgramTests {
  private let root: ScratchDirectory
  private let listener: HeldDescriptor
  private let client: String

  init() throws {
    root = try ScratchDirectory()
    let place = ServicePaths(root: root.path)
    try FileSystem.makeDirectory(place.directory)
    listener = HeldDescriptor(try PacketSocket.listen(place.socket))
    client = "\(FileSystem.directoryName(try CurrentProcess.executablePath()))/darkroom-client"
  }

  /// Starts a shell command in the background, with the client's path in `$client` and the state root in `$root`.
  private func start(_ command: String) throws {
    try runShell("client='\(client)'\nroot='\(root.path)'\n{ \(command)\n} >'\(root.path)/output' 2>&1 &")
  }

  /// The absence of a valid request.
  private struct NoRequest: Error {}

  /// Accepts the next connection, refuses its request, and returns the request and the number of its descriptors.
  private func refuseNextRequest() throws -> (ServiceRequest.Reading, descriptors: Int) {
    let limit = MonotonicClock.now + 60_000_000_000
    _ = try Poller.wait([(listener.rawValue, .readable)], until: limit)
    guard let socket = try PacketSocket.accept(listener.descriptor) else { throw NoRequest() }
    _ = try Poller.wait([(socket.rawValue, .readable)], until: limit)
    guard
      case .packet(let packet) = try PacketSocket.receive(limit: ServiceRequest.maximumBytes, from: socket),
      let request = ServiceRequest.read(packet.bytes)
    else { throw NoRequest() }
    // A client on a busy machine may have stopped waiting.
    try? PacketSocket.send(ServiceReply.refused(.busy).json.bytes(), over: socket)
    return (request, packet.descriptors.count)
  }

  @Test(arguments: [
    #"exec --root "$root" --app 'no app' -- sh -c 'echo "$HOME" >/dev/stderr' "#,
    #"exec --app 'no app' --env "A=$(printf 'x" \\y\tz')" -- true ü --no-serve --root=/"#,
    #"--root="$root" run org.example.none"#,
    #"--root "$root" control press --from lockscreen nothing"#,
  ])
  func `sends the same request as the full command`(arguments: String) throws {
    let variables =
      #"DARKROOM_ROOT="$root" HOME=/none EMPTY= QUOTED='a"b\c' UMLAUT=ü LINES="$(printf 'x\ny\001')""#
    try start(#"umask 0325; env -i \#(variables) "$client" \#(arguments)"#)
    let (first, descriptors) = try refuseNextRequest()
    let (second, otherDescriptors) = try refuseNextRequest()
    #expect(first.version == DarkroomRelease.version)
    #expect(first == second && first.operation != nil)
    #expect(descriptors == otherDescriptors)
  }

  @Test(arguments: [
    #"DARKROOM_SERVE=none "$client" exec --root "$root" --app 'no app' -- true"#,
    #"HOME=/proc/self/cwd "$client" exec --root "$root" --app 'no app' -- true"#,
    #""$client" exec --root "/proc/self/root$root" --app 'no app' -- true"#,
    #""$client" --root="/proc/self/root$root" exec --app 'no app' -- true"#,
    #""$client" exec --root "$root" --no-serve --app 'no app' -- true"#,
    #""$client" exec --root "$root" --app 'no app' -- /dev/fd/3 3</dev/null"#,
    #""$client" run --root "$root" --preview terminal org.example.none"#,
    #""$client" run --root "$root" --passcode-fd 0 org.example.none"#,
    #"umask 077; echo '{"version":1,"authenticator":"command","timeLimit":60,"command":["/bin/true"],"environment":[]}' >"$root/authentication.json"; "$client" --root "$root" run org.example.none"#,
    #""$client" list --root "$root""#, #""$client" --version"#,
  ])
  func `contacts no server if the full command would not`(command: String) throws {
    try start("set +e; \(command); echo end >\"$root/end\"")
    let limit = MonotonicClock.now + 60_000_000_000
    while try FileSystem.status("\(root.path)/end") == nil, MonotonicClock.now < limit {
      _ = try Poller.wait([(listener.rawValue, .readable)], until: MonotonicClock.now + 10_000_000)
      if try PacketSocket.accept(listener.descriptor) != nil { Issue.record("connected to the server") }
    }
    #expect(try FileSystem.status("\(root.path)/end") != nil)
  }

  @Test(.enabled(if: CurrentProcess.effectiveUserID == 0, "only root can run the client as another user"))
  func `sends nothing to a server of another user`() throws {
    // The other user can execute the copy, and connect to the listener.
    try start(
      """
      set +e
      install -m 0755 "$client" "$root/client"
      chmod 0755 "$root" "$root/serve" && chmod 0666 "$root/serve/control"
      setpriv --reuid=1000 --regid=1000 --clear-groups "$root/client" exec --root "$root" --app 'no app' -- true
      echo end >"$root/end"
      """
    )
    let limit = MonotonicClock.now + 60_000_000_000
    var connections = 0
    while try FileSystem.status("\(root.path)/end") == nil, MonotonicClock.now < limit {
      _ = try Poller.wait([(listener.rawValue, .readable)], until: MonotonicClock.now + 10_000_000)
      guard let socket = try PacketSocket.accept(listener.descriptor) else { continue }
      connections += 1
      _ = try Poller.wait([(socket.rawValue, .readable)], until: limit)
      guard case .end = try PacketSocket.receive(limit: ServiceRequest.maximumBytes, from: socket) else {
        Issue.record("the client sent a request to a server of another user")
        return
      }
    }
    #expect(connections > 0, "the other user cannot connect, so that the test shows nothing")
  }

  @Test func `prints the version like the full command, and its failures`() throws {
    let full = "\(FileSystem.directoryName(client))/darkroom"
    try runShell(
      """
      set +e
      for options in --version '--version extra' --help --unknown ''; do
        for redirection in '' '>/dev/full' '>&-' '<&-'; do
          one=$(eval "'\(full)' $options $redirection" 2>&1; echo $?)
          other=$(eval "'\(client)' $options $redirection" 2>&1; echo $?)
          if [ "$one" != "$other" ]; then echo "$options $redirection: $one: $other"; exit 1; fi
        done
      done
      '\(client)' --version | grep -qx 'darkroom \(DarkroomRelease.version)'
      """
    )
  }
}
