package core

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"

	"github.com/sealmark/action/internal/argument"
	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/reply"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/wire"
)

// StockClient lets an unmodified mcp-go client connect, list and ping. Its
// failure is a finding of launch if it shows twice.
func StockClient(ctx context.Context, env *check.Env) []rule.Finding {
	release, err := env.Lanes.Hold(ctx)
	if err != nil {
		return nil
	}
	err = stockClient(ctx, env)
	release()
	if err == nil || ctx.Err() != nil {
		return nil
	}
	var gone error
	again := env.Lanes.Alone(ctx, func(open func(context.Context) (*check.Instance, error)) {
		if err = stockClient(ctx, env); err == nil {
			return
		}
		var own *check.Instance
		if own, gone = open(ctx); gone == nil {
			own.Kill()
		}
	})
	switch {
	case again != nil || gone != nil || ctx.Err() != nil:
		// A server that has gone meanwhile is no matter of interoperability.
		return nil
	case err == nil:
		// It works alone, so instances disturb each other.
		env.Lanes.OneAtATime()
		return nil
	}
	found := check.NewFindings(launchInfo)
	found.Add(rule.Finding{Rule: "interop.stock-client-fails", Subject: "server", Probe: "stock-client",
		Message:     "An unmodified mcp-go client can't use the server, although a plain reading of the protocol can.",
		ExplainedBy: brokenSchema(env, err),
		Evidence:    rule.Evidence{Detail: env.Redact.Line(err.Error(), 500)}})
	return found.List()
}

// brokenSchema returns the id of schema-contract's finding on the input schema
// that the client can't read, "" if it is not that.
func brokenSchema(env *check.Env, err error) string {
	if !env.Config.Enabled("schema-contract") || !strings.Contains(err.Error(), "inputSchema") {
		return ""
	}
	for _, t := range env.Snapshot.Tools {
		if _, err := argument.Compile(t.InputSchema); argument.OfObject(t.InputSchema) && argument.Uncompilable(err) {
			return rule.FindingID("contract.schema-uncompilable", "tool:"+env.Redact.Line(t.Name, 256))
		}
	}
	return ""
}

func stockClient(ctx context.Context, env *check.Env) error {
	c, end, err := dialStock(ctx, env)
	if err != nil {
		return err
	}
	end = sync.OnceFunc(end)
	defer end()
	start, cancel := context.WithTimeout(ctx, env.Config.TimeoutStart)
	defer cancel()
	if err := c.Start(start); err != nil {
		return fmt.Errorf("connect: %w", err)
	}
	_, err = c.Initialize(start, mcp.InitializeRequest{Params: mcp.InitializeParams{
		ProtocolVersion: mcp.LATEST_LEGACY_PROTOCOL_VERSION,
		ClientInfo:      mcp.Implementation{Name: "sealmark-interop", Version: "1"},
	}})
	if err != nil {
		return fmt.Errorf("initialize: %w", err)
	}
	limit, cancel := context.WithTimeout(ctx, max(env.Config.TimeoutProbe, 2*time.Second))
	defer cancel()
	if env.Snapshot.Lists["tools"].Complete() {
		if _, err := c.ListTools(limit, mcp.ListToolsRequest{}); err != nil {
			return fmt.Errorf("tools/list: %w", err)
		}
	}
	//lint:ignore SA1019 the revisions under test have ping
	if err := c.Ping(limit); err != nil {
		end() // before another instance starts
		if ownPing(ctx, env) {
			return fmt.Errorf("ping: %w", err)
		}
	}
	return nil
}

// ownPing reports whether a plain reading of the protocol gets a ping
// answered; a server without ping is not a matter of interoperability.
func ownPing(ctx context.Context, env *check.Env) bool {
	s, err := env.Own(ctx, check.How{})
	if err != nil {
		return false
	}
	defer s.Kill()
	answer := s.Request(ctx, "ping", nil, env.Config.TimeoutProbe)
	return answer.Kind == reply.Answered && answer.Error == nil
}

// dialStock returns a stock client on an instance of its own and what ends
// both. Over stdio the client gets each message as one clean line, so that a
// fault of the framing is reported once, by stdio-clean.
func dialStock(ctx context.Context, env *check.Env) (*client.Client, func(), error) {
	//lint:ignore SA1019 the revisions under test start with initialize
	legacy := client.WithLegacyProtocolOnly()
	if env.Server.HTTP() {
		address, end := env.Server.URL, func() {}
		if !env.Server.Remote() {
			served, err := wire.Serve(ctx, env.Server)
			if err != nil {
				return nil, nil, err
			}
			address, end = served.URL, served.Kill
		}
		t, err := transport.NewStreamableHTTP(address)
		if err != nil {
			end()
			return nil, nil, err
		}
		c := client.NewClient(t, legacy)
		return c, func() { c.Close(); end() }, nil
	}
	frames, feed := io.Pipe()
	conn, err := wire.Dial(ctx, env.Server, wire.Limits{}, wire.Handler{
		Frame: func(f wire.Frame) { feed.Write(oneLine(f.Raw)) },
		Noise: func(wire.Noise) {},
	})
	if err != nil {
		return nil, nil, err
	}
	go func() {
		<-conn.Done()
		feed.Close()
	}()
	stdio := transport.NewIO(frames, stdin{conn}, io.NopCloser(strings.NewReader("")))
	transport.WithCommandLogger(slog.New(slog.DiscardHandler))(stdio)
	c := client.NewClient(stdio, legacy)
	return c, func() {
		// First of all nobody waits for the stock client to read any more.
		frames.Close()
		conn.Close(context.Background())
		feed.Close()
		c.Close()
	}, nil
}

// oneLine is a message as a line of its own.
func oneLine(message []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, message) != nil {
		b.Write(message)
	}
	return append(b.Bytes(), '\n')
}

// stdin lets a stock client write to a connection.
type stdin struct{ conn wire.Conn }

func (s stdin) Write(b []byte) (int, error) {
	if err := s.conn.SendRaw(context.Background(), b); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (s stdin) Close() error { return nil }
