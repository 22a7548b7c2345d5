// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxPrimitives
internal import ViewfinderLink

// `darkroom-viewfinder GRAPHICS COLOURS HOST KEYS`: shows the viewfinder of a session and a description of
// the KEYS in a terminal. Standard input is a socket to the host, whose PID is HOST; `TerminalViewfinder` in
// Viewfinders sends the messages.

let words = Array(CommandLine.arguments.dropFirst())
guard words.count == 4, let style = ImageStyle(graphics: words[0], colours: words[1]),
  let host = Int32(words[2])
else {
  try? Descriptor.write(
    Array("darkroom-viewfinder is started by darkroom run --preview terminal\n".utf8),
    toNumber: 2
  )
  exit(64)
}
SignalDescriptor.reportFailedWrites()
// A write in the background must not stop this process; the foreground is checked before each image.
signal(SIGTTOU, SIG_IGN)
exit(TerminalDisplay(HostLink(Descriptor(owning: 0)), style, host: host, keys: words[3]).run())
