# SPDX-License-Identifier: Apache-2.0
"""The objects of the D-Bus service `org.darkroom.Host1`."""

from gi.repository import Gio, GLib

NAME, ROOT = "org.darkroom.Host1", "/org/darkroom/Host1"
APP, EXTENSION, MANAGER, SESSION = (f"{NAME}.{interface}" for interface in ("App", "Extension", "Manager", "Session"))
OBJECT_MANAGER, PROPERTIES = "org.freedesktop.DBus.ObjectManager", "org.freedesktop.DBus.Properties"
# The time limit of calls that wait for the camera or the user.
UNLIMITED = GLib.MAXINT


def reason(error):
    """Returns the message of an error without the name of the D-Bus error."""
    return error.message.removeprefix(f"GDBus.Error:{Gio.DBusError.get_remote_error(error)}: ")


def ignore(*_):
    """Ignores a reply."""


class Service:
    """The service, as it appears on the session bus."""

    def __init__(self, appeared, vanished, on_event):
        """Connects to the bus, and starts the service if the bus knows its program.

        `on_event` receives the path of the session, and the kind and the details of an event. The subscription precedes
        each launch, so that no event of a new session is lost.
        """
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.bus.signal_subscribe(
            NAME, SESSION, "Event", None, None, Gio.DBusSignalFlags.NONE,
            lambda bus, sender, path, interface, signal, arguments: on_event(path, *arguments.unpack()),
        )
        flags = Gio.BusNameWatcherFlags.AUTO_START
        Gio.bus_watch_name_on_connection(self.bus, NAME, flags, lambda *_: appeared(), lambda *_: vanished())

    def proxy(self, path, interface):
        """Returns a proxy of an object, with the values of its properties."""
        return Gio.DBusProxy.new_sync(self.bus, Gio.DBusProxyFlags.NONE, None, NAME, path, interface)

    def extensions(self):
        """Returns the properties of each extension, by the path of the extension."""
        objects = self.proxy(ROOT, OBJECT_MANAGER).GetManagedObjects()
        return {path: interfaces[EXTENSION] for path, interfaces in objects.items() if EXTENSION in interfaces}
