// SPDX-License-Identifier: Apache-2.0

// Launches an extension with a test pattern, presses the shutter once, and prints the result of the session.
package main

import (
	"encoding/json"
	"log"
	"net"
	"os"
	"time"
)

type object = map[string]any

func main() {
	connection, err := net.Dial("unix", os.Args[1])
	if err != nil {
		log.Fatal(err)
	}
	input, output := json.NewDecoder(connection), json.NewEncoder(connection)
	send := func(method string, params object) {
		output.Encode(object{"jsonrpc": "2.0", "id": method, "method": method, "params": params})
	}
	var message, session object
	for send("host/hello", object{"versions": []int{1}}); message["id"] != "session/result"; {
		message = nil
		if err := input.Decode(&message); err != nil || message["error"] != nil {
			log.Fatalln(err, message["error"])
		}
		params, _ := message["params"].(object)
		event, _ := params["event"].(object)
		switch {
		case message["id"] == "host/hello":
			send("session/launch", object{"extension": os.Args[2], "options": object{"camera": "pattern"}})
		case message["id"] == "session/launch":
			session = message["result"].(object)
			// The response follows after the end of the session.
			send("session/result", session)
		case event["accepts"] == true:
			send("session/press", object{"session": session["session"], "button": "primary"})
			time.Sleep(time.Second)
			send("session/dismiss", session)
		}
	}
	json.NewEncoder(os.Stdout).Encode(message["result"])
}
