// SPDX-License-Identifier: Apache-2.0

// The compiler for C embeds files at once. The compiler for Swift needs half a minute for such literals.

#include "CInterfaceFiles.h"

#include <string.h>

static const unsigned char host_openrpc_json[] = {
#embed "../HostInterface/Schemas/host.openrpc.json"
};
static const unsigned char manager_xml[] = {
#embed "../HostBus/Interfaces/org.darkroom.Host1.Manager.xml"
};
static const unsigned char app_xml[] = {
#embed "../HostBus/Interfaces/org.darkroom.Host1.App.xml"
};
static const unsigned char extension_xml[] = {
#embed "../HostBus/Interfaces/org.darkroom.Host1.Extension.xml"
};
static const unsigned char session_xml[] = {
#embed "../HostBus/Interfaces/org.darkroom.Host1.Session.xml"
};
static const unsigned char dbus_xml[] = {
#embed "../HostBus/Interfaces/org.freedesktop.DBus.xml"
};

static const struct {
  const char *name;
  struct interface_file file;
} files[] = {
    {"host.openrpc.json", {host_openrpc_json, sizeof host_openrpc_json}},
    {"org.darkroom.Host1.Manager.xml", {manager_xml, sizeof manager_xml}},
    {"org.darkroom.Host1.App.xml", {app_xml, sizeof app_xml}},
    {"org.darkroom.Host1.Extension.xml", {extension_xml, sizeof extension_xml}},
    {"org.darkroom.Host1.Session.xml", {session_xml, sizeof session_xml}},
    {"org.freedesktop.DBus.xml", {dbus_xml, sizeof dbus_xml}},
};

struct interface_file interface_file(const char *name) {
  for (size_t index = 0; index < sizeof files / sizeof *files; index++) {
    if (strcmp(files[index].name, name) == 0) return files[index].file;
  }
  return (struct interface_file){NULL, 0};
}
