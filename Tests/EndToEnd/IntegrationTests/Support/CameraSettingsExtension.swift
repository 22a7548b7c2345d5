// SPDX-License-Identifier: Apache-2.0

/// A Python extension that changes camera settings.
enum CameraSettingsExtension {
  /// The Python functions of the extension. `ask(KEY, METHOD, ...)` sends a request and stores the answer in
  /// `told`. `luma()` returns the brightness of the newest frame on the left. `leave()` writes the answers to
  /// a file.
  private static let prologue = #"""
    #!/usr/bin/python3 -I
    import json, mmap, os, select, struct
    names = os.environ["LISTEN_FDNAMES"].split(":")
    place = {name: 3 + index for index, name in enumerate(names)}
    lines = os.fdopen(place["host-in"])
    told = {}
    def say(**message):
        os.write(place["host-out"], (json.dumps({"jsonrpc": "2.0", **message}) + "\n").encode())
    def answer(*wanted):
        found = {}
        while len(found) < len(wanted):
            message = json.loads(next(lines))
            if message.get("id") in wanted: found[message["id"]] = message
        return [found[name] for name in wanted]
    def ask(key, method, **params):
        say(id=key, method=method, params=params)
        told[key] = answer(key)[0]
    ring = mmap.mmap(place["frames"], 0, mmap.MAP_SHARED, mmap.PROT_READ)
    slots, stride, width = struct.unpack_from("<12xIII", ring)
    offset, rowstride = struct.unpack_from("<II", ring, 48)
    def luma():
        # The last row of the first bar of the newest frame that is whole.
        select.select([place["frame-event"]], [], [])
        os.read(place["frame-event"], 8)
        newest = struct.unpack_from("<Q", ring, 128)[0]
        slot = 4096 + (newest - 1) % slots * stride
        os.write(place["frame-done"], struct.pack("<Q", 1))
        return ring[slot + offset + 47 * rowstride]
    def await_luma(value):
        while luma() != value: pass
        return value
    def leave():
        with open("/session/told.new", "w") as file: json.dump(told, file)
        os.rename("/session/told.new", "/session/told.json")

    """#

  /// Returns an extension with a program body.
  static func program(_ body: String) -> String { prologue + body }
}
