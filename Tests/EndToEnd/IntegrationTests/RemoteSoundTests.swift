// SPDX-License-Identifier: Apache-2.0

import Glibc
import LinuxPrimitives
import TestSupport
import Testing

/// Tests of sounds for presses of a remote button, with a player that records its input.
@Suite(.timeLimit(.minutes(20)), .waiting) struct RemoteSoundTests {
  /// An extension that plays a sound for each press, and writes the host's answers to the session directory.
  private static let clicks = """
    #!/usr/bin/python3 -I
    import json, os

    names = os.environ["LISTEN_FDNAMES"].split(":")
    reader = os.fdopen(3 + names.index("host-in"))
    writer = os.fdopen(3 + names.index("host-out"), "w")

    def send(**message):
        print(json.dumps({"jsonrpc": "2.0", **message}), file=writer, flush=True)

    for line in reader:
        message = json.loads(line)
        params = message.get("params", {})
        if message.get("method") == "session/start":
            directory = params["sessionDirectory"]
            send(id=message["id"], result={"protocolVersion": 1})
            send(id="s", method="capture/subscribe", params={"defaultSoundDisabled": True})
        elif message.get("method") == "capture/event" and params["phase"] == "began":
            file = {"primary": "click.wav", "secondary": "song.oga"}[params["button"]]
            id = f"{params['source']} {params['button']}"
            send(id=id, method="capture/playSound", params={"event": params["id"], "path": file})
        elif message.get("method") == "session/willDismiss":
            break
        elif "method" not in message and message["id"] != "s":
            with open(directory + "/answers.txt", "a") as answers:
                print(message["id"], message["result"]["played"], file=answers)

    """

  /// A WAV file with eight samples and an unrelated chunk.
  private static let sound =
    "RIFF\u{38}\0\0\0WAVEfmt \u{10}\0\0\0\u{1}\0\u{1}\0\u{40}\u{1F}\0\0\u{40}\u{1F}\0\0\u{1}\0\u{8}\0"
    + "evil\u{4}\0\0\0evildata\u{8}\0\0\0a click!"

  /// Returns a test home with a player that records the path and the contents of its file.
  private func home(_ user: TestUser) throws -> TestHome {
    let home = try TestHome(user)
    let notes = home.file("played")
    let script = "#!/bin/sh\n{ echo \"$1\"; cat \"$1\"; } >'\(notes).new'\nmv '\(notes).new' '\(notes)'\n"
    let player = try home.write("player", script, mode: 0o755)
    try FileSystem.makeDirectories(home.file("data/sounds/freedesktop/stereo"), mode: 0o755)
    try home.write("data/sounds/freedesktop/stereo/camera-shutter.oga", "shutter")
    home.variables = ["DARKROOM_SOUND_PLAYER=\(player)", "XDG_DATA_DIRS=\(home.file("data"))"]
    return home
  }

  /// Waits for the player's recording, which can follow the end of the session.
  private func played(_ home: TestHome) throws -> String {
    while access(home.file("played"), F_OK) != 0 { usleep(2000) }
    return String(decoding: try #require(try FileSystem.contents(home.file("played"))), as: UTF8.self)
  }

  @Test(arguments: TestUser.available)
  func `a remote press plays the default sound for an extension without sounds`(user: TestUser) throws {
    let home = try home(user)
    try home.installWithoutSwift()
    let session = try home.run("notes", script: "press remote primary\nwait 1s\ndismiss\n")
    #expect(session.command.code == 0, "\(session.command.errors)")
    #expect(session.files == ["notes.txt"])
    let theme = home.file("data/sounds/freedesktop/stereo/camera-shutter.oga")
    #expect(try played(home) == "\(theme)\nshutter")
  }

  @Test(arguments: TestUser.available)
  func `an extension plays its own sound, and only the samples leave the sandbox`(user: TestUser)
    throws
  {
    let home = try home(user)
    try FileSystem.makeDirectories(home.file("Clicker/Extensions/Clicks"), mode: 0o755)
    try home.write("Clicker/app.json", #"{"id":"org.example.clicker","name":"Clicker"}"#)
    let manifest = """
      {"id":"org.example.clicker.clicks","name":"Clicks","executable":"clicks.py","protocol":"1","policy":"capture"}
      """
    try home.write("Clicker/Extensions/Clicks/extension.json", manifest)
    try home.write("Clicker/Extensions/Clicks/clicks.py", Self.clicks, mode: 0o755)
    try home.write("Clicker/Extensions/Clicks/click.wav", Self.sound)
    try home.write("Clicker/Extensions/Clicks/song.oga", "OggS")
    try home.install(home.file("Clicker"))
    let presses = ["press remote secondary", "press primary", "press remote primary"]
    let script = presses.map { "\($0)\nwait 1s\n" }.joined() + "dismiss\n"
    let session = try home.run("clicks", of: "org.example.clicker", script: script)
    #expect(session.command.code == 0, "\(session.command.errors)")
    let answers = try session.text("answers.txt")
    #expect(answers == "remote secondary False\nbutton primary False\nremote primary True\n")
    #expect(
      session.command.errors.contains("a sound was not played: the extension's sound file is not a WAV file")
    )
    let notes = try played(home)
    #expect(
      notes.hasPrefix("/proc/self/fd/0\nRIFF") && notes.hasSuffix("a click!") && !notes.contains("evil")
    )
  }
}
