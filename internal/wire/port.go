package wire

import (
	"context"
	"fmt"
	"net"
	"sync"
	"time"
)

// taken are the ports of the servers that we started: no other one gets them.
var taken = struct {
	sync.Mutex
	ports map[string]bool
}{ports: map[string]bool{}}

// hold holds a port; ok is false if it is already.
func hold(port string) (release func(), ok bool) {
	taken.Lock()
	defer taken.Unlock()
	if taken.ports[port] {
		return nil, false
	}
	taken.ports[port] = true
	return func() {
		taken.Lock()
		defer taken.Unlock()
		delete(taken.ports, port)
	}, true
}

// freePort finds a port of this machine on which nobody listens, and holds it.
func freePort() (port string, release func(), err error) {
	for range 20 {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return "", nil, fmt.Errorf("find a free port: %w", err)
		}
		_, port, err = net.SplitHostPort(listener.Addr().String())
		listener.Close()
		if err != nil {
			return "", nil, fmt.Errorf("find a free port: %w", err)
		}
		if release, ok := hold(port); ok {
			return port, release, nil
		}
	}
	return "", nil, fmt.Errorf("find a free port: all that the system offers are in use")
}

// connectWait bounds one attempt to connect.
const connectWait = time.Second

// listens reports whether somebody takes connections at an address.
func listens(ctx context.Context, address string) bool {
	ctx, cancel := context.WithTimeout(ctx, connectWait)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", address)
	if err != nil {
		return false
	}
	conn.Close()
	return true
}
