// SPDX-License-Identifier: Apache-2.0

internal import Glibc
internal import LinuxPrimitives
internal import ViewfinderLink

// `darkroom-viewfinder GRAPHICS COLOURS HOST KEYS`: shows the viewfinder of a session in a terminal, and which KEYS there
// are. Its standard input is a socket to the host, whose process has the number HOST; TerminalViewfinder in CaptureHost
// has the messages.

let words = Array(CommandLine.arguments.dropFirst())
guard words.count == 4, let style = PictureStyle(graphics: words[0], colours: words[1]),
  let host = Int32(words[2])
else {
  try? Descriptor.write(
    Array("darkroom-viewfinder is started by darkroom run --preview terminal\n".utf8),
    toNumber: 2
  )
  exit(64)
}
SignalDescriptor.reportFailedWrites()
// Writing to a terminal that somebody else is in front of is no reason to stop; it is looked at before each picture.
signal(SIGTTOU, SIG_IGN)
exit(ViewfinderShow(HostLink(Descriptor(owning: 0)), style, host: host, keys: words[3]).run())
